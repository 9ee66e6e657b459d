import CSluiceSQLite
import SluicePostgreSQL
import SluiceRecords

/// What a schema check asks of a store: which tables it has, and what they are for.
protocol StoreCatalog: AnyObject {
    /// The store, for messages.
    var name: String { get }
    var dialect: Dialect { get }
    /// The most columns that a table can have.
    var mostColumns: Int { get }
    /// The database itself, where values can take other forms, tables other names, and entities have views.
    var sqlite: Connection? { get }

    /// Throws where the name of a table of the tool's own is that of something else.
    func checkOwnTables() throws(Failure)

    /// What `sluice_model` holds.
    func modelRows() throws(Failure) -> [ModelRow]

    /// The table of that name, or nil.
    func table(_ name: String) throws(Failure) -> StoredTable?
}

/// What SQL calls the types of columns.
enum Dialect: Sendable {
    case sqlite, postgresql

    func type(_ form: StoredForm) -> String {
        switch self {
        case .sqlite: form.column.rawValue
        case .postgresql: ServerType(form).name
        }
    }

    /// Of objectIDs, and of references.
    var objectID: String { self == .sqlite ? ColumnType.integer.rawValue : ServerType.bigint.name }
    var text: String { self == .sqlite ? ColumnType.text.rawValue : ServerType.text.name }
    /// Of the mark of deleted objects.
    var mark: String { self == .sqlite ? ColumnType.text.rawValue : ServerType.timestamp.name }
}

/// The tables of an SQLite database.
final class SQLiteCatalog: StoreCatalog {
    private let connection: Connection
    private var listed: [FoldedName: StoredTable.Listed]?

    init(_ connection: Connection) { self.connection = connection }

    var name: String { connection.path }
    var dialect: Dialect { .sqlite }
    var sqlite: Connection? { connection }
    var mostColumns: Int { Int(unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_COLUMN, -1)) }

    func checkOwnTables() throws(Failure) { try ToolTables.check(connection) }

    func modelRows() throws(Failure) -> [ModelRow] { try ModelTable(connection: connection).rows() }

    func table(_ name: String) throws(Failure) -> StoredTable? { try StoredTable(connection, name, allTables()) }

    private func allTables() throws(Failure) -> [FoldedName: StoredTable.Listed] {
        if let listed { return listed }
        let all = try StoredTable.list(connection)
        listed = all
        return all
    }
}
