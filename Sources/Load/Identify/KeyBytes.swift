import Glibc
import SluiceRecords

/// Turns the cells of an identifier into bytes, equal for equal identifiers and only for these: what the objectID
/// cache compares. A single text is its own bytes, without a copy, or a UUID packed.
@safe
final class KeyBytes {
    private let buffer: Unchecked<Arena>

    init() {
        buffer = Unchecked(Arena(capacity: 256))
    }

    deinit {
        buffer.value.deallocate()
        buffer.deallocate()
    }

    /// The bytes of a key; valid until the next call, and as long as the arena stays.
    @inline(__always)
    func make(
        _ cells: UnsafePointer<Cell>, _ width: Int, _ arena: UnsafePointer<UInt8>
    ) -> (UnsafePointer<UInt8>, Int) {
        if width == 1, unsafe cells[0].kind == .text {
            let (text, count) = unsafe (arena + cells[0].offset, cells[0].count)
            if count == PackedUUID.textBytes, let uuid = unsafe packed(text) { return unsafe (uuid, PackedUUID.bytes) }
            return unsafe (text, count)
        }
        return unsafe build(cells, width, arena)
    }

    @inline(__always)
    private func packed(_ text: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        let target = unsafe buffer.value.base
        return unsafe PackedUUID.pack(text, into: target) ? UnsafePointer(target) : nil
    }

    private func build(
        _ cells: UnsafePointer<Cell>, _ width: Int, _ arena: UnsafePointer<UInt8>
    ) -> (UnsafePointer<UInt8>, Int) {
        buffer.value.truncate(to: 0)
        for part in 0..<width {
            let cell = unsafe cells[part]
            switch cell.kind {
            case .text, .blob:
                // The length first, so that ("a", "bc") is not ("ab", "c").
                if width > 1 { append(UInt64(cell.length)) }
                unsafe appendBytes(of: cell, arena)
            case .real: append((cell.real == 0 ? 0.0 : cell.real).bitPattern)
            case .integer: append(cell.payload)
            // What no feed can say equals no identifier: no text begins so.
            default:
                append(.max)
                append(cell.hasBytes ? UInt64(cell.length) : 0)
                if cell.hasBytes { unsafe appendBytes(of: cell, arena) }
            }
        }
        return unsafe (UnsafePointer(buffer.value.base), buffer.value.count)
    }

    private func appendBytes(of cell: Cell, _ arena: UnsafePointer<UInt8>) {
        let place = unsafe buffer.value.append(arena + cell.offset, cell.count)
        buffer.value.truncate(to: place + cell.count)
    }

    private func append(_ value: UInt64) {
        let place = buffer.value.reserve(8)
        buffer.value.truncate(to: place + 8)
        unsafe UnsafeMutableRawPointer(buffer.value.base + place).storeBytes(of: value, as: UInt64.self)
    }
}
