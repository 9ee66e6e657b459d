import SluiceRecords

/// Records of objects that may have several known ones, see `SharedKnown`.
struct SharedRecords {
    let state: EntityState
    let work: RowScratch

    /// Inserts rows that were read, with whether they equal the stored objects, with which they have been compared.
    func insertRead(_ rows: [Int], areCopies: Bool, _ section: EntityRecords) {
        guard state.recordsItems, state.objects.known.areShared else { return }
        let kept = state.entity.keptAttributes
        for row in rows {
            state.objects.known.insertRead(
                SharedKnown.Record(
                    objectID: work.objectIDs[row], isCopy: areCopies, differs: work.hasDifferences(row),
                    isWhole: section.states(kept, row)))
        }
    }

    /// Whether a row is a later copy of a record that is known, and says the same as that: then it is counted.
    func isCopyOfKnown(_ row: Int) -> Bool {
        guard state.objects.known.areShared, state.objects.known.isKnown(work.objectIDs[row]) else { return false }
        state.tally.add(to: \.identical)
        return true
    }
}
