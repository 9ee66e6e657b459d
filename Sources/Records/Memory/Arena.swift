#if canImport(Glibc)
    import Glibc
#endif

/// The bytes of a batch: appended to, never freed one by one, reset all at once.
///
/// Cells refer to it by offset, so it may move when it grows. Every value is followed by a NUL byte, which does not
/// count to its length: C functions may read it as a string.
@frozen
@safe
public struct Arena {
    /// The first byte. It moves when the arena grows.
    @inlinable public var base: UnsafeMutablePointer<UInt8> { unsafe memory }
    /// The bytes in use, the NULs included.
    @inlinable public var count: Int { used }

    @usableFromInline var memory: UnsafeMutablePointer<UInt8>
    @usableFromInline var used: Int
    @usableFromInline var capacity: Int

    /// What a reset arena keeps at the most, so that one huge value does not hold memory for the rest of a run.
    @usableFromInline static let keptCapacity = 24 << 20

    /// An empty arena, with room for so many bytes.
    public init(capacity: Int = 1 << 16) {
        unsafe memory = Arena.allocate(nil, capacity)
        used = 0
        self.capacity = capacity
    }

    /// Appends bytes and a NUL, and returns the offset of the first.
    @inlinable
    public mutating func append(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Int {
        let offset = reserve(length)
        unsafe (memory + offset).update(from: bytes, count: length)
        return offset
    }

    /// Makes room for `length` bytes and a NUL after them, and returns the offset of the first.
    @inlinable
    public mutating func reserve(_ length: Int) -> Int {
        let offset = used
        let end = offset &+ length &+ 1
        if end > capacity { grow(to: end) }
        unsafe memory[end &- 1] = 0
        used = end
        return offset
    }

    /// Appends the UTF-8 of a text, and returns the cell that holds it.
    public mutating func appendText(_ text: String, kind: CellKind = .text) -> Cell {
        var text = text
        return text.withUTF8 { unsafe append($0, kind: kind) }
    }

    /// Appends bytes, and returns the cell that holds them.
    public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, kind: CellKind) -> Cell {
        let offset = reserve(bytes.count)
        // Nothing has no address.
        if let source = bytes.baseAddress { unsafe (memory + offset).update(from: source, count: bytes.count) }
        return Cell(kind: kind, payload: UInt64(offset), length: UInt32(bytes.count))
    }

    /// The bytes of a cell that has bytes here.
    @inlinable
    public func bytes(of cell: Cell) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: base + cell.offset, count: cell.count)
    }

    /// The bytes of a cell as a text.
    public func text(of cell: Cell) -> String {
        unsafe String(decoding: bytes(of: cell), as: UTF8.self)
    }

    /// Gives back what was appended since the arena had `count` bytes.
    @inlinable
    public mutating func truncate(to count: Int) { used = count }

    /// Forgets everything, and keeps the memory.
    public mutating func reset() {
        used = 0
        guard capacity > Arena.keptCapacity else { return }
        capacity = 1 << 20
        unsafe memory = Arena.allocate(memory, capacity)
    }

    /// Frees the memory; the arena must not be used again.
    public mutating func deallocate() {
        unsafe free(memory)
        used = 0
        capacity = 0
    }

    @inline(never)
    @usableFromInline
    mutating func grow(to needed: Int) {
        capacity = max(needed, capacity * 2)
        unsafe memory = Arena.allocate(memory, capacity)
    }

    private static func allocate(
        _ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int
    ) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe realloc(old, capacity) else { OutOfMemory.end(for: "a batch") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }
}
