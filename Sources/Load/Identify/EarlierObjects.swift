import SluiceRecords

/// Finds the objects of earlier runs for rows of one entity that are not loaded, or not yet.
struct EarlierObjects {
    let state: EntityState
    private var traits: EntityTraits { state.traits }

    /// Inserts the objects of rows that are not loaded, or not yet, among those that the feed holds. Of a rejected row
    /// the cells of the identifier are absent where it has none.
    func insertPresent(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        guard traits.needsPresence else { return }
        if !rows.allSatisfy({ hasIdentifier($0, section) }) {
            state.objects.absence.unknown.insert(.rejectWithoutIdentifier)
        }
        try find(rows, section, arena) { _, objectID in state.objects.absence.alsoPresent.insert(objectID) }
    }

    /// Finds the objects of earlier runs for rows that are not loaded, or not yet. Of rows with the same identifier,
    /// the first is found.
    func find(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, found: (_ row: Int, _ objectID: Int64) -> Void
    ) throws(Failure) {
        if traits.startsEmpty { return }
        let identified = rows.filter { hasIdentifier($0, section) }
        var keys = SortedKeys(identifiersOf: identified, traits, section, arena)
        defer { keys.deallocate() }
        try state.store.lookUp(keys, entity: traits.index, by: traits.entity.identifier, arena) { place, objectID in
            found(keys.number(place), objectID)
        }
    }

    private func hasIdentifier(_ row: Int, _ section: EntityRecords) -> Bool {
        traits.entity.identifier.allSatisfy { !section.typed[row * traits.layout.width + $0].isNull }
    }
}
