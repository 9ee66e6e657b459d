import SluiceDefinition
import SluiceRecords

/// The type of an entity's objects, as Swift.
struct EntityType {
    /// A property of the type.
    struct Property {
        var name: String
        var type: String
        /// How it is read from a row.
        var reading: String
        /// The lines that declare its columns.
        var columns: [String]
        /// The entries of the list of columns.
        var entries: [String]
        /// The values of its columns, of a new object.
        var values: [String]
        var isOptional: Bool
        /// Beginning of a comment: what it is.
        var comment: String
        /// Whether it is the mark, which says since when the object is absent: programs do not set it.
        var isMark = false
    }

    private let entity: Entity
    private let type: String
    private let model: Model
    private let types: [String]
    private let across: [AcrossReference]
    /// The type of a moment.
    private let moment: String
    private var properties: [Property] = []
    private var links: [Property] = []
    /// The enumerations of attributes that have few values.
    private var choices: [ChoiceType] = []
    /// By attribute: the index of its property.
    private var ofAttributes: [Int] = []
    private var names = SwiftNames()
    private var choiceNames: SwiftNames
    /// Columns that are read, with the objectID.
    private var columnCount = 1

    init(
        _ entity: Entity, type: String, model: Model, types: [String], across: [AcrossReference],
        usesDates: Bool = false
    ) throws(Failure) {
        self.entity = entity
        self.type = type
        self.model = model
        self.types = types
        self.across = across
        moment = usesDates ? "Date" : "Instant"
        // An enumeration with the name of an entity would hide the entity's type.
        choiceNames = SwiftNames(besides: types)
        for index in entity.attributes.indices {
            ofAttributes.append(properties.count)
            try add(attribute: index)
        }
        for relationship in entity.relationships where !relationship.isMany { add(reference: relationship) }
        for relationship in entity.relationships where relationship.isMany { add(links: relationship) }
        if entity.marksAbsent { addMark() }
    }

    // MARK: Properties

    private mutating func add(attribute index: Int) throws(Failure) {
        let attribute = entity.attributes[index]
        let form = attribute.conversion.stored
        let isOptional = !entity.identifier.contains(index)
        let name = names.property(attribute.writtenName)
        let target = across.first { $0.parts.count == 1 && $0.name.isIdentical(to: attribute.name) }
        var base = form.type == .datetime ? moment : SwiftLiteral.type(form)
        if let target {
            var names = SwiftNames()
            base = "AcrossID<\(names.type(target.target))>"
        } else if let choice = ChoiceType(attribute, &choiceNames) {
            choices.append(choice)
            base = choice.name
        }
        let valueType = base + (isOptional ? "?" : "")
        let formText = SwiftLiteral.form(form) ?? (target == nil ? nil : "StoredForm(.\(form.type.rawValue))")
        let declared = [SwiftLiteral.text(attribute.name), formText].compactMap { $0 }.joined(separator: ", ")
        let bounds = try SwiftLiteral.bounds(attribute).map { ", bounds: \($0)" } ?? ""
        let elements =
            attribute.conversion.isMany ? ", elements: \(SwiftLiteral.exact(attribute.conversion.element))" : ""
        let reading = target == nil ? SwiftLiteral.reading(form, columnCount) : "value(\(columnCount))"
        properties.append(
            Property(
                name: name, type: valueType, reading: reading,
                columns: ["public let \(name) = Column<\(type), \(valueType)>(\(declared))"],
                entries: [".init(columns.\(name)\(bounds)\(elements)) { $0.\(name) }"], values: [name],
                isOptional: isOptional,
                comment: target == nil
                    ? "The attribute `\(attribute.writtenName.printable)`."
                    : "The relationship `\(attribute.writtenName.printable)`, into another store."))
        columnCount += 1
    }

