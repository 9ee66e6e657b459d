import SluiceRecords

/// Whether records have a value more than once in a list of theirs.
@safe
struct ListValues: BitwiseCopyable {
    private var seen = HashSet()
    private var record = ValueFingerprint.none
    private var count = 0
    /// Nil: a list was too long to know it.
    private(set) var hasRepeats: Bool? = false

    /// So many values of one record are remembered.
    private static let most = 1 << 17

    /// - Parameter record: what stands for the record.
    @inline(__always)
    mutating func add(_ value: UInt64, of record: UInt64) {
        guard hasRepeats == false else { return }
        if record != self.record {
            self.record = record
            count = 0
            // The hashes of another record are never the same.
            seen.makeRoom()
        }
        count &+= 1
        if count > ListValues.most { return settle(nil) }
        if !seen.insert(ValueFingerprint.joined(record, value)) { settle(true) }
    }

    /// Notes that the record of a value is not known.
    mutating func lose() { if hasRepeats == false { settle(nil) } }

    private mutating func settle(_ answer: Bool?) {
        hasRepeats = answer
        seen.deallocate()
        seen = HashSet()
    }

    mutating func deallocate() { seen.deallocate() }
}

/// The values of columns that are lists, each under a number.
@safe
struct ColumnLists {
    private var values = CountedTable<ListValues>(capacity: 8)
    private var columns: [DraftColumn] = []

    /// Has the values of a column followed.
    mutating func add(_ column: DraftColumn) -> Int32 {
        columns.append(column)
        values.append(ListValues())
        return Int32(columns.count - 1)
    }

    func pointer(_ number: Int32) -> UnsafeMutablePointer<ListValues> { unsafe values.base + Int(number) }

    /// Tells the columns what is known of them.
    func settle() {
        for (index, column) in columns.enumerated() { column.hasRepeats = values[index].hasRepeats }
    }

    mutating func deallocate() {
        for index in columns.indices { unsafe values.base[index].deallocate() }
        values.deallocate()
    }
}
