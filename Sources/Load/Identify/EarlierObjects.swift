import SluiceRecords

/// Finds the objects of earlier runs for rows of one entity that are not loaded, or not yet, of whatever status.
struct EarlierObjects {
    let state: EntityState

    /// Inserts the objects among those that the feed holds. Of a rejected row the cells of the identifier are absent
    /// where it has none.
    func insertPresent(_ rows: [Int], _ batch: RecordBatch) throws(Failure) {
        guard state.traits.needsPresence else { return }
        let section = batch.sections[state.index]
        if !rows.allSatisfy({ hasIdentifier($0, section) }) {
            state.objects.absence.unknown.insert(.rejectWithoutIdentifier)
        }
        try find(rows, batch) { _, objectID in state.objects.absence.alsoPresent.insert(objectID) }
    }

    /// Finds them; of rows with the same identifier, the first.
    func find(
        _ rows: [Int], _ batch: RecordBatch, found: (_ row: Int, _ objectID: Int64) -> Void
    ) throws(Failure) {
        if state.traits.startsEmpty { return }
        let section = batch.sections[state.index]
        let identified = rows.filter { hasIdentifier($0, section) }
        var keys = SortedKeys(identifiersOf: identified, state.traits, section, batch.arena)
        defer { keys.deallocate() }
        try state.store.lookUp(keys, entity: state.index, by: state.entity.identifier, batch.arena) { place, objectID in
            found(keys.number(place), objectID)
        }
    }

    private func hasIdentifier(_ row: Int, _ section: EntityRecords) -> Bool {
        state.entity.identifier.allSatisfy { !section.typed[row * section.width + $0].isNull }
    }
}
