import Glibc
import SluiceRecords

/// Turns the cells of an identifier into bytes, equal for equal identifiers and only for these: what the objectID
/// cache compares. A single text is its own bytes, without a copy, or a UUID packed.
@safe
final class KeyBytes {
    /// Behind a pointer: a property of a class is checked for exclusive access each time, and keys are made for each
    /// record.
    private let buffer: UnsafeMutablePointer<Arena>

    init() {
        unsafe buffer = .allocate(capacity: 1)
        unsafe buffer.initialize(to: Arena(capacity: 256))
    }

    deinit {
        unsafe buffer.pointee.deallocate()
        unsafe buffer.deallocate()
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
        let target = unsafe buffer.pointee.base
        return unsafe PackedUUID.pack(text, into: target) ? UnsafePointer(target) : nil
    }

    private func build(
        _ cells: UnsafePointer<Cell>, _ width: Int, _ arena: UnsafePointer<UInt8>
    ) -> (UnsafePointer<UInt8>, Int) {
        unsafe buffer.pointee.truncate(to: 0)
        for part in 0..<width {
            let cell = unsafe cells[part]
            switch cell.kind {
            case .text, .blob:
                // The length first, so that ("a", "bc") is not ("ab", "c").
                if width > 1 { append(UInt64(cell.length)) }
                let place = unsafe buffer.pointee.append(arena + cell.offset, cell.count)
                unsafe buffer.pointee.truncate(to: place + cell.count)
            case .real: append((cell.real == 0 ? 0.0 : cell.real).bitPattern)
            default: append(cell.payload)
            }
        }
        return unsafe (UnsafePointer(buffer.pointee.base), buffer.pointee.count)
    }

    private func append(_ value: UInt64) {
        let place = unsafe buffer.pointee.reserve(8)
        unsafe buffer.pointee.truncate(to: place + 8)
        unsafe UnsafeMutableRawPointer(buffer.pointee.base + place).storeBytes(of: value, as: UInt64.self)
    }
}
