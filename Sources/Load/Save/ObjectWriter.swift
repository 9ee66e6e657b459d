import SluiceRecords

// What is written of objects, and what that makes of them.
extension EntityLoader {
    /// Creates the new objects, and gives those whose identifier is taken to the next round.
    func insertNewRows(_ section: EntityRecords, _ arena: Arena) throws(Failure) {
        guard !round.new.isEmpty else { return }
        var taken: [Int] = []
        try store.insert(round.new, section, arena, work) { taken.append($0) }
        guard !taken.isEmpty else { return }
        let conflicts = Set(taken)
        round.new.removeAll { conflicts.contains($0) }
        round.later.append(contentsOf: taken)
    }

    /// Writes what differs of the rows' objects; where records may say that these are gone, not whether they are there.
    func updateRows(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        if !facts.hasDeletions { return try updateDiffering(rows, section, arena) }
        let presence = work.presenceColumn
        let reviving = rows.filter { work.isDifferent($0, column: presence) }
        for row in reviving { work.setSame(row, column: presence) }
        try updateDiffering(rows, section, arena)
        for row in reviving { work.setDifferent(row, column: presence) }
    }

    private func updateDiffering(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        let changed = rows.filter { work.hasDifferences($0) }
        if changed.isEmpty { return }
        for row in changed where work.objectIDs[row] <= facts.highestAtStart {
            try tally.changes.note(work.objectIDs[row], change(of: row))
        }
        try store.update(changed, section, arena, work)
    }

    /// What becomes of an object by what differs of its row.
    private func change(of row: Int) -> UInt64 {
        var change = work.changes[row]
        if work.isDifferent(row, column: work.presenceColumn) { change ^= work.hash.null(work.presenceColumn) }
        for (relationship, isMany) in facts.areToMany.enumerated()
        where !isMany && work.isDifferent(row, column: work.attributeCount + relationship) {
            let place = row * work.relationshipCount + relationship
            change ^= work.hash.reference(work.stored[place], relationship)
            change ^= work.hash.reference(work.references[place], relationship)
        }
        return change
    }
}
