import SluiceRecords

/// How a source is read.
package struct FeedOptions: Sendable {
    /// What a feed is made of.
    package enum Format: String, CaseIterable, Sendable {
        /// Exactly one JSON document.
        case json
        /// A sequence of JSON values: NDJSON, or RFC 7464.
        case lines
        /// A table whose rows are objects, and whose cells are texts: RFC 4180.
        case csv
        /// A table likewise, with tabs between its cells.
        case tsv

        /// Whether a feed is a table.
        package var isTable: Bool { self == .csv || self == .tsv }
    }

    package var format = Format.json
    /// The encoding of the feed, as iconv calls it; nil: UTF-8.
    package var encoding: String?
    /// How a table is written.
    package var table = TableForm()
    /// What lists of each document must say of the columns of its records.
    package var columns: [NamedColumns] = []
    /// The most bytes of one text, number or captured value, as they are in the feed.
    package var maxText = 64 << 20
    /// The most bytes that records hold whose end is still to come: values, elements of lists, and what is in them.
    ///
    /// The default is 60 times the largest record of the real feeds that were tried (the Tate's works of art:
    /// 1,054,268), and keeps a run of nothing but such records below 400 MB.
    package var maxRecord = 64 << 20
    /// How many containers may be open at once.
    package var maxDepth = 1024
    /// The rows at which a batch is handed out.
    package var batchSize = 5000
    /// The bytes of values and cells at which a batch is handed out.
    package var batchBytes = 16 << 20
    /// Bytes read at once.
    package var chunkSize = 256 << 10
    /// Whether a document that is null says that there is nothing: no record, where it would be one.
    package var nullIsNothing = false
    /// What is noted of items for the run after this one, and what this one knows of them; nil: nothing.
    package var noting: ItemNoting?
    /// Whether a line that is no value is a reject, where each value of a sequence is a record; else it ends the
    /// reading.
    package var rejectsLines = false
    /// Whether the SHA-256 of the feed is wanted.
    package var isDigested = false

    package init() {}

    /// Makes the numbers such that the reader can work with them.
    var checked: FeedOptions {
        var options = self
        // Lengths of values are 32-bit numbers in a batch.
        options.maxText = min(max(maxText, 1), Int(UInt32.max) - 1)
        options.maxDepth = max(maxDepth, 1)
        options.maxRecord = max(maxRecord, 1)
        options.batchSize = max(batchSize, 1)
        options.batchBytes = max(batchBytes, 1)
        options.chunkSize = max(chunkSize, 1)
        return options
    }
}

/// What the reader has seen of a file.
package struct FeedStatistics: Sendable, Hashable {
    /// Of the uncompressed file.
    package var bytes: UInt64 = 0
    /// The values at the top.
    package var values: UInt64 = 0
    /// Lowercase hexadecimal, if it was asked for.
    package var sha256: String?
    /// That of the first `SHA256.beginningBytes`; nil: there are fewer, or it was not asked for.
    package var beginning: String?
    /// Of a feed in another encoding, whose SHA-256 was asked for: what shows that it is UTF-8.
    package var misreading: Misreading?

    package init(bytes: UInt64 = 0, values: UInt64 = 0, sha256: String? = nil) {
        self.bytes = bytes
        self.values = values
        self.sha256 = sha256
    }

    /// With digests that were asked for.
    init(bytes: UInt64, values: UInt64, _ digest: FeedDigest?) throws(Failure) {
        self.init(bytes: bytes, values: values, sha256: try digest?.finish())
        beginning = digest?.beginning
    }
}
