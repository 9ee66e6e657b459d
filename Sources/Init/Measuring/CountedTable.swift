import SluiceRecords

/// A table that knows how many elements it has.
@safe
struct CountedTable<Element: BitwiseCopyable> {
    private var table: Table<Element>
    private(set) var count = 0

    init(capacity: Int) { table = Table(capacity: capacity) }

    /// The first element. It moves when the table grows.
    @inline(__always)
    var base: UnsafeMutablePointer<Element> { unsafe table.base }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { table[index] }
        nonmutating set { table[index] = newValue }
    }

    /// The last element, of which there must be one.
    @inline(__always)
    var last: UnsafeMutablePointer<Element> { unsafe table.base + (count &- 1) }

    @inline(__always)
    mutating func append(_ element: Element) {
        table.ensure(count + 1)
        table[count] = element
        count &+= 1
    }

    @inline(__always)
    mutating func removeLast() -> Element {
        count &-= 1
        return table[count]
    }

    mutating func deallocate() { table.deallocate() }
}
