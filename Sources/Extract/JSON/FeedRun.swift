import CSluiceYajl
import Glibc
import SluiceKnown
import SluiceRecords

/// The reading of one file: chunk by chunk from its source to yajl, which calls the walker.
@safe
struct FeedRun: ~Copyable {
    let walker: UnsafeMutablePointer<Walker>
    private var handle: yajl_handle
    private let digest: FeedDigest?
    private var byteCount: UInt64 = 0
    /// Where the token begins that yajl has not seen the end of: an index of the window.
    var unfinished = 0
    /// Whether the token before that ends a value.
    var isUnfinishedAfterValue = false
    /// Whether lines that are no values are rejects.
    private let rejectsLines: Bool
    /// What is wrong with the bytes, and not with what they hold: then the reading may go on behind their line.
    private var isBroken = false
    /// A line whose end is not at hand, and what is wrong with it.
    private var broken: (start: UInt64, failure: Failure)?
    /// The lines before the bytes that are at hand.
    private var linesBefore = LineCounter()
    /// The values that other parsers have had.
    private var valuesBefore = 0
    /// What the run before has left of the source; nil: nothing.
    let search: KnownSearch?
    /// Where the reading is among the items of the feed.
    var place = ItemPlace.outside(bytes: ItemPlace.leastBytes)

    init(_ walker: UnsafeMutablePointer<Walker>) throws(Failure) {
        let digest = unsafe walker.pointee.feed.options.isDigested ? try FeedDigest() : nil
        let handle = try unsafe FeedRun.parser(walker)
        unsafe self.walker = walker
        unsafe self.handle = handle
        self.digest = digest
        search = unsafe walker.pointee.items.noting?.known(walker.pointee.feed.source)
        rejectsLines = unsafe walker.pointee.rejectsLines
        unsafe walker.pointee.feed.handle = handle
        unsafe walker.pointee.feed.prescan.digest = digest
    }

    private static func parser(_ walker: UnsafeMutablePointer<Walker>) throws(Failure) -> yajl_handle {
        guard let handle = unsafe Parser.make(Callbacks.table.pointer, walker) else {
            throw Failure(.io, "there is not enough memory for a JSON parser")
        }
        // The prescan has done that, and more strictly.
        unsafe sluice_yajl_enable(handle, yajl_dont_validate_strings)
        if unsafe walker.pointee.feed.options.format == .lines {
            unsafe sluice_yajl_enable(handle, yajl_allow_multiple_values)
        }
        return unsafe handle
    }

    deinit {
        // After an error, too, the window is the walker's alone again.
        digest?.abandon()
        unsafe walker.pointee.feed.prescan.digest = nil
        unsafe yajl_free(handle)
    }

    consuming func read(_ source: any ByteSource) throws(Failure) -> FeedStatistics {
        var isLast = false
        repeat {
            let got = try fill(from: source)
            isLast = got == 0
            try take(isLast: isLast)
            try keepWhatIsNeeded()
        } while !isLast
        return try FeedStatistics(bytes: byteCount, values: UInt64(unsafe walker.pointee.valueCount), digest)
    }

    /// Reads a chunk into the window, and returns the number of its bytes.
    private mutating func fill(from source: any ByteSource) throws(Failure) -> Int {
        let (count, moved) = try unsafe walker.pointee.feed.window.fill(from: source, digest)
        unfinished -= moved
        byteCount += UInt64(count)
        return count
    }

    /// Takes what is at hand, line by line where some are no values.
    private mutating func take(isLast: Bool) throws(Failure) {
        if let (start, failure) = broken, try !passLine(from: start, failure, isLast: isLast) { return }
        while true {
            do throws(Failure) {
                if let search { try followItems(search, isLast: isLast) } else { try parse(isLast: isLast) }
                if isLast { try finish() }
                return
            } catch {
                let start = unsafe walker.pointee.openValueStart ?? error.place.map { lineStart(of: $0.offset) }
                let first = unsafe walker.pointee.feed.window.offset(of: walker.pointee.feed.window.start)
                guard rejectsLines, isBroken, let start, start >= first else { throw error }
                if try !passLine(from: start, error, isLast: isLast) { return }
            }
        }
    }

    /// Gives yajl what the prescan lets through, of all that is there.
    private mutating func parse(isLast: Bool) throws(Failure) {
        try feed(to: unsafe walker.pointee.feed.window.end, isLast: isLast)
    }

