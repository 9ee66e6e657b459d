import Foundation
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite
import TestSupport

@testable import SluiceSeed

/// A folder that goes away with the test.
final class Scratch {
    let path = NSTemporaryDirectory() + "sluice-seed-\(UUID().uuidString)"

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: file(name)) }

    func copy(_ name: String, to other: String) throws {
        remove(other)
        try FileManager.default.copyItem(atPath: file(name), toPath: file(other))
    }

    /// A database that is made anew.
    func database(_ name: String) throws -> Connection {
        remove(name)
        let connection = try Connection(path: file(name), access: .create)
        try connection.execute("PRAGMA journal_mode = OFF")
        try connection.execute("PRAGMA synchronous = OFF")
        return connection
    }

    func open(_ name: String) throws -> Connection { try SeedDatabase.openPrivate(file(name), Stop()) }
}

/// Stores as sluice makes them, small and with much in common, so that changes meet.
struct RandomStores {
    static let tables = ["order", "Select \"x\"", "'ü"]

    /// Entities whose names are keywords or worse: a unique identifier, values of all types, a reference, one to
    /// several entities, and links.
    static func create(_ connection: Connection) throws {
        for table in tables {
            try connection.execute(
                """
                CREATE TABLE \(quoted(table)) (
                  "objectID" INTEGER PRIMARY KEY, "group" TEXT NOT NULL, "a" INTEGER, "values" REAL, "b" BLOB,
                  "up" INTEGER REFERENCES \(quoted(table))("objectID") DEFERRABLE INITIALLY DEFERRED,
                  "any" INTEGER, "any_entity" TEXT
                ) STRICT
                """)
            try connection.execute("CREATE UNIQUE INDEX \(quoted("\(table)(group)")) ON \(quoted(table)) (\"group\")")
            try connection.execute("CREATE INDEX \(quoted("\(table)(up)")) ON \(quoted(table)) (up)")
            try connection.execute(
                """
                CREATE TABLE \(quoted(table + "_links")) (
                  "source" INTEGER NOT NULL, "target" INTEGER NOT NULL, "target_entity" TEXT NOT NULL,
                  "position" INTEGER NOT NULL, PRIMARY KEY ("source", "target", "target_entity")
                ) STRICT, WITHOUT ROWID
                """)
        }
        try connection.execute(
            "CREATE TABLE sluice_stub (entity TEXT NOT NULL, objectID INTEGER NOT NULL, PRIMARY KEY (entity, objectID)) STRICT, WITHOUT ROWID"
        )
    }

    static func fill(_ connection: Connection, _ random: inout SeededRandom) throws {
        for _ in 0..<Int.random(in: 0...25, using: &random) { try change(connection, &random) }
    }

    /// Changes something: whatever is refused stays.
    static func change(_ connection: Connection, _ random: inout SeededRandom) throws {
        let table = quoted(tables.randomElement(using: &random) ?? "")
        let links = quoted((tables.randomElement(using: &random) ?? "") + "_links")
        let (one, two) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random))
        let value = ["NULL", "0.5", "-0.0", "1e300", "7.0"].randomElement(using: &random) ?? ""
        let text = ["'a'", "'b'", "''", "'ä'", "'c' || char(0) || 'd'", "'e'"].randomElement(using: &random) ?? ""
        let blob = ["NULL", "x''", "x'00ff'", "zeroblob(300)"].randomElement(using: &random) ?? ""
        let entity = "'" + ["order", "x", "y"][one % 3] + "'"
        let statements = [
            "INSERT OR IGNORE INTO \(table) VALUES (\(one), \(text), \(two), \(value), \(blob), \(two), \(two), \(entity))",
            "INSERT OR IGNORE INTO \(table) VALUES (\(two), \(text), NULL, \(value), \(blob), NULL, NULL, NULL)",
            "DELETE FROM \(table) WHERE objectID = \(one)",
            "UPDATE OR IGNORE \(table) SET a = \(two), \"values\" = \(value), up = \(one) WHERE objectID = \(one)",
            "UPDATE OR IGNORE \(table) SET \"group\" = \(text), b = \(blob) WHERE objectID = \(two)",
            "INSERT OR REPLACE INTO \(links) VALUES (\(one), \(two), \(entity), \(one))",
            "DELETE FROM \(links) WHERE source = \(one)",
            "INSERT OR IGNORE INTO sluice_stub VALUES (\(entity), \(one))",
            "DELETE FROM sluice_stub WHERE objectID = \(two)",
        ]
        if Int.random(in: 0..<3, using: &random) == 0 { return try swap(connection, table, one, two) }
        try connection.execute(statements.randomElement(using: &random) ?? "")
    }

    /// Two objects swap what identifies them; sometimes their objectIDs, which is a cycle as well.
    private static func swap(_ connection: Connection, _ table: String, _ one: Int, _ two: Int) throws {
        guard one != two else { return }
        let texts = try [one, two].map {
            try connection.text(
                "SELECT 'CAST(x' || quote(hex(\"group\")) || ' AS TEXT)' FROM \(table) WHERE objectID = \($0)")
        }
        guard let first = texts[0], let second = texts[1] else { return }
        try connection.execute("UPDATE \(table) SET \"group\" = 'tmp' WHERE objectID = \(one)")
        try connection.execute("UPDATE \(table) SET \"group\" = \(first) WHERE objectID = \(two)")
        try connection.execute("UPDATE \(table) SET \"group\" = \(second) WHERE objectID = \(one)")
    }
}
