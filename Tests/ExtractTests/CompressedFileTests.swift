import Foundation
import SluiceRecords
import Testing

@testable import SluiceExtract

/// What is saved while it is read is what was read.
@Suite struct CompressedFileTests {
    private let path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"

    private func contents(_ source: any ByteSource, chunk: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe source.read(into: bytes) }
            }
            let count = try outcome.get()
            if count == 0 { return all }
            all += buffer.prefix(count)
        }
    }

    /// However much is read at once, and however far: the rest is saved as well.
    @Test(arguments: [0, 1, 100, 70_000, 3_000_000]) func whatWasReadIsSaved(count: Int) throws {
        var random = SystemRandomNumberGenerator()
        // Half of it compresses well.
        let bytes = (0..<count).map { $0 % 7 < 3 ? UInt8.random(in: 0...255, using: &random) : 7 }
        for (sizes, isRead) in [([Int.max], true), ([1, 4093, 17], true), ([65536], false)] {
            defer { try? FileManager.default.removeItem(atPath: path) }
            let file = try CompressedFile(path)
            let saved = SavedBytes(ChunkedBytes(bytes, sizes: sizes), to: file)
            if isRead { #expect(try contents(saved, chunk: 1 << 16) == bytes) }
            #expect(try saved.drain(unless: { false }))
            try file.finish()
            #expect(try contents(openFeed(path), chunk: 1 << 16) == bytes)
        }
    }

    @Test func nothingIsReplaced() throws {
        try "mine".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: Failure.self) { try CompressedFile(path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test func drainingStopsWhenItIsTold() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let saved = SavedBytes(ChunkedBytes([1, 2, 3]), to: try CompressedFile(path))
        #expect(try !saved.drain(unless: { true }))
    }

    @Test func aDigestOfSeveralFilesTellsWhereTheyEnd() throws {
        let one = try SHA256.digest(of: "a")
        #expect(one == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb")
        #expect(try SHA256.digest(ofFiles: [one]) == one)
        let parts = try [["ab", "c"], ["a", "bc"], ["abc"], ["c", "ab"]].map { files in
            try SHA256.digest(ofFiles: files.map { try SHA256.digest(of: $0) })
        }
        #expect(Set(parts).count == 4)
    }
}
