import Foundation
import SluicePosix
import SluiceRecords
import SluiceStoreSQLite
import TestSupport
import Testing

@testable import SluiceSeed

/// A delta makes of the earlier store what the later one holds.
@Suite struct DeltaTests {
    private let scratch = Scratch()

    /// Makes a store, `old`, and what has become of it, `new`; the hash of what that holds.
    private func makePair(_ random: inout SeededRandom) throws -> String {
        let old = try scratch.database("old")
        try RandomStores.create(old)
        try RandomStores.fill(old, &random)
        old.close()
        try scratch.copy("old", to: "new")
        let new = try scratch.open("new")
        defer { new.close() }
        try RandomStores.fill(new, &random)
        return try ContentHash.digest(of: new)
    }

    @Test func randomPairs() throws {
        var swapped = 0
        for seed in SeededRandom.seeds(0..<250) {
            var random = SeededRandom(seed)
            let expected = try makePair(&random)
            let delta = try make("old", "new")
            try scratch.copy("old", to: "made")
            var copies = 0
            let made = try #require(
                try apply(delta, to: "made") {
                    copies += 1
                    try? scratch.copy("old", to: "made")
                }, "pair \(seed)")
            #expect(try ContentHash.digest(of: made) == expected, "pair \(seed)")
            #expect(try made.text("PRAGMA integrity_check") == "ok", "pair \(seed)")
            #expect(
                try made.texts("SELECT name FROM sqlite_schema ORDER BY name").count == 13, "pair \(seed)"
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
        let expected = try ContentHash.digest(of: new)
        new.close()
        let delta = try make("old", "new")
        try scratch.copy("old", to: "other")
        let other = try scratch.open("other")
        try other.execute("UPDATE \"order\" SET \"values\" = 7.5")
        other.close()
        let made = try #require(try apply(delta, to: "other") {})
        #expect(try ContentHash.digest(of: made) != expected)
        // A row that is missing is a conflict.
        made.close()
        let empty = try scratch.open("other")
        try empty.execute("DELETE FROM \"order\"")
        empty.close()
        #expect(try apply(delta, to: "other") {} == nil)
    }

    /// A delta that is cut anywhere is none, and ends: SQLite would look for the end of a table's name for ever.
    @Test func aDeltaThatIsCut() throws {
        var random = SeededRandom(3)
        let expected = try makePair(&random)
        let delta = try make("old", "new")
        let expander = try Expander(ReadFile(scratch.file("delta")), expanded: delta.expandedBytes)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(delta.expandedBytes) + 1, alignment: 1)
        defer { unsafe buffer.deallocate() }
        let count = try unsafe expander.read(into: buffer)
        #expect(count == Int(delta.expandedBytes))
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        var ends = 0
        for cut in 0..<count {
            var framing = PatchsetFraming()
            // In two pieces, wherever the border is.
            let middle = Int.random(in: 0...cut, using: &random)
            try unsafe framing.take(UnsafeRawBufferPointer(rebasing: bytes[..<middle]))
            try unsafe framing.take(UnsafeRawBufferPointer(rebasing: bytes[middle..<cut]))
            ends += framing.mayEnd ? 1 : 0
            guard cut < 100 || framing.mayEnd || cut % 37 == 0 else { continue }
            let file = try WrittenFile(scratch.file("delta"))
            let compressor = try Compressor(file, level: 1)
            try unsafe compressor.write(UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
            let digest = try compressor.finish()
            try file.finish()
            let part = SeedManifest.Delta(
                from: 1, fromContent: "", file: "delta", bytes: compressor.written, sha256: digest,
                expandedBytes: UInt64(cut))
            try scratch.copy("old", to: "made")
            do throws(Failure) {
                let made = try applied(part, to: "made")
                // Whole changes, but not all of them.
                #expect(
                    try made.map { connection throws(Failure) in try ContentHash.digest(of: connection) } != expected)
                made?.close()
                #expect(framing.mayEnd, "cut to \(cut)")
            } catch {
                #expect(error.kind == .data && !framing.mayEnd, "cut to \(cut): \(error)")
            }
        }
        #expect(ends > 2)
        var framing = PatchsetFraming()
        try unsafe framing.take(bytes)
        #expect(framing.mayEnd)
    }

    @Test func otherTablesHaveNoDelta() throws {
        for name in ["old", "new"] {
            let database = try scratch.database(name)
            try RandomStores.create(database)
            if name == "new" { try database.execute("CREATE INDEX more ON \"order\" (a)") }
        }
        let connection = try attached("old", "new")
        let compressor = try Compressor(WrittenFile(scratch.file("delta")), level: 3)
        #expect(try DeltaMaker(connection: connection, stop: Stop()).make(compressor, most: 1 << 20) == .otherSchema)
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
        #expect(try DeltaMaker(connection: connection, stop: Stop()).make(compressor, most: 1 << 16) == .tooLarge)
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
        #expect(try DeltaMaker(connection: connection, stop: Stop()).make(compressor, most: 1 << 30) == .made)
        let digest = try compressor.finish()
        try file.finish()
        return SeedManifest.Delta(
            from: 1, fromContent: "", file: "delta", bytes: compressor.written, sha256: digest,
            expandedBytes: compressor.taken)
    }

    private func applied(_ delta: SeedManifest.Delta, to name: String) throws(Failure) -> Connection? {
        try DeltaApplication(
            delta: delta, file: ReadFile(scratch.file("delta")), start: 0, path: scratch.file(name), stop: Stop()
        ).perform { () throws(Failure) in try? scratch.copy("old", to: name) }
    }

    private func apply(_ delta: SeedManifest.Delta, to name: String, _ again: () -> Void) throws -> Connection? {
        try DeltaApplication(
            delta: delta, file: ReadFile(scratch.file("delta")), start: 0, path: scratch.file(name), stop: Stop()
        ).perform { () throws(Failure) in again() }
    }
}
