import SluiceRecords

/// Writes the rows of a round as their fates require, and keeps what may be reported of them later.
final class RoundWriter {
    private let relations: EntityRelations
    private let references: RoundReferences
    private let edited: EditedRecords
    private let duplicates: Duplicates
    private let sink: any FindingSink

    init(_ relations: EntityRelations, _ duplicates: Duplicates, _ sink: any FindingSink) {
        self.relations = relations
        references = RoundReferences(relations)
        self.duplicates = duplicates
        self.sink = sink
        edited = EditedRecords(state: relations.state, work: relations.work, sink: sink)
    }

    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }

    func save(_ round: inout Round, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if !round.new.isEmpty {
            let taken = try relations.writer.insert(round.new, section, batch.arena)
            // A row that is no new object was recorded with the reserved objectID: no record may be known by that one.
            if state.recordsItems, state.phase.hasReserved {
                for row in taken { state.objects.known.recordToRead(work.objectIDs[row]) }
            }
            round.deferRefused(taken)
            state.tally.add(round.new.count, to: \.created)
        }
        try appendPositions(round, section, batch)
        if let spool = state.spools.stubValues { try appendStubValues(round, spool, section, batch) }
        try edited.rejectContradicting(round, section, batch)
        try edited.appendPositions(round, section, batch)
        try appendFirsts(round, section, batch)
        try references.settleNew(round.new, section, batch)
        try saveFirstRows(round.first, section, batch)
        try saveDuplicates(round, section, batch)
    }

    private func appendFirsts(_ round: borrowing Round, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure)
    {
        for rows in [round[.new], round[.first]] { try duplicates.appendFirsts(rows, section, batch, areGone: false) }
        for row in round[.createdAfterDeletion] + round[.describedAfterDeletion] {
            state.statedColumns.setStatedAndGiven(row, section, batch, work)
            try duplicates.add(row, section, batch)
        }
        try duplicates.appendFirsts(round[.gone], section, batch, areGone: true)
    }

    /// Keeps the positions of records of which something may be reported when their batch is gone.
    private func appendPositions(
        _ round: borrowing Round, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        guard let positions = state.spools.positions else { return }
        for row in round.new { try positions.append(row, section, batch, fate: .created, work: work) }
        for row in round.first { try positions.append(row, section, batch, fate: .found, work: work) }
    }

    /// Keeps the attributes of stubs that records state, before their references are settled.
    private func appendStubValues(
        _ round: borrowing Round, _ spool: RowSpool, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        let copies = state.entity.duplicates.lastCounts ? round[.copy] : []
        for row in round.new + round.first + copies where relations.stubs.isStated(by: row, section) {
            try spool.append(row, section, batch, fate: .found, work: work)
        }
    }

    /// Objects of earlier runs, which a record of this run describes for the first time.
    private func saveFirstRows(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if rows.isEmpty { return }
        try references.compareFirst(rows)
        if state.recordsItems { state.objects.known.insertRead(rows, areCopies: false, section, work) }
        if !state.objects.stubs.earlier.isEmpty { try completeStubs(rows) }
        try references.settleFirst(rows, section, batch)
        try relations.writer.update(rows, section, batch.arena)
    }

    private func completeStubs(_ rows: [Int]) throws(Failure) {
        let completed = rows.map { work.objectIDs[$0] }.filter(state.objects.stubs.earlier.contains)
        try state.store.markStubs(completed, entity: state.index, false)
        for objectID in completed { state.tally.changes.insertCertain(objectID) }
    }

    /// Later copies, as the entity has them: with `last`, their attributes count at once, their references when all
    /// targets are known, after those of the copies before them.
    private func saveDuplicates(
        _ round: borrowing Round, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        let copies = round[.copy]
        if state.recordsItems {
            for fate in [RowFate.copy, .goneCopy, .repeated] {
                for row in round[fate] { state.objects.known.recordCopied(work.objectIDs[row]) }
            }
            state.objects.known.insertRead(copies, areCopies: true, section, work)
        }
        for row in round[.repeated] { rejectDuplicate(row, section, batch) }
        for row in round[.goneCopy] {
            compareGoneCopy(row)
            try duplicates.add(row, section, batch)
        }
        if copies.isEmpty { return }
        let isApplied = state.entity.duplicates.lastCounts
        if isApplied { try relations.writer.update(copies, section, batch.arena) }
        for row in copies {
            if state.objects.known.isCopyOfKnown(work.objectIDs[row]) {
                state.tally.add(to: \.identical)
                continue
            }
            state.statedColumns.setStatedAndGiven(row, section, batch, work)
            if state.entity.relationships.isEmpty {
                try duplicates.add(row, section, batch)
            } else {
                if isApplied { state.objects.duplicated.insert(work.objectIDs[row]) }
                try references.appendPending(row, section, batch, .duplicate)
            }
        }
    }

    /// Compares a later copy that says that the object is gone: it differs where the copies before say something else.
    private func compareGoneCopy(_ row: Int) {
        let objects = state.objects
        work.clearDifferences(row)
        state.statedColumns.setGone(row, work)
        if !objects.deletions.gone.contains(work.objectIDs[row]) { work.setDifferent(row, column: work.presenceColumn) }
        if state.entity.duplicates.lastCounts { objects.deletions.gone.insert(work.objectIDs[row]) }
    }

    private func rejectDuplicate(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) {
        let attribute = state.entity.attributes[state.entity.identifier[0]].name
        Rejects.report(row, of: state, section, batch, sink) { [(attribute, FindingLayout.isRepeated)] }
    }
}
