import SluiceRecords

/// The facts of all places, each under a number. What a place has left behind, another one uses.
@safe
struct FactsPool {
    private var table = CountedTable<ValueFacts>(capacity: 64)
    private var free: [Int32] = []

    mutating func deallocate() {
        let freed = Set(free)
        for index in 0..<Int32(table.count) where !freed.contains(index) { unsafe pointer(index).pointee.deallocate() }
        table.deallocate()
    }

    func pointer(_ index: Int32) -> UnsafeMutablePointer<ValueFacts> { unsafe table.base + Int(index) }

    /// Nil for -1: there are none.
    subscript(index: Int32) -> ValueFacts? { index < 0 ? nil : table[Int(index)] }

    /// The number of new ones.
    mutating func add() -> Int32 {
        if let index = free.popLast() {
            table[Int(index)] = ValueFacts()
            return index
        }
        table.append(ValueFacts())
        return Int32(table.count - 1)
    }

    /// Adds what is known under one number to another one, if there is something under both.
    func add(_ one: Int32, to other: Int32) {
        if let added = self[one], other >= 0 { unsafe pointer(other).pointee.merge(added) }
    }

    /// Takes two together, and returns under which number they are then.
    mutating func merge(_ one: Int32, _ other: Int32) -> Int32 {
        if one < 0 || other < 0 { return max(one, other) }
        add(one, to: other)
        unsafe pointer(one).pointee.deallocate()
        free.append(one)
        return other
    }
}
