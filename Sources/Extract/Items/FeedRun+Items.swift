import SluiceKnown
import SluiceRecords

/// Where the reading of a feed is among its items, while it looks for those that are known.
enum ItemPlace: BitwiseCopyable {
    /// Not between two items, or nobody knows: so many bytes are parsed before the next look.
    case outside(bytes: Int)
    /// Behind the beginning of a list, or behind an item, and before what follows.
    case betweenItems

    /// Lists begin soon, or never.
    static let leastBytes = 1 << 6
    static let mostBytes = 1 << 14
}

// The items that are known are not parsed: yajl gets the document without them, which is one as well, since they go
// with their commas. Whatever is not as it should be is left to yajl.
extension FeedRun {
    /// Parses what is at hand, but for the items that are known.
    mutating func followItems(_ search: KnownSearch, isLast: Bool) throws(Failure) {
        while true {
            let (fed, end) = unsafe (walker.pointee.feed.window.fed, walker.pointee.feed.window.end)
            switch place {
            case .outside(let bytes):
                // Where a token is looked at from its beginning with each piece, pieces are as long as what there is of
                // it.
                let piece = max(bytes, fed - unfinished)
                let target = end - fed > piece ? fed + piece : end
                try feed(to: target, isLast: isLast && target == end)
                let now = unsafe walker.pointee.feed.window.fed
                try findPlace(after: bytes)
                // Bytes that need those behind them are held back.
                if now == end || now == fed && target == end { return }
            case .betweenItems:
                if try !followItem(search, isLast: isLast) { return }
            }
        }
    }

    // MARK: Between items

    /// Goes on behind the next item; false: more bytes are needed.
    private mutating func followItem(_ search: KnownSearch, isLast: Bool) throws(Failure) -> Bool {
        let window = unsafe walker.pointee.feed.window
        let isFirst = unsafe walker.pointee.items.skipped == 0 && !hasParsed
        let areMembers = unsafe walker.pointee.items.areMembers
        let closing = areMembers ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let isSequence = unsafe walker.pointee.items.listDepth == 0
        var at = unsafe spaceEnd(window.base, window.fed, window.end)
        guard at < window.end else { return try waitOrEnd(isLast) }
        if !isSequence {
            if unsafe window.base[at] == closing {
                try feed(to: at + 1, isLast: true)
                place = .outside(bytes: ItemPlace.leastBytes)
                return true
            }
            if !isFirst {
                guard unsafe window.base[at] == UInt8(ascii: ",") else { return try leave(search) }
                at = unsafe spaceEnd(window.base, at + 1, window.end)
                guard at < window.end else { return try waitOrEnd(isLast) }
                // Without the items that were skipped, and their commas, yajl would not notice.
                let next = unsafe window.base[at]
                if next == closing || next == UInt8(ascii: ",") { throw doubt(search) }
            }
        }
        guard unsafe isItemStart(window.base[at], areMembers) else { return try leave(search, at: at) }
        let outcome = unsafe search.match(
            UnsafePointer(window.base + at), window.end - at, isLast: isLast, salt: walker.pointee.items.salt)
        switch outcome {
        case .known(let length): return try skip(search, to: at + length)
        case .unfinished: return false
        case .unknown: return try read(search, at, isLast: isLast)
        }
    }

    private func isItemStart(_ byte: UInt8, _ areMembers: Bool) -> Bool {
        areMembers ? byte == UInt8(ascii: "\"") : byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
    }

    /// Whether yajl has had an item of the list.
    private var hasParsed: Bool {
        let (frame, items) = unsafe (walker.pointee.top, walker.pointee.items)
        return items.areMembers
            ? unsafe frame.pointee.lastKey >= 0 : unsafe frame.pointee.index + 1 > items.skipped
    }

