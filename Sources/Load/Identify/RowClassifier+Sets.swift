import SluiceRecords

// The fate of rows that the store has been queried for, and the sets into which their objects go for it.
extension RowClassifier {
    /// Decides the fate of a row, and inserts its object into the sets that follow from it.
    func decideFate(_ row: Int, _ section: EntityRecords, _ arena: Arena, _ round: inout Round) throws(Failure) {
        let evidence = try evidence(row, section, arena)
        let fate = RowFate.decide(evidence, rules)
        if traits.hasDeletions, evidence.isThere, !evidence.contradictsEdit { insertMarkedBefore(row) }
        switch fate {
        case .new:
            assignObjectID(row, promised: ids.promised(row, section, arena))
            insertDescribed(row, section, arena)
        case .first:
            _ = objects.insertSeen(work.objectIDs[row])
            insertDescribed(row, section, arena)
        case .gone:
            if !evidence.isThere { try insertNeverCreated(row, section, arena) }
            _ = objects.insertSeen(work.objectIDs[row])
            objects.deletions.gone.insert(work.objectIDs[row])
        case .copy: withdrawGone(row, wasNeverCreated: evidence.wasNeverCreated)
        case .createdAfterDeletion, .describedAfterDeletion:
            withdrawGone(row, wasNeverCreated: evidence.wasNeverCreated)
            objects.deletions.neverCreated.remove(work.objectIDs[row])
            insertDescribed(row, section, arena)
        case .skipped:
            state.tally.add(to: \.skipped)
            insertPresent(row)
        case .spared:
            state.tally.add(to: \.skipped)
            insertPresent(row)
            _ = objects.edits.spares(work.objectIDs[row])
        case .contradicting: insertPresent(row)
        case .goneCopy, .repeated, .nextRound, .awaitingTargets, .awaitingComparison, .awaitingIndex, .scattered: break
        }
        round.add(row, fate)
    }

    /// As `decideFate`, for all rows that were found, where only one thing is to be known of them: whether they are the
    /// first.
    func decideFatesOfFound(_ section: EntityRecords, _ arena: Arena, _ round: inout Round) {
        let objectIDs = work.objectIDs
        for row in round.found {
            let isMet = !objects.insertSeen(objectIDs[row])
            round.add(row, RowFate.decide(.init(saysGone: false, isThere: true, isMet: isMet), rules))
        }
        if traits.isTarget {
            ids.forEach(round[.first], section, arena) { ids.remember(objectIDs[$0], $0, section, arena) }
        }
    }

    /// What is known of a row's object. The row of an object that was never there gets the objectID of the record
    /// before that said that it is gone.
    private func evidence(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) -> RowFate.Evidence {
        let objectID = work.objectIDs[row]
        var evidence = RowFate.Evidence(saysGone: section.status[row] == .gone, isThere: objectID != 0)
        evidence.isSkipped = isSkipped(objectID)
        if objectID != 0 {
            evidence.isMet = objects.isOfThisRun(objectID)
            evidence.isEdited = objects.edits.contains(objectID)
            evidence.isCreatedByProgram = objects.edits.created.contains(objectID)
            if evidence.isEdited, !evidence.saysGone, mayContradict {
                evidence.contradictsEdit =
                    try state.store.editStore?.conflicts(row, section, arena, work).isEmpty == false
            }
        } else if !evidence.isSkipped, let goneIdentifiers {
            work.objectIDs[row] = try unsafe goneIdentifiers.objectID(of: ids.key(of: row, section, arena).buffer)
            evidence.wasNeverCreated = work.objectIDs[row] != 0
        }
        if traits.hasDeletions { evidence.isDescribed = objects.deletions.described.contains(work.objectIDs[row]) }
        return evidence
    }

    /// Whether the entity's mode skips a record of this object; 0: the object is not there.
    private func isSkipped(_ objectID: Int64) -> Bool {
        switch traits.entity.mode {
        case .upsert: false
        case .insert: objectID != 0 && objectID <= traits.highestAtStart && !objects.stubs.earlier.contains(objectID)
        case .update: objectID == 0
        }
    }

    /// Whether records are rejected that describe objects otherwise than programs have changed them.
    var mayContradict: Bool {
        rules.rejectsContradictions && traits.entity.mode.changesObjects && !objects.edits.isEmpty
    }

    // MARK: Sets of the run

    /// Inserts a row's object among those that the feed holds, though its record is not loaded.
    private func insertPresent(_ row: Int) {
        if traits.needsPresence, work.objectIDs[row] != 0 { objects.absence.alsoPresent.insert(work.objectIDs[row]) }
    }

    /// Inserts the object of a row, the first that says what the object is like, among the described ones, and caches
    /// it.
    private func insertDescribed(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        if traits.hasDeletions { objects.deletions.described.insert(work.objectIDs[row]) }
        ids.remember(work.objectIDs[row], row, section, arena)
    }

    /// Withdraws that an object is gone, as earlier records may have said: a later copy describes it.
    private func withdrawGone(_ row: Int, wasNeverCreated: Bool) {
        guard traits.hasDeletions else { return }
        if wasNeverCreated { work.clearDifferences(row) }
        guard objects.deletions.gone.contains(work.objectIDs[row]) else { return }
        work.setDifferent(row, column: work.presenceColumn)
        if rules.lastCounts { objects.deletions.gone.remove(work.objectIDs[row]) }
    }

    /// Inserts an object that is not there, and of which a record says that it is gone: it gets an objectID all the
    /// same, by which later copies know it.
    private func insertNeverCreated(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        if goneIdentifiers == nil { goneIdentifiers = try state.makeGoneIdentifiers() }
        assignObjectID(row)
        try unsafe goneIdentifiers?.add(ids.key(of: row, section, arena).buffer, objectID: work.objectIDs[row])
        objects.deletions.neverCreated.insert(work.objectIDs[row])
    }

    /// Inserts a row's object if it is marked since an earlier run: the last record decides whether it stays so.
    private func insertMarkedBefore(_ row: Int) {
        guard traits.entity.marksAbsent, work.isDifferent(row, column: work.presenceColumn) else { return }
        work.setSame(row, column: work.presenceColumn)
        objects.deletions.markedBefore.insert(work.objectIDs[row])
    }
}
