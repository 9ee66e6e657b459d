import SluiceRecords

// The rows of records.
extension MeasureWalker {
    mutating func beginRow(_ entity: Int32) -> (base: Int32, outer: Int32) {
        let shape = plan.shapes[Int(entity)]
        let base = rows.begin(shape.width)
        if shape.owner >= 0, current[shape.owner] >= 0 {
            rows.cells[base] = rows.cells[Int(current[shape.owner]) + shape.ownerInstance]
        }
        let outer = current[Int(entity)]
        current[Int(entity)] = Int32(base)
        var next = shape.key
        while next >= 0 {
            let target = plan.targets[Int(next)]
            rows.cells[base + Int(target.slot)] = target.pending
            next = target.nextKey
        }
        return (Int32(base), outer)
    }

    mutating func endRow(_ entity: Int32, _ base: Int32, _ outer: Int32) -> Bool {
        current[Int(entity)] = outer
        let row = unsafe rows.end(Int(base))
        let outcome = unsafe plan.measures[Int(entity)]._withUnsafeGuaranteedRef { unsafe $0.add(row) }
        if outcome == .more { return true }
        if outcome == .enough {
            plan.forget(Int(entity))
            return true
        }
        failure = unsafe plan.measures[Int(entity)].takeUnretainedValue().failure
        return false
    }
}
