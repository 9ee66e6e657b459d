import SluiceRecords
import SluiceSchema

// A store in a file, as its history is written.
extension SQLiteHistory: HistoryDatabase {
    /// What keeps the past of a store; nil: the store keeps none, and is not to.
    static func keeper(_ connection: Connection, isWanted: Bool = false) throws(Failure) -> HistoryKeeper? {
        let store = SQLiteHistory(connection)
        if !isWanted, try !store.keepsPast() { return nil }
        return HistoryKeeper(store)
    }

    // MARK: Statements

    func write(_ sql: String, _ values: [PastValue]) throws(Failure) {
        if values.isEmpty { return try connection.execute(sql) }
        let statement = try connection.prepare(sql)
        statement.bind(values)
        try statement.run()
    }

    func change(_ sql: String, _ values: [PastValue]) throws(Failure) -> Int {
        try write(sql, values)
        return connection.changes
    }

    func fewRows(
        _ sql: String, _ values: [PastValue], each: (any PastRow) throws(Failure) -> Void
    ) throws(Failure) {
        try rows(sql, values, each: each)
    }

    // MARK: Tables

    func create(_ table: OwnTable) throws(Failure) { try connection.create(table) }

    var keepsTypes: Bool { false }

    func joined(_ names: [String]) -> String { StoredJSON.array(names.map { .string($0) }).canonicalText }

    /// Earlier versions wrote NULs between names, at which programs end a text that save a store as statements.
    func names(in text: String) -> [String] {
        if text.hasPrefix("["), let names = StoredJSON(text)?.elements { return names.compactMap(\.string) }
        return text.split(separator: "\u{0}").map { String($0) }
    }

    /// Writes the names of earlier versions as this one does.
    private func renewNames() throws(Failure) {
        let hasOld = "instr(columns, char(0)) + instr(columns_now, char(0)) + instr(identifier, char(0)) > 0"
        guard try connection.integer("SELECT 1 FROM sluice_history_table WHERE \(hasOld) LIMIT 1") != nil else {
            return
        }
        for table in try historyTables() {
            try write(
                "UPDATE sluice_history_table SET columns = ?, columns_now = ?, identifier = ? WHERE number = \(table.number)",
                [table.columns, table.columnsNow, table.identifier].map { .text(joined($0)) })
        }
    }

    func shapes() throws(Failure) -> any TableShapes { SQLiteShapes(connection: connection) }

    func tables(_ names: [String]) throws(Failure) -> [StoredTable?] {
        let listed = try StoredTable.list(connection)
        return try names.map { name throws(Failure) in try StoredTable(connection, name, listed) }
    }

    func text(of table: String) throws(Failure) -> String {
        try connection.texts(
            """
            SELECT sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND type IN ('table', 'index')
            AND sql IS NOT NULL ORDER BY type DESC, rowid
            """, table
        ).joined(separator: ";\n")
    }

    func earlyText(of table: String) throws(Failure) -> String { try text(of: table) }

    /// The transaction of a run keeps all others from writing.
    func lock(_ table: String) {}

    var dropsForgottenShapes: Bool { true }

    // MARK: Rows

    /// New objects need no trigger while a run is under way: the run knows which objectIDs it has given out.
    func beginRun() throws(Failure) {
        try renewNames()
        for table in try HistoryKeeper(self).openTables() { try write(SQLiteHistoryTriggers(table: table).dropOfNew) }
    }

    func triggers(of table: HistoryTable) -> any HistoryTriggers { SQLiteHistoryTriggers(table: table) }

    func createTriggers(of tables: [HistoryTable]) throws(Failure) {
        for table in tables {
            let triggers = SQLiteHistoryTriggers(table: table)
            try write(triggers.create + [triggers.createOfNew])
        }
    }

    func dropUnchanged(_ table: HistoryTable, run: Int) throws(Failure) {
        let objects = written?.writtenAgain(in: table.name)
        // As one comparison of rows: SQLite takes no thousand conditions behind one another.
        let present = table.columns.map { "t.\(quoted($0))" }.joined(separator: ", ")
        let past = table.pastColumns.map { "\(table.past).\($0)" }.joined(separator: ", ")
        let deletion = try connection.prepare(
            """
            DELETE FROM \(table.past) WHERE r = \(run)\(objects == nil ? "" : " AND o = ?") AND EXISTS (
              SELECT 1 FROM \(quoted(table.name)) t WHERE t."objectID" = \(table.past).o AND (\(present)) IS (\(past)))
            AND NOT EXISTS (
              SELECT 1 FROM sluice_history_given g WHERE g.object = \(table.object) AND g.o = \(table.past).o
              AND g.run = \(run))
            """)
        guard let objects else { return try deletion.run() }
        for object in objects {
            deletion.bind(1, object)
            try deletion.run()
        }
    }

    // MARK: Views

    func removeView(_ name: String) throws(Failure) {
        if try kind(of: name) == "view" { try connection.execute("DROP VIEW \(quoted(name))") }
    }

    func makeView(
        _ name: String, _ sql: String, of tables: [String], insteadOf earlier: String?
    ) throws(Failure) -> Bool {
        if let earlier {
            let stored = try connection.text("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?", earlier)
            if earlier.isIdentical(to: name), stored?.isIdentical(to: sql) == true { return true }
            try removeView(earlier)
        }
        guard try kind(of: name) == nil else { return false }
        try connection.execute(sql)
        return true
    }

    private func kind(of name: String) throws(Failure) -> String? {
        try connection.text("SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE", name)
    }
}

/// The tables of a store in a file: each is looked at when it is asked for.
private struct SQLiteShapes: TableShapes {
    let connection: Connection

    func columns(of table: String) throws(Failure) -> [(name: String, type: String?)]? {
        guard try connection.hasTable(table) else { return nil }
        return try connection.storedColumns(of: table).map { ($0, nil) }
    }
}
