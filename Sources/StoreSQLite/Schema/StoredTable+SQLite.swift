import CSluiceSQLite
import SluiceRecords
import SluiceSchema

// The tables of an SQLite database.
extension StoredTable {
    /// What a store has under a name of a table.
    struct ListedTable {
        var name: String
        var type: String
        var isStrict: Bool
        /// How many indexes its schema has for it.
        var indexCount: Int
    }

    /// All tables and views. To find one, SQLite looks through all: where many are asked for, they are read once.
    static func list(_ connection: Connection) throws(Failure) -> [FoldedName: ListedTable] {
        var (listed, indexCounts): ([FoldedName: ListedTable], [FoldedName: Int]) = ([:], [:])
        try connection.forEachRow("SELECT tbl_name FROM sqlite_schema WHERE type = 'index'") { row in
            indexCounts[FoldedName(row.text(0)), default: 0] += 1
        }
        try connection.forEachRow("SELECT name, type, strict FROM pragma_table_list WHERE schema = 'main'") { row in
            let name = row.text(0)
            listed[FoldedName(name)] = ListedTable(
                name: name, type: row.text(1), isStrict: row.integer(2) == 1,
                indexCount: indexCounts[FoldedName(name)] ?? 0)
        }
        return listed
    }

    /// The table of that name (SQLite folds the case of ASCII letters), or nil.
    init?(_ connection: Connection, _ name: String) throws(Failure) {
        try self.init(connection, name, try StoredTable.list(connection))
    }

    /// The table of that name among those that there are, or nil.
    init?(_ connection: Connection, _ name: String, _ listed: [FoldedName: ListedTable]) throws(Failure) {
        guard let found = listed[FoldedName(name)] else { return nil }
        guard found.type == "table" else {
            throw Failure(
                .definition, "the store \(connection.path) has a \(found.type) named \(name), where a table is needed")
        }
        self.init(
            name: found.name, columns: try StoredTable.columns(connection, name),
            indexes: try StoredTable.indexes(connection, name, count: found.indexCount))
        if !found.isStrict { foreignSign = "is not a STRICT table" }
    }

    private static func columns(_ connection: Connection, _ table: String) throws(Failure) -> [Column] {
        try connection.rows(
            """
            SELECT c.name, c.type, (SELECT k."table" FROM pragma_foreign_key_list(?1) k WHERE k."from" = c.name),
            c.pk
            FROM pragma_table_xinfo(?1) c ORDER BY c.cid
            """, table
        ) { row in
            Column(
                name: row.text(0), type: row.text(1), references: row.optionalText(2), keyPlace: Int(row.integer(3)),
                looseCollation: looseCollation(connection, table, row.text(0)))
        }
    }

    /// The collation of a column, if it is another than that of bytes.
    private static func looseCollation(_ connection: Connection, _ table: String, _ column: String) -> String? {
        var name: UnsafePointer<CChar>?
        let code = unsafe sqlite3_table_column_metadata(
            connection.handle, "main", table, column, nil, &name, nil, nil, nil)
        guard code == SQLITE_OK, let name = unsafe name else { return nil }
        let collation = unsafe String(cString: name)
        return collation == "BINARY" ? nil : collation
    }

    /// Where SQLite lacks memory, its pragmas may end early without an error: an index that is not seen would be made
    /// a second time.
    private static func indexes(
        _ connection: Connection, _ table: String, count: Int
    ) throws(Failure) -> [Index] {
        let indexes = try connection.rows(
            "SELECT name, \"unique\", partial FROM pragma_index_list(?)", table
        ) { row throws(Failure) in
            let columns = try connection.texts("SELECT name FROM pragma_index_info(?) ORDER BY seqno", row.text(0))
            if columns.isEmpty { throw lacking(connection, table) }
            return Index(
                name: row.text(0), isUnique: row.integer(1) == 1, isPartial: row.integer(2) == 1, columns: columns)
        }
        if indexes.count < count { throw lacking(connection, table) }
        return indexes
    }

    private static func lacking(_ connection: Connection, _ table: String) -> Failure {
        Failure(.io, "SQLite does not list all indexes of the table \(table) of the store \(connection.path)")
    }
}
