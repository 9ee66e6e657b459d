import SluiceRecords

// The rows of records: each has the hash of its owner, those of its columns, and that of itself.
extension MeasureWalker {
    mutating func beginRow(_ entity: Int32) -> (base: Int32, outer: Int32) {
        let draft = measures[Int(entity)].entity
        let width = draft.columns.count + 2
        rows.ensure(rowEnd + width)
        let base = rowEnd
        for slot in base..<base + width { rows[slot] = ValueHash.none }
        rowEnd += width
        instances &+= 1
        rows[base + width - 1] = ValueHash.of(instances)
        if let owner = draft.owner, current[owner.index] >= 0 {
            rows[base] = rows[Int(current[owner.index]) + owner.columns.count + 1]
        }
        let outer = current[Int(entity)]
        current[Int(entity)] = Int32(base)
        for column in draft.columns where column.isKey {
            var next = actions[Int(column.node)].keyTarget
            while next >= 0 {
                let target = targets[Int(next)]
                if target.entity == entity, let hash = pendingKeys[next] { rows[base + Int(target.slot)] = hash }
                next = target.next
            }
        }
        return (Int32(base), outer)
    }

    mutating func endRow(_ entity: Int32, _ base: Int32, _ outer: Int32) -> Bool {
        rowEnd = Int(base)
        current[Int(entity)] = outer
        do throws(Failure) {
            try unsafe measures[Int(entity)].add(rows.base + Int(base))
            return true
        } catch {
            failure = error
            return false
        }
    }
}
