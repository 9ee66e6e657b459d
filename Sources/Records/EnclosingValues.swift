extension EntityRecords {
    /// What a row holds of the values around its record, each as a path with JSON: for findings about it.
    ///
    /// Of the row's raw cells, those of `Entity.enclosingSlots` must be there.
    public func enclosingValues(of row: Int, _ entity: Entity, _ arena: Arena) -> [(path: String, value: String)] {
        entity.enclosingSlots.compactMap { slot in
            let cell = raw[row * slotCount + slot]
            return cell.isTold ? (entity.slots[slot].path.description, arena.json(of: cell)) : nil
        }
    }
}

extension Entity {
    /// The slots of values that are not in the record: they start at the top of the feed, or at a node that encloses the
    /// record.
    public var enclosingSlots: [Int] {
        slots.indices.filter { slots[$0].path.root == .feed || slots[$0].path.parents > 0 }
    }
}

extension Cell {
    /// Whether the arena, or the cell itself, has all of what the feed says.
    fileprivate var isTold: Bool {
        switch kind {
        case .null, .yes, .no, .number, .string, .json: true
        default: false
        }
    }
}
