import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

/// A feed that is read in an encoding of one byte a character, and is UTF-8, is seen while it comes.
struct MisreadingTests {
    private func misreading(
        _ feed: [UInt8], as encoding: String = "iso-8859-1", sizes: [Int] = [.max]
    ) throws -> Misreading? {
        var options = FeedOptions()
        (options.format, options.encoding, options.isDigested) = (.csv, encoding, true)
        let model = Model(entities: [entity("Item", "$", slots: ["a"])])
        let reader = FeedReader(model: model, source: 0, options: options)
        var batch = RecordBatch(model: model)
        return try reader.read(ChunkedBytes(feed, sizes: sizes), named: "f", into: &batch) { full throws(Failure) in
            full.reset()
            return full
        }.misreading
    }

    /// What a feed is, found the naive way.
    private func expected(_ feed: [UInt8]) -> Misreading? {
        guard let text = String(validating: feed, as: UTF8.self) else { return nil }
        let count = text.unicodeScalars.count { !$0.isASCII }
        let isTelling = text.unicodeScalars.contains { 0x80..<0x180 ~= $0.value || $0.value >= 0x800 }
        guard count > 1 || isTelling, let first = feed.firstIndex(where: { $0 >= 0x80 }) else { return nil }
        var misreading = Misreading()
        let lines = feed[..<first].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        (misreading.count, misreading.offset) = (UInt64(count), UInt64(first))
        (misreading.line, misreading.column) = (UInt64(lines.count), UInt64(lines[lines.count - 1].count + 1))
        return misreading
    }

    @Test(arguments: 1...60) func itIsWhatAWholeFeedIs(seed: Int) throws {
        var random = SeededRandom(seed)
        var feed = Array("a\n".utf8)
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            feed += Array(repeating: UInt8(ascii: "x"), count: Int.random(in: 0...150, using: &random))
            switch Int.random(in: 0...29, using: &random) {
            case 0: feed += [UInt8.random(in: 0x80...0xff, using: &random)]
            case 1...8: feed += Array("\n".utf8)
            default:
                feed += Array(
                    ["ö", "ߨ", "\u{ffff}", "\u{d7ff}", "€", "\u{10ffff}", "𝄞", "\u{800}"].randomElement(using: &random)!
                        .utf8
                )
            }
        }
        for sizes in [[.max], [1], [3, 1, 64]] {
            #expect(try misreading(feed, sizes: sizes) == expected(feed), "\(feed)")
        }
    }

    /// What is no UTF-8, though it begins so, and what a text of the encoding may have.
    @Test(
        arguments: [
            Array("Spa".utf8) + [0xdf, 0x85], [0xc3, 0xb6, 0xf6, 0x20], [0xc3, 0xb6, 0xc3, 0xb6, 0xc3],
            [0xc0, 0xaf, 0xc3, 0xb6],
            [0xed, 0xa0, 0x80, 0xc3, 0xb6], [0xf4, 0x90, 0x80, 0x80, 0xc3, 0xb6], [0xe0, 0x80, 0x80, 0xc3, 0xb6],
        ] as [[UInt8]])
    func whatIsNone(_ bytes: [UInt8]) throws {
        #expect(try misreading(Array("a\n".utf8) + bytes) == nil)
    }

    /// Encodings whose characters have several bytes are not looked at; a byte-order mark has its own rule.
    @Test func whatIsNotLookedAt() throws {
        let feed = Array("a\nöö\n".utf8)
        for encoding in ["windows-1252", "windows-1250", "iso-8859-15", "koi8-r", "ibm850"] {
            #expect(try misreading(feed, as: encoding)?.line == 2, "\(encoding)")
        }
        for encoding in ["gb18030", "big5", "euc-jp", "shift_jis"] {
            #expect(((try? misreading(feed, as: encoding)) ?? nil) == nil, "\(encoding)")
        }
        #expect(try misreading([0xef, 0xbb, 0xbf] + feed) == nil)
    }
}
