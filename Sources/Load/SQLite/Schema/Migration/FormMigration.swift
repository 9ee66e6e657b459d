import SluiceRecords

/// Brings the values of a store into the forms that the definition gives them, within the transaction of a run.
struct FormMigration {
    let connection: Connection
    let model: Model
    let changes: [FormChange]
    /// What `sluice_model` said before, and says from now on, of all pipelines; renamed already.
    let before: [EntityDescription]
    let after: [EntityDescription]

    func perform() throws(Failure) {
        guard !changes.isEmpty else { return }
        for index in model.entities.indices {
            let entity = model.entities[index]
            var conversions: [FoldedName: FormConversion] = [:]
            var isNeeded = false
            for change in changes where change.entity == index {
                conversions[FoldedName(entity.attributes[change.attribute].name)] = change.conversion
                isNeeded = isNeeded || change.isRewritten
            }
            guard isNeeded else { continue }
            try TableRebuild(connection: connection, table: entity.table, conversions: conversions).perform()
        }
        try migrateEdits()
        try migrateWaitingList()
    }

    /// What the feed said of attributes that programs have changed. What has no equal in the new form is not known any
    /// more.
    private func migrateEdits() throws(Failure) {
        guard try EditTable.isThere(connection) else { return }
        for change in changes {
            let entity = model.entities[change.entity]
            try EditTable.convert(
                entity.name, entity.attributes[change.attribute].name, change.conversion, connection)
        }
    }

    /// What waits for an entity whose identifier has another form.
    private func migrateWaitingList() throws(Failure) {
        var changed: Set<String> = []
        for change in changes {
            let entity = model.entities[change.entity]
            if entity.identifier.contains(change.attribute) { changed.insert(entity.name) }
        }
        guard !changed.isEmpty, try StoredTable(connection, "sluice_unresolved") != nil else { return }
        var seen: Set<[String]> = []
        for description in before + after {
            for relationship in description.relationships where !changed.isDisjoint(with: relationship.targets) {
                guard seen.insert([description.name, relationship.name]).inserted else { continue }
                try WaitingListMigration(
                    connection: connection, entity: description.name, relationship: relationship.name,
                    targets: targets(relationship.targets)
                ).perform()
            }
        }
    }

    private func targets(_ names: [String]) -> [WaitingListMigration.Target] {
        names.compactMap { name in
            guard let old = identifier(name, before) ?? identifier(name, after), let new = identifier(name, after)
            else {
                return nil
            }
            return WaitingListMigration.Target(name: name, before: old, after: new)
        }
    }

    /// The forms of an entity's identifier.
    private func identifier(_ name: String, _ descriptions: [EntityDescription]) -> [StoredForm]? {
        guard let description = descriptions.first(where: { $0.name.isIdentical(to: name) }) else { return nil }
        let forms = description.identifier.compactMap { part in
            description.attributes.first { $0.name.isSameName(as: part) }?.form
        }
        return forms.count == description.identifier.count ? forms : nil
    }
}

extension FormChange {
    /// Whether the table must be written anew for it.
    var isRewritten: Bool { count > 0 || conversion.from.column != conversion.to.column }
}
