extension Entity {
    /// The slots of values that are not in the record: they start at the top of the feed, or at a node that encloses
    /// the record, or are the record's own key.
    package var enclosingSlots: [Int] {
        slots.indices.filter { index in
            let path = slots[index].path
            let isAround = path.root != .record || path.parents > 0 || path.isKey && path.steps.isEmpty
            return isAround && !slots[index].name.isEmpty
        }
    }
}
