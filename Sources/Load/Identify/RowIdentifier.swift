import SluiceRecords

// Which objects the rows of a batch are of, and in which way each counts.
extension EntityLoader {
    /// Finds the objects of the rows, and gives objectIDs to the new ones.
    func identify(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        startRound(section)
        if !facts.startsEmpty || facts.hasDeletions {
            decideComparison()
            if lateComparison.kept != nil { return try keep(rows, section, arena) }
            if lateComparison.isCreating { return takeForNew(rows, section, arena) }
            try find(rows, section, arena, inSequence: !facts.startsEmpty)
            lateComparison.note(lookedUp: keys.count, of: rows.count)
        } else if entity.mode == .update {
            // There is nothing to update.
            tally.add(rows.count, to: \.skipped)
        } else if facts.isTarget, !ids.cacheIsWhole {
            try find(rows, section, arena, inSequence: false)
        } else {
            try decideIndex(rows, section, arena)
            if facts.isTarget {
                identifyByCache(rows, section, arena)
            } else {
                presumeNew(rows, section, arena)
            }
        }
    }

    /// Finds the objects of rows that the round before left over: these exist.
    func identifyLater(_ section: EntityRecords, _ arena: Arena) throws(Failure) {
        let rows = round.later
        startRound(section)
        try find(rows, section, arena, inSequence: false)
    }

    /// Takes rows for new objects that have their objectIDs.
    func takeScattered(_ rows: [Int], _ section: EntityRecords) {
        startRound(section)
        round.new = rows
    }

    private func startRound(_ section: EntityRecords) {
        round.removeAll()
        work.ensure(section.count)
    }

    private func identifyByCache(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) {
        let isLate = lateIndex.isLate
        ids.forEach(rows, section, arena) { row in
            let key = ids.key(of: row, section, arena)
            if ids.cache.find(key) == 0 {
                assignObjectID(row, promised: ids.cache.promised(key))
                ids.insert(key, work.objectIDs[row])
                round.new.append(row)
            } else if isLate {
                round.aside.append(row)
            } else {
                round.later.append(row)
            }
        }
        if isLate { scatterNew() }
    }

    /// Finds the objects of rows: `inSequence`, where the store may guess them from the order of the records; those that
    /// are left by their sorted identifiers.
    private func find(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, inSequence: Bool
    ) throws(Failure) {
        foundRows.removeAll(keepingCapacity: true)
        keys.removeAll()
        if inSequence, usesSequence {
            try findInSequence(rows, section, arena)
        } else {
            for row in rows { appendKey(row, section, arena) }
        }
        unsafe keys.sort(arena.base) { round.later.append($0) }
        if keys.count > 0 {
            try store.find(keys, section, arena, work)
            addFoundKeys()
        }
        if let last = foundRows.last {
            let objectID = work.objectIDs[last]
            // Behind the last object, the first may come again.
            lastFound = objectID < facts.highestAtStart ? objectID : 0
        }
        if entity.edits == .reject, !states.edited.isEmpty { try setContradictingAside(section, arena) }
        if facts.hasDeletions || entity.mode != .upsert {
            for row in foundRows { try sortOut(row, section, arena) }
        } else {
            sortOutFound(section, arena)
        }
        for row in missedRows() { try sortOut(row, section, arena) }
    }

    private func findInSequence(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        // Here, and not in the property: access to it would be checked for each row.
        var found: [Int] = []
        swap(&found, &foundRows)
        defer { swap(&found, &foundRows) }
        try store.findInSequence(
            rows, section, arena, work, behind: lastFound, upTo: facts.highestAtStart,
            found: { found.append($0) },
            missed: { appendKey($0, section, arena) })
    }

    /// The rows whose object is not in the store, in the order of the feed, so that new objectIDs are, too: the next run
    /// mostly meets them in this order.
    private func missedRows() -> [Int] {
        var missed: [Int] = []
        for place in 0..<keys.count where work.objectIDs[keys.number(place)] == 0 { missed.append(keys.number(place)) }
        missed.sort()
        return missed
    }

    /// Adds the rows that were found by their identifiers to those that were found in sequence, in the order of the feed.
    /// Where a row of either has the object of one of the other, the later one waits for the next round.
    private func addFoundKeys() {
        let objectIDs = work.objectIDs
        let inSequence = foundRows.count
        for place in 0..<keys.count {
            let row = keys.number(place)
            if objectIDs[row] == 0 { continue }
            guard let other = findInSequence(objectIDs[row], inSequence) else {
                foundRows.append(row)
                continue
            }
            round.later.append(max(row, foundRows[other]))
            foundRows[other] = min(row, foundRows[other])
        }
        foundRows.sort()
        round.later.sort()
    }

    /// The place of the row with an objectID among the first found rows, whose objectIDs ascend.
    private func findInSequence(_ objectID: Int64, _ count: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if work.objectIDs[foundRows[middle]] < objectID { low = middle + 1 } else { high = middle }
        }
        return low < count && work.objectIDs[foundRows[low]] == objectID ? low : nil
    }

    /// Puts a row that the store has been asked about where it belongs.
    private func sortOut(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        let objectID = work.objectIDs[row]
        if facts.hasDeletions { noteMark(row) }
        let isSkipped = isSkipped(objectID)
        if isSkipped, facts.needsPresence, objectID != 0 { _ = states.alsoPresent.insert(objectID) }
        if section.status[row] == .gone, states.edited.contains(objectID) {
            spare(row)
        } else if section.status[row] == .gone {
            try condemn(row, section, arena, isSkipped: isSkipped)
        } else if isSkipped {
            tally.add(to: \.skipped)
        } else if objectID == 0, try isGone(row, section, arena) {
            bringToLife(row, section, arena)
        } else if objectID == 0 {
            assignObjectID(row, promised: ids.promised(row, section, arena))
            if facts.hasDeletions { _ = states.described.insert(work.objectIDs[row]) }
            remember(row, section, arena)
            round.new.append(row)
        } else if states.meet(objectID) {
            if facts.hasDeletions { _ = states.described.insert(objectID) }
            remember(row, section, arena)
            round.first.append(row)
        } else if facts.hasDeletions, revive(row) {
            round.reviving.insert(row)
            remember(row, section, arena)
            round.first.append(row)
        } else {
            round.repeated.append(row)
        }
    }

    /// As `sortOut`, for all rows that were found, where no more is to be known of them than whether they are the first.
    private func sortOutFound(_ section: EntityRecords, _ arena: Arena) {
        let objectIDs = work.objectIDs
        var (first, repeated) = (round.first, round.repeated)
        (round.first, round.repeated) = ([], [])
        for row in foundRows { if states.meet(objectIDs[row]) { first.append(row) } else { repeated.append(row) } }
        if facts.isTarget { ids.forEach(first, section, arena) { remember($0, section, arena) } }
        (round.first, round.repeated) = (first, repeated)
    }

    /// Whether the entity's mode leaves a record alone whose object is this one, or is not there.
    private func isSkipped(_ objectID: Int64) -> Bool {
        switch entity.mode {
        case .upsert: false
        case .insert: objectID != 0 && objectID <= facts.highestAtStart && !states.stubs.contains(objectID)
        case .update: objectID == 0
        }
    }
}
