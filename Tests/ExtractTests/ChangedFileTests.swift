import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceExtract

/// A file that changes while it is read is none of the states that it had.
@Suite struct ChangedFileTests {
    private let path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    private static let text = Data(
        (0..<60_000).map { "{\"id\": \($0), \"name\": \"\($0 &* 0x1e37_79b9_7f4a_7c15)\"}\n" }.joined().utf8)

    private func compress(_ words: [String]) throws {
        guard !words.isEmpty else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words + [path]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitForEnd()
        for ending in [".gz", ".zst", ".xz", ".bz2", ".zip"] where FileManager.default.fileExists(atPath: path + ending)
        {
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ending, toPath: path)
        }
    }

    /// Reads the file, and does something to it after the first bytes. Returns what went wrong.
    private func read(_ words: [String] = [], _ change: () throws -> Void) throws -> Failure? {
        try Self.text.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try compress(words)
        let source = try openFeed(path)
        var buffer = [UInt8](repeating: 0, count: 1000)
        var total = 0
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe source.read(into: bytes) }
            }
            switch outcome {
            case .failure(let failure): return failure
            case .success(0):
                #expect(total == Self.text.count)
                return nil
            case .success(let count):
                if total == 0 { try change() }
                total += count
            }
        }
    }

    private func append() throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("{}\n".utf8))
        try handle.close()
    }

    @Test(arguments: [[], ["gzip"], ["zstd", "-q"], ["xz"], ["bzip2"]])
    func whatGrowsOrShrinksIsRefused(tool: [String]) throws {
        #expect(try read(tool) {} == nil)
        let cut = { try Data().write(to: URL(fileURLWithPath: path)) }
        for change in [append, cut] {
            let failure = try read(tool, change)
            #expect(failure?.kind == .data)
            // What comes after the end of a compressed file is damage, too: see below.
            let isSaid = failure?.message.contains("\(path) changed while it was read") == true
            #expect(isSaid || !tool.isEmpty, "\(failure?.message ?? "")")
        }
    }

    @Test func aZipThatChangesIsRefused() throws {
        try Self.text.write(to: URL(fileURLWithPath: path))
        let zip = path + ".zip"
        defer { try? FileManager.default.removeItem(atPath: zip) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-m", "zipfile", "-c", zip, path]
        try process.run()
        process.waitForEnd()
        let source = try openFeed(zip)
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(-60)], ofItemAtPath: zip)
        #expect(throws: Failure.self) {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            for _ in 0..<100 {
                let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                    Result { () throws(Failure) in try unsafe source.read(into: bytes) }
                }
                if try outcome.get() == 0 { break }
            }
        }
    }

    /// As programs do that know that someone may be reading: what has been opened stays whole.
    @Test func whatIsReplacedOrDeletedIsRead() throws {
        #expect(try read { try Data("other".utf8).write(to: URL(fileURLWithPath: path), options: .atomic) } == nil)
        #expect(try read { try FileManager.default.removeItem(atPath: path) } == nil)
        #expect(
            try read {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            } == nil)
    }

    /// The bytes of two states together are seldom JSON: the place of the error would be in neither.
    @Test func anErrorInAChangedFileIsExplained() throws {
        try Self.text.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let copies = FeedCopies(copiesPipes: false)
        _ = try copies.open(path, source: 0, file: 0)
        let failure = Failure(.data, "syntax error")
        #expect(copies.explain(failure, source: 0, file: 0) == failure)
        try append()
        #expect(copies.explain(failure, source: 0, file: 0).message.contains("changed while it was read"))
        #expect(copies.explain(Failure(.io, "disk"), source: 0, file: 0) == Failure(.io, "disk"))
    }
}
