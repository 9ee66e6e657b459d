import Records

// Objects that go: those whose records say so, and which ones the feed holds.
extension EntityLoader {
    /// ObjectIDs that are looked at together.
    private static let chunkSize = 1000

    /// Whether the feed holds an object, be it in a rejected record.
    func isPresent(_ objectID: Int64) -> Bool { isOfThisRun(objectID) || alsoPresent.contains(objectID) }

    /// How many objectIDs of earlier runs have no record in this one, be there an object or not.
    var absentCount: Int64 { highestAtStart - Int64(seen.count) }

    /// Hands these out.
    func absentInChunks(of size: Int, _ body: ([Int64]) throws(Failure) -> Void) throws(Failure) {
        try seen.inverseInChunks(of: size, upTo: highestAtStart, body)
    }

    /// Whether a record of this run says what an object is like.
    func isDescribed(_ objectID: Int64) -> Bool {
        isOfThisRun(objectID) && (!hasDeletions || described.contains(objectID))
    }

    /// Takes in a record that says that its object is gone.
    func condemn(_ row: Int, _ section: EntityRecords, _ arena: Arena, isSkipped: Bool) throws(Failure) {
        let objectID = work.objectIDs[row]
        if isSkipped {
            counts.skipped += 1
        } else if objectID == 0 {
            try condemnNothing(row, section, arena)
        } else if meet(objectID) {
            _ = gone.insert(objectID)
            goneRows.append(row)
        } else {
            goneAgainRows.append(row)
        }
    }

    /// Takes in a record that says that its object is gone, which is not there: it gets an objectID all the same, by which
    /// later copies know it.
    private func condemnNothing(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        if try isGone(row, section, arena) {
            goneAgainRows.append(row)
            return
        }
        if goneIdentifiers == nil { goneIdentifiers = try GoneIdentifiers() }
        assignObjectID(row)
        try goneIdentifiers?.add(key(of: row, section, arena), objectID: work.objectIDs[row])
        _ = unborn.insert(work.objectIDs[row])
        _ = gone.insert(work.objectIDs[row])
        goneRows.append(row)
    }

    /// Whether an earlier record said that a row's object is gone, which is not there: then the row has its objectID.
    func isGone(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) -> Bool {
        guard let goneIdentifiers else { return false }
        work.objectIDs[row] = try goneIdentifiers.objectID(of: key(of: row, section, arena))
        return work.objectIDs[row] != 0
    }

    /// Takes in the first record that says what an object is like which records before it said is gone, and which is not
    /// there.
    func bringToLife(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        work.clearDifferences(row)
        guard revive(row) else {
            duplicateRows.append(row)
            return
        }
        unborn.remove(work.objectIDs[row])
        remember(row, section, arena)
        revivingRows.insert(row)
        newRows.append(row)
    }

    /// Takes in a later copy of a record, where records may say that objects are gone. Returns whether it is the first
    /// that says what the object is like.
    func revive(_ row: Int) -> Bool {
        let objectID = work.objectIDs[row]
        let isApplied = entity.duplicates == .last
        let wasGone = gone.contains(objectID)
        if wasGone { work.setDifferent(row, column: work.presenceColumn) }
        if wasGone, isApplied { gone.remove(objectID) }
        return isApplied && described.insert(objectID)
    }

    /// Takes in a later copy that says that the object is gone: it differs where the copies before say something else.
    func condemnAgain(_ row: Int) {
        let objectID = work.objectIDs[row]
        work.clearDifferences(row)
        stated.noteGone(row, work)
        if !gone.contains(objectID) { work.setDifferent(row, column: work.presenceColumn) }
        if entity.duplicates == .last { _ = gone.insert(objectID) }
    }

    /// Notes that a row's object is marked since an earlier run: whether it stays so, only the last record tells.
    func noteMark(_ row: Int) {
        guard entity.absent == .mark, work.objectIDs[row] != 0, work.isDifferent(row, column: work.presenceColumn)
        else { return }
        work.setSame(row, column: work.presenceColumn)
        _ = markedBefore.insert(work.objectIDs[row])
    }

    /// Notes that the feed holds the objects of rows that are not loaded, or not yet. Of a rejected row the cells of the
    /// identifier are absent where it has none.
    func notePresence(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        guard needsPresence, !startsEmpty else { return }
        keys.removeAll()
        for row in rows where hasIdentifier(row, section) {
            unsafe withIdentifier(of: row, section) { cells in unsafe keys.append(cells, number: row, arena.base) }
        }
        unsafe keys.sort(arena.base) { _ in }
        try store.lookUp(keys, entity: index, arena) { _, objectID in _ = alsoPresent.insert(objectID) }
    }

    private func hasIdentifier(_ row: Int, _ section: EntityRecords) -> Bool {
        entity.identifier.allSatisfy { attribute in
            let kind = section.typed[row * layout.width + attribute].kind
            return kind != .absent && kind != .null
        }
    }

    /// Forgets an object that was deleted; the row has its identifier.
    func forget(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        _ = deleted.insert(work.objectIDs[row])
        changes.noteCertain(work.objectIDs[row])
        if work.objectIDs[row] > highestAtStart { unmadeCount += 1 }
        if isTarget { cache.remove(key(of: row, section, arena)) }
    }

    // MARK: Marks

    /// Where records may say that objects are gone: takes the mark of those whose last record says what they are like,
    /// and notes which objects of records differ by theirs.
    func settleMarks(_ batch: RecordBatch) throws(Failure) {
        gone.inChunks(of: EntityLoader.chunkSize) { chunk in
            for objectID in chunk where !markedBefore.contains(objectID) { changes.noteCertain(objectID) }
        }
        let section = batch.sections[index]
        try markedBefore.inChunks(of: EntityLoader.chunkSize) { chunk throws(Failure) in
            batch.reset()
            for objectID in chunk where described.contains(objectID) && !gone.contains(objectID) {
                let row = section.appendTypedRow()
                work.ensure(row + 1)
                work.objectIDs[row] = objectID
                work.clearDifferences(row)
                work.setDifferent(row, column: work.presenceColumn)
                changes.noteCertain(objectID)
            }
            try store.update(Array(0..<section.count), section, batch.arena, work)
        }
    }
}