    /// Gives yajl what the prescan lets through, up to an index.
    ///
    /// - Parameter isLast: whether what follows the index, if anything does, cannot belong to a character before it.
    mutating func feed(to end: Int, isLast: Bool) throws(Failure) {
        let window = unsafe walker.pointee.feed.window
        let safeEnd = unsafe walker.pointee.feed.prescan.scan(
            window.base, from: window.fed, to: end, offset: window.origin, isLast: isLast)
        unsafe walker.pointee.nextBroken = walker.pointee.feed.prescan.nextBroken
        if safeEnd > window.fed {
            unsafe walker.pointee.feed.origin = window.offset(of: window.fed)
            unsafe walker.pointee.ends.text = nil
            unsafe walker.pointee.ends.key = nil
            let status = unsafe yajl_parse(handle, window.base + window.fed, safeEnd - window.fed)
            guard status == yajl_status_ok else { throw failure() }
            let boundary = lastBoundary()
            isUnfinishedAfterValue = boundary.isAfterValue
            unfinished = unsafe Token.unfinishedStart(
                window.base, from: boundary.index, to: safeEnd, isAfterValue: &isUnfinishedAfterValue)
            unsafe walker.pointee.feed.window.fed = safeEnd
        }
        if let problem = unsafe walker.pointee.feed.prescan.problem {
            isBroken = true
            throw unsafe walker.pointee.diagnose(problem, at: window.offset(of: safeEnd))
        }
    }

    /// The end of a token, as late as it is known at no cost; and whether it ends a value.
    private func lastBoundary() -> (index: Int, isAfterValue: Bool) {
        let (text, key) = unsafe (index(after: walker.pointee.ends.text), index(after: walker.pointee.ends.key))
        if unfinished >= max(text, key) { return (unfinished, isUnfinishedAfterValue) }
        return (max(text, key), text > key)
    }

    /// The index of the end of a token as yajl gave it; 0 if that points into yajl's own memory, and says nothing.
    private func index(after end: UnsafePointer<UInt8>?) -> Int {
        guard let end = unsafe end, unsafe walker.pointee.isInWindow(end - 1) else { return 0 }
        return unsafe end - UnsafePointer(walker.pointee.feed.window.base)
    }

    /// Lets go of the bytes that no token and no capture needs.
    private mutating func keepWhatIsNeeded() throws(Failure) {
        if let broken { return keep(from: broken.start) }
        let window = unsafe walker.pointee.feed.window
        let limit = unsafe walker.pointee.feed.options.maxText
        if window.fed - unfinished > limit + 1 {
            _ = unsafe walker.pointee.tooLong(window.offset(of: unfinished))
        }
        var start = unfinished
        if unsafe walker.pointee.open.captureCount > 0 {
            let capture = unsafe walker.pointee.open.captures[0]
            if window.offset(of: window.fed) - capture.start > UInt64(limit) {
                _ = unsafe walker.pointee.tooLong(capture)
            }
            start = min(start, window.index(of: capture.start))
        }
        // A line that turns out to be no value is read again from its end.
        if rejectsLines {
            let open = unsafe walker.pointee.openValueStart ?? .max
            if open != .max,
                window.offset(of: window.fed) - min(open, window.offset(of: window.fed)) <= FeedRun.longestLine
            {
                start = min(start, window.index(of: open))
            }
        }
        // An item is hashed when its end is there.
        let item = unsafe walker.pointee.items.start
        if item != .max, window.offset(of: window.fed) - item <= UInt64(KnownEntry.longestItem) {
            start = min(start, window.index(of: item))
        }
        // Values that are met again leave the earlier ones behind.
        unsafe walker.pointee.checkHeld()
        if unsafe walker.pointee.output.wantsHandOut { _ = unsafe walker.pointee.passOn() }
        if let failure = unsafe walker.pointee.ending.failure { throw failure }
        unsafe walker.pointee.keepKeys()
        // Newlines can only be counted while their bytes are here.
        unsafe walker.pointee.feed.lines.countLines(
            until: window.offset(of: start), window.base, window.end, window.origin)
        if rejectsLines { linesBefore = unsafe walker.pointee.feed.lines }
        unsafe walker.pointee.feed.window.start = start
    }

    /// Lets go of what stands before a line whose end is not at hand.
    private mutating func keep(from start: UInt64) {
        let window = unsafe walker.pointee.feed.window
        unsafe linesBefore.countLines(until: start, window.base, window.end, window.origin)
        let index = window.index(of: start)
        unsafe walker.pointee.feed.window.start = index
        unsafe walker.pointee.feed.window.fed = index
        (unfinished, isUnfinishedAfterValue) = (index, false)
    }

