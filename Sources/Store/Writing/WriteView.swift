import SluiceRecords
import SluiceSchema

/// A store that is written, all or nothing: what one write does, the next one and the reads between them see.
public struct WriteView: ~Copyable {
    let connection: StoreConnection
    let changes: ChangeNotes

    /// Reads what is there now, with what was written in this transaction.
    public var view: ReadView { ReadView(connection: connection) }

    /// Sets attributes of all objects of a query, in SQL. An object that has the values already is neither written nor
    /// counted.
    ///
    /// - Throws: `invalid` where a value is outside the bounds of its attribute, with entity, attribute and, where it
    ///   is calculated, objectID.
    public func update<Object>(
        _ query: Query<Object>, result: BatchResultKind = .count, set: (Object.Columns) -> [Assignment<Object>]
    ) throws(StoreError) -> BatchResult<Object> {
        var update = BatchUpdate(query, set(Object.columns))
        return try update.run(connection, changes, result)
    }

    /// Deletes all objects of a query. What refers to them refers to nothing from then on, or goes with them, as
    /// `onDelete` of the definition says.
    public func delete<Object>(
        _ query: Query<Object>, result: BatchResultKind = .count
    ) throws(StoreError) -> BatchResult<Object> {
        guard query.seed == nil else { throw WriteView.isSeed }
        let ids = try connection.objectIDs(query.objectIDs)
        try Deletion(connection, changes).delete(ids, of: Object.entity)
        return result.made(ids.map { ObjectID($0) })
    }

    /// Creates objects.
    ///
    /// - Throws: `conflict` where there is an object with one of the identifiers already; `invalid`.
    public func insert<New: NewObject>(_ objects: [New]) throws(StoreError) -> [ObjectID<New.Stored>] {
        let list = New.Stored.columnList
        let names = list.columns.map { quoted($0.name) }.joined(separator: ", ")
        let marks = Array(repeating: "?", count: list.columns.count).joined(separator: ", ")
        let sql = "INSERT INTO main.\(quoted(list.table)) (\(names)) VALUES (\(marks)) RETURNING \"objectID\""
        var ids: [ObjectID<New.Stored>] = []
        for object in objects {
            var values: [StatementValue] = []
            for (column, value) in zip(list.columns, object.values) {
                values.append(.value(try BoundsCheck(column: column).checked(try value.stored(as: column.form))))
            }
            try connection.run(sql, values) { row throws(StoreError) in
                ids.append(try row.objectID(0))
                return true
            }
        }
        for reference in list.referencesToAny { changes.noteReference(reference, of: ids.map(\.number)) }
        try changes.edits(of: New.Stored.entity)?.recordCreated(ids.map(\.number), list.table, connection)
        changes.record(.created, ids.map(\.number), New.Stored.entity)
        return ids
    }

    /// Writes the attributes in which an object differs from its original, where the store still has the original's.
    ///
    /// - Throws: `conflict`, with the attributes, where it does not and the policy is `fail`.
    public func save<Object: StoredObject>(
        _ object: Object, original: Object, onConflict policy: ConflictPolicy = .fail
    ) throws(StoreError) -> SaveOutcome {
        try ObjectSave(object: object, original: original, policy: policy).run(connection, changes)
    }

    static var isSeed: StoreError { StoreError(.readOnly, "a seed is never written: leave out `in`") }
}

extension BatchResultKind {
    func made<Object>(_ ids: [ObjectID<Object>]) -> BatchResult<Object> {
        switch self {
        case .status: .status
        case .count: .count(ids.count)
        case .objectIDs: .objectIDs(ids)
        }
    }
}
