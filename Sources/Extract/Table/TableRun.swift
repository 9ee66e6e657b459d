import SluiceKnown
import SluiceRecords

/// The reading of one file that is a table: chunk by chunk from its source to the scanner, and row by row to the
/// walker, for which a row is an object.
@safe
struct TableRun: ~Copyable {
    private let walker: UnsafeMutablePointer<Walker>
    private let digest: FeedDigest?
    private var bytes = TableBytes()
    /// What the run before has left of the source; nil: nothing.
    private let search: KnownSearch?
    /// Rows before this offset are not looked for: too many were not found.
    private var pauseEnd: UInt64 = 0
    private var hasSalt = false

    init(_ walker: UnsafeMutablePointer<Walker>) throws(Failure) {
        digest = unsafe walker.pointee.feed.options.isDigested ? try FeedDigest() : nil
        unsafe self.walker = walker
        search = unsafe walker.pointee.items.noting?.known(walker.pointee.feed.source)
    }

    deinit { digest?.abandon() }

    consuming func read(_ source: any ByteSource) throws(Failure) -> FeedStatistics {
        let (walker, digest) = unsafe (walker, digest)
        repeat {
            try unsafe bytes.fill(&walker.pointee.feed.window, &walker.pointee.feed.table, from: source, digest)
            try takeRows()
            letGo()
        } while !bytes.isLast
        if let problem = unsafe walker.pointee.feed.table.problemAtEnd {
            let end = unsafe walker.pointee.feed.window.offset(of: walker.pointee.feed.window.start)
            throw unsafe walker.pointee.diagnose(problem, at: end)
        }
        return try FeedStatistics(bytes: bytes.count, values: UInt64(unsafe walker.pointee.valueCount), digest)
    }

    /// Gives the walker the rows that are there.
    private mutating func takeRows() throws(Failure) {
        let window = unsafe walker.pointee.feed.window
        while true {
            if let search, hasSalt, try passKnown(search) { return }
            let step = unsafe walker.pointee.feed.table.step(window.base, to: bytes.safeEnd, isLast: bytes.isLast)
            switch step {
            case .more: return
            case .failure(let problem, let at):
                throw unsafe walker.pointee.diagnose(problem, at: window.offset(of: at))
            case .row(let start, let end):
                try checkBytes(from: start)
                if !hasSalt { setSalt() }
                if let search, find(search, start, end) {
                    try skip(search, to: end)
                    continue
                }
                let isTaken = unsafe Walker.take(walker, window.origin, start, end)
                if !isTaken, let failure = unsafe walker.pointee.ending.failure { throw failure }
            }
        }
    }

    // MARK: Rows that are known

    /// The cells of a row mean what the columns say.
    private mutating func setSalt() {
        hasSalt = true
        guard let noting = unsafe walker.pointee.items.noting else { return }
        let meaning = unsafe walker.pointee.feed.table.meaning
        unsafe meaning.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe walker.pointee.items.salt = noting.hash.value(of: base, count: bytes.count)
        }
    }

    /// Goes behind the rows that come next and are known. Returns whether more bytes are needed.
    private func passKnown(_ search: KnownSearch) throws(Failure) -> Bool {
        while true {
            let window = unsafe walker.pointee.feed.window
            let next = unsafe walker.pointee.feed.table.next
            guard unsafe walker.pointee.feed.table.isAtRows, next < bytes.safeEnd, window.offset(of: next) >= pauseEnd
            else { return false }
            let outcome = unsafe search.matchRow(
                UnsafePointer(window.base + next), bytes.safeEnd - next, isLast: bytes.isLast,
                salt: walker.pointee.items.salt)
            switch outcome {
            case .unknown: return false
            case .unfinished: return true
            case .known(let length):
                let end = next + length
                let line = unsafe RowEnd.length(UnsafePointer(window.base), end, bytes.safeEnd) ?? 0
                unsafe walker.pointee.feed.table.pass(to: end + line)
                try skip(search, to: end)
            }
        }
    }

    /// Looks for a row by its own hash.
    private mutating func find(_ search: KnownSearch, _ start: Int, _ end: Int) -> Bool {
        let window = unsafe walker.pointee.feed.window
        guard window.offset(of: start) >= pauseEnd, end - start <= KnownEntry.longestItem else { return false }
        if unsafe search.find(
            UnsafePointer(window.base + start), end - start, salt: walker.pointee.items.salt)
        {
            return true
        }
        if let pause = search.pauseAfterMiss() { pauseEnd = window.offset(of: end) + UInt64(pause) }
        return false
    }

    private func skip(_ search: KnownSearch, to end: Int) throws(Failure) {
        unsafe walker.pointee.skipItem(search, end: walker.pointee.feed.window.offset(of: end))
        if unsafe walker.pointee.output.wantsHandOut, unsafe walker.pointee.passOn() == 0 {
            if let failure = unsafe walker.pointee.ending.failure { throw failure }
        }
    }

    /// Throws where a row is no text, and may not be a reject for that.
    private func checkBytes(from start: Int) throws(Failure) {
        guard case .bytes(_, let number)? = unsafe walker.pointee.feed.table.row.fault,
            unsafe !walker.pointee.mayRejectBytes
        else { return }
        let offset = unsafe walker.pointee.feed.window.offset(of: start + number - 1)
        throw unsafe walker.pointee.diagnose(TableFeed.Problem.malformedUTF8, at: offset)
    }

    /// Lets go of the bytes of the rows that were taken.
    private func letGo() {
        let window = unsafe walker.pointee.feed.window
        let next = unsafe walker.pointee.feed.table.next
        // Newlines can only be counted while their bytes are here.
        unsafe walker.pointee.feed.lines.countLines(
            until: window.offset(of: next), window.base, window.end, window.origin)
        unsafe walker.pointee.feed.window.start = next
    }
}

