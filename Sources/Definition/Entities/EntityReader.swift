import SluiceExtract
import SluiceRecords

/// An entity on its way: read, but for what needs the others.
struct UnlinkedEntity {
    let position: JSONPosition
    /// Nil: it could not be read at all.
    var object: DefinitionObject?
    var entity: Entity
    /// Nil: it has a mistake, or a relationship is part of it.
    var identifier: [Int]?
    /// Where a relationship is part of the identifier: all parts, attributes and relationships.
    var identifierParts: [IdentifierPart] = []
    let slots: SlotTable
    let paths: PathReader
    /// The columns of references into other stores, and of references that identify, and where these references stand.
    var across: [(name: String, position: JSONPosition)] = []
}

/// Reads an entity, but for its relationships and `within`.
struct EntityReader {
    let context: DefinitionContext
    let sources: [Source]
    /// The entities to which relationships lead that make stubs.
    let stubTargets: Set<ExactText>

    private var sourceNames: [String] { sources.map(\.name) }

    func draft(_ member: JSONMember) -> UnlinkedEntity {
        let object = DefinitionObject(
            member.value, "the entity \(quoted(member.key))", keys: DefinitionKeys.entity, in: context)
        if let object, let draft = refused(member, object) { return draft }
        if let object, object["records"] == nil, !object.isMisspelt("records") {
            return stubTargets.contains(ExactText(member.key))
                ? stubsDraft(member, object) : programsDraft(member, object)
        }
        let records = object.map { self.records(of: $0) } ?? []
        let paths = PathReader(context: context, entity: member.key, records: records)
        let slots = SlotTable()
        var entity = Entity(name: member.key, records: records, slots: [], identifier: [], attributes: [])
        guard let object else {
            return UnlinkedEntity(
                position: member.position, object: nil, entity: entity, identifier: nil, slots: slots, paths: paths)
        }
        entity.sources = sources(of: object)
        entity.isOfTables = checkTables(entity, object)
        let conditions = ConditionReader(context: context, paths: paths, slots: slots)
        entity.conditions = conditions.conditions("where", of: object)
        entity.deletions = conditions.conditions("deleteWhere", of: object)
        checkConditions(entity, slots, object)
        entity.attributes = AttributeReader(context: context, paths: paths, slots: slots).attributes(of: object)
        entity.table = object.text("table") ?? member.key
        entity.was = object.texts("was").map(\.text)
        entity.mode = object.choice("mode") ?? .upsert
        entity.duplicates = object.choice("duplicates") ?? .last
        entity.repeats = object.boolean("repeats") ?? false
        entity.ignored = object.texts("ignore").compactMap { paths.ignored($0.text, at: $0.position) }
        entity.absence.choice = object.choice("absent") ?? .keep
        entity.ignored += object.texts("except").map { Path(root: .record, steps: [.name($0.text)]) }
        // It has done what it says.
        let _: OpenAttributes.Drift? = object.choice("drift")
        entity.absence.orphans = object.choice("orphans") ?? .keep
        entity.edits = object.choice("edits") ?? .replace
        entity.keepsPast = object.boolean("history")
        readSideIndexes(of: object, into: &entity)
        let parts = identifierParts(of: object, entity.attributes)
        var draft = UnlinkedEntity(
            position: member.position, object: object, entity: entity, identifier: nil, slots: slots, paths: paths)
        draft.identifier = parts.flatMap { IdentifierPart.attributes($0) }
        if let parts, draft.identifier == nil { draft.identifierParts = parts }
        return draft
    }

    /// An entity whose attributes no table can have: what else they are is not worth the time that it takes.
    private func refused(_ member: JSONMember, _ object: DefinitionObject) -> UnlinkedEntity? {
        guard case .object(let attributes)? = object["attributes"]?.kind,
            attributes.count >= NameChecks.mostColumns
        else { return nil }
        NameChecks.refuse(member.key, columns: 1 + attributes.count, at: member.position, in: context)
        let entity = Entity(name: member.key, records: [], slots: [], identifier: [], attributes: [])
        return UnlinkedEntity(
            position: member.position, object: nil, entity: entity, identifier: nil, slots: SlotTable(),
            paths: PathReader(context: context, entity: member.key, records: []))
    }

    /// Checks that a record that `where` takes can say that its object is gone, so far as both name values.
    private func checkConditions(_ entity: Entity, _ slots: SlotTable, _ object: DefinitionObject) {
        guard let position = object.position(of: "deleteWhere") else { return }
        for deletion in entity.deletions.compactMap(\.equality) where !slots.slots[deletion.slot].many {
            // A value that could not be read is a mistake of its own.
            let takes = entity.conditions.compactMap(\.equality).filter {
                $0.slot == deletion.slot && !$0.values.isEmpty
            }
            let isTaken = deletion.values.contains { value in
                takes.allSatisfy { $0.values.contains { $0.isEqual(to: value) } }
            }
            if isTaken || deletion.values.isEmpty { continue }
            let path = slots.slots[deletion.slot].path.description
            context.mistake(
                "\"where\" takes no record whose \(quoted(path)) is as \"deleteWhere\" has it: none could say that its"
                    + " object is gone", at: position)
        }
    }

