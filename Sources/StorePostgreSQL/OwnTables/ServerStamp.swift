import SluiceLoad
import SluiceRecords

/// What a run leaves of the tables of a store on a server, for the next one to see whether others have written to them.
struct ServerStamp {
    /// The first transaction that need not have been over when the run began.
    var oldest: Int64
    /// That of the run.
    var own: Int64
    /// Which tables there are, with how many rows.
    var content: ItemHash.Value

    /// The kind of the words: it differs from that of a file's stamp, and from those of earlier versions.
    private static let kind: UInt64 = 2
    /// Numbers of rows have 32 bits: those of transactions that are further apart than half of that say nothing.
    private static let reach: Int64 = 1 << 31 - 1 << 20

    init(oldest: Int64, own: Int64, content: ItemHash.Value) {
        (self.oldest, self.own, self.content) = (oldest, own, content)
    }

    /// Reads a stamp; nil where it says nothing about a server whose next transaction is `now`.
    init?(_ stamp: StoreStamp, now: Int64) {
        let words = stamp.words
        guard words[7] == ServerStamp.kind, let oldest = Int64(exactly: words[0]), let own = Int64(exactly: words[1]),
            oldest <= now, now - oldest < ServerStamp.reach
        else { return nil }
        self.init(oldest: oldest, own: own, content: ItemHash.Value(low: words[2], high: words[3]))
    }

    var stamp: StoreStamp? {
        StoreStamp([
            UInt64(oldest), UInt64(own), content.low, content.high, 0, 0, 0, ServerStamp.kind,
        ])
    }
}
