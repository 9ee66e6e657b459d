import Glibc

/// Turns ascending offsets into lines and columns, and looks at no more bytes than it must.
struct LineCounter {
    private var line: UInt64 = 1
    /// The offset of the line's first byte.
    private var lineStart: UInt64 = 0
    /// No newline stands between the line's start and this offset: it is that of the next newline, or of the first
    /// byte that has not been looked at.
    private var clearUntil: UInt64 = 0

    /// The place of an offset that is not before the last one.
    ///
    /// - Parameters:
    ///   - bytes: those at hand; all between the last offset and this one must be among them.
    ///   - origin: the offset of `bytes[0]`.
    @inline(__always)
    mutating func place(
        of offset: UInt64, _ bytes: UnsafeMutablePointer<UInt8>, count: Int, origin: UInt64
    ) -> (line: UInt64, column: UInt64) {
        if offset > clearUntil { unsafe countLines(until: offset, bytes, count, origin) }
        return (line, offset - lineStart + 1)
    }

    /// Counts the newlines before an offset, if it is not before the last one: their bytes are about to go.
    @inline(never)
    mutating func countLines(
        until offset: UInt64, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ origin: UInt64
    ) {
        while offset > clearUntil {
            let at = Int(clearUntil - origin)
            if at < count && (unsafe bytes[at]) == 0x0a {
                line += 1
                clearUntil += 1
                lineStart = clearUntil
            }
            let start = Int(clearUntil - origin)
            let newline = unsafe memchr(bytes + start, 0x0a, count - start)
            clearUntil = unsafe origin + UInt64(newline.map { unsafe $0 - UnsafeMutableRawPointer(bytes) } ?? count)
        }
    }
}
