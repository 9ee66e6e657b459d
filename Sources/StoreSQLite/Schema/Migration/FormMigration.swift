import SluiceRecords
import SluiceSchema

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
                isNeeded = isNeeded || change.isRewritten(SQLiteDialect())
            }
            guard isNeeded else { continue }
            try TableRebuild(connection: connection, table: entity.table, conversions: conversions).perform()
        }
        try migrateEdits()
        try migrateWaitingList()
    }

    /// Converts the feed's values of attributes that programs have changed. A value that has no equal in the new form
    /// is forgotten.
    private func migrateEdits() throws(Failure) {
        guard try EditTable.isThere(connection) else { return }
        for change in changes {
            let entity = model.entities[change.entity]
            try EditTable.convert(
                entity.name, entity.attributes[change.attribute].name, change.conversion, connection)
        }
    }

    /// Converts the references that wait for an entity whose identifier has another form.
    private func migrateWaitingList() throws(Failure) {
        let waiting = WaitingConversion.all(changes, model, before: before, after: after)
        guard !waiting.isEmpty, try StoredTable(connection, "sluice_unresolved") != nil else { return }
        for conversion in waiting {
            try WaitingListMigration(connection: connection, conversion: conversion).perform()
        }
    }
}
