import SluiceRecords

/// Takes the rows of one entity in a batch through their rounds. A round classifies rows, which gives each its fate
/// (`RowFate`), resolves their references as far as these are known, and saves them. Rows whose identifier occurred in
/// the batch before have a round of their own, since they must find what the first one wrote.
final class EntityRounds {
    let state: EntityState
    let relations: EntityRelations
    let duplicates: Duplicates
    let earlier: EarlierObjects
    private let classifier: RowClassifier
    private let writer: RoundWriter
    private let outcomes: ItemOutcomes
    private let mayDefer: Bool
    private var round: Round

    init(_ relations: EntityRelations, _ shortcuts: Shortcuts, _ sink: any FindingSink) {
        self.relations = relations
        state = relations.state
        duplicates = Duplicates(relations, sink)
        earlier = EarlierObjects(state: state)
        classifier = RowClassifier(state, relations.work, shortcuts)
        writer = RoundWriter(relations, duplicates, sink)
        outcomes = ItemOutcomes(relations: relations)
        round = Round(state.traits)
        mayDefer = shortcuts.contains(.deferral) && !state.traits.isTarget && state.traits.isAllNew
        if shortcuts.contains(.promises) { relations.promises.decideAllowed() }
    }

    /// Whether the rows of a feed are classified before those of other entities are resolved: others refer to them.
    var isClassifiedFirst: Bool { state.traits.isTarget }

    func classify(_ rows: [Int], _ batch: RecordBatch) throws(Failure) {
        try classifier.classify(rows, batch.sections[state.index], batch.arena, &round)
    }

    // MARK: Loading rows

    /// Loads rows of a feed: saves them, or lets them wait as a whole. Rows of an entity that others refer to are
    /// classified before.
    func load(_ rows: [Int], _ batch: RecordBatch) throws(Failure) {
        let section = batch.sections[state.index]
        if !state.traits.isTarget { try classify(rows, batch) }
        if state.phase.wholeRecords == nil { try resolveSoFar(section, batch) }
        if mustDefer { deferRecords(rows) }
        if let spool = state.phase.wholeRecords { return try wait(spool, section, batch) }
        if state.recordsItems { state.phase.lateIndexing?.recordOutcomes(round, outcomes, section) }
        try saveRounds(section, batch, resolve: resolveSoFar, saved: recordOutcomes)
    }

    /// Loads rows that were on disk as a whole. No row of them waits once more.
    ///
    /// - Parameter targetsMayCome: whether a phase of the entity has held them back in the first pass.
    func loadSpooled(_ rows: [Int], _ batch: RecordBatch, targetsMayCome: Bool) throws(Failure) {
        let section = batch.sections[state.index]
        let resolve = targetsMayCome ? resolveSoFar : resolveKnown
        try classify(rows, batch)
        try resolve(section, batch)
        try saveRounds(section, batch, resolve: resolve)
    }

    /// Likewise, those that the first pass has held back, are new, and have their objectIDs.
    func loadNew(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        classifier.startWithNew(rows, section, &round)
        try resolveSoFar(section, batch)
        try writer.save(&round, section, batch)
    }

    /// Saves the rows of a round whose references are resolved, and those of the rounds after it. What waits for
    /// its phase is spooled first.
    private func saveRounds(
        _ section: EntityRecords, _ batch: RecordBatch,
        resolve: (EntityRecords, RecordBatch) throws(Failure) -> Void, saved: (EntityRecords) -> Void = { _ in }
    ) throws(Failure) {
        try state.phase.lateIndexing?.spool(round, state, relations.work, section, batch)
        try state.phase.compared?.append(round[.awaitingComparison], state, relations.work, section, batch)
        try writer.save(&round, section, batch)
        saved(section)
        while !round[.nextRound].isEmpty {
            try classifier.classifyNext(section, batch.arena, &round)
            try resolve(section, batch)
            try writer.save(&round, section, batch)
            saved(section)
        }
    }

    /// Resolves references in the first pass: later records may still bring targets, which are promised their
    /// objectIDs.
    private func resolveSoFar(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        try resolveKnown(section, batch)
        for rows in [round[.awaitingComparison], round.new, round.first] { relations.postponeSearched(rows) }
        relations.promises.promise(round.new, section, batch.arena)
    }

    /// Resolves references to the targets that are known.
    private func resolveKnown(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        relations.startRound(section)
        let groups = [round.new, round.first, round[.awaitingComparison]].filter { !$0.isEmpty }
        let rows = groups.count == 1 ? groups[0] : groups.flatMap { $0 }
        try relations.resolve(rows, section, batch, among: .soFar)
    }

    /// Records what became of the rows of a feed, for the fingerprints of the run.
    private func recordOutcomes(_ section: EntityRecords) {
        guard state.recordsItems else { return }
        outcomes.recordSaved(round.new, areNew: true, section)
        outcomes.recordSaved(round.first, areNew: false, section)
        if state.objects.known.areShared { outcomes.recordSaved(round[.copy], areNew: false, section) }
    }

    // MARK: Records that wait as a whole

    private func wait(_ spool: RowSpool, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        let rows = round[.awaitingTargets]
        for row in rows { try spool.append(row, section, batch) }
        if state.traits.hasCandidates { try recordCandidates(rows, section, batch) }
    }

    /// Records the objects of candidates: that the feed holds them, and for the fingerprints of the run what becomes of
    /// the rows if they are loaded.
    private func recordCandidates(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        guard state.traits.needsPresence || state.recordsItems else { return }
        try earlier.find(rows, batch) { row, objectID in
            if state.traits.needsPresence { state.objects.absence.alsoPresent.insert(objectID) }
            if state.recordsItems { outcomes.recordCandidate(row, objectID, section) }
        }
    }

    /// Records that rows are not loaded: the next run reads every record of their objects.
    func recordFallenOut(_ rows: [Int], _ batch: RecordBatch) throws(Failure) {
        guard state.recordsItems else { return }
        try earlier.find(rows, batch) { _, objectID in state.objects.known.recordToRead(objectID) }
    }

    /// Whether the section's records, and all later ones of the entity, are to wait as a whole: where nothing refers to
    /// them, and most of this section have a pending reference.
    private var mustDefer: Bool { mayDefer && relations.pendingCount(round.new) * 2 > round.new.count }

    private func deferRecords(_ rows: [Int]) {
        state.advance(to: .deferring(RowSpool(state.entity, whole: true), state.phase.lateIndexing))
        // Nothing has used the objectIDs of the new rows: they will be identified again.
        if let first = round.new.first { state.ids.release(from: relations.work.objectIDs[first]) }
        round.start()
        round.add(rows, .awaitingTargets)
    }
}
