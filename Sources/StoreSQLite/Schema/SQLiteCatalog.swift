import CSluiceSQLite
import SluiceRecords
import SluiceSchema

/// The tables of an SQLite database.
final class SQLiteCatalog: StoreCatalog {
    private let connection: Connection
    private var listed: [FoldedName: StoredTable.ListedTable]?

    init(_ connection: Connection) { self.connection = connection }

    var name: String { connection.path }
    var dialect: any Dialect { SQLiteDialect() }
    var mostColumns: Int { Int(unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_COLUMN, -1)) }

    func checkOwnTables() throws(Failure) { try ToolTables.check(connection) }

    func modelRows() throws(Failure) -> [ModelRow] { try ModelTable(connection: connection).rows() }

    func table(_ name: String) throws(Failure) -> StoredTable? { try StoredTable(connection, name, allTables()) }

    func kind(of name: String) throws(Failure) -> String? {
        try connection.text("SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE", name)
    }

    func pastViews() throws(Failure) -> [String] { try HistoryKeeper(SQLiteHistory(connection)).viewNames() }

    func holdsRows(_ table: String) throws(Failure) -> Bool {
        try connection.integer("SELECT 1 FROM \(quoted(table)) LIMIT 1") != nil
    }

    func holdsRows(_ table: String, where condition: String) throws(Failure) -> Bool {
        try connection.integer("SELECT 1 FROM \(quoted(table)) WHERE \(condition) LIMIT 1") != nil
    }

    func scan(_ table: String, _ columns: [FormColumn]) throws(Failure) -> FormScan {
        try SQLiteFormScan(connection: connection, table: table, columns: columns).run()
    }

    func twins(_ table: String, _ key: ChangingKey) throws(Failure) -> FormTwins? {
        try SQLiteTwinSearch(connection: connection, table: table, key: key).run()
    }

    private func allTables() throws(Failure) -> [FoldedName: StoredTable.ListedTable] {
        if let listed { return listed }
        let all = try StoredTable.list(connection)
        listed = all
        return all
    }
}
