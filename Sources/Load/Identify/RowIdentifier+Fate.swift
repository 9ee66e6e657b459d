import SluiceRecords

// Objects that go: those whose records say so, and which ones the feed holds.
extension EntityLoader {
    /// ObjectIDs that are looked at together.
    private static let chunkSize = 1000

    /// Takes in a record that says that its object is gone.
    func condemn(_ row: Int, _ section: EntityRecords, _ arena: Arena, isSkipped: Bool) throws(Failure) {
        let objectID = work.objectIDs[row]
        if isSkipped {
            tally.add(to: \.skipped)
        } else if objectID == 0 {
            try condemnNothing(row, section, arena)
        } else if states.meet(objectID) {
            _ = states.gone.insert(objectID)
            round.gone.append(row)
        } else {
            round.goneAgain.append(row)
        }
    }

    /// Takes in a record that says that its object is gone, which is not there: it gets an objectID all the same, by which
    /// later copies know it.
    private func condemnNothing(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        if try isGone(row, section, arena) {
            round.goneAgain.append(row)
            return
        }
        if goneIdentifiers == nil { goneIdentifiers = try GoneIdentifiers() }
        assignObjectID(row)
        try goneIdentifiers?.add(ids.key(of: row, section, arena), objectID: work.objectIDs[row])
        _ = states.unborn.insert(work.objectIDs[row])
        _ = states.gone.insert(work.objectIDs[row])
        round.gone.append(row)
    }

    /// Whether an earlier record said that a row's object is gone, which is not there: then the row has its objectID.
    func isGone(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) -> Bool {
        guard let goneIdentifiers else { return false }
        work.objectIDs[row] = try goneIdentifiers.objectID(of: ids.key(of: row, section, arena))
        return work.objectIDs[row] != 0
    }

    /// Takes in the first record that says what an object is like which records before it said is gone, and which is not
    /// there.
    func bringToLife(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        work.clearDifferences(row)
        guard revive(row) else {
            round.repeated.append(row)
            return
        }
        states.unborn.remove(work.objectIDs[row])
        remember(row, section, arena)
        round.reviving.insert(row)
        round.new.append(row)
    }

    /// Takes in a later copy of a record, where records may say that objects are gone. Returns whether it is the first
    /// that says what the object is like.
    func revive(_ row: Int) -> Bool {
        let objectID = work.objectIDs[row]
        let isApplied = entity.duplicates == .last
        let wasGone = states.gone.contains(objectID)
        if wasGone { work.setDifferent(row, column: work.presenceColumn) }
        if wasGone, isApplied { states.gone.remove(objectID) }
        return isApplied && states.described.insert(objectID)
    }

    /// Takes in a later copy that says that the object is gone: it differs where the copies before say something else.
    func condemnAgain(_ row: Int) {
        let objectID = work.objectIDs[row]
        work.clearDifferences(row)
        stated.noteGone(row, work)
        if !states.gone.contains(objectID) { work.setDifferent(row, column: work.presenceColumn) }
        if entity.duplicates == .last { _ = states.gone.insert(objectID) }
    }

    /// Notes that a row's object is marked since an earlier run: whether it stays so, only the last record tells.
    func noteMark(_ row: Int) {
        guard entity.absent == .mark, work.objectIDs[row] != 0, work.isDifferent(row, column: work.presenceColumn)
        else { return }
        work.setSame(row, column: work.presenceColumn)
        _ = states.markedBefore.insert(work.objectIDs[row])
    }

    /// Notes that the feed holds the objects of rows that are not loaded, or not yet. Of a rejected row the cells of the
    /// identifier are absent where it has none.
    func notePresence(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        guard facts.needsPresence, !facts.startsEmpty else { return }
        keys.removeAll()
        for row in rows where hasIdentifier(row, section) {
            unsafe facts.withIdentifier(of: row, section) { cells in unsafe keys.append(cells, number: row, arena.base)
            }
        }
        unsafe keys.sort(arena.base) { _ in }
        try store.lookUp(keys, entity: index, by: entity.identifier, arena, asked: nil) { _, objectID in
            _ = states.alsoPresent.insert(objectID)
        }
    }

    private func hasIdentifier(_ row: Int, _ section: EntityRecords) -> Bool {
        entity.identifier.allSatisfy { attribute in
            let kind = section.typed[row * facts.layout.width + attribute].kind
            return kind != .absent && kind != .null
        }
    }

    /// Forgets an object that was deleted; the row has its identifier.
    func forget(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        _ = states.deleted.insert(work.objectIDs[row])
        tally.changes.noteCertain(work.objectIDs[row])
        ids.remove(row, section, arena)
    }

    // MARK: Marks

    /// Where records may say that objects are gone: takes the mark of those whose last record says what they are like,
    /// and notes which objects of records differ by theirs.
    func settleMarks(_ batch: RecordBatch) throws(Failure) {
        states.gone.inChunks(of: EntityLoader.chunkSize) { chunk in
            for objectID in chunk where !states.markedBefore.contains(objectID) { tally.changes.noteCertain(objectID) }
        }
        let section = batch.sections[index]
        try states.markedBefore.inChunks(of: EntityLoader.chunkSize) { chunk throws(Failure) in
            batch.reset()
            for objectID in chunk where states.described.contains(objectID) && !states.gone.contains(objectID) {
                let row = section.appendTypedRow()
                work.ensure(row + 1)
                work.objectIDs[row] = objectID
                work.clearDifferences(row)
                work.setDifferent(row, column: work.presenceColumn)
                tally.changes.noteCertain(objectID)
            }
            try store.update(Array(0..<section.count), section, batch.arena, work)
        }
    }
}
