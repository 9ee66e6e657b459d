import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// Notes what programs change of the objects of an entity whose definition keeps it (`edits`), so that runs leave it,
/// and tell where the feed says something else. See `EditTable` for what is noted.
struct EditNotes {
    private let entity: StoredEntity

    /// By entity.
    static func all(_ connection: StoreConnection) throws(StoreError) -> [ExactText: EditNotes] {
        // Asked for each transaction: most stores keep none.
        guard try connection.first("SELECT 1 FROM main.sqlite_schema WHERE name = 'sluice_model'") != nil,
            try connection.first("SELECT 1 FROM main.sluice_model WHERE description LIKE '%\"edits\":true%'") != nil
        else { return [:] }
        let entities = try connection.withConnection { connection throws(Failure) in try StoredEntity.all(connection) }
        let keeping = entities.filter { $0.keepsEdits && !$0.isLost }
        if !keeping.isEmpty { try connection.execute(EditTable.create) }
        return Dictionary(
            keeping.map { (ExactText($0.name), EditNotes(entity: $0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Where the objects are of which a column is about to get another value: what is noted says what they had before.
    ///
    /// - Parameter objects: what stands behind FROM.
    func record(
        _ column: String, _ value: Fragment, in objects: Fragment, _ table: String, _ connection: StoreConnection
    ) throws(StoreError) {
        try check(
            column,
            isTouched: { () throws(StoreError) in
                try !connection.objectIDs("SELECT \"objectID\" FROM " + objects + " LIMIT 1").isEmpty
            })
        let (name, attribute) = (Fragment(value: .text(entity.name)), Fragment(value: .text(column)))
        let stored = "\(quoted(table)).\(quoted(column))"
        let ids = "\(quoted(table)).\"objectID\""
        // An edit of an edit is a decision: from then on the feed says what it said by then.
        try run(
            "INSERT INTO main.sluice_edit (entity, objectID, attribute, base, imported) SELECT " + name
                + ", \(ids), " + attribute + ", \(stored), \(stored) FROM " + objects
                + " ON CONFLICT DO UPDATE SET base = imported", connection)
        // What says what the feed says is no edit.
        let imported: Fragment =
            "(SELECT imported FROM main.sluice_edit sluice_kept WHERE sluice_kept.entity = " + name
            + " AND sluice_kept.objectID = \(ids) AND sluice_kept.attribute = " + attribute + ")"
        try run(
            "DELETE FROM main.sluice_edit WHERE entity = " + name + " AND attribute = " + attribute
                + " AND objectID IN (SELECT \(ids) FROM " + objects + " AND " + value + " IS " + imported + ")",
            connection)
    }

    /// Likewise for one object.
    func record(
        _ columns: [(name: String, value: SQLValue)], of objectID: Int64, _ table: String, _ connection: StoreConnection
    ) throws(StoreError) {
        let objects = Fragment(table: table) + " WHERE \"objectID\" = " + Fragment(value: .integer(objectID))
        for column in columns { try record(column.name, Fragment(value: column.value), in: objects, table, connection) }
    }

    /// Notes objects that a program has created: no feed has said anything of them.
    func recordCreated(_ objectIDs: [Int64], _ table: String, _ connection: StoreConnection) throws(StoreError) {
        let name = Fragment(value: .text(entity.name))
        let list = Fragment(objectIDs: objectIDs)
        let others = entity.attributes.map(\.name).filter { attribute in
            !entity.identifier.contains { $0.isIdentical(to: attribute) }
        }
        for attribute in [EditTable.object] + others {
            try run(
                "INSERT OR REPLACE INTO main.sluice_edit (entity, objectID, attribute) SELECT " + name
                    + ", \"objectID\", " + Fragment(value: .text(attribute)) + " FROM main.\(quoted(table))"
                    + " WHERE \"objectID\" IN " + list + " AND \(quoted(attribute)) IS NOT NULL", connection)
        }
    }

    /// Forgets objects that are deleted.
    func forget(_ objectIDs: [Int64], _ connection: StoreConnection) throws(StoreError) {
        try run(
            "DELETE FROM main.sluice_edit WHERE entity = " + Fragment(value: .text(entity.name)) + " AND objectID IN "
                + Fragment(objectIDs: objectIDs), connection)
    }

    /// Throws where a column is none that an edit could be kept of.
    private func check(_ column: String, isTouched: () throws(StoreError) -> Bool) throws(StoreError) {
        let isAttribute = entity.attributes.contains { $0.name.isIdentical(to: column) }
        let isIdentifying = entity.identifier.contains { $0.isIdentical(to: column) }
        if isAttribute, !isIdentifying { return }
        guard try isTouched() else { return }
        throw StoreError(
            .statement,
            isIdentifying
                ? "\(entity.name).\(column) identifies the object: where edits are kept, it is the feed's"
                : "\(entity.name).\(column) is a relationship: edits are kept of attributes only, and a run would take it"
                    + " back")
    }

    private func run(_ fragment: Fragment, _ connection: StoreConnection) throws(StoreError) {
        try connection.run(fragment) { _ throws(StoreError) in true }
    }
}
