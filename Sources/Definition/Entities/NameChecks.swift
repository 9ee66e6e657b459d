import SluiceExtract
import SluiceRecords

/// Checks the names of tables and columns: those that SQLite would refuse or take for another.
package struct NameChecks {
    let context: DefinitionContext
    let drafts: [UnlinkedEntity]
    /// As the store calls them.
    let entities: [Entity]
    let names: StoreNames
    let hasViews: Bool
    let hasPastViews: Bool

    /// SQLite's limit, as it is compiled by default.
    static let mostColumns = 2000

    func check() {
        var tables = NameSpace(context: context)
        for (draft, entity) in zip(drafts, entities) {
            check(entity.name, at: draft.position)
            checkTable(entity.table, at: tablePosition(draft))
            tables.add(entity.table, "the table of \(quoted(entity.name))", at: tablePosition(draft))
            if hasViews {
                check(Entity.view(of: entity.table), at: tablePosition(draft))
                tables.add(
                    Entity.view(of: entity.table), "the view of \(quoted(entity.name))", at: tablePosition(draft))
                checkView(draft, entity)
            }
            if entity.keepsPast ?? hasPastViews {
                check(Entity.pastView(of: entity.table), at: tablePosition(draft))
                tables.add(
                    Entity.pastView(of: entity.table), "the view of the past of \(quoted(entity.name))",
                    at: tablePosition(draft))
            }
        }
        for (draft, entity) in zip(drafts, entities) {
            for (relationship, position) in relationships(draft, entity) where relationship.isMany {
                let name = entity.linkTable(of: relationship)
                checkTable(name, at: position)
                tables.add(
                    name, "the link table of \(quoted(entity.name)) and \(quoted(relationship.writtenName))",
                    at: position)
                checkValues(of: relationship, at: position)
            }
            checkColumns(draft, entity)
        }
        EarlierNames(context: context, drafts: drafts, entities: entities).check()
    }

    private func tablePosition(_ draft: UnlinkedEntity) -> JSONPosition {
        draft.object?["table"]?.position ?? draft.position
    }

    private func checkValues(of relationship: Relationship, at position: JSONPosition) {
        var columns = NameSpace(context: context)
        for own in LinkReader.ownColumns where relationship.values.contains(where: { $0.written != nil }) {
            columns.add(own, "a column that every table of links has", at: position)
        }
        for value in relationship.values {
            columns.add(value.name, "\(quoted(value.writtenName)) in \"with\"", at: position)
        }
    }

    private func checkColumns(_ draft: UnlinkedEntity, _ entity: Entity) {
        var columns = NameSpace(context: context)
        for (name, position) in positions(draft, "attributes") {
            check(names.name(name), at: position)
            columns.add(names.name(name), "the attribute \(quoted(name))", at: position)
        }
        for (name, position) in positions(draft, "relationships") {
            check(names.name(name), at: position)
            columns.add(names.name(name), "the relationship \(quoted(name))", at: position)
        }
        let named = Set(positions(draft, "relationships").map { ExactText($0.0) })
        for (name, position) in draft.across where !entity.isOfPrograms || !named.contains(ExactText(name)) {
            check(names.name(name), at: position)
            columns.add(
                names.name(name),
                entity.isOfPrograms ? "a part of a reference into another store" : "a column of what identifies it",
                at: position)
        }
        var count = 1 + entity.attributes.count + (entity.marksAbsent ? 1 : 0)
        for (relationship, position) in relationships(draft, entity) where !relationship.isMany {
            count += 1
            guard relationship.targets.count > 1 else { continue }
            count += 1
            check(relationship.name + "_entity", at: position)
            columns.add(
                relationship.name + "_entity",
                "the entity column of the relationship \(quoted(relationship.writtenName))",
                at: position)
        }
        if count > NameChecks.mostColumns {
            NameChecks.refuse(entity.name, columns: count, at: draft.position, in: context)
        } else if count + entity.identifier.count > NameChecks.mostColumns {
            // A query for objects has the columns of the identifier twice, and no more columns than a table may have.
            context.mistake(
                "the table of \(quoted(entity.name)) would have \(count) columns, of which those of the identifier"
                    + " count twice, and SQLite takes \(NameChecks.mostColumns)", at: draft.position)
        } else if entity.keepsPast ?? hasPastViews, count + Entity.pastColumns > NameChecks.mostColumns {
            context.mistake(
                "the table of \(quoted(entity.name)) would have \(count) columns, that of its past"
                    + " \(count + Entity.pastColumns), and SQLite takes \(NameChecks.mostColumns)", at: draft.position)
        }
    }

    static func refuse(
        _ entity: String, columns count: Int, at position: JSONPosition, in context: DefinitionContext
    ) {
        context.mistake(
            "the table of \(quoted(entity)) would have \(count) columns, and SQLite takes \(mostColumns)",
            at: position)
    }

    /// Checks that the view has no two columns of one name: a target that several attributes identify has one for each.
    private func checkView(_ draft: UnlinkedEntity, _ entity: Entity) {
        var columns = NameSpace(context: context)
        for (name, position) in positions(draft, "attributes") {
            columns.add(names.name(name), "the attribute \(quoted(name))", at: position)
        }
        for (relationship, position) in relationships(draft, entity) {
            columns.add(relationship.name, "the relationship \(quoted(relationship.writtenName))", at: position)
        }
        for (relationship, position) in relationships(draft, entity)
        where !relationship.isMany && relationship.targets.count == 1 {
            let target = entities[relationship.targets[0].entity]
            let identifier = target.identifier.map { target.attributes[$0].name }
            for name in Relationship.viewColumns(of: relationship.name, identifier) where identifier.count > 1 {
                columns.add(
                    name, "a column of the view for the relationship \(quoted(relationship.writtenName))", at: position)
            }
        }
    }

    /// The names of an entity's attributes or relationships, with their places.
    private func positions(_ draft: UnlinkedEntity, _ key: String) -> [(String, JSONPosition)] {
        guard case .object(let members)? = draft.object?[key]?.kind else { return [] }
        return members.map { ($0.key, $0.position) }
    }

    private func relationships(_ draft: UnlinkedEntity, _ entity: Entity) -> [(Relationship, JSONPosition)] {
        let positions = positions(draft, "relationships")
        return entity.relationships.compactMap { relationship in
            positions.last { $0.0.utf8.elementsEqual(relationship.writtenName.utf8) }.map { (relationship, $0.1) }
        }
    }

    /// Checks the name of a table: SQLite would take one of these for a function of its own, or the other way round.
    private func checkTable(_ name: String, at position: JSONPosition) {
        check(name, at: position)
        let folded = NameChecks.folded(name)
        guard folded == Array("json_each".utf8) || folded.starts(with: "pragma_".utf8) else { return }
        context.mistake(
            "\(quoted(name)) is a name by which SQLite calls a function: no table can have it", at: position)
    }

    /// Checks one name by itself.
    private func check(_ name: String, at position: JSONPosition) {
        if let reason = NameChecks.wrong(name) { context.mistake("\(quoted(name)) \(reason)", at: position) }
    }

    /// What is wrong with a name.
    package static func wrong(_ name: String) -> String? {
        if name.isEmpty { return "is empty, and no name" }
        if name.utf8.contains(0) { return "holds a NUL, which no name can" }
        let folded = folded(name)
        for reserved in ["objectid", "deleted_at"] where folded == Array(reserved.utf8) {
            return "is a name that the store needs for itself"
        }
        for prefix in ["sluice_", "sqlite_"] where folded.starts(with: prefix.utf8) {
            return "starts with \(prefix): such names are reserved"
        }
        return nil
    }

    /// A name as SQLite compares it: it folds the case of ASCII letters, and of no others.
    package static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}

/// Names that must differ from one another.
private struct NameSpace {
    let context: DefinitionContext
    private var owners: [[UInt8]: (String, JSONPosition)] = [:]

    init(context: DefinitionContext) { self.context = context }

    mutating func add(_ name: String, _ owner: String, at position: JSONPosition) {
        if let (other, first) = owners[NameChecks.folded(name)] {
            // A repeated key is known to be a mistake.
            guard other != owner else { return }
            context.mistake(
                "the name \(quoted(name)), of \(owner), is taken by \(other) in line \(first.line)"
                    + " (the case of letters does not count)", at: position)
        } else {
            owners[NameChecks.folded(name)] = (owner, position)
        }
    }
}
