import SluiceRecords

/// What a picture of a pipeline shows: its entities with their columns, and what refers to what.
package struct ModelDiagram: Sendable {
    /// An attribute, or what a link has of its own.
    package struct Column: Sendable {
        var name: String
        /// As a definition has it; a list has brackets behind it.
        var type: String
        var isIdentifying = false
        var isRequired = false
        /// All values that there are; empty: any.
        var choices: [String] = []
        /// Of a reference into another store: the entity there.
        var across: String?
    }

    /// A relationship.
    package struct Reference: Sendable {
        package enum Kind: String, Sendable {
            case one = "to-one"
            case many = "to-many"
            /// To-many, in which a target may stand several times.
            case list = "to-many list"
        }

        var name: String
        /// The indices of the entities that it leads to.
        var targets: [Int]
        var kind: Kind
        /// Whether it is a part of what identifies the object.
        var isIdentifying: Bool
        /// Whether the object goes with its target.
        var cascades: Bool
        /// What each link has of its own.
        var values: [Column]
        /// Of a to-many relationship: the table of its links.
        var linkTable: String

        /// In words: `to-many, with role`, `to-one, Post or Comment`.
        func inWords(_ boxes: [Box]) -> String {
            var parts = [kind.rawValue, targets.map { boxes[$0].name }.joined(separator: " or ")]
            if isIdentifying { parts.append("part of the identifier") }
            if !values.isEmpty { parts.append("with " + values.map(\.name).joined(separator: ", ")) }
            if cascades { parts.append("deleted with it") }
            return parts.joined(separator: ", ")
        }
    }

    /// An entity.
    package struct Box: Sendable {
        var name: String
        var table: String
        var columns: [Column]
        /// The names of the columns that identify an object, in their order.
        var identifier: [String]
        var references: [Reference]
        /// References into other stores that several columns hold: the relationship, and the entity that another
        /// definition has.
        var across: [(name: String, target: String)]
        /// Whether objects that a feed lacks are marked.
        var hasMark: Bool
        var isOfPrograms: Bool
    }

    /// Of the pipeline.
    var name: String
    var boxes: [Box]

    /// - Parameter across: the references into other stores, by the entity's index.
    package init(name: String, _ model: Model, across: [Int: [(name: String, target: String)]] = [:]) {
        self.name = name
        boxes = model.entities.enumerated().map { index, entity in
            let (across, names) = (across[index] ?? [], entity.attributes.map(\.name))
            return Box(
                name: entity.name, table: entity.table,
                columns: entity.attributes.enumerated().map { position, attribute in
                    var column = Column(attribute, isIdentifying: entity.identifier.contains(position))
                    column.across = across.first { $0.name.isIdentical(to: attribute.name) }?.target
                    return column
                },
                identifier: entity.identifier.map { names[$0] },
                references: entity.relationships.map { Reference($0, of: entity, in: model) },
                across: across.filter { !names.containsExactly($0.name) }, hasMark: entity.marksAbsent,
                isOfPrograms: entity.isOfPrograms)
        }
    }
}

extension ModelDiagram.Column {
    init(_ attribute: Attribute, isIdentifying: Bool) {
        name = attribute.name
        type = attribute.conversion.type.rawValue + (attribute.conversion.isMany ? "[]" : "")
        self.isIdentifying = isIdentifying
        isRequired = attribute.required || isIdentifying
        choices = (attribute.bounds.oneOf ?? []).compactMap { literal in
            switch literal {
            case .text(let text), .number(let text): text
            case .null, .boolean, .json: nil
            }
        }
    }
}

extension ModelDiagram.Reference {
    init(_ relationship: Relationship, of entity: Entity, in model: Model) {
        name = relationship.name
        targets = relationship.targets.map(\.entity)
        kind = relationship.isMany ? (relationship.isSet ? .many : .list) : .one
        cascades = relationship.onDelete == .cascade
        values = relationship.values.map { ModelDiagram.Column($0, isIdentifying: false) }
        linkTable = entity.linkTable(of: relationship)
        // What identifies the target is an attribute of the object then, under the relationship's name.
        let target = model.entities[relationship.targets[0].entity]
        let own = entity.identifier.map { entity.attributes[$0].name }
        let needed = target.identifier.map { "\(relationship.name)_\(target.attributes[$0].name)" }
        isIdentifying = !relationship.isMany && !needed.isEmpty && needed.allSatisfy(own.containsExactly)
    }
}
