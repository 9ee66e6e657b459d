import SluiceExtract
import SluiceRecords
import Testing

/// The digest of a feed is that of its bytes as they came, whichever thread makes it, and whatever the reader does to
/// them.
@Suite struct DigestTests {
    private static let items = [entity("Item", "$", slots: ["id", "text", "@ json"])]

    /// More than a mebibyte of records with separators between them, some of them longer than a chunk.
    private func longFeed(_ beginning: [UInt8]) -> [UInt8] {
        var feed = beginning
        var number = 0
        while feed.count < 3 << 19 {
            number += 1
            let length = number % 97 == 0 ? 150_000 : number % 300
            let text = String(repeating: number % 3 == 0 ? "\u{e4}" : "x", count: length)
            let separator = number % 5 == 0 ? "\u{1e}" : ""
            feed += Array("\(separator){\"id\": \(number), \"text\": \"\(text)\\u0041\"}\n".utf8)
        }
        return feed
    }

    private func check(_ feed: [UInt8], chunks: [Int], sizes: [[Int]] = [[.max]]) throws {
        let expected = try SHA256.digest(of: String(decoding: feed, as: UTF8.self))
        for chunk in chunks {
            for sizes in sizes {
                var options = FeedOptions.lines.with(chunk: chunk)
                options.isDigested = true
                let found = extract(feed, Self.items, sizes: sizes, options: options)
                #expect(found.failure == nil)
                #expect(found.statistics?.sha256 == expected, "in chunks of \(chunk), \(sizes)")
            }
        }
    }

    /// By the examples of FIPS 180-2; what has been asked for on the way changes nothing.
    @Test func isThatOfTheStandard() throws {
        let digest = try SHA256()
        #expect(try digest.hexadecimal() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        digest.update("a")
        let before = try digest.value()
        digest.update("bc")
        #expect(try digest.hexadecimal() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(try digest.value() != before)
        let other = try SHA256()
        other.update("abc")
        #expect(try other.value() == digest.value())
    }

    @Test func shortFeeds() throws {
        for text in ["", "1", "\u{feff}[1]", "\u{1e}1\n\u{1e}2\n", "{\"id\": \"\u{e4}\"}"] {
            try check(Array(text.utf8), chunks: [1, 2, 3, 5, 1000])
        }
    }

    @Test func longFeeds() throws {
        let feed = longFeed(Array("\u{feff}".utf8))
        try check(feed, chunks: [10_000, 1 << 18, 8 << 20])
        try check(feed, chunks: [1 << 16], sizes: [[1, 70_000, 5], [4096]])
    }

    /// Tables whose rows outgrow what is at hand, so that its bytes move, in every chunk size: a cell, a header, a row
    /// of many cells, and a quotation mark that is never closed, which ends the reading where it opens.
    @Test(arguments: [1 << 10, 1 << 16, 100_003, 1 << 18])
    func longRows(chunk: Int) throws {
        let long = String(repeating: "x\u{e4}", count: 250_000)
        let cells = String(repeating: "y,", count: 300_000)
        for feed in [
            "id,n\n1,\"\(long)\"\n2,b\n", "id,n\n1,\"b\"\n2,\(long)", "id,\"\(long)\"\n1,2\n2,b\n",
            "id,n\n1,2\n2,\(cells)\n",
        ] {
            for sizes in [[.max], [1, 70_000, 5]] {
                let found = extract(Array(feed.utf8), Self.items, sizes: sizes, options: table(chunk))
                #expect(found.failure == nil)
                #expect(found.rows.count == 2)
                #expect(try found.statistics?.sha256 == SHA256.digest(of: feed))
            }
        }
        let open = extract(Array("id,n\n1,\"\(long)".utf8), Self.items, options: table(chunk))
        #expect(open.failure?.hasPrefix("feed:2:3 @7: the quotation mark that opens here is not closed") == true)
    }

    private func table(_ chunk: Int) -> FeedOptions {
        var options = FeedOptions().with(chunk: chunk)
        (options.format, options.isDigested) = (.csv, true)
        return options
    }

    /// A feed in another encoding is digested as it came, and only so: the digest of the beginning of its UTF-8 would
    /// show that there is one of that, too.
    @Test(arguments: [FeedOptions.Format.lines, .csv], ["iso-8859-1", nil])
    func aFeedInAnotherEncoding(format: FeedOptions.Format, encoding: String?) throws {
        let line = format == .csv ? "1,\"\u{e4}\"\n" : "{\"id\": 1, \"text\": \"\u{e4}\"}\n"
        let text = (format == .csv ? "id,text\n" : "") + String(repeating: line, count: 300_000)
        let feed = encoding == nil ? Array(text.utf8) : text.unicodeScalars.map { UInt8($0.value) }
        let digest = try SHA256()
        unsafe feed.withUnsafeBytes { unsafe digest.update($0) }
        var options = FeedOptions()
        (options.format, options.encoding, options.isDigested) = (format, encoding, true)
        let found = extract(feed, Self.items, options: options)
        #expect(found.failure == nil)
        #expect(try found.statistics?.sha256 == digest.hexadecimal())
        #expect((found.statistics?.beginning == nil) == (encoding != nil))
    }

    /// After an error the reader's memory is used again while nobody digests it any more.
    @Test func aFeedAfterABrokenOne() throws {
        let feed = longFeed([])
        let model = Model(entities: Self.items)
        var options = FeedOptions.lines.with(chunk: 1 << 16)
        options.isDigested = true
        let reader = FeedReader(model: model, source: 0, options: options)
        var batch = RecordBatch(model: model)
        for end in [5 << 18, (5 << 18) + 70_001] {
            #expect(throws: Failure.self) {
                let broken = ChunkedBytes(feed[..<end] + Array("}".utf8))
                _ = try reader.read(broken, named: "feed", into: &batch, emit: emptied)
            }
            let statistics = try reader.read(ChunkedBytes(feed), named: "feed", into: &batch, emit: emptied)
            #expect(try statistics.sha256 == SHA256.digest(of: String(decoding: feed, as: UTF8.self)))
        }
    }

    private func emptied(_ batch: RecordBatch) throws(Failure) -> RecordBatch {
        batch.reset()
        return batch
    }
}
