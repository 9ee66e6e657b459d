import SluiceRecords

/// Takes records out of the bytes of a feed that is known to be JSON, without the white space between their tokens.
///
/// Records may lie within one another, so several may be open. They share their bytes: what is kept is never more than
/// twice what one record may have.
struct RecordCutter {
    private struct Open {
        var number: Int
        /// Of its first byte, among all that were taken.
        var start: UInt64
        /// The containers around it.
        var depth: Int
    }

    /// The numbers of records that have ended, with their bytes.
    private(set) var cut: [(number: Int, text: RecordText)] = []
    private var open: [Open] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The last bytes that were taken.
    private var kept: [UInt8] = []
    /// How many were taken.
    private var taken: UInt64 = 0

    var isIdle: Bool { open.isEmpty }

    mutating func takeCut() -> [(number: Int, text: RecordText)] {
        defer { cut.removeAll(keepingCapacity: true) }
        return cut
    }

    /// A record begins with the next byte.
    mutating func begin(_ number: Int) {
        if open.isEmpty {
            (depth, isInString, isEscaped) = (0, false, false)
            kept.removeAll(keepingCapacity: true)
        }
        open.append(Open(number: number, start: taken, depth: depth))
    }

    /// Looks at bytes from an index on, and returns where it stopped: at `end`, or where a record has ended.
    mutating func look(at bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var at = start
        while at < end && cut.isEmpty && !open.isEmpty {
            let byte = unsafe bytes[at]
            at += 1
            if isInString { inString(byte) } else { outsideString(byte) }
        }
        return at
    }

    /// The feed has ended: a number at the top ends with it.
    mutating func finish() { close() }

    private mutating func inString(_ byte: UInt8) {
        take(byte)
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            close()
        }
    }

    private mutating func outsideString(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""):
            closeBegun()
            isInString = true
            take(byte)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            closeBegun()
            depth += 1
            take(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            // A number ends with what follows it.
            close()
            depth -= 1
            take(byte)
            close()
        case UInt8(ascii: ","):
            close()
            take(byte)
        // A record separator (RFC 7464) is white space, too.
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x1e: close()
        default: take(byte)
        }
    }

    /// Ends a record that is a number or a literal, where something else follows at once that is none of it: in lines
    /// that are no records, as in `8"x"`.
    private mutating func closeBegun() {
        if let last = open.last, last.depth == depth, taken > last.start { close() }
    }

    private mutating func take(_ byte: UInt8) {
        if open.isEmpty { return }
        kept.append(byte)
        taken += 1
        if kept.count > 2 * RecordText.limit { forget() }
    }

    /// Lets go of bytes that only belong to records that are too long.
    private mutating func forget() {
        let limit = UInt64(RecordText.limit)
        let needed = open.first { taken - $0.start <= limit }.map { taken - $0.start } ?? 0
        kept.removeFirst(kept.count - Int(needed))
    }

    /// A record without what follows it at once, where it is a number or a literal: of lines that are no records, such
    /// as `404: Not Found`, the reader has taken no more.
    private static func value(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = bytes.first, !"{[\"".utf8.contains(first) else { return bytes }
        var copy = Array(bytes)
        let found = unsafe copy.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe Token.next($0, from: 0, to: buffer.count, isLast: true) }
        }
        guard case .token(_, _, let end)? = found else { return bytes }
        return bytes.prefix(end)
    }

    /// Ends the records at this depth.
    private mutating func close() {
        while let last = open.last, last.depth == depth {
            open.removeLast()
            let size = taken - last.start
            if size > UInt64(RecordText.limit) {
                cut.append((last.number, .tooLong(size)))
            } else {
                let value = RecordCutter.value(kept.suffix(Int(size)))
                cut.append((last.number, .whole(String(decoding: value, as: UTF8.self))))
            }
        }
    }
}