    private mutating func add(reference relationship: Relationship) {
        let name = names.property(relationship.writtenName)
        let targets = relationship.targets.map { model.entities[$0.entity].name }
        let quoted = SwiftLiteral.text(relationship.name)
        let references = "references: .init(\(quoted), to: \(SwiftLiteral.list(targets)))"
        let comment = "The relationship `\(relationship.writtenName.printable)`."
        if relationship.isPolymorphic {
            properties.append(
                Property(
                    name: name, type: "AnyObjectID?", reading: "reference(\(columnCount), entity: \(columnCount + 1))",
                    columns: ["public let \(name) = AnyReference<\(type)>(\(quoted))"],
                    entries: [
                        ".init(columns.\(name), \(references)) { $0.\(name) }",
                        ".init(entityOf: columns.\(name)) { $0.\(name) }",
                    ], values: ["\(name)?.number", "\(name)?.entity"], isOptional: true, comment: comment))
            columnCount += 2
            return
        }
        let target = "ObjectID<\(types[relationship.targets[0].entity])>?"
        properties.append(
            Property(
                name: name, type: target, reading: "objectID(\(columnCount))",
                columns: ["public let \(name) = Column<\(type), \(target)>(\(quoted))"],
                entries: [".init(columns.\(name), \(references)) { $0.\(name) }"], values: [name], isOptional: true,
                comment: comment))
        columnCount += 1
    }

    private mutating func add(links relationship: Relationship) {
        let name = names.property(relationship.writtenName)
        let table = SwiftLiteral.text(entity.linkTable(of: relationship))
        let targets = relationship.targets.map { model.entities[$0.entity].name }
        let kind =
            relationship.isPolymorphic
            ? "AnyLinks<\(type)>" : "Links<\(type), \(types[relationship.targets[0].entity])>"
        links.append(
            Property(
                name: name, type: "", reading: "", columns: ["public let \(name) = \(kind)(\(table))"],
                entries: [".init(\(SwiftLiteral.text(relationship.name)), to: \(SwiftLiteral.list(targets)))"],
                values: [],
                isOptional: true, comment: ""))
    }

    private mutating func addMark() {
        let name = names.property(Entity.deletedAt)
        properties.append(
            Property(
                name: name, type: "\(moment)?", reading: "value(\(columnCount))",
                columns: [
                    "public let \(name) = Column<\(type), \(moment)?>(\(SwiftLiteral.text(Entity.deletedAt)), "
                        + "StoredForm(.datetime, fraction: 0))"
                ],
                entries: [".init(mark: columns.\(name)) { $0.\(name) }"], values: [name], isOptional: true,
                comment: "Since when no feed has held the object; nil: the last one did.", isMark: true))
        columnCount += 1
    }

    // MARK: Text

    func text() -> String {
        let identifying = entity.identifier.map { properties[ofAttributes[$0]] }
        let names = entity.identifier.map { "`\(entity.attributes[$0].writtenName.printable)`" }.joined(separator: ", ")
        var lines = ["/// An object of the entity `\(entity.name.printable)`, which \(names) identifies."]
        lines.append("public struct \(type): StoredObject, Hashable, Codable {")
        lines.append("    public static let entity = \(SwiftLiteral.text(entity.name))")
        lines.append("    public let objectID: ObjectID<\(type)>")
        for property in properties {
            lines.append("    /// \(property.comment)")
            lines.append("    public var \(property.name): \(property.type)")
        }
        lines.append("")
        lines += identifierLines(identifying)
        lines += acrossLines
        lines += [
            "", "    public init(_ row: borrowing StoreRow) throws(StoreError) {",
            "        objectID = try row.objectID(0)",
        ]
        lines += properties.map { "        \($0.name) = try row.\($0.reading)" }
        lines.append("    }")
        lines += choices.flatMap(\.lines) + newLines + columnLines
        lines.append("}")
        return lines.joined(separator: "\n")
    }

