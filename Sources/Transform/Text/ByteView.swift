import SluiceRecords

/// The bytes of one value: a view into an arena, valid until that arena grows.
///
/// The byte after the last one may be read too: in an arena it is there, and usually NUL.
@safe
struct ByteView {
    let count: Int
    private let base: UnsafePointer<UInt8>

    init(_ cell: Cell, in arena: borrowing Arena) {
        unsafe base = UnsafePointer(arena.base + cell.offset)
        count = cell.count
    }

    /// Bytes that something else keeps alive, followed by one more that may be read.
    init(_ base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// For C functions; valid as long as the view.
    var pointer: UnsafePointer<UInt8> { unsafe base }

    subscript(index: Int) -> UInt8 {
        assert(index >= 0 && index <= count)
        return unsafe base[index]
    }

    /// The value of the digit at an index, or something above 9.
    func digit(_ index: Int) -> UInt8 { self[index] &- UInt8(ascii: "0") }

    /// The number that two digits write, or nil.
    @inline(__always)
    func twoDigits(_ index: Int) -> Int? {
        let tens = digit(index)
        let units = digit(index + 1)
        guard tens <= 9, units <= 9 else { return nil }
        return Int(tens &* 10 &+ units)
    }

    /// The number that four digits write, or nil.
    @inline(__always)
    func fourDigits(_ index: Int) -> Int? {
        guard let high = twoDigits(index), let low = twoDigits(index + 2) else { return nil }
        return high * 100 + low
    }

    /// Whether the bytes are those of an ASCII text.
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        let other = unsafe ByteView(text.utf8Start, count: count)
        return equals(other)
    }

    /// How two texts compare by their characters, which is how their bytes do: below 0, 0, or above.
    func order(_ other: ByteView) -> Int {
        for index in 0..<min(count, other.count) where self[index] != other[index] {
            return self[index] < other[index] ? -1 : 1
        }
        return count - other.count
    }

    func equals(_ other: ByteView) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}
