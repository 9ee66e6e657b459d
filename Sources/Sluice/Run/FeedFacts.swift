import SluiceExtract

/// What the reader knows of a source in the end.
struct FeedFacts: Sendable {
    var bytes: UInt64
    var values: UInt64
    var sha256: String
    var drift: FeedDrift
    /// By entity and path of its records: how many it took, whatever `where` says.
    var taken: [[UInt64]]
    /// By entity: whether it has a record that counts; nil: that was not looked at.
    var accepted: [Bool?]
    /// The digest of what its first file begins with, see `SHA256.beginningBytes`; nil: it has less.
    var digestOfBeginning: String?
    /// The first bytes of the feed.
    var beginning: [UInt8] = []

    /// Of the first file that is UTF-8 and was read in another encoding: its number, and what shows that.
    var misreading: (file: Int, text: Misreading)?

    /// The first of several files that has nothing of what leads to records; nil: all have.
    var oddFile: FileSeries.OddFile?

    /// Of a web service: what its pages had, and what they said of one another.
    var pages: PageYield?

    /// Whether any entity has a record that counts.
    var hasRecords: Bool { accepted.contains(true) }
}
