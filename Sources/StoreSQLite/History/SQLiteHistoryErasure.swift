import SluiceLoad
import SluiceRecords
import SluiceSchema

/// Erases the past of an object from a store in a file, and what is left of it in free pages.
package enum SQLiteHistoryErasure {
    /// Erases the past, and records that in the ledger as a run of its own, without the identifier. The object as it is
    /// now stays.
    ///
    /// - Parameters:
    ///   - identifier: each part of it as a text.
    ///   - time: RFC 3339, UTC.
    /// - Returns: what was erased; where it is nothing, nothing has changed.
    /// - Throws: `missing` where there is no store, or neither the store nor its history knows the object; `definition`
    ///   where the store keeps no history of the entity.
    package static func perform(
        _ path: String, of entity: String, _ identifier: String, pipeline: String, time: String, version: String
    ) throws(Failure) -> ErasedPast {
        let parts = try SQLiteHistoryReader(path).parts(of: entity, identifier)
        let connection = try Connection(path: path, access: .write)
        defer { connection.close() }
        connection.isForeign = true
        connection.listen(to: Interruption(patience: SQLiteStore.lockPatience, isCancelled: { false }))
        try connection.execute("PRAGMA secure_delete = ON")
        try connection.execute("BEGIN IMMEDIATE")
        // Nil: neither the store nor its history knows the object.
        let erased: ErasedPast?
        do throws(Failure) {
            let store = SQLiteHistory(connection)
            erased = try HistoryErasure(store, of: entity, parts).perform()
            if erased?.isNothing == false {
                try SideIndexes(connection).fillAgain()
                let ledger = Ledger(connection, pipeline: pipeline)
                try ledger.start(RunStart(started: time, version: version))
                try ledger.finish(status: HistoryTable.forgot, at: time)
                try HistoryKeeper(store).settle(run: ledger.run)
            }
        } catch {
            try connection.execute("ROLLBACK")
            throw error
        }
        let isChanged = erased?.isNothing == false
        try connection.execute(isChanged ? "COMMIT" : "ROLLBACK")
        // Rows that were deleted before are still in free pages, and in parts of other pages; so are those of an
        // earlier call that died behind its commit.
        let mayHoldMore = try isChanged ? true : hasForgotten(connection)
        if mayHoldMore { try connection.execute("VACUUM") }
        // An earlier call may have failed to empty the log: a repeated call empties it, even with nothing left to
        // erase.
        try emptyLog(connection)
        guard let erased else { throw Failure.unknownObject(identifier, of: entity, path) }
        return erased
    }

    /// Whether the store has been made to forget something.
    private static func hasForgotten(_ connection: Connection) throws(Failure) -> Bool {
        let query = "SELECT 1 FROM sluice_run WHERE status = '\(HistoryTable.forgot)' LIMIT 1"
        return try connection.integer(query) != nil
    }

    /// A reader of an earlier state of the store keeps the pages of that state: until the reader has ended, they are in
    /// the file, or in its log.
    private static func emptyLog(_ connection: Connection) throws(Failure) {
        guard try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") ?? 0 != 0 else { return }
        throw Failure(
            .busy,
            """
            what was forgotten is gone from the history, but not yet from the files of the store \(connection.path): another \
            program still reads what was before; when that has ended, forget it once more
            """)
    }
}
