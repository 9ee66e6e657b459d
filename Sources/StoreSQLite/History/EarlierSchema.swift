import SluiceRecords
import SluiceSchema

/// The schema of a store that keeps its past, for a copy of the store as it was: the copy is `main` of a connection to
/// which the store is attached.
struct EarlierSchema {
    private let connection: Connection
    /// Tables of others, and of sluice's own those that are taken over as they are.
    let others: [String]
    /// The views that sluice makes.
    private let own: Set<FoldedName>
    private static let schema = "\(SQLiteEarlierStoreWriter.present).sqlite_schema"

    /// - Parameter tables: those whose past is kept.
    init(_ connection: Connection, _ tables: [HistoryTable]) throws(Failure) {
        self.connection = connection
        let past = try connection.texts("SELECT view FROM sluice_history_object WHERE view IS NOT NULL")
        let descriptions = try ModelTable(connection: connection, schema: SQLiteEarlierStoreWriter.present).rows().map(
            \.description)
        let views = EntityDescription.viewed(descriptions).map { Entity.view(of: $0.table) }
        own = Set((past + views).map { FoldedName($0) })
        let history = OwnTable.history(hasTypes: false).map(\.name) + tables.map { HistoryTable.place($0.object) }
        let left =
            history + tables.map(\.past) + tables.filter { $0.until == nil }.map(\.name) + EarlierSchema.notTaken
        let isLeft = Set(left.map { FoldedName($0) })
        // SQLite makes its own tables itself.
        others = try connection.texts(
            """
            SELECT name FROM \(EarlierSchema.schema) WHERE type = 'table' AND rootpage > 0
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
            """
        ).filter { !isLeft.contains(FoldedName($0)) && !SideIndex.isOwn($0) }
    }

    /// Sluice's own tables that do not describe the earlier state, or are made in another way.
    private static let notTaken = [
        "sluice_run", "sluice_model", "sluice_unresolved", "sluice_stub", "sluice_edit", "sluice_change",
        "sluice_changed", "sluice_fetch", "sluice_fingerprint",
    ]

    // MARK: Tables

    /// Whether the store still has a table: if a program has dropped it, only its past is left.
    func isThere(_ table: String) throws(Failure) -> Bool {
        try connection.hasTable(table, in: SQLiteEarlierStoreWriter.present)
    }

    func create(_ table: String) throws(Failure) {
        let sql = try connection.text(
            "SELECT sql FROM \(EarlierSchema.schema) WHERE type = 'table' AND name = ? COLLATE NOCASE", table)
        if let sql { try connection.execute(sql) }
    }

    func createIndexes(of table: String) throws(Failure) {
        let indexes = try connection.texts(
            """
            SELECT sql FROM \(EarlierSchema.schema) WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE
            AND sql IS NOT NULL ORDER BY rowid
            """, table)
        for index in indexes { try connection.execute(index) }
    }

    /// The columns that are written, where others are computed; nil: all are.
    func writtenColumns(of table: String) throws(Failure) -> [String]? {
        let columns = try connection.rows(
            "SELECT name, hidden FROM pragma_table_xinfo(?, '\(SQLiteEarlierStoreWriter.present)') ORDER BY cid", table
        ) { row in
            (name: row.text(0), isWritten: row.integer(1) == 0)
        }
        return columns.allSatisfy(\.isWritten) ? nil : columns.filter(\.isWritten).map(\.name)
    }

    /// What the planner of queries knows, and the next numbers of AUTOINCREMENT, for tables that are there.
    var copyOfStatistics: String {
        get throws(Failure) {
            let tables = "(SELECT name FROM main.sqlite_schema WHERE type = 'table')"
            var sql: [String] = []
            for name in ["sqlite_stat1", "sqlite_sequence"] {
                guard try isThere(name) else { continue }
                let isStatistics = name == "sqlite_stat1"
                // Without a table that counts by AUTOINCREMENT, there is no table of the numbers.
                if !isStatistics, try !countsItself { continue }
                if isStatistics { sql.append("ANALYZE main.sqlite_schema") }
                let column = isStatistics ? "tbl" : "name"
                sql += [
                    "DELETE FROM main.\(name)",
                    "INSERT INTO main.\(name) SELECT * FROM \(SQLiteEarlierStoreWriter.present).\(name) WHERE \(column) IN \(tables)",
                ]
            }
            return sql.joined(separator: "; ")
        }
    }

    private var countsItself: Bool {
        get throws(Failure) {
            try connection.hasTable("sqlite_sequence")
        }
    }

    // MARK: Views and triggers

    /// Takes over what others have made besides tables: views, virtual tables, and triggers of what is there.
    ///
    /// - Parameter made: the tables that are there of those whose past is kept.
    func copyViewsAndTriggers(_ made: [String]) throws(Failure) {
        var there = Set((made + others + ["sluice_run", "sluice_model"]).map { FoldedName($0) })
        var rows: [String] = []
        try connection.forEachRow(
            """
            SELECT name, tbl_name, type, rowid FROM \(EarlierSchema.schema)
            WHERE type = 'view' OR type = 'table' AND rootpage = 0
            OR type = 'trigger' AND name NOT LIKE '\(ToolTables.names)' ESCAPE '\\'
            ORDER BY type = 'trigger', rowid
            """
        ) { row in
            let (name, table) = (FoldedName(row.text(0)), FoldedName(row.text(1)))
            if row.text(2) == "trigger" {
                guard there.contains(table) else { return }
            } else {
                if own.contains(name) || SideIndex.isOwn(row.text(0)) { return }
                there.insert(name)
            }
            rows.append(String(row.integer(3)))
        }
        if rows.isEmpty { return }
        try connection.execute(
            """
            PRAGMA writable_schema = ON;
            INSERT INTO main.sqlite_schema SELECT type, name, tbl_name, 0, sql FROM \(EarlierSchema.schema)
            WHERE rowid IN (\(rows.joined(separator: ", ")));
            PRAGMA writable_schema = RESET
            """)
    }
}
