import Foundation
import SluiceLoad
import SluicePosix
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceSeed

/// A delta makes of the earlier store what the later one holds.
@Suite struct DeltaTests {
    private let scratch = Scratch()

    @Test func randomPairs() throws {
        var swapped = 0
        for seed in SeededRandom.seeds(0..<250) {
            var random = SeededRandom(seed)
            let old = try scratch.database("old")
            try RandomStores.create(old)
            try RandomStores.fill(old, &random)
            old.close()
            try scratch.copy("old", to: "new")
            let new = try scratch.open("new")
            try RandomStores.fill(new, &random)
            let expected = try ContentHash.of(new)
            new.close()
            let delta = try make("old", "new")
            try scratch.copy("old", to: "made")
            var copies = 0
            let made = try #require(
                try apply(delta, to: "made") {
                    copies += 1
                    try? scratch.copy("old", to: "made")
                }, "pair \(seed)")
            #expect(try ContentHash.of(made) == expected, "pair \(seed)")
            #expect(try made.text("PRAGMA integrity_check") == "ok", "pair \(seed)")
            #expect(
                try SeedDatabase.names(made, "SELECT name FROM sqlite_schema ORDER BY name").count == 13, "pair \(seed)"
            )
            swapped += copies
        }
        // Else nothing was tried of it.
        #expect(swapped > 2)
    }

    /// What it was not made from is not taken for what it was made from: SQLite itself does not notice.
    @Test func aWrongBase() throws {
        let old = try scratch.database("old")
        try RandomStores.create(old)
        try old.execute("INSERT INTO \"order\" VALUES (1, 'a', 1, NULL, NULL, NULL, NULL, NULL)")
        old.close()
        try scratch.copy("old", to: "new")
        let new = try scratch.open("new")
        try new.execute("UPDATE \"order\" SET a = 2")
        let expected = try ContentHash.of(new)
        new.close()
        let delta = try make("old", "new")
        try scratch.copy("old", to: "other")
        let other = try scratch.open("other")
        try other.execute("UPDATE \"order\" SET \"values\" = 7.5")
        other.close()
        let made = try #require(try apply(delta, to: "other") {})
        #expect(try ContentHash.of(made) != expected)
        // A row that is missing is a conflict.
        made.close()
        let empty = try scratch.open("other")
        try empty.execute("DELETE FROM \"order\"")
        empty.close()
        #expect(try apply(delta, to: "other") {} == nil)
    }

    @Test func otherTablesHaveNoDelta() throws {
        for name in ["old", "new"] {
            let database = try scratch.database(name)
            try RandomStores.create(database)
            if name == "new" { try database.execute("CREATE INDEX more ON \"order\" (a)") }
        }
        let connection = try attached("old", "new")
        let compressor = try Compressor(WrittenFile(scratch.file("delta")), level: 3)
        #expect(try DeltaMaker(connection: connection).make(compressor, most: 1 << 20) == .otherSchema)
    }

    @Test func aDeltaThatIsTooLarge() throws {
        for name in ["old", "new"] {
            let database = try scratch.database(name)
            try RandomStores.create(database)
            guard name == "new" else { continue }
            try database.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                INSERT INTO "order" SELECT i, i, 0, NULL, randomblob(200), NULL, NULL, NULL FROM n
                """)
        }
        let connection = try attached("old", "new")
        let compressor = try Compressor(WrittenFile(scratch.file("delta")), level: 3)
        #expect(try DeltaMaker(connection: connection).make(compressor, most: 1 << 16) == .tooLarge)
    }

    // MARK: As a build and an installation do it

    private func attached(_ old: String, _ new: String) throws -> Connection {
        let connection = try Connection(path: scratch.file(new), access: .read)
        try connection.execute("ATTACH '\(scratch.file(old))' AS earlier")
        return connection
    }

    private func make(_ old: String, _ new: String) throws -> SeedManifest.Delta {
        let connection = try attached(old, new)
        defer { connection.close() }
        let file = try WrittenFile(scratch.file("delta"))
        let compressor = try Compressor(file, level: 3)
        #expect(try DeltaMaker(connection: connection).make(compressor, most: 1 << 30) == .made)
        let digest = try compressor.finish()
        try file.finish()
        return SeedManifest.Delta(
            from: 1, fromContent: "", file: "delta", bytes: compressor.written, sha256: digest,
            expandedBytes: compressor.taken)
    }

    private func apply(_ delta: SeedManifest.Delta, to name: String, _ again: () -> Void) throws -> Connection? {
        try DeltaApplication(
            delta: delta, file: ReadFile(scratch.file("delta")), start: 0, path: scratch.file(name), stop: Stop()
        ).perform { () throws(Failure) in again() }
    }
}