    private func identifierLines(_ identifying: [Property]) -> [String] {
        if identifying.count == 1 {
            return [
                "    public var identifier: \(identifying[0].type) { \(identifying[0].name) }",
                "    public static func values(of identifier: \(identifying[0].type)) -> [any StoreValue] { [identifier] }",
            ]
        }
        let arguments = identifying.map { "\($0.name): \($0.name)" }.joined(separator: ", ")
        let values = identifying.map { "identifier.\($0.name)" }.joined(separator: ", ")
        return [
            "    public var identifier: Identifier { Identifier(\(arguments)) }",
            "    public static func values(of identifier: Identifier) -> [any StoreValue] { [\(values)] }", "",
            "    /// What identifies an object.", "    public struct Identifier: Sendable, Hashable, Codable {",
        ] + declaration(of: identifying, indent: "        ") + ["    }"]
    }

    /// Properties, and an initializer.
    private func declaration(of properties: [Property], indent: String) -> [String] {
        var lines = properties.flatMap { ["\(indent)/// \($0.comment)", "\(indent)public var \($0.name): \($0.type)"] }
        let parameters = properties.map { "\($0.name): \($0.type)" + ($0.isOptional ? " = nil" : "") }
        lines += ["", "\(indent)/// All values.", "\(indent)public init("]
        lines.append("\(indent)    " + parameters.joined(separator: ",\n\(indent)    "))
        lines.append("\(indent)) {")
        lines += properties.map { "\(indent)    self.\($0.name) = \($0.name)" }
        lines.append("\(indent)}")
        return lines
    }

    /// References across stores that several attributes hold.
    private var acrossLines: [String] {
        across.filter { $0.parts.count > 1 }.flatMap { reference -> [String] in
            var (own, other, parts) = (names, SwiftNames(), SwiftNames())
            let target = other.type(reference.target)
            let columns = reference.parts.map { part -> (String, Property?) in
                let index = entity.attributes.firstIndex { $0.name.isIdentical(to: part.attribute) }
                return (parts.property(part.part), index.map { properties[ofAttributes[$0]] })
            }
            let unwrapped = columns.compactMap { $0.1 }.filter(\.isOptional).map(\.name)
            let arguments = columns.map { "\($0.0): \($0.1?.name ?? "")" }.joined(separator: ", ")
            var lines = ["", "    /// The relationship `\(reference.name.printable)`, into another store."]
            lines.append("    public var \(own.property(reference.name)): AcrossID<\(target)>? {")
            if !unwrapped.isEmpty {
                lines.append(
                    "        guard \(unwrapped.map { "let \($0)" }.joined(separator: ", ")) else { return nil }")
            }
            lines.append("        return AcrossID(\(target).Identifier(\(arguments)))")
            lines.append("    }")
            return lines
        }
    }

    private var newLines: [String] {
        let given = properties.filter { !$0.isMark }
        let values = properties.flatMap { property in
            given.contains { $0.name.isIdentical(to: property.name) } ? property.values : ["\(moment)?.none"]
        }
        return [
            "", "    /// An object that is not in the store yet.",
            "    public struct New: NewObject, Hashable, Codable {",
            "        public typealias Stored = \(type)",
        ] + declaration(of: given, indent: "        ") + [
            "", "        public var values: [any StoreValue] { [\(values.joined(separator: ", "))] }", "    }",
        ]
    }

    private var columnLines: [String] {
        let identifier = SwiftLiteral.list(entity.identifier.map { entity.attributes[$0].name })
        var lines = [
            "", "    /// The columns, for conditions, orders and assignments.", "    public struct Columns: Sendable {",
        ]
        lines.append("        public let objectID = Column<\(type), ObjectID<\(type)>>.objectID")
        lines += (properties + links).flatMap(\.columns).map { "        \($0)" }
        lines += [
            "    }", "", "    public static let columns = Columns()",
            "    public static let columnList = ColumnList<\(type)>(",
        ]
        let links = links.isEmpty ? "" : ", links: [\(links.flatMap(\.entries).joined(separator: ", "))]"
        lines.append("        table: \(SwiftLiteral.text(entity.table)), identifier: \(identifier)\(links),")
        lines.append("        [")
        lines += properties.flatMap(\.entries).map { "            \($0)," }
        lines += ["        ])"]
        return lines
    }
}
