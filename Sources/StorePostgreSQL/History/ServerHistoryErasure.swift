import Glibc
import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Erases the past of an object from a store on a server, and what is left of it in the files of the tables.
package enum ServerHistoryErasure {
    /// Erases the past, and records that in the ledger as a run of its own, without the identifier. The object as it is
    /// now stays.
    ///
    /// - Parameters:
    ///   - identifier: as the store has it; of several attributes, a JSON list.
    ///   - time: RFC 3339, UTC.
    /// - Returns: what was erased; where it is nothing, nothing has changed.
    /// - Throws: `missing` where neither the store nor its history knows the object; `definition` where the store keeps
    ///   no history of the entity; `busy` where a run has it.
    package static func perform(
        _ location: ServerLocation, of entity: String, _ identifier: String, pipeline: String, time: String,
        version: String
    ) throws(Failure) -> ErasedPast {
        let parts = try ServerHistoryReader(location).parts(of: entity, identifier)
        let connection = try location.connect(pipeline)
        var use = StoreUse(model: Model(entities: []), pipeline: pipeline, savesAtEnd: true)
        use.patience = 0
        try ServerLock(connection, location.schema).take(use) {}
        defer { try? connection.execute("SELECT pg_advisory_unlock_all()") }
        let store = ServerHistory(connection, location.schema)
        let erasure = try HistoryErasure(store, of: entity, parts)
        try connection.execute("BEGIN")
        let past: ErasedPast
        do throws(Failure) {
            guard let erased = try erasure.perform() else {
                throw Failure.unknownObject(identifier, of: entity, store.name)
            }
            past = erased
            if !past.isNothing {
                let ledger = ServerLedgerTable(connection, store.dialect.ownTable("sluice_run"), pipeline)
                let run = try ledger.start(RunStart(started: time, version: version))
                try ledger.finish(run, status: HistoryTable.forgot, at: time)
                try HistoryKeeper(store).settle(run: run)
            }
            try connection.execute(past.isNothing ? "ROLLBACK" : "COMMIT")
        } catch {
            if connection.isAlive { try? connection.execute("ROLLBACK") }
            throw error
        }
        // What was deleted is in the files until they are written anew.
        if !past.isNothing { for table in erasure.tables(of: past) { try connection.execute("VACUUM FULL \(table)") } }
        return past
    }
}
