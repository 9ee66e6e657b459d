import SluiceRecords

/// The bytes of a table on their way into a window: counted, and looked at for what is not UTF-8.
struct TableBytes {
    /// The bytes of the file so far.
    private(set) var count: UInt64 = 0
    /// The bytes of the window before this index have been looked at: no character goes on behind them.
    private(set) var safeEnd = 0
    /// Whether no byte follows.
    private(set) var isLast = false
    private var isBegun = false

    /// Reads a chunk.
    mutating func fill(
        _ window: inout Window, _ table: inout TableFeed, from source: any ByteSource, _ digest: FeedDigest? = nil
    ) throws(Failure) {
        let (got, moved) = try window.fill(from: source, digest)
        table.move(by: moved)
        isLast = got == 0
        count += UInt64(got)
        safeEnd = unsafe table.characters.scan(window.base, from: window.fed, to: window.end, isLast: isLast)
        window.fed = safeEnd
        if !isBegun, safeEnd > 0 || isLast {
            isBegun = true
            let beginning = unsafe UnsafeBufferPointer(start: window.base, count: safeEnd)
            table.start(skipping: unsafe ByteOrderMark.count(at: beginning))
        }
    }
}
