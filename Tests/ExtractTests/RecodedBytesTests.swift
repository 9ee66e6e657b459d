import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

/// Feeds in other encodings as UTF-8, whatever the reads.
struct RecodedBytesTests {
    private func text(_ bytes: [UInt8], _ encoding: String, sizes: [Int]) throws -> String {
        let source = try recoded(ChunkedBytes(bytes, sizes: sizes), encoding)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe source.read(into: $0) }
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            text += buffer[..<count]
        }
    }

    /// iconv keeps back a character that a mark may follow, until it hears that none comes.
    @Test(arguments: [[1], [3, 1], [.max]])
    func theLastCharacterComes(sizes: [Int]) throws {
        #expect(try text([0xe0, 0xe1, 0xed], "windows-1255", sizes: sizes) == "אבם")
        #expect(try text(Array("Hoa".utf8), "windows-1258", sizes: sizes) == "Hoa")
        #expect(try text([0x61, 0xec], "windows-1258", sizes: sizes) == "a\u{301}")
        #expect(try text(Array("a,b".utf8) + [0xe4], "windows-1252", sizes: sizes) == "a,bä")
        #expect(try text([], "windows-1255", sizes: sizes).isEmpty)
    }
}
