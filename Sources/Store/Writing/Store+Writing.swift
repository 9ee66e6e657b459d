import SluiceRecords
import SluiceStoreSQLite

extension Store {
    /// Several writes, all or nothing: if the closure throws, nothing is written. It runs on a thread of the store's.
    ///
    /// - Throws: `busy` where a run or another program holds the store, after five seconds; the sentence names the run.
    ///   `reference` where a reference leads to no object when all is written.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (borrowing WriteView) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        guard access == .write else {
            throw StoreError(
                .readOnly,
                isFile
                    ? "the store \(path) was opened for reading: open it with access .write"
                    : "the store \(path) is on a server, and is written by runs, or with SQL")
        }
        let path = path
        let result = try await writer.perform { connection throws(StoreError) in
            guard let connection = connection as? StoreConnection else {
                throw StoreError(.defect, "the connection to the store \(path) only reads")
            }
            do throws(StoreError) {
                return try connection.transaction("BEGIN IMMEDIATE") { () throws(StoreError) in
                    // Asked for each transaction: a run may have made them meanwhile.
                    try connection.withConnection { store throws(Failure) in try SideIndexes(store).letWrite() }
                    let changes = try ChangeNotes(connection)
                    let result = try body(WriteView(connection: connection, changes: changes))
                    try changes.write()
                    return result
                }
            } catch {
                throw error.kind == .busy ? HoldingRun.explained(error, connection, path) : error
            }
        }
        ownChanges.wake()
        return result
    }

    /// Sets attributes of all objects of a query, in SQL: none of them comes into memory. One that has the values
    /// already is neither written nor counted. The closure is called where the caller is, so that it may use what an
    /// actor has.
    ///
    /// - Throws: as ``write(_:)``; `invalid` where a value is outside the bounds of its attribute.
    nonisolated(nonsending) public func update<Object>(
        _ query: Query<Object>, result: BatchResultKind = .count, set: (Object.Columns) -> [Assignment<Object>]
    ) async throws(StoreError) -> BatchResult<Object> {
        let assignments = set(Object.columns)
        return try await write { view throws(StoreError) in
            try view.update(query, result: result) { _ in assignments }
        }
    }

    /// Deletes all objects of a query. What refers to them refers to nothing from then on, or goes with them, as
    /// `onDelete` of the definition says.
    public func delete<Object>(
        _ query: Query<Object>, result: BatchResultKind = .count
    ) async throws(StoreError) -> BatchResult<Object> {
        try await write { view throws(StoreError) in try view.delete(query, result: result) }
    }

    /// Creates objects.
    public func insert<New: NewObject>(_ objects: [New]) async throws(StoreError) -> [ObjectID<New.Stored>] {
        try await write { view throws(StoreError) in try view.insert(objects) }
    }

    /// Writes the attributes in which an object differs from its original, where the store still has the original's.
    ///
    /// - Throws: `conflict`, with the attributes, where it does not and the policy is `fail`.
    public func save<Object: StoredObject>(
        _ object: Object, original: Object, onConflict policy: ConflictPolicy = .fail
    ) async throws(StoreError) -> SaveOutcome {
        try await write { view throws(StoreError) in try view.save(object, original: original, onConflict: policy) }
    }
}

/// Who holds a store.
enum HoldingRun {
    static func explained(_ error: StoreError, _ connection: StoreConnection, _ path: String) -> StoreError {
        var run: String?
        // In WAL mode, a writer disturbs no reader; and a run writes its row of the ledger before it begins.
        try? connection.run(
            "SELECT run, pipeline, started FROM main.sluice_run WHERE status = 'running' ORDER BY run DESC LIMIT 1", []
        ) { row throws(StoreError) in
            let (number, pipeline, started): (Int, String, String) = (
                try row.value(0), try row.value(1), try row.value(2)
            )
            run = "run \(number) of \(pipeline), since \(started)"
            return false
        }
        guard let run else { return error }
        return StoreError(.busy, "\(run), holds the store \(path); try again later", sql: error.sql)
    }
}