    /// Whether all records are rows of tables. Those of tables have one path.
    private func checkTables(_ entity: Entity, _ object: DefinitionObject) -> Bool {
        let tables = entity.sources.filter { sources.indices.contains($0) && sources[$0].expectedFormat.isTable }
        let isOfTables = !tables.isEmpty && tables.count == entity.sources.count
        if isOfTables, let node = object["records"] {
            for (path, element) in zip(entity.records, node.elements) where !path.steps.isEmpty {
                context.mistake("the records of a table are its rows: \"$\"", at: element.position)
            }
        }
        return isOfTables
    }

    private func records(of object: DefinitionObject) -> [Path] {
        guard let node = object.required("records") else { return [] }
        if node.elements.isEmpty { context.wrong("records", node, expected: "a path, or a list of paths") }
        let paths = node.elements.compactMap { PathReader.records($0, in: context) }
        for (index, path) in paths.enumerated() where paths.count == node.elements.count {
            if paths[..<index].contains(path) {
                context.mistake("\(quoted(path.description)) is in this list twice", at: node.elements[index].position)
            }
        }
        // With one of them unknown, nothing can be said about what encloses the records.
        return paths.count == node.elements.count ? paths : []
    }

    private func sources(of object: DefinitionObject) -> [Int] {
        guard object["source"] != nil else {
            if sourceNames.count > 1 {
                context.mistake(
                    "\(object.what) needs \"source\": there \(context.present(sourceNames))",
                    at: object.position)
            }
            return [0]
        }
        var indices: [Int] = []
        for (name, position) in object.texts("source") {
            guard let index = sourceNames.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                context.unknown("source", name, among: sourceNames, at: position)
                continue
            }
            if indices.contains(index) {
                context.mistake("\(quoted(name)) is in this list twice", at: position)
            } else {
                indices.append(index)
            }
        }
        return indices
    }

    /// The indices of the identifying attributes; nil: there is a mistake.
    func identifier(of object: DefinitionObject, _ attributes: [Attribute]) -> [Int]? {
        identifierParts(of: object, attributes, takesRelationships: false).flatMap { IdentifierPart.attributes($0) }
    }

    /// The identifying attributes, and relationships; nil: there is a mistake.
    private func identifierParts(
        of object: DefinitionObject, _ attributes: [Attribute], takesRelationships: Bool = true
    ) -> [IdentifierPart]? {
        guard object.required("identifier") != nil else { return nil }
        let names = object.texts("identifier")
        var relationships: [JSONMember] = []
        if takesRelationships, case .object(let members)? = object["relationships"]?.kind { relationships = members }
        var parts: [IdentifierPart] = []
        for (name, position) in names {
            let index = attributes.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
            let relationship = relationships.last { $0.key.utf8.elementsEqual(name.utf8) }
            let known = attributes.map(\.name) + relationships.map(\.key)
            if names.contains(where: { $0.text.utf8.elementsEqual(name.utf8) && $0.position.offset < position.offset })
            {
                context.mistake("\(quoted(name)) is in this list twice", at: position)
            } else if let index, attributes[index].conversion.type == .json {
                context.mistake("an attribute of the type json cannot identify anything", at: position)
            } else if let index, attributes[index].conversion.isMany {
                context.mistake("an attribute with \"many\" cannot identify anything", at: position)
            } else if let index {
                parts.append(.attribute(index))
            } else if let relationship {
                parts.append(.relationship(relationship, at: position))
            } else {
                context.unknown(
                    relationships.isEmpty ? "attribute" : "attribute or relationship", name, among: known, at: position)
            }
        }
        checkIdentifying(object["attributes"], parts.map { $0.attribute.map { attributes[$0].name } ?? "" })
        return parts.count == names.count && !parts.isEmpty ? parts : nil
    }

    /// Checks that nothing is said of identifying attributes that has no effect on them.
    private func checkIdentifying(_ attributes: JSONNode?, _ names: [String]) {
        guard case .object(let members)? = attributes?.kind else { return }
        for (place, name) in names.enumerated() {
            guard let member = members.last(where: { $0.key.utf8.elementsEqual(name.utf8) }),
                case .object(let keys) = member.value.kind
            else { continue }
            for key in keys {
                if key.key == "onAbsent" {
                    context.mistake(
                        "a record in which an identifier is absent is a reject: \"onAbsent\" has no effect",
                        at: key.position)
                }
                // Of several, only the first has an index that serves it alone.
                if key.key == "index", place == 0, case .boolean(true) = key.value.kind {
                    context.mistake("an identifier has an index already", at: key.position)
                }
            }
        }
    }
}

extension Literal {
    /// JSON equality, as far as doubles tell numbers apart.
    fileprivate func isEqual(to other: Literal) -> Bool {
        switch (self, other) {
        case (.number(let one), .number(let two)): Double(one) == Double(two)
        case (.text(let one), .text(let two)): ExactText(one) == ExactText(two)
        default: self == other
        }
    }
}
