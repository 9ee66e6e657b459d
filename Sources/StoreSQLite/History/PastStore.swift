import SluiceRecords
import SluiceSchema

/// Makes a store as it was when a run ended, from one that keeps its past.
///
/// The copy has the objects of then, with their objectIDs, in the tables of then; of sluice's own tables the ledger up to that
/// run, and what the pipelines said of their entities. What waited for its target then is not known any more.
package struct PastStore {
    fileprivate let connection: Connection
    fileprivate let run: Int64

    /// Makes the store in a file that does not exist yet, and has its name when it is whole.
    ///
    /// - Throws: `missing` where the store, or the run, is not there, or its past is not kept any more; `definition` where
    ///   none is kept; `uncreatable` where the file exists.
    package static func write(_ path: String, run: Int, to output: String) throws(Failure) {
        guard try StoreFile.exists(path) else { throw Failure(.missing, "the store \(path) does not exist") }
        let file = try StoreFile(output, buildsBeside: true)
        guard !file.exists else {
            throw Failure(.uncreatable, "\(output) exists already: a store is never replaced by an earlier one")
        }
        do throws(Failure) {
            let connection = try Connection(path: output, access: .create, file: file.workingPath)
            try file.noteOpened(connection)
            try connection.execute(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
            try StoreSnapshot(path).copy(to: connection)
            let past = PastStore(connection: connection, run: Int64(run))
            try past.refuse(path)
            try connection.execute("BEGIN IMMEDIATE")
            try past.restore()
            // What the history took is free then, and is not left to whoever gets the file.
            try connection.execute("COMMIT; VACUUM; PRAGMA journal_mode = WAL; PRAGMA locking_mode = NORMAL")
            _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
            connection.close()
            try file.finishBuilding()
        } catch {
            file.abandon()
            throw error
        }
    }

    // MARK: What cannot be

    private func refuse(_ path: String) throws(Failure) {
        guard try HistoryTables.areThere(connection) else { throw PastFile.noHistory(path) }
        let isEnded = try connection.integer(
            "SELECT 1 FROM sluice_run r, sluice_history h WHERE r.run = \(run) AND r.run < h.run")
        guard isEnded != nil else { throw Failure(.missing, "the store \(path) knows of no run \(run) that has ended") }
        let source = PastConnection(connection, name: path)
        try source.refuse(Int(run))
        try source.refuse(run, where: source.descriptions())
    }

    // MARK: Restoring

    private func restore() throws(Failure) {
        let all = try HistoryTable.all(connection)
        for table in all where table.until == nil { try connection.execute(HistoryTriggers(table: table).drop) }
        try removeViews()
        try PastViews(connection: connection).remove()
        // What programs have made since belongs to the next run.
        try connection.execute(
            """
            INSERT INTO sluice_history_made (object, first, last, run)
            SELECT number, highest + 1, \(Int64.max), (SELECT run FROM sluice_history) FROM sluice_history_object
            """)
        for table in all where table.until == nil && !table.isValid(at: run) {
            try connection.execute("DROP TABLE \(quoted(table.name))")
        }
        for table in all where table.isValid(at: run) {
            if table.until == nil { try takeBack(table) } else { try connection.execute(table.sql) }
            try fill(table)
        }
        try restoreModel()
        for table in all { try connection.execute("DROP TABLE \(table.past)") }
        for object in Set(all.map(\.object)) {
            try connection.execute("DROP TABLE IF EXISTS \(HistoryTable.place(object))")
        }
        try dropOwnTables()
        try makeViews()
    }

    /// Removes what a table has gained since.
    private func takeBack(_ table: HistoryTable) throws(Failure) {
        try connection.execute(
            """
            DELETE FROM \(quoted(table.name)) WHERE \(table.owner) IN (SELECT o FROM \(table.past) WHERE r > \(run));
            DELETE FROM \(quoted(table.name)) WHERE \(table.owner) IN (
              SELECT o FROM sluice_history_given WHERE object = \(table.object) AND run > \(run) AND is_new);
            """)
        let ranges = try connection.prepare(
            "SELECT first, last FROM sluice_history_made WHERE object = \(table.object) AND run > \(run)")
        let deletion = try connection.prepare(
            "DELETE FROM \(quoted(table.name)) WHERE \(table.owner) BETWEEN ? AND ?")
        while try ranges.step() {
            deletion.bind(1, ranges.integer(0))
            deletion.bind(2, ranges.integer(1))
            try deletion.run()
        }
    }

    /// Gives a table the rows that were true then, and ended since.
    private func fill(_ table: HistoryTable) throws(Failure) {
        let columns = table.columns.map(quoted).joined(separator: ", ")
        let values = table.pastColumns.map { "p.\($0)" }.joined(separator: ", ")
        let past = table.past
        let (rows, version) =
            table.hasLinks
            ? ("\(past) AS h JOIN \(past) AS p ON p.r = h.r AND p.o = h.o AND p.n > 0 WHERE h.n = 0 AND", "h")
            : ("\(past) p WHERE", "p")
        try connection.execute(
            """
            INSERT INTO \(quoted(table.name)) (\(columns)) SELECT \(values) FROM \(rows)
            \(version).f <= \(run) AND \(version).r > \(run)
            """)
    }

    // MARK: Sluice's own tables

    private func restoreModel() throws(Failure) {
        guard
            let change = try connection.integer(
                "SELECT run FROM sluice_history_change WHERE run > \(run) ORDER BY run LIMIT 1")
        else { return }
        try connection.execute(
            """
            DELETE FROM sluice_model;
            INSERT INTO sluice_model (pipeline, entity, description, run)
            SELECT pipeline, name, description, since FROM sluice_history_model WHERE run = \(change);
            """)
    }

    private func dropOwnTables() throws(Failure) {
        for table in HistoryTables.names + [
            "sluice_unresolved", "sluice_stub", "sluice_edit", "sluice_change", "sluice_changed", "sluice_fetch",
            "sluice_fingerprint",
        ] {
            try connection.execute("DROP TABLE IF EXISTS \(table)")
        }
        try connection.execute("DELETE FROM sluice_run WHERE run > \(run)")
    }

    private func removeViews() throws(Failure) {
        let rows = try ModelTable(connection: connection).rows().map(\.description)
        let names = EntityDescription.viewed(rows).map { Entity.view(of: $0.table) }
        try StoreViews(connection: connection, before: names, descriptions: []).remove()
    }

    private func makeViews() throws(Failure) {
        let rows = try ModelTable(connection: connection).rows().map(\.description)
        try StoreViews(connection: connection, before: [], descriptions: rows).make()
    }
}
