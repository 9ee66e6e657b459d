import SluiceRecords

/// The rows of records within one another: each has the hash of its owner, those of its columns, and that of itself.
struct RowStack {
    private(set) var cells = Table<UInt64>(capacity: 256)
    private var end = 0
    private var instances: Int64 = 0

    /// Begins a row, which has nothing but its own hash, and returns where it is.
    @inline(__always)
    mutating func begin(_ width: Int) -> Int {
        let base = end
        end += width
        cells.ensure(end)
        for slot in base..<end { cells[slot] = ValueFingerprint.none }
        instances &+= 1
        cells[end - 1] = ValueFingerprint.of(instances)
        return base
    }

    /// Ends the last row.
    @inline(__always)
    mutating func end(_ base: Int) -> UnsafePointer<UInt64> {
        end = base
        return unsafe UnsafePointer(cells.base + base)
    }

    mutating func deallocate() { cells.deallocate() }
}
