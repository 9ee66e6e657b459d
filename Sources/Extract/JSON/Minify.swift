import Glibc
import SluiceRecords

/// Copies JSON without the white space between its tokens.
enum Minify {
    /// Appends `count` bytes of valid JSON, and returns the cell that holds them.
    static func append(_ bytes: UnsafePointer<UInt8>, _ count: Int, to arena: inout Arena) -> Cell {
        let offset = arena.reserve(count)
        let target = unsafe arena.base + offset
        var length = 0
        var at = 0
        while at < count {
            let byte = unsafe bytes[at]
            if byte == UInt8(ascii: "\"") {
                let end = unsafe stringEnd(bytes, at, count)
                unsafe (target + length).update(from: bytes + at, count: end - at)
                length += end - at
                at = end
            } else {
                // Written in any case, but it stays only if it is no white space.
                unsafe target[length] = byte
                if !Token.isSpace(byte) { length += 1 }
                at += 1
            }
        }
        unsafe target[length] = 0
        arena.truncate(to: offset + length + 1)
        return Cell(kind: .json, payload: UInt64(offset), length: UInt32(length))
    }

    private static func stringEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ count: Int) -> Int {
        var at = start + 1
        while at < count && (unsafe bytes[at]) != UInt8(ascii: "\"") {
            at += unsafe bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return at + 1
    }
}
