/// The last part of an address: what it is of, where what is before it is always the same.
enum AddressTail {
    /// What finds it in a definition.
    static let pattern = "([^/?#]+)/*$"

    /// Where it is in a text; empty: it has none.
    static func range(_ text: UnsafePointer<UInt8>, _ length: Int) -> Range<Int> {
        var end = length
        while end > 0, unsafe text[end - 1] == UInt8(ascii: "/") { end -= 1 }
        var start = end
        while start > 0, unsafe text[start - 1] != UInt8(ascii: "/") {
            let byte = unsafe text[start - 1]
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return 0..<0 }
            start -= 1
        }
        return start..<end
    }
}
