/// Looks whether the bytes of a table are UTF-8.
struct TextScan {
    /// What ends the feed, at the byte where the last scan stopped.
    private(set) var problem: Prescan.Problem?

    /// Scans `start..<end`, and returns the end of the bytes that are whole characters.
    ///
    /// - Parameter isLast: whether no byte follows.
    mutating func scan(_ bytes: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int, isLast: Bool) -> Int {
        var at = start
        while true {
            at = unsafe asciiEnd(bytes, at, end)
            guard at < end else { return end }
            switch unsafe UTF8Sequence.check(bytes + at, end - at) {
            case .malformed:
                problem = .malformedUTF8
                return at
            case .unfinished:
                if isLast { problem = .truncatedUTF8 }
                return at
            case .complete(let length): at += length
            }
        }
    }

    private static let blockBytes = 64

    /// The first byte that is not ASCII.
    @inline(__always)
    private func asciiEnd(_ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var at = start
        while unsafe end &- at >= TextScan.blockBytes && isASCII(block: bytes + at) { at &+= TextScan.blockBytes }
        while at < end && (unsafe bytes[at]) < 0x80 { at &+= 1 }
        return at
    }

    /// Whether a whole block is ASCII: without a branch inside, the compiler makes vector instructions of it.
    @inline(__always)
    private func isASCII(block: UnsafeMutablePointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        var index = 0
        while index < TextScan.blockBytes {
            all |= unsafe block[index]
            index &+= 1
        }
        return all < 0x80
    }
}