    /// A longer line that is no value ends the reading.
    private static let longestLine: UInt64 = 1 << 24

    /// Tells yajl that nothing follows.
    private mutating func finish() throws(Failure) {
        let window = unsafe walker.pointee.feed.window
        let isBetweenTokens = unfinished == window.end
        // The last parser has had nothing.
        if unsafe isBetweenTokens && valuesBefore > 0 && walker.pointee.valueCount == valuesBefore
            && walker.pointee.depth == 0
        {
            return
        }
        if unsafe isBetweenTokens && walker.pointee.valueCount == 0 {
            guard unsafe walker.pointee.feed.options.format == .json else { return }
            throw unsafe Failure(
                .data, "the feed is empty: a JSON value was expected",
                at: walker.pointee.place(of: window.offset(of: window.end)))
        }
        unsafe walker.pointee.feed.origin = window.offset(of: window.end)
        unsafe walker.pointee.ends.text = nil
        unsafe walker.pointee.ends.key = nil
        guard unsafe yajl_complete_parse(handle) == yajl_status_ok else { throw failure(isAtEnd: true) }
        // Behind a complete document yajl does not mind a string without an end.
        if unsafe !isBetweenTokens && window.base[unfinished] == UInt8(ascii: "\"") { throw failure(isAtEnd: true) }
    }

    /// Why yajl has stopped.
    private mutating func failure(isAtEnd: Bool = false) -> Failure {
        if let failure = unsafe walker.pointee.ending.failure {
            isBroken = unsafe walker.pointee.ending.isBetweenValues
            return failure
        }
        isBroken = true
        let message = unsafe yajl_get_error(handle, 0, nil, 0)
        defer { unsafe yajl_free_error(handle, message) }
        let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
        return unsafe walker.pointee.diagnose(text, from: lastBoundary(), isAtEnd: isAtEnd)
    }

    // MARK: Lines that are no values

    /// Where the line of a byte begins, behind the last value in it.
    private func lineStart(of offset: UInt64) -> UInt64 {
        let window = unsafe walker.pointee.feed.window
        let valueEnd = unsafe walker.pointee.feed.valueEnd
        let least = max(window.start, valueEnd > window.origin ? window.index(of: valueEnd) : 0)
        let last = window.index(of: offset)
        var at = last
        while at > least, unsafe window.base[at - 1] != 0x0a { at -= 1 }
        while at < last, unsafe Token.isSpace(window.base[at]) { at += 1 }
        return window.offset(of: at)
    }

    /// Rejects the line of a value, or of a byte, and goes on behind it with another parser; false: its end is not at
    /// hand.
    private mutating func passLine(from start: UInt64, _ failure: Failure, isLast: Bool) throws(Failure) -> Bool {
        let window = unsafe walker.pointee.feed.window
        let first = window.index(of: start)
        let newline = unsafe memchr(window.base + first, 0x0a, window.end - first)
        let end = unsafe newline.map { unsafe $0 - UnsafeMutableRawPointer(window.base) }
        guard let end = end ?? (isLast ? window.end : nil) else {
            guard window.offset(of: window.end) - start <= FeedRun.longestLine else { throw failure }
            broken = (start, failure)
            return false
        }
        broken = nil
        isBroken = false
        // Places are asked for in their order.
        unsafe walker.pointee.feed.lines = linesBefore
        unsafe (walker.pointee.ending.failure, walker.pointee.ending.isBetweenValues) = (nil, false)
        let number = failure.place.map { $0.offset - min($0.offset, start) + 1 } ?? 1
        let reason = "the line is no JSON: \(failure.message) (byte \(number) of it)"
        guard unsafe walker.pointee.rejectLine(from: start, to: window.offset(of: end), reason) else {
            throw unsafe walker.pointee.ending.failure ?? failure
        }
        let next = try unsafe FeedRun.parser(walker)
        unsafe yajl_free(handle)
        unsafe handle = next
        unsafe walker.pointee.feed.handle = handle
        unsafe walker.pointee.feed.prescan.goOn()
        valuesBefore = unsafe walker.pointee.valueCount
        let behind = min(end + 1, window.end)
        unsafe walker.pointee.feed.window.fed = behind
        (unfinished, isUnfinishedAfterValue) = (behind, false)
        place = .outside(bytes: ItemPlace.leastBytes)
        return true
    }
}
