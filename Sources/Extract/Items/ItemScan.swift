/// Finds the end of an item without its parser: of an array or an object, by brackets and quotation marks. Where it is
/// not well-formed, the end is one of the many that the parser refuses.
enum ItemScan {
    /// The index of a member's value, or of what is in its place; nil: it does not begin before `end`.
    static func valueStart(_ bytes: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var at = unsafe stringEnd(bytes, start + 1, end)
        while at < end, unsafe Token.isSpace(bytes[at]) || bytes[at] == UInt8(ascii: ":") { at += 1 }
        return at < end ? at : nil
    }

    /// The index behind an array or object that begins at an index, or behind a member that has one; nil: it does not
    /// end before `end`.
    static func end(_ bytes: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var (at, depth) = (start, 0)
        while true {
            at = unsafe structureStart(bytes, at, end)
            guard at < end else { return nil }
            let byte = unsafe bytes[at]
            at &+= 1
            if byte == UInt8(ascii: "\"") {
                at = unsafe stringEnd(bytes, at, end)
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth &+= 1
            } else {
                depth &-= 1
                if depth == 0 { return at }
            }
        }
    }

    /// The first bracket or quotation mark.
    @inline(__always)
    private static func structureStart(_ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var at = start
        let memory = UnsafeRawPointer(bytes)
        while at &+ 8 <= end {
            let word = unsafe memory.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            // Brackets differ from braces in one bit.
            let folded = word | repeated(0x20)
            let marks =
                zeros(word ^ repeated(UInt8(ascii: "\""))) | zeros(folded ^ repeated(UInt8(ascii: "{")))
                | zeros(folded ^ repeated(UInt8(ascii: "}")))
            if marks != 0 { return at &+ marks.trailingZeroBitCount / 8 }
            at &+= 8
        }
        while at < end {
            let byte = unsafe bytes[at]
            let folded = byte | 0x20
            if byte == UInt8(ascii: "\"") || folded == UInt8(ascii: "{") || folded == UInt8(ascii: "}") { return at }
            at &+= 1
        }
        return end
    }

    /// The index behind the closing quotation mark.
    @inline(__always)
    private static func stringEnd(_ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var at = start
        let memory = UnsafeRawPointer(bytes)
        while true {
            while at &+ 8 <= end {
                let word = unsafe memory.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                let marks =
                    zeros(word ^ repeated(UInt8(ascii: "\""))) | zeros(word ^ repeated(UInt8(ascii: "\\")))
                if marks != 0 {
                    at &+= marks.trailingZeroBitCount / 8
                    break
                }
                at &+= 8
            }
            while at < end, unsafe bytes[at] != UInt8(ascii: "\"") && bytes[at] != UInt8(ascii: "\\") { at &+= 1 }
            guard at < end else { return end }
            if unsafe bytes[at] == UInt8(ascii: "\"") { return at &+ 1 }
            at = min(at &+ 2, end)
        }
    }

    /// A word whose lowest mark is in the first byte that is zero. A borrow can only mark bytes above such a one.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- repeated(1)) & ~word & repeated(0x80) }

    @inline(__always)
    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
