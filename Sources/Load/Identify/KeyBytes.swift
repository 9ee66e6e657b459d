import Glibc
import SluiceRecords

/// Turns the cells of an identifier into bytes, equal for equal identifiers and only for these: what the objectID
/// cache compares. A single text is its own bytes, without a copy.
@safe
struct KeyBytes {
    private var buffer = Arena(capacity: 256)

    mutating func deallocate() { buffer.deallocate() }

    /// The bytes of a key; valid until the next call, and as long as the arena stays.
    @inline(__always)
    mutating func make(
        _ cells: UnsafePointer<Cell>, _ width: Int, _ arena: UnsafePointer<UInt8>
    ) -> (UnsafePointer<UInt8>, Int) {
        if width == 1, unsafe cells[0].kind == .text { return unsafe (arena + cells[0].offset, cells[0].count) }
        return unsafe build(cells, width, arena)
    }

    private mutating func build(
        _ cells: UnsafePointer<Cell>, _ width: Int, _ arena: UnsafePointer<UInt8>
    ) -> (UnsafePointer<UInt8>, Int) {
        buffer.truncate(to: 0)
        for part in 0..<width {
            let cell = unsafe cells[part]
            switch cell.kind {
            case .text, .blob:
                // The length first, so that ("a", "bc") is not ("ab", "c").
                if width > 1 { append(UInt64(cell.length)) }
                let place = unsafe buffer.append(arena + cell.offset, cell.count)
                buffer.truncate(to: place + cell.count)
            case .real: append((cell.real == 0 ? 0.0 : cell.real).bitPattern)
            default: append(cell.payload)
            }
        }
        return unsafe (UnsafePointer(buffer.base), buffer.count)
    }

    private mutating func append(_ value: UInt64) {
        let place = buffer.reserve(8)
        buffer.truncate(to: place + 8)
        unsafe UnsafeMutableRawPointer(buffer.base + place).storeBytes(of: value, as: UInt64.self)
    }
}
