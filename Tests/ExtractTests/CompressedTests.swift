import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceExtract

/// Compressed files are read as what they hold; damaged ones are said to be so, and never pass as another feed.
@Suite struct CompressedTests {
    private let path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"

    private func compressed(_ bytes: Data, _ tool: String) throws -> Data {
        try bytes.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool, "-c", path]
        process.standardOutput = output
        try process.run()
        let result = output.fileHandleForReading.readDataToEndOfFile()
        process.waitForEnd()
        return result
    }

    private func contents(_ bytes: Data) throws -> Data {
        try bytes.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let source = try openFeed(path)
        var all = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe source.read(into: bytes) }
            }
            let count = try outcome.get()
            if count == 0 { return all }
            all.append(contentsOf: buffer.prefix(count))
        }
    }

    private static let text = Data(
        (0..<900).map { "{\"id\": \($0), \"name\": \"\($0 &* 2_654_435_761)\"}\n" }.joined().utf8)

    @Test(arguments: ["gzip", "zstd", "xz", "bzip2"])
    func whatWasCompressedComesOut(tool: String) throws {
        #expect(try contents(compressed(Self.text, tool)) == Self.text)
        #expect(try contents(compressed(Data(), tool)).isEmpty)
    }

    /// gzip, zstd, xz and bzip2 files may follow one another in one file.
    @Test(arguments: ["gzip", "zstd", "xz", "bzip2"])
    func severalInOneFile(tool: String) throws {
        let part = try compressed(Self.text, tool)
        #expect(try contents(part + part) == Self.text + Self.text)
    }

    @Test(arguments: ["gzip", "zstd", "xz", "bzip2"])
    func aChangedByteIsNoticed(tool: String) throws {
        let good = try compressed(Self.text, tool)
        for place in stride(from: 6, to: good.count, by: 131) {
            var bad = good
            bad[place] ^= 0x55
            // Some bytes mean nothing to the contents, such as the time in the header.
            if let contents = try? contents(bad) { #expect(contents == Self.text, "\(tool), byte \(place)") }
        }
    }

    @Test(arguments: ["gzip", "zstd", "xz", "bzip2"])
    func aCutIsNoticed(tool: String) throws {
        let good = try compressed(Self.text, tool)
        for length in stride(from: 7, to: good.count - 1, by: 211) {
            #expect(throws: Failure.self, "\(tool), \(length) bytes") { try contents(good.prefix(length)) }
        }
    }

    /// What follows the first member is as much of the feed as that: damaged, cut, overwritten, or of no kind at all.
    @Test(arguments: ["gzip", "zstd", "xz", "bzip2"])
    func damageInALaterMemberIsNoticed(tool: String) throws {
        let part = try compressed(Self.text, tool)
        #expect(try contents(part + part + part) == Self.text + Self.text + Self.text)
        for length in [1, 3, 4, 5, 11, 12, 17, part.count / 2, part.count - 1] {
            #expect(throws: Failure.self, "cut at \(length)") { try contents(part + part.prefix(length)) }
            #expect(throws: Failure.self, "\(length) zeros") { try contents(part + Data(count: length)) }
        }
        #expect(throws: Failure.self, "overwritten") { try contents(part + Data(count: part.count)) }
        #expect(throws: Failure.self, "overwritten between") { try contents(part + Data(count: part.count) + part) }
        #expect(throws: Failure.self, "something else follows") { try contents(part + Data("{}\n".utf8)) }
        for place in [0, 1, 2, 10, part.count / 2] {
            var bad = part
            bad[place] ^= 0x55
            if let contents = try? contents(part + bad) { #expect(contents == Self.text + Self.text, "byte \(place)") }
        }
        #expect(throws: Failure.self) { try contents(part + Data(count: 1 << 17)) }
    }

    /// pzstd begins its files with a frame that is to be skipped, and puts one before each of its frames.
    @Test func framesToBeSkippedAreSkipped() throws {
        let frame = try compressed(Self.text, "zstd")
        let skipped = Data([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 9, 9, 9, 9])
        #expect(try contents(skipped + frame + skipped + frame) == Self.text + Self.text)
        #expect(try contents(Data([0x5f]) + skipped.dropFirst() + frame) == Self.text)
        #expect(throws: Failure.self) { try contents(skipped + frame + skipped.dropLast()) }
    }
}
