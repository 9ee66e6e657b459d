import Foundation
import Records
import Testing

@testable import Extract

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
        process.waitUntilExit()
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
}
