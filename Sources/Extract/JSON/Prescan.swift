/// Looks at the bytes of a feed before yajl does, for what yajl does not see or does not mind.
///
/// yajl takes form feeds and vertical tabs for white space and turns escaped surrogates without a partner into other
/// characters; its check of UTF-8 lets overlong forms and surrogates pass. Bytes that cannot be judged without those
/// that follow are held back until these are there, so nothing is remembered between two chunks but what was found.
struct Prescan {
    enum Problem {
        /// A form feed or a vertical tab.
        case whiteSpace
        case malformedUTF8
        /// The feed ends within a character.
        case truncatedUTF8
    }

    /// What ends the feed, at the byte where the last scan stopped.
    private(set) var problem: Problem?
    /// The offsets of escaped surrogates without a partner that are still to be met.
    private var broken: [UInt64] = []
    private var met = 0

    /// What must have had the bytes before they are changed.
    var digest: FeedDigest?

    /// Whether record separators (RFC 7464) are white space.
    private let hasSeparators: Bool
    /// The last byte to look for; without separators, one of the others once more.
    private let separator: UInt8

    init(hasSeparators: Bool) {
        self.hasSeparators = hasSeparators
        separator = hasSeparators ? 0x1e : 0x0b
    }

    /// The offset of the next escaped surrogate without a partner.
    var nextBroken: UInt64 { met < broken.count ? broken[met] : .max }

    /// Forgets those before an offset.
    mutating func forgetBroken(before offset: UInt64) {
        while met < broken.count && broken[met] < offset { met += 1 }
        if met == broken.count {
            broken.removeAll(keepingCapacity: true)
            met = 0
        }
    }

    /// Forgets what ends the feed, and what it has met: the reading goes on elsewhere.
    mutating func goOn() {
        problem = nil
        broken.removeAll(keepingCapacity: true)
        met = 0
    }

    /// Scans `start..<end`, and returns the end of the bytes that yajl may have.
    ///
    /// - Parameters:
    ///   - offset: of `bytes[0]` in the feed.
    ///   - isLast: whether no byte follows.
    mutating func scan(
        _ bytes: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int, offset: UInt64, isLast: Bool
    ) -> Int {
        var at = start
        while true {
            at = unsafe plainEnd(bytes, at, end)
            guard at < end else { return end }
            switch unsafe bytes[at] {
            case 0x5c:
                guard let next = unsafe escapeEnd(bytes, at, end, offset, isLast) else { return at }
                at = next
            case 0x0b, 0x0c:
                problem = .whiteSpace
                return at
            case 0x1e:
                // To yajl, a tab: white space outside of strings, refused within.
                digest?.settle()
                unsafe bytes[at] = 0x09
                at += 1
            default:
                let run = unsafe charactersEnd(bytes, at, end, offset, isLast)
                if run.isStopped { return run.end }
                at = run.end
            }
        }
    }

    /// The first byte that is not plain: a backslash, a control character from above, or not ASCII.
    private func plainEnd(_ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var at = start
        while unsafe end &- at >= Prescan.blockBytes && isPlain(block: bytes + at) { at &+= Prescan.blockBytes }
        let memory = UnsafeRawPointer(bytes)
        while end &- at >= 8 {
            let marks = marksOf(unsafe memory.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            if marks != 0 { return at + marks.trailingZeroBitCount / 8 }
            at &+= 8
        }
        while at < end && isPlain(unsafe bytes[at]) { at &+= 1 }
        return at
    }

    private static let blockBytes = 128

    /// Whether a whole block is plain.
    @inline(__always)
    private func isPlain(block: UnsafeMutablePointer<UInt8>) -> Bool {
        // Without a branch inside, and without arithmetic that may overflow, the compiler makes vector instructions of
        // it, one for each operation here; Swift's own vectors are compared lane by lane.
        var all: UInt8 = 0
        var leastControl = UInt8.max
        var leastOther = UInt8.max
        var index = 0
        while index < Prescan.blockBytes {
            let byte = unsafe block[index]
            all |= byte
            // 0 and 1 for the vertical tab and the form feed.
            leastControl = min(leastControl, byte &- 0x0b)
            leastOther = min(leastOther, byte ^ 0x5c)
            leastOther = min(leastOther, byte ^ separator)
            index &+= 1
        }
        return all < 0x80 && leastControl > 1 && leastOther > 0
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        byte < 0x80 && byte != 0x5c && byte != 0x0b && byte != 0x0c && !(hasSeparators && byte == 0x1e)
    }

    /// A word whose lowest mark is in the first byte (of a little-endian word) that is not plain; 0 if all are.
    @inline(__always)
    private func marksOf(_ word: UInt64) -> UInt64 {
        // x - 1 & ~x has the top bit of a byte set where x is 0. A borrow can only mark bytes above such a one.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let backslash = word ^ Prescan.repeated(0x5c)
        let verticalTab = word ^ Prescan.repeated(0x0b)
        let formFeed = word ^ Prescan.repeated(0x0c)
        let separator = word ^ Prescan.repeated(separator)
        let zeros =
            ((backslash &- ones) & ~backslash) | ((verticalTab &- ones) & ~verticalTab)
            | ((formFeed &- ones) & ~formFeed) | ((separator &- ones) & ~separator)
        return (zeros | word) & 0x8080_8080_8080_8080
    }

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The end of an escape; nil if the bytes that follow are needed.
    private mutating func escapeEnd(
        _ bytes: UnsafeMutablePointer<UInt8>, _ at: Int, _ end: Int, _ offset: UInt64, _ isLast: Bool
    ) -> Int? {
        // Two escapes of six bytes make a pair.
        guard end - at >= 12 || isLast else { return nil }
        guard at + 1 < end else { return end }
        if unsafe bytes[at + 1] == 0x5c { return at + 2 }
        guard let unit = unsafe escapedUnit(bytes, at, end), unit & 0xf800 == 0xd800 else { return at + 1 }
        if unit < 0xdc00, let partner = unsafe escapedUnit(bytes, at + 6, end), partner & 0xfc00 == 0xdc00 {
            return at + 12
        }
        broken.append(offset + UInt64(at))
        return at + 6
    }

    /// The UTF-16 unit of an escape with `u`; nil if there is none.
    private func escapedUnit(_ bytes: UnsafeMutablePointer<UInt8>, _ at: Int, _ end: Int) -> UInt32? {
        guard at + 6 <= end, unsafe bytes[at] == 0x5c && bytes[at + 1] == UInt8(ascii: "u") else { return nil }
        var unit: UInt32 = 0
        for index in at + 2..<at + 6 {
            guard let digit = Prescan.hexadecimal(unsafe bytes[index]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The end of a run of characters beyond ASCII, and whether the scan stops there: at a problem, or because the
    /// bytes that follow are needed.
    private mutating func charactersEnd(
        _ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int, _ offset: UInt64, _ isLast: Bool
    ) -> (end: Int, isStopped: Bool) {
        var at = start
        repeat {
            switch unsafe UTF8Sequence.check(bytes + at, end - at) {
            case .malformed:
                problem = .malformedUTF8
                return (at, true)
            case .unfinished:
                if isLast { problem = .truncatedUTF8 }
                return (at, true)
            case .complete(let length):
                if at == 0 && offset == 0 {
                    digest?.settle()
                    unsafe UTF8Sequence.blankByteOrderMark(bytes, length)
                }
                at += length
            }
        } while at < end && (unsafe bytes[at]) >= 0x80
        return (at, false)
    }
}