    /// Looks for an item by its own hash, and parses it if it is not known.
    private mutating func read(_ search: KnownSearch, _ at: Int, isLast: Bool) throws(Failure) -> Bool {
        let window = unsafe walker.pointee.feed.window
        if unsafe walker.pointee.items.areMembers {
            guard let value = unsafe ItemScan.valueStart(window.base, from: at, to: window.end) else {
                if isLast || window.end - at > KnownEntry.longestItem { return try leave(search, at: at) }
                return false
            }
            if !isItemStart(unsafe window.base[value], false) { return try leave(search, at: at) }
        }
        guard let end = unsafe ItemScan.end(window.base, from: at, to: window.end) else {
            if isLast || window.end - at > KnownEntry.longestItem { return try leave(search, at: at) }
            return false
        }
        if end - at <= KnownEntry.longestItem,
            unsafe search.find(UnsafePointer(window.base + at), end - at, salt: walker.pointee.items.salt)
        {
            return try skip(search, to: end)
        }
        dropComma(before: at)
        try feed(to: end, isLast: true)
        if unsafe walker.pointee.items.lastEnd != walker.pointee.feed.window.offset(of: end) {
            place = .outside(bytes: ItemPlace.leastBytes)
        }
        if let pause = search.pauseAfterMiss() { place = .outside(bytes: pause) }
        return true
    }

    private mutating func skip(_ search: KnownSearch, to end: Int) throws(Failure) -> Bool {
        unsafe walker.pointee.skipItem(search, end: walker.pointee.feed.window.offset(of: end))
        unsafe walker.pointee.feed.window.fed = end
        (unfinished, isUnfinishedAfterValue) = (end, true)
        if unsafe walker.pointee.output.wantsHandOut, unsafe walker.pointee.passOn() == 0 {
            if let failure = unsafe walker.pointee.ending.failure { throw failure }
        }
        return true
    }

    /// Leaves it to yajl what follows: it is no item that can be known, or malformed.
    private mutating func leave(_ search: KnownSearch, at start: Int? = nil) throws(Failure) -> Bool {
        if let start {
            dropComma(before: start)
        }
        // Without the items that were skipped, yajl might take for a list what is none.
        else if unsafe walker.pointee.items.skipped > 0 {
            throw doubt(search)
        }
        place = .outside(bytes: ItemPlace.leastBytes)
        return true
    }

    /// At the end of what is at hand: nothing follows, or nobody knows.
    private mutating func waitOrEnd(_ isLast: Bool) throws(Failure) -> Bool {
        if isLast { try feed(to: unsafe walker.pointee.feed.window.end, isLast: true) }
        return false
    }

    /// Where yajl has had no item of the list, it must not see the comma that follows those that were skipped.
    private mutating func dropComma(before start: Int) {
        guard !hasParsed else { return }
        unsafe walker.pointee.feed.window.fed = start
        (unfinished, isUnfinishedAfterValue) = (start, false)
    }

    private func doubt(_ search: KnownSearch) -> Failure {
        search.isInDoubt = true
        return Failure(.defect, "what is known of the feed is in doubt")
    }

    // MARK: Outside

    /// Finds out where the reading is after bytes that were parsed as they came.
    private mutating func findPlace(after bytes: Int) throws(Failure) {
        let larger = min(2 * bytes, max(ItemPlace.mostBytes, bytes))
        place = .outside(bytes: larger)
        let depth = unsafe walker.pointee.items.listDepth
        guard depth >= 0 else { return }
        let isInside = unsafe walker.pointee.skip > 0 || walker.pointee.depth > depth
        if isInside { try finishItem() } else if isBetweenItems { place = .betweenItems }
    }

    /// Parses the item to its end that has been begun, if the end is at hand.
    private mutating func finishItem() throws(Failure) {
        let (window, start) = unsafe (walker.pointee.feed.window, walker.pointee.items.start)
        guard start != .max, start >= window.offset(of: window.start),
            let end = unsafe ItemScan.end(window.base, from: window.index(of: start), to: window.end), end >= window.fed
        else { return }
        try feed(to: end, isLast: true)
        if unsafe walker.pointee.items.lastEnd == walker.pointee.feed.window.offset(of: end) { place = .betweenItems }
    }

    /// Whether nothing but white space has been parsed since the last item, or since the beginning of the list.
    private var isBetweenItems: Bool {
        let (window, end) = unsafe (walker.pointee.feed.window, walker.pointee.items.lastEnd)
        guard end >= window.offset(of: window.start), end <= window.offset(of: window.fed) else { return false }
        let start = window.index(of: end)
        return unsafe spaceEnd(window.base, start, window.fed) == window.fed
    }

    /// The first byte that is no white space; in a sequence, record separators are.
    private func spaceEnd(_ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        let hasSeparators = unsafe walker.pointee.feed.options.format == .lines
        var at = start
        while at < end, unsafe Token.isSpace(bytes[at]) || hasSeparators && bytes[at] == 0x1e { at += 1 }
        return at
    }
}
