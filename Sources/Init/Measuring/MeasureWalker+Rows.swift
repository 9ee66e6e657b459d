import SluiceRecords

// The rows of records.
extension MeasureWalker {
    /// What the rows of an entity are like.
    struct RowShape: BitwiseCopyable {
        var width: Int
        /// The entity in whose records these are, and where its rows have their own hash; -1: there is none.
        var owner = -1
        var ownerInstance = 0
        /// The first of the columns that get keys around the record; -1: there is none.
        var key: Int32 = -1
        /// How many entities have it as their owner, whose rows are still made.
        var dependants = 0
        var isForgotten = false
        /// Whether each record is a value in a map, whatever it is.
        let isOfValues: Bool

        init(_ entity: DraftEntity) {
            width = entity.columns.count + 2
            isOfValues = entity.isOfValues
            guard let owner = entity.owner else { return }
            self.owner = owner.index
            ownerInstance = owner.columns.count + 1
        }
    }

    mutating func beginRow(_ entity: Int32) -> (base: Int32, outer: Int32) {
        let shape = shapes[Int(entity)]
        let base = rows.begin(shape.width)
        if shape.owner >= 0, current[shape.owner] >= 0 {
            rows.cells[base] = rows.cells[Int(current[shape.owner]) + shape.ownerInstance]
        }
        let outer = current[Int(entity)]
        current[Int(entity)] = Int32(base)
        var next = shape.key
        while next >= 0 {
            let target = targets[Int(next)]
            rows.cells[base + Int(target.slot)] = target.pending
            next = target.nextKey
        }
        return (Int32(base), outer)
    }

    mutating func endRow(_ entity: Int32, _ base: Int32, _ outer: Int32) -> Bool {
        current[Int(entity)] = outer
        let row = unsafe rows.end(Int(base))
        let outcome = unsafe measures[Int(entity)]._withUnsafeGuaranteedRef { unsafe $0.add(row) }
        if outcome == .more { return true }
        if outcome == .enough {
            forget(Int(entity))
            return true
        }
        failure = unsafe measures[Int(entity)].takeUnretainedValue().failure
        return false
    }
}
