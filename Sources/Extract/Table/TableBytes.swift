import SluiceRecords

/// The bytes of a table on their way into a window: counted, and known to be UTF-8.
struct TableBytes {
    /// The bytes of the file so far.
    private(set) var count: UInt64 = 0
    /// The bytes of the window before this index are whole characters.
    private(set) var safeEnd = 0
    /// Whether no byte follows.
    private(set) var isLast = false
    /// Whether what is at hand is the end of the table.
    var isEnd: Bool { isLast && problem == nil }
    private var text = TextScan()
    private var isBegun = false

    /// What is wrong with the byte at `safeEnd`.
    var problem: Prescan.Problem? { text.problem }

    /// Reads a chunk.
    mutating func fill(
        _ window: inout Window, _ table: inout TableFeed, from source: any ByteSource, _ digest: FeedDigest? = nil
    ) throws(Failure) {
        let (got, moved) = try window.fill(from: source, digest)
        table.move(by: moved)
        isLast = got == 0
        count += UInt64(got)
        safeEnd = unsafe text.scan(window.base, from: window.fed, to: window.end, isLast: isLast)
        window.fed = safeEnd
        if !isBegun, safeEnd > 0 || isLast {
            isBegun = true
            let mark = unsafe safeEnd >= 3 && window.base[0] == 0xef && window.base[1] == 0xbb && window.base[2] == 0xbf
            table.start(skipping: mark ? 3 : 0)
        }
    }
}
