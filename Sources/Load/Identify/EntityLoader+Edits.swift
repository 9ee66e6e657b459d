import SluiceRecords

// Objects that programs have changed: see `EditPass`.
extension EntityLoader {
    /// Sets the found rows aside that contradict what a program has changed. The objects are in the feed all the same.
    func setContradictingAside(_ section: EntityRecords, _ arena: Arena) throws(Failure) {
        if entity.mode == .insert { return }
        var others: [Int] = []
        for row in foundRows {
            let isEdited = states.edited.contains(work.objectIDs[row]) && section.status[row] != .gone
            if isEdited, try !store.conflicts(row, section, arena, work).isEmpty {
                round.contradicting.append(row)
                if facts.needsPresence { _ = states.alsoPresent.insert(work.objectIDs[row]) }
            } else {
                others.append(row)
            }
        }
        foundRows = others
    }

    /// Takes in a record that says that an object is gone which a program has changed, or created: it stays.
    func spare(_ row: Int) {
        let objectID = work.objectIDs[row]
        if facts.needsPresence { _ = states.alsoPresent.insert(objectID) }
        if entity.edits == .reject, !states.edited.created.contains(objectID) {
            round.contradicting.append(row)
        } else {
            tally.add(to: \.skipped)
            round.spared.append(row)
            _ = spares(objectID)
        }
    }

    /// Whether an object that is to be deleted stays, because a program has changed or created it. What was created no feed
    /// has ever held, so that it contradicts nothing.
    func spares(_ objectID: Int64) -> Bool {
        guard states.edited.contains(objectID) else { return false }
        if !states.edited.created.contains(objectID) { _ = states.spared.insert(objectID) }
        return true
    }
}
