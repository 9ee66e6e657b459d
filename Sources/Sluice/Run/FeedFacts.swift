import Extract

/// What the reader knows of a source in the end.
struct FeedFacts: Sendable {
    var bytes: UInt64
    var values: UInt64
    var sha256: String
    var drift: FeedDrift
}
