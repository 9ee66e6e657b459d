import SluiceRecords

/// Writes the objects of one entity, and appends the changes of those of earlier runs.
struct ObjectWriter {
    private let state: EntityState
    private let work: RowScratch

    init(_ state: EntityState, _ work: RowScratch) {
        self.state = state
        self.work = work
    }

    /// Creates objects from rows. Returns those whose identifier an object has by now: they are not created.
    func insert(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) -> [Int] {
        var taken: [Int] = []
        try state.store.insert(rows, section, arena, work) { taken.append($0) }
        if state.placeStore != nil {
            let refused = Set(taken)
            try recordPlaces(refused.isEmpty ? rows : rows.filter { !refused.contains($0) }, section)
        }
        return taken
    }

    /// Records where the records of rows stand, which have created or changed their objects.
    func recordPlaces(_ rows: [Int], _ section: EntityRecords) throws(Failure) {
        try state.placeStore?.recordPlaces(rows, section, work)
    }

    /// Writes the differing columns of the rows' objects; where records may say that objects are gone, not the mark.
    ///
    /// - Parameter areRecorded: whether the places of the records are recorded already, or there are none.
    func update(_ rows: [Int], _ section: EntityRecords, _ arena: Arena, areRecorded: Bool = false) throws(Failure) {
        if !areRecorded, state.placeStore != nil { try recordPlaces(rows.filter(changesObject), section) }
        if !state.traits.hasDeletions { return try updateDiffering(rows, section, arena) }
        let presence = work.presenceColumn
        let reviving = rows.filter { work.isDifferent($0, column: presence) }
        for row in reviving { work.setSame(row, column: presence) }
        try updateDiffering(rows, section, arena)
        for row in reviving { work.setDifferent(row, column: presence) }
    }

    private func updateDiffering(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        let changed = rows.filter { work.hasDifferences($0) }
        if changed.isEmpty { return }
        for row in changed where work.objectIDs[row] <= state.traits.highestAtStart {
            try state.tally.changes.append(work.objectIDs[row], change(of: row))
            // A record that was not read may have found its target by the old value.
            if state.traits.searchedAttributes.contains(where: { work.isDifferent(row, column: $0) }) {
                state.objects.known.contradict()
            }
        }
        try state.store.update(changed, section, arena, work)
    }

    /// Whether a row changes the stored object. Where a program has edited an attribute, the value of the feed is
    /// written beside the edit, and leaves the object as it is.
    private func changesObject(_ row: Int) -> Bool {
        guard work.hasDifferences(row) else { return false }
        if !state.objects.edits.contains(work.objectIDs[row]) || change(of: row) != 0 { return true }
        return state.traits.areToMany.enumerated().contains { relationship, isMany in
            isMany && work.isDifferent(row, column: work.attributeCount + relationship)
        }
    }

    /// What becomes of an object by what differs of its row.
    private func change(of row: Int) -> UInt64 {
        var change = work.changes[row]
        if work.isDifferent(row, column: work.presenceColumn) { change ^= work.hash.null(work.presenceColumn) }
        for (relationship, isMany) in state.traits.areToMany.enumerated()
        where !isMany && work.isDifferent(row, column: work.attributeCount + relationship) {
            let place = row * work.relationshipCount + relationship
            change ^= work.hash.reference(work.stored[place], relationship)
            change ^= work.hash.reference(work.references[place], relationship)
        }
        return change
    }
}
