#if canImport(Glibc)
    import Glibc
#endif

/// Plain memory for many elements of one trivial type: grows, is never initialised twice, and is reset by its owner.
@frozen
@safe
public struct Table<Element: BitwiseCopyable>: BitwiseCopyable {
    /// The first element. It moves when the table grows.
    @inlinable public var base: UnsafeMutablePointer<Element> { unsafe memory }

    @usableFromInline var memory: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int

    /// A table with room for so many elements, which are undefined.
    public init(capacity: Int = 64) {
        unsafe memory = Table.allocate(nil, capacity)
        self.capacity = capacity
    }

    /// Makes room for `count` elements. Those that are there stay; pointers into the table do not.
    @inlinable
    public mutating func ensure(_ count: Int) {
        if count > capacity { grow(to: count) }
    }

    /// Checked in debug builds only. A copy of a table that has grown since is caught there, too.
    @inlinable
    public subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < capacity, "beyond the table")
            return unsafe memory[index]
        }
        nonmutating set {
            assert(index >= 0 && index < capacity, "beyond the table")
            unsafe memory[index] = newValue
        }
    }

    /// Frees the memory; the table, and every copy of it, must not be used again.
    public mutating func deallocate() {
        unsafe free(memory)
        capacity = 0
    }

    @inline(never)
    @usableFromInline
    mutating func grow(to needed: Int) {
        capacity = max(needed, capacity * 2)
        unsafe memory = Table.allocate(memory, capacity)
    }

    private static func allocate(_ old: UnsafeMutablePointer<Element>?, _ capacity: Int) -> UnsafeMutablePointer<
        Element
    > {
        let size = max(capacity, 1) * MemoryLayout<Element>.stride
        guard let memory = unsafe realloc(old, size) else { OutOfMemory.end(for: "a batch") }
        return unsafe memory.assumingMemoryBound(to: Element.self)
    }
}