extension Walker {
    /// Takes the row that the table's scanner has; false: the parse has to end.
    ///
    /// - Parameters:
    ///   - origin: the offset of the window's first byte.
    ///   - start: where the row begins in the window.
    fileprivate static func take(
        _ walker: UnsafeMutablePointer<Walker>, _ origin: UInt64, _ start: Int, _ end: Int
    ) -> Bool {
        let (cells, names) = unsafe (walker.pointee.feed.table.row.cells, walker.pointee.feed.table.columns.names)
        let count = unsafe walker.pointee.feed.table.knownCells
        let empty = unsafe walker.pointee.feed.table.form.emptyCell
        unsafe walker.pointee.feed.token = (origin + UInt64(start), origin + UInt64(start) + 1)
        guard unsafe walker.pointee.begin(isArray: false) != 0 else { return false }
        let fault = unsafe walker.pointee.feed.table.row.fault
        if fault != nil { unsafe walker.pointee.rejectRow() }
        for index in 0..<count {
            let (cell, name) = (cells[index], names[index])
            if name.length == 0 || fault?.isOfBytes == true && !cell.isText { continue }
            unsafe walker.pointee.feed.token = (origin + UInt64(cell.start), origin + UInt64(cell.end))
            guard unsafe walker.pointee.key(name.text, name.length) != 0 else { return false }
            let isTaken =
                unsafe cell.isNull(empty)
                ? walker.pointee.literal(.null) : walker.pointee.string(cell.text, cell.length)
            if isTaken == 0 { return false }
        }
        unsafe walker.pointee.feed.token = (origin + UInt64(start), origin + UInt64(end))
        return unsafe walker.pointee.end() != 0
    }

    /// Rejects the records of a row whose cells are not those of the columns.
    @inline(never)
    private mutating func rejectRow() {
        let (reason, isOfBytes) = (feed.table.faultText, feed.table.row.isOfBytes)
        let known = (0..<feed.table.knownCells).map { feed.table.columns.text(of: $0) }
        let isOther = feed.table.hasOtherCells
        for record in 0..<open.recordCount where open.records[record].isRecord {
            reject(record: record, "@", reason, isOfBytes: isOfBytes, knownColumns: isOther ? known : nil)
        }
    }

    /// Whether bytes that are no record may be rejects. Not where an object that the feed lacks is gone: which object
    /// such bytes are about, nobody knows.
    var mayRejectBytes: Bool {
        feed.model.entities.allSatisfy { !$0.sources.contains(feed.source) || !$0.removesAbsent }
    }

    /// Describes what ends a table.
    mutating func diagnose(_ problem: TableFeed.Problem, at offset: UInt64) -> Failure {
        let message =
            switch problem {
            case .openQuote: "the quotation mark that opens here is not closed before the feed ends"
            case .longCell:
                "the value that begins here has more than \(feed.options.maxText) bytes (see \"maxText\")"
            case .longRow:
                "the record that begins here holds more than \(feed.options.maxRecord) bytes (see \"maxRecord\")"
            case .behindQuote:
                "something follows the closing quotation mark of the column's name that begins here"
            case .returnAlone:
                "the table's rows end with carriage returns alone, as old programs write them, and not with line feeds:"
                    + " tr '\\r' '\\n' makes these of them"
            case .malformedUTF8:
                "the byte 0x\(String(unsafe feed.window.base[feed.window.index(of: offset)], radix: 16)) does not begin a"
                    + " character of UTF-8"
            case .repeatedName(let name):
                "the header names the column \(JSONText.quoted(name)) twice, and the definition takes it: give the columns names"
                    + " with \"names\", and \"header\": true"
            case .otherHeader(let fault): fault.text(feed.table.row, readAs: feed.options.encoding)
            }
        return Failure(.data, message, at: place(of: offset))
    }
}

extension Entity {
    /// Whether `where` looks into other columns than these.
    func conditionsLook(beyond names: [String]) -> Bool {
        let known = names.map { Path(root: .record, steps: [.name($0)]) }
        return conditions.flatMap(\.slots).contains { !known.contains(slots[$0].path) }
    }
}
