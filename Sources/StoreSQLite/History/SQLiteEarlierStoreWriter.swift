import SluiceRecords
import SluiceSchema

/// Makes a store as it was when a run ended, from one that keeps its past.
///
/// The copy has the objects of that time, with their objectIDs, in the tables of that time; of sluice's own tables the
/// ledger up to that run, and what the pipelines said of their entities; and what others have put into the store, as it
/// is now. References that waited for their targets at that time are no longer known.
package struct SQLiteEarlierStoreWriter {
    /// What the connection calls the store that keeps its past, while the other one is made.
    static let present = "present"

    let connection: Connection
    let run: Int64

    /// Makes the store in a file that does not exist yet, and has its name when it is whole.
    ///
    /// - Throws: `missing` where the store, or the run, is not there, or its past is not kept any more; `definition`
    ///   where none is kept; `uncreatable` where the file exists.
    package static func write(_ path: String, run: Int, to output: String) throws(Failure) {
        guard try StoreFile.exists(path) else { throw Failure(.missing, "the store \(path) does not exist") }
        let reader = try StoreReader(path, patience: StoreSnapshot.patience)
        let file = try StoreFile(output, buildsBeside: true)
        guard !file.exists else {
            throw Failure(.uncreatable, "\(output) exists already: a store is never replaced by an earlier one")
        }
        do throws(Failure) {
            let connection = try Connection(path: output, access: .create, file: file.workingPath)
            try file.noteOpened(connection)
            try connection.execute(reader.read(form))
            let past = SQLiteEarlierStoreWriter(connection: connection, run: Int64(run))
            try reader.read(attachedTo: connection, as: present) { () throws(Failure) in
                try connection.execute("BEGIN")
                try past.refuse(path)
                try past.make()
                try connection.execute("COMMIT")
            }
            try connection.execute("PRAGMA journal_mode = WAL; PRAGMA locking_mode = NORMAL")
            _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
            connection.close()
            try file.finishBuilding()
        } catch {
            file.abandon()
            throw error
        }
    }

    /// What gives a new database the form of another one.
    private static func form(_ source: Connection) throws(Failure) -> String {
        var pragmas = ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -32768"]
        for name in ["page_size", "encoding", "auto_vacuum", "application_id", "user_version"] {
            pragmas.append("\(name) = \(quotedText(try source.text("PRAGMA \(name)") ?? ""))")
        }
        return pragmas.map { "PRAGMA main.\($0);" }.joined(separator: " ")
    }

    // MARK: What cannot be

    private func refuse(_ path: String) throws(Failure) {
        let source = SQLiteHistory(connection, name: path, schema: Self.present)
        guard try source.keepsPast() else { throw SQLiteHistoryReader.noHistory(path) }
        try source.refuseState(of: run)
    }

    // MARK: Making it

    private func make() throws(Failure) {
        let source = SQLiteHistory(connection)
        let all = try source.historyTables()
        let present = try ModelTable(connection: connection, schema: Self.present).rows().map(\.description)
        let schema = try EarlierSchema(connection, all)
        for table in all where table.isValid(at: run) {
            if table.until == nil, try schema.isThere(table.name) {
                try restore(table, schema)
            } else {
                try connection.execute(table.sql)
                try fill(table)
            }
        }
        for name in schema.others { try copy(name, schema) }
        try makeOwnTables(schema, source)
        try clearForgotten()
        try connection.execute(schema.copyOfStatistics)
        try schema.copyViewsAndTriggers(all.filter { $0.isValid(at: run) }.map(\.name))
        let rows = try ModelTable(connection: connection).rows().map(\.description)
        let then = all.filter { $0.isValid(at: run) }
        try copyStubs(rows.map { ($0, then.nameNow(of: $0, among: present)) }, schema)
        try StoreViews(connection: connection, before: [], descriptions: rows).make()
        try SideIndexes(connection).make(SideIndex.all(rows))
    }

    /// Objects that are still stubs were stubs at that time, too: no feed has described them since.
    ///
    /// - Parameter entities: those of then, each with what it is called now.
    private func copyStubs(
        _ entities: [(then: EntityDescription, now: String)], _ schema: EarlierSchema
    ) throws(Failure) {
        guard try schema.isThere("sluice_stub") else { return }
        try schema.create("sluice_stub")
        for (entity, now) in entities where try StoredTable(connection, entity.table) != nil {
            try connection.execute(
                OwnRows.copyOfStubs(
                    from: "\(Self.present).sluice_stub", to: "main.sluice_stub", of: entity.name, now: now,
                    in: "main.\(quoted(entity.table))"))
        }
    }

    /// Sets references to null that lead to objects whose past was erased on demand.
    private func clearForgotten() throws(Failure) {
        guard try connection.integer(ForgottenReferences.mayBe(in: "\(Self.present).sluice_run")) != nil else {
            return
        }
        let rows = try ModelTable(connection: connection).rows().map(\.description)
        let statements = try ForgottenReferences(rows, SQLiteDialect()).statements { name throws(Failure) in
            try connection.hasTable(name)
        }
        for statement in statements { try connection.execute(statement) }
    }

    private func makeOwnTables(_ schema: EarlierSchema, _ source: SQLiteHistory) throws(Failure) {
        try schema.create("sluice_run")
        try connection.execute(
            "INSERT INTO main.sluice_run SELECT * FROM \(Self.present).sluice_run WHERE run <= \(run)")
        // No digest of a definition: where the store takes the place of the present one, its next run loads the feed of
        // this run again, since nothing is known of what waited.
        try connection.execute("UPDATE main.sluice_run SET definition = ''")
        try schema.create("sluice_model")
        let rows = try source.modelRows(at: run, "\(Self.present).sluice_model")
        try connection.execute("INSERT INTO main.sluice_model (pipeline, entity, description, run) \(rows)")
    }

    // MARK: Rows

    /// Copies a table as it is, with its indexes: SQLite takes them over page by page, where both are the same.
    private func copy(_ name: String, _ schema: EarlierSchema) throws(Failure) {
        try schema.create(name)
        try schema.createIndexes(of: name)
        let columns = try schema.writtenColumns(of: name)
        let list = columns?.map(quoted).joined(separator: ", ")
        try connection.execute(
            """
            INSERT INTO main.\(quoted(name))\(list.map { " (\($0))" } ?? "") SELECT \(list ?? "*")
            FROM \(Self.present).\(quoted(name))
            """)
    }

    /// Makes a table that still has its shape: rows that have not changed since are in the table, the others among its
    /// past rows.
    private func restore(_ table: HistoryTable, _ schema: EarlierSchema) throws(Failure) {
        let changed = try connection.integer("SELECT count(*) FROM \(table.past) WHERE r > \(run)") ?? 0
        let count = try connection.integer("SELECT count(*) FROM \(Self.present).\(quoted(table.name))") ?? 0
        // Where few rows differ, the table is copied and these rows are changed; otherwise the rows are put together,
        // and the indexes built.
        if changed < count / Self.share {
            try copy(table.name, schema)
            try connection.execute(
                "DELETE FROM main.\(quoted(table.name)) WHERE NOT (\(isKept(table, "\(table.owner)")))")
            try fill(table)
            return
        }
        try schema.create(table.name)
        let columns = table.columns.map(quoted).joined(separator: ", ")
        let place = (table.columns.firstIndex { $0.isSameName(as: table.hasLinks ? "source" : "objectID") } ?? 0) + 1
        try connection.execute(
            """
            INSERT INTO main.\(quoted(table.name)) (\(columns))
            SELECT \(columns) FROM \(Self.present).\(quoted(table.name)) t WHERE \(isKept(table, "t.\(table.owner)"))
            UNION ALL \(table.endedRows(at: run, SQLiteDialect())) ORDER BY \(place)
            """)
        try schema.createIndexes(of: table.name)
    }

    /// A table is copied and changed where fewer than one in so many rows differ.
    private static let share: Int64 = 16

    /// The condition that the stored row of an object held at that time already.
    private func isKept(_ table: HistoryTable, _ owner: String) -> String {
        """
        \(owner) <= (
          SELECT coalesce(min(m.first) - 1, (SELECT highest FROM sluice_history_object WHERE number = \(table.object)))
          FROM sluice_history_made m WHERE m.object = \(table.object) AND m.run > \(run))
        AND \(owner) NOT IN (
          SELECT o FROM \(table.past) WHERE r > \(run) UNION ALL
          SELECT o FROM sluice_history_given WHERE object = \(table.object) AND run > \(run) AND is_new)
        """
    }

    /// Gives a table the rows that were true then, and ended since.
    private func fill(_ table: HistoryTable) throws(Failure) {
        let columns = table.columns.map(quoted).joined(separator: ", ")
        try connection.execute(
            "INSERT INTO main.\(quoted(table.name)) (\(columns)) \(table.endedRows(at: run, SQLiteDialect()))")
    }
}
