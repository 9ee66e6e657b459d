import Foundation
import SluiceRecords

@testable import SluiceSchema
@testable import SluiceStoreSQLite
@testable import SluiceStores

/// A store in a file, with all others in files beside it.
struct FileShelf: NightShelf {
    private let folder = TemporaryFolder()

    var location: StoreLocation { .file(path(.store)) }

    private func path(_ place: NightPlace) -> String {
        switch place {
        case .store: folder.file("store.sqlite")
        case .night(let run): folder.file("night-\(run)")
        case .past(let run): folder.file("past-\(run)")
        }
    }

    func copy(_ run: Int) throws {
        try Connection(path: path(.store), access: .read).execute("VACUUM INTO '\(path(.night(run)))'")
    }

    func makePast(_ run: Int) throws(Failure) {
        try SQLiteEarlierStoreWriter.write(path(.store), run: run, to: path(.past(run)))
    }

    /// It has the indexes of the night at least: a failed run that has saved batches leaves some for the next one.
    func isSound(_ run: Int) throws -> Bool {
        let broken = "PRAGMA foreign_key_check"
        let indexes = """
            SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
            AND tbl_name NOT LIKE 'sluice\\_%' ESCAPE '\\'
            """
        return try rows("PRAGMA integrity_check", in: .past(run)) == [["ok"]]
            && rows(broken, in: .past(run)).count == rows(broken, in: .night(run)).count
            && Set(rows(indexes, in: .night(run))).isSubset(of: rows(indexes, in: .past(run)))
    }

    func contents(of place: NightPlace) throws -> [String: [[String]]] {
        try contents(Connection(path: path(place), access: .read))
    }

    func contents(of run: Int, after script: String) throws -> [String: [[String]]] {
        let copy = folder.file("script")
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path(.night(run)), toPath: copy)
        let connection = try Connection(path: copy, access: .write)
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute(script)
        return try contents(connection)
    }

    private func contents(_ connection: Connection) throws -> [String: [[String]]] {
        var contents: [String: [[String]]] = [:]
        let tables = try rows(
            """
            SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')
            AND (name NOT LIKE 'sluice\\_%' ESCAPE '\\' OR name = 'sluice_model')
            AND (type = 'table' OR name NOT LIKE '%\\_history' ESCAPE '\\')
            """, connection)
        for table in tables {
            contents[table[0]] =
                [[table[1]]] + (try rows("SELECT * FROM \(quoted(table[0])) ORDER BY 1, 2", connection))
        }
        return contents
    }

    private func rows(_ sql: String, _ connection: Connection) throws -> [[String]] {
        let statement = try connection.prepare(sql)
        var rows: [[String]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.isNull($0) ? "∅" : statement.text($0) })
        }
        return rows
    }

    func rows(_ sql: String, in place: NightPlace) throws -> [[String]] {
        try rows(sql.replacingExactly("@", with: ""), Connection(path: path(place), access: .read))
    }

    func write(_ sql: String) throws {
        try Connection(path: path(.store), access: .write).execute(sql.replacingExactly("@", with: ""))
    }

    func freeColumns() throws -> [(table: String, column: String, owner: String)] {
        try rows(
            """
            SELECT t.name, c.name, (SELECT o.name FROM pragma_table_info(t.name) o WHERE o.cid = 0)
            FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
            AND t.name NOT LIKE 'sluice\\_%' ESCAPE '\\' AND NOT c."notnull" AND NOT c.pk
            AND NOT EXISTS (
              SELECT 1 FROM pragma_table_info(t.name) e
              WHERE e.name = c.name || '_entity' OR c.name = e.name || '_entity')
            ORDER BY 1, 2
            """, in: .store
        ).map { (table: $0[0], column: $0[1], owner: $0[2]) }
    }

    func makeView(_ entity: EntityDescription, among all: [EntityDescription], _ run: Int) throws -> [String]? {
        let night = try Connection(path: path(.night(run)), access: .write)
        guard let table = try StoredTable(night, entity.table) else { return nil }
        var view = EntityView(entity, among: all, table, SQLiteDialect())
        // SQLite trusts no functions of a view in a store that comes from elsewhere.
        try night.execute(view.sql().replacingExactly("CREATE VIEW", with: "CREATE TABLE"))
        let name = quotedText(entity.table + "_view")
        return try rows("SELECT name FROM pragma_table_info(\(name))", in: .night(run)).map { $0[0] }
    }

    func drop() {}
}
