/// Looks whether the bytes of a table are UTF-8.
struct TextScan {
    /// Where bytes are that do not begin a character, as indices of the window.
    private var broken: [Int] = []
    private var next = 0

    /// Scans `start..<end`, and returns the end of the bytes that were looked at: a character may be unfinished.
    ///
    /// - Parameter isLast: whether no byte follows.
    mutating func scan(_ bytes: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int, isLast: Bool) -> Int {
        var at = start
        while true {
            at = unsafe TextScan.asciiEnd(bytes, at, end)
            guard at < end else { return end }
            switch unsafe UTF8Sequence.check(bytes + at, end - at) {
            case .unfinished where !isLast: return at
            case .malformed, .unfinished:
                broken.append(at)
                at += 1
            case .complete(let length): at += length
            }
        }
    }

    /// The window's bytes have moved to its front by so many.
    mutating func move(by count: Int) {
        broken.removeFirst(next)
        next = 0
        for index in broken.indices { broken[index] -= count }
    }

    /// The first byte before an index that does not begin a character; those before the index are forgotten.
    mutating func takeBroken(before end: Int) -> Int? {
        guard next < broken.count, broken[next] < end else { return nil }
        let first = broken[next]
        while next < broken.count, broken[next] < end { next += 1 }
        return first
    }

    /// Whether all bytes that were looked at, and not taken, are characters.
    var isWhole: Bool { next == broken.count }

    private static let blockBytes = 64

    /// The first byte that is not ASCII.
    @inline(__always)
    static func asciiEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var at = start
        while unsafe end &- at >= TextScan.blockBytes && isASCII(block: bytes + at) { at &+= TextScan.blockBytes }
        while at < end && (unsafe bytes[at]) < 0x80 { at &+= 1 }
        return at
    }

    /// Whether a whole block is ASCII: without a branch inside, the compiler makes vector instructions of it.
    @inline(__always)
    private static func isASCII(block: UnsafePointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        var index = 0
        while index < TextScan.blockBytes {
            all |= unsafe block[index]
            index &+= 1
        }
        return all < 0x80
    }
}
