import CSluiceSQLite
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// What a seed says of itself: the only row of its table `sluice_seed`.
package struct SeedRow: Equatable {
    package var name: String
    package var version: Int
    package var model: String
    package var content: String
    /// RFC 3339, UTC.
    package var created: String

    static let create = """
        CREATE TABLE sluice_seed (
          name TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, model TEXT NOT NULL, content TEXT NOT NULL,
          created TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """

    /// Whether it can be what a build has written.
    var isSound: Bool { SeedName.isSound(name) && version > 0 && content.utf8.count == 64 }

    func insert(_ connection: Connection) throws(Failure) {
        let statement = try connection.prepare(
            "INSERT INTO sluice_seed (name, version, model, content, created) VALUES (?, ?, ?, ?, ?)")
        statement.bind(1, name)
        statement.bind(2, Int64(version))
        for (index, text) in [model, content, created].enumerated() { statement.bind(index + 3, text) }
        try statement.run()
    }

    /// Nil where the database has no such table, or none with one row.
    package static func read(_ connection: Connection, schema: String = "main") throws(Failure) -> SeedRow? {
        let columns = try connection.integer(
            """
            SELECT count(*) FROM pragma_table_info('sluice_seed', ?1)
            WHERE name IN ('name', 'version', 'model', 'content', 'created')
            """, schema)
        guard columns == 5 else { return nil }
        let statement = try connection.prepare(
            "SELECT name, version, model, content, created FROM \(quoted(schema)).sluice_seed")
        guard try statement.step() else { return nil }
        let row = SeedRow(
            name: statement.text(0), version: Int(statement.integer(1)), model: statement.text(2),
            content: statement.text(3), created: statement.text(4))
        guard try !statement.step() else { return nil }
        return row
    }
}

/// What the databases of seeds have in common.
enum SeedDatabase {
    static var sqliteVersion: String { unsafe String(cString: sqlite3_libversion()) }

    /// Opens a file that nobody else knows: what becomes of it where the process dies does not matter.
    static func openPrivate(_ path: String, _ stop: Stop) throws(Failure) -> Connection {
        let connection = try Connection(path: path, access: .write)
        connection.isForeign = true
        stop.attach(to: connection)
        // In this order: in WAL mode, an exclusive lock must be there before the file is looked into.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try connection.execute("PRAGMA journal_mode = OFF")
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute("PRAGMA secure_delete = OFF")
        try connection.execute("PRAGMA cache_size = -65536")
        return connection
    }

    /// The tables that hold what is published: those of entities and links, by the bytes of their names.
    static func contentTables(_ connection: Connection) throws(Failure) -> [String] {
        try connection.texts(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sluice\\_%' ESCAPE '\\'
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """)
    }

    /// Throws where there is something that would act by itself in who opens the database, other than what keeps
    /// indexes of words right, to the letter.
    static func refuseActors(_ connection: Connection) throws(Failure) {
        let found: String?
        do throws(Failure) {
            found = try SideIndexes(connection).stranger()
        } catch {
            throw Failure(.data, error.message)
        }
        if let found {
            throw Failure(.data, "the seed has a \(found), and a seed has tables and indexes only")
        }
    }
}
