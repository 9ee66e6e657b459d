import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceExtract

/// What comes over the network is decompressed piece by piece, and the pieces make no difference.
@Suite struct DecompressorTests {
    private static let text = Array("[\(String(repeating: "{\"name\":\"Gleis 9¾\"},", count: 40))null]".utf8)

    /// `text` as gzip and others pack it, without what is around the compressed data.
    private static let bare = stored(text)

    /// A member of DEFLATE that is not compressed.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let both = [UInt8(truncatingIfNeeded: count), UInt8(count >> 8)]
        return [1] + both + both.map { ~$0 } + bytes
    }

    /// What zlib puts around it.
    private static var wrapped: [UInt8] {
        var (a, b) = (UInt32(1), UInt32(0))
        for byte in text {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let sum = (b << 16 | a).bigEndian
        return [0x78, 0x9c] + bare + (unsafe withUnsafeBytes(of: sum) { unsafe Array($0) })
    }

    private func decoded(
        _ bytes: [UInt8], _ compression: Compression, pieces: Int, room: Int
    ) throws(Failure) -> [UInt8] {
        let decompressor = try Decompressor(compression, named: "the answer")
        var all: [UInt8] = []
        var output = [UInt8](repeating: 0, count: room)
        var start = 0
        while start < bytes.count {
            var piece = Array(bytes[start..<min(start + pieces, bytes.count)])
            start += piece.count
            while true {
                let outcome = unsafe piece.withUnsafeBytes { input in
                    unsafe output.withUnsafeMutableBytes { output in
                        Result { () throws(Failure) in try unsafe decompressor.decode(input, into: output) }
                    }
                }
                let (taken, made) = try outcome.get()
                all += output.prefix(made)
                piece.removeFirst(taken)
                if made < room && piece.isEmpty { break }
            }
        }
        try decompressor.finish()
        return all
    }

    @Test(arguments: [(1, 1), (1, 7), (3, 1), (7, 4096), (100_000, 1), (100_000, 100_000)])
    func deflateIsOfZlibOrBare(pieces: Int, room: Int) throws {
        #expect(try decoded(Self.wrapped, .deflate, pieces: pieces, room: room) == Self.text)
        #expect(try decoded(Self.bare, .deflate, pieces: pieces, room: room) == Self.text)
        #expect(try decoded([3, 0], .deflate, pieces: pieces, room: room) == [])
    }

    @Test(arguments: [1, 50, 100_000])
    func theEndOfDeflateIsTheEnd(pieces: Int) {
        var damaged = Self.wrapped
        damaged[damaged.count - 1] ^= 1
        let bad = [
            Array(Self.wrapped.dropLast()), Array(Self.bare.dropLast()), Self.wrapped + [0], Self.wrapped + [10],
            Self.bare + Self.bare, damaged, [0x78], [], [0x0f, 0xff, 0xff],
        ]
        for (number, bytes) in bad.enumerated() {
            #expect(throws: Failure.self, "\(number)") { try decoded(bytes, .deflate, pieces: pieces, room: 300) }
        }
    }

    @Test(arguments: [("gzip", Compression.gzip), ("zstd", .zstd), ("xz", .xz), ("bzip2", .bzip2)], [1, 5, 100_000])
    func piecesMakeNoDifference(tool: (String, Compression), pieces: Int) throws {
        let packed = try packed(tool.0)
        for room in [1, 100_000] {
            #expect(try decoded(packed + packed, tool.1, pieces: pieces, room: room) == Self.text + Self.text)
        }
        for length in 0..<packed.count {
            let cut = packed + packed.prefix(length)
            if length == 0 { continue }
            #expect(throws: Failure.self) { try decoded(cut, tool.1, pieces: pieces, room: 9999) }
            #expect(throws: Failure.self) {
                try decoded(Array(packed.prefix(length)), tool.1, pieces: pieces, room: 9999)
            }
        }
    }

    private func packed(_ tool: String) throws -> [UInt8] {
        let path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
        try Data(Self.text).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool, "-c", path]
        process.standardOutput = output
        try process.run()
        defer { process.waitForEnd() }
        return [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    }
}
