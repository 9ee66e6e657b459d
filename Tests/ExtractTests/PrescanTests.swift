import SluiceExtract
import SluiceRecords
import Testing

/// What yajl does not mind is found wherever it stands in a long run of bytes that are plain.
@Suite struct PrescanTests {
    private let items = [entity("Item", "$", slots: ["@"])]
    private static let length = 400
    private static let chunks = [1000, 129, 97]

    /// The places of a byte, and a feed of white space and one number that has it there.
    private func each(_ byte: UInt8, _ body: (Int, [UInt8]) -> Void) {
        for index in 0..<Self.length {
            var feed = [UInt8](repeating: 0x20, count: Self.length)
            feed[index] = byte
            body(index, feed + Array("1".utf8))
        }
    }

    @Test(arguments: [UInt8(0x0b), 0x0c, 0x80, 0xff]) func refusedBytes(_ byte: UInt8) {
        each(byte) { index, feed in
            for chunk in Self.chunks {
                let found = extract(feed, items, options: FeedOptions().with(chunk: chunk))
                #expect(found.failure?.contains("@\(index): ") == true, "in chunks of \(chunk)")
            }
        }
    }

    @Test func recordSeparators() {
        each(0x1e) { index, feed in
            for chunk in Self.chunks {
                let found = extract(feed, items, options: .lines.with(chunk: chunk))
                #expect(found.failure == nil && found.rows.count == 1, "at \(index), in chunks of \(chunk)")
            }
        }
    }

    @Test func brokenSurrogates() {
        for index in 0..<Self.length {
            let text = String(repeating: "x", count: index) + "\\ud800" + String(repeating: "x", count: 400 - index)
            for chunk in Self.chunks {
                let found = extract(
                    Array("{\"a\": \"\(text)\"}".utf8), [entity("Item", "$", slots: ["a"])],
                    options: FeedOptions().with(chunk: chunk))
                #expect(found.failure == nil && found.faults.count == 1, "at \(index), in chunks of \(chunk)")
            }
        }
    }
}
