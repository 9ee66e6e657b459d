extension EntityRecords {
    /// What a row holds of the values around its record, each as a path with JSON: for findings about it.
    ///
    /// They are those of the entity's slots that start at the top of the feed, or at a node that encloses the record.
    public func enclosingValues(of row: Int, _ entity: Entity, _ arena: Arena) -> [(path: String, value: String)] {
        entity.slots.indices.compactMap { slot in
            let path = entity.slots[slot].path
            guard path.root == .feed || path.parents > 0 else { return nil }
            let cell = raw[row * slotCount + slot]
            return cell.kind == .absent ? nil : (path.description, arena.json(of: cell))
        }
    }
}
