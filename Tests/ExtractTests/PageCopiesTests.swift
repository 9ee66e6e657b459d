import Foundation
import SluiceExtract
import SluiceRecords
import Testing

/// Pages are copied one behind the other, and read again each by itself.
struct PageCopiesTests {
    private final class Bytes: ByteSource {
        private var rest: [UInt8]

        init(_ text: String) { rest = Array(text.utf8) }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, rest.count)
            unsafe buffer.copyBytes(from: rest.prefix(count))
            rest.removeFirst(count)
            return count
        }
    }

    private func text(_ source: any ByteSource) throws -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 3)
        while true {
            let outcome = unsafe buffer.withUnsafeMutableBytes { bytes in
                Result { () throws(Failure) in try unsafe source.read(into: bytes) }
            }
            let count = try outcome.get()
            if count == 0 { return String(decoding: all, as: UTF8.self) }
            all += buffer[..<count]
        }
    }

    @Test func eachEndsWhereTheNextBegins() throws {
        let copies = FeedCopies(copiesPipes: true)
        let pages = ["null", "null", "", "12345", "678"]
        for (index, page) in pages.enumerated() {
            #expect(try text(copies.keep(Bytes(page), source: 0, file: index)) == page)
        }
        for (index, page) in pages.enumerated() {
            #expect(try text(#require(try copies.reopen(source: 0, file: index))) == page)
        }
        // A number at the top ends with its page.
        let fetcher = RecordFetcher(copies)
        let positions = [0, 3, 4].map { RecordPositionKey(source: 0, file: $0, offset: 0) }
        var found: [Int: RecordText?] = [:]
        try fetcher.fetch(positions) { found[$0] = $1 }
        #expect(found == [0: .whole("null"), 1: .whole("12345"), 2: .whole("678")])
    }
}
