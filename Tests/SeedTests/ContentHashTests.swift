import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceSeed

/// The hash of the content, as its page has it: to the byte.
@Suite struct ContentHashTests {
    private let scratch = Scratch()
    private let page: String

    init() throws { page = try String(contentsOfFile: pagePath, encoding: .utf8) }

    private func block(_ first: String) throws -> String {
        let blocks = page.components(separatedBy: "\n```").map { String($0.drop { $0 != "\n" }.dropFirst()) }
        return try #require(blocks.first { $0.hasPrefix(first + "\n") }, "\(first)") + "\n"
    }

    @Test func theVectorsOfThePage() throws {
        let empty = try scratch.database("empty")
        #expect(page.contains("without tables has `\(try ContentHash.digest(of: empty))`"))
        let vector = try scratch.database("vector")
        try vector.execute(try block("-- vector.sql"))
        #expect(page.contains("has `\(try ContentHash.digest(of: vector))`.\n"))
    }

    /// The program of the page is of another mind about nothing.
    @Test func theProgramOfThePage() throws {
        let program = scratch.file("content.py")
        try block("# content.py").write(toFile: program, atomically: true, encoding: .utf8)
        for seed in 0..<5 {
            var random = SeededRandom(seed)
            let store = try scratch.database("store")
            try RandomStores.create(store)
            try RandomStores.fill(store, &random)
            let hash = try ContentHash.digest(of: store)
            store.close()
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", program, scratch.file("store")]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitForEnd()
            #expect(text == hash + "\n")
        }
    }

    /// Neither the file, nor indexes, nor what is sluice's own matter; each value does.
    @Test func whatMatters() throws {
        var random = SeededRandom(3)
        let store = try scratch.database("store")
        try RandomStores.create(store)
        for _ in 0..<60 { try RandomStores.change(store, &random) }
        try store.execute("INSERT OR IGNORE INTO \"order\" VALUES (20, 'twenty', 1, 0.5, x'00', NULL, NULL, NULL)")
        let hash = try ContentHash.digest(of: store)
        for same in ["VACUUM", "DROP INDEX \"order(up)\"", "DELETE FROM sluice_stub", "PRAGMA user_version = 7"] {
            try store.execute(same)
            #expect(try ContentHash.digest(of: store) == hash, "\(same)")
        }
        for (change, back) in [
            ("a = NULL", "a = 1"), ("a = 2", "a = 1"), ("\"values\" = 0.25", "\"values\" = 0.5"),
            ("b = x'0000'", "b = x'00'"), ("\"group\" = 'twenty '", "\"group\" = 'twenty'"), ("up = 1", "up = NULL"),
        ] {
            try store.execute("UPDATE \"order\" SET \(change) WHERE objectID = 20")
            #expect(try ContentHash.digest(of: store) != hash, "\(change)")
            try store.execute("UPDATE \"order\" SET \(back) WHERE objectID = 20")
            #expect(try ContentHash.digest(of: store) == hash, "\(back)")
        }
    }

    /// Values longer than what is gathered at once.
    @Test func longValues() throws {
        let store = try scratch.database("store")
        try store.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BLOB) STRICT")
        var hashes: Set<String> = []
        for size in [65_518, 65_535, 65_536, 65_537, 200_000] {
            try store.execute("DELETE FROM t; INSERT INTO t VALUES (1, zeroblob(\(size)))")
            hashes.insert(try ContentHash.digest(of: store))
        }
        #expect(hashes.count == 5)
    }
}
