import SluiceRecords

// What of a round is written: new objects, the first records of old ones, later copies.
extension EntityRounds {
    func save(_ section: EntityRecords, _ batch: RecordBatch, from origin: RowOrigin) throws(Failure) {
        try loader.insertNewRows(section, batch.arena)
        loader.tally.add(loader.round.new.count, to: \.created)
        if origin != .spool || loader.waitingRows.candidates != nil { try notePositions(section, batch) }
        if let spool = loader.waitingRows.stubValues { try noteStubValues(spool, section, batch) }
        if !loader.states.edited.isEmpty { try noteEdited(section, batch) }
        try noteFirsts(section, batch)
        try relations.settleNew(loader.round.new, section, batch)
        try saveFirstRows(section, batch)
        try saveDuplicates(section, batch)
    }

    private func noteFirsts(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        for rows in [loader.round.new, loader.round.first] {
            let reviving = loader.round.reviving.isEmpty ? [] : rows.filter { loader.round.reviving.contains($0) }
            let others = reviving.isEmpty ? rows : rows.filter { !loader.round.reviving.contains($0) }
            try duplicates.noteFirsts(others, section, batch, areGone: false)
            for row in reviving {
                loader.stated.note(row, section, batch, loader.work)
                try duplicates.add(row, section, batch)
            }
        }
        try duplicates.noteFirsts(loader.round.gone, section, batch, areGone: true)
    }

    /// Keeps where records stood, of which something may have to be told when their batch is gone.
    private func notePositions(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        guard let positions = loader.waitingRows.positions else { return }
        for row in loader.round.new { try positions.append(row, section, batch, outcome: .created, work: loader.work) }
        for row in loader.round.first { try positions.append(row, section, batch, outcome: .found, work: loader.work) }
    }

    /// Keeps what records say of stubs, before what they refer to is settled.
    private func noteStubValues(
        _ spool: RowSpool, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        let copies = loader.entity.duplicates == .last ? loader.round.repeated : []
        for row in loader.round.new + loader.round.first + copies where relations.describesStubs(row, section) {
            try spool.append(row, section, batch, outcome: .found, work: loader.work)
        }
    }

    /// Objects of earlier runs, which a record of this run describes for the first time.
    private func saveFirstRows(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if loader.round.first.isEmpty { return }
        try relations.compare(loader.round.first)
        if !loader.states.stubs.isEmpty { try completeStubs() }
        try relations.settleFirst(loader.round.first, section, batch)
        try loader.updateRows(loader.round.first, section, batch.arena)
    }

    private func completeStubs() throws(Failure) {
        let completed = loader.round.first.map { loader.work.objectIDs[$0] }.filter(loader.states.stubs.contains)
        try loader.store.markStubs(completed, entity: loader.index, false)
        for objectID in completed { loader.tally.changes.noteCertain(objectID) }
    }

    /// Later copies, as the entity has them: with `last`, their attributes count at once, their references when all
    /// targets are known, after those of the copies before them.
    private func saveDuplicates(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if loader.round.repeated.isEmpty, loader.round.goneAgain.isEmpty { return }
        if loader.entity.duplicates == .reject {
            for row in loader.round.repeated + loader.round.goneAgain { rejectDuplicate(row, section, batch) }
            return
        }
        for row in loader.round.goneAgain {
            loader.condemnAgain(row)
            try duplicates.add(row, section, batch)
        }
        let isApplied = loader.entity.duplicates == .last
        if isApplied { try loader.updateRows(loader.round.repeated, section, batch.arena) }
        for row in loader.round.repeated {
            loader.stated.note(row, section, batch, loader.work)
            if loader.entity.relationships.isEmpty {
                try duplicates.add(row, section, batch)
            } else {
                if isApplied { _ = loader.states.duplicated.insert(loader.work.objectIDs[row]) }
                try relations.spool(row, section, batch, .duplicate)
            }
        }
    }

    private func rejectDuplicate(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) {
        loader.tally.add(to: \.rejected)
        let position = section.positions[row]
        let attribute = loader.entity.attributes[loader.entity.identifier[0]].name
        sink.report(.reject, at: RecordPositionKey(position)) {
            .reject(
                [(attribute, "a record before has the same identifier")], loader.entity,
                identifier: loader.facts.identifier(of: row, section, batch.arena), row, section, batch)
        }
    }
}
