import Records

/// The second pass over the references of one entity that waited: all targets that will ever be there are there.
final class LinkPass {
    private let relations: EntityRelations
    private let loader: EntityLoader
    private let sink: any FindingSink
    private let duplicates: Duplicates
    private var createdRows: [Int] = []
    private var otherRows: [(row: Int, outcome: RowOutcome)] = []
    /// By relationship: objects with duplicates that still lack a target; which, only the last copy tells.
    private let lacking: [SeenObjects]

    init(
        _ relations: EntityRelations, _ sink: any FindingSink, _ duplicates: Duplicates
    ) {
        self.relations = relations
        loader = relations.loader
        self.sink = sink
        self.duplicates = duplicates
        lacking = relations.loader.entity.relationships.map { _ in SeenObjects() }
    }

    private var work: RowWork { loader.work }

    /// Reads rows from the spool into the batch, and links them.
    func link(_ spool: RowSpool, _ batch: RecordBatch, limit: Int) throws(Failure) {
        let section = batch.sections[loader.index]
        createdRows.removeAll(keepingCapacity: true)
        otherRows.removeAll(keepingCapacity: true)
        while section.count < limit, batch.byteCount < Loader.batchBytes,
            let (row, outcome) = try spool.read(into: section, batch, work: work)
        {
            if loader.states.deleted.contains(work.objectIDs[row]) || loader.states.unborn.contains(work.objectIDs[row])
            {
                if outcome == .duplicate { try addDuplicate(row, section, batch) }
            } else if outcome == .created || outcome == .promised {
                createdRows.append(row)
            } else {
                otherRows.append((row, outcome))
            }
        }
        relations.startRound(section)
        try relations.resolve(createdRows, section, batch, among: .all)
        try relations.resolve(otherRows.map(\.row), section, batch, among: .all)
        // An object is created before its duplicates are met, so these may come second; among them, order counts.
        try linkCreated(section, batch)
        for (row, outcome) in otherRows { try linkOther(row, outcome, section, batch) }
    }

    // MARK: Objects that were created from the row

    private func linkCreated(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        for row in createdRows {
            let promises = relations.takePromises(row)
            for (relationship, references) in relations.toOne {
                let reference = relations.reference(row, relationship)
                let isWritten = promises >> UInt64(relationship) & 1 == 1
                if reference > 0 {
                    if !isWritten { relations.markDifferent(row, relationship) }
                    relations.count(links: 1, relationship)
                } else if reference == Reference.pending {
                    // The target that was promised has not come.
                    if isWritten { relations.markDifferent(row, relationship) }
                    relations.count(links: 0, lacking: 1, relationship)
                    let value = references.value(of: row, section, batch.arena)
                    try wait([.init(value: value, position: 0)], row, relationship, section, batch)
                }
            }
            for (relationship, links) in relations.toMany where links.state(row) != .keep {
                let isWritten = promises >> UInt64(relationship) & 1 == 1
                try linkCreated(row, relationship, links, isWritten: isWritten, section, batch)
            }
        }
        try loader.updateRows(createdRows, section, batch.arena)
    }

    private func linkCreated(
        _ row: Int, _ relationship: Int, _ sets: LinkSets, isWritten: Bool, _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) {
        let links = sets.links(row)
        let lacking = sets.lacking(row, batch.arena)
        relations.count(links: links.count, lacking: lacking.count, relationship)
        let change =
            isWritten
            ? LinkChange(removed: sets.brokenPromises(row, batch.arena)) : LinkChange(added: links)
        if !change.isEmpty { try relations.write(change, row, relationship) }
        try wait(lacking, row, relationship, section, batch)
    }

    // MARK: Others: their object was there, or they are later copies

    /// Compares with what the object holds by now.
    private func linkOther(
        _ row: Int, _ outcome: RowOutcome, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        let attributeDifferences = work.columnSet(row)
        work.clearDifferences(row)
        try loader.store.loadReferences(of: row, section, work)
        var differing: [Int] = []
        for (relationship, references) in relations.toOne {
            if try linkOther(row, relationship, references, outcome, section, batch) { differing.append(relationship) }
        }
        for (relationship, links) in relations.toMany where links.state(row) != .keep {
            if try linkOther(row, relationship, links, outcome, section, batch) { differing.append(relationship) }
        }
        if isApplied(outcome) { try loader.updateRows([row], section, batch.arena) }
        guard outcome == .duplicate else { return }
        work.clearDifferences(row)
        for column in attributeDifferences.columns { work.setDifferent(row, column: column) }
        for relationship in differing { relations.markDifferent(row, relationship) }
        try addDuplicate(row, section, batch)
    }

    private func addDuplicate(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        try duplicates.add(row, section, batch)
    }

    /// Whether a row counts: of duplicates, only where the last one does.
    private func isApplied(_ outcome: RowOutcome) -> Bool {
        outcome != .duplicate || loader.entity.duplicates == .last
    }

    /// Settles one reference; true if the object held another one, or waited for another value. It may wait for what is
    /// there by now: a target that this run has deleted and created again.
    private func linkOther(
        _ row: Int, _ relationship: Int, _ references: References, _ outcome: RowOutcome, _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) -> Bool {
        let reference = relations.reference(row, relationship)
        guard reference != Reference.keep else { return false }
        let held = relations.stored(row, relationship)
        let waited = try waits(row, relationship, outcome)
        if max(reference, 0) != held { relations.markDifferent(row, relationship) }
        let stated = reference == Reference.none ? [] : [references.value(of: row, section, batch.arena)]
        let lacking = reference == Reference.pending ? stated.map { LinkSets.Lacking(value: $0, position: 0) } : []
        if isApplied(outcome) {
            recount(
                row, relationship, outcome, held: (held > 0 ? 1 : 0, waited.count),
                now: (reference > 0 ? 1 : 0, lacking.count))
            try renew(waited, lacking, row, relationship, section, batch)
        }
        if held == 0, !waited.isEmpty { return !waited.map(\.value).areSame(as: stated) }
        return max(reference, 0) != held || !waited.isEmpty || !lacking.isEmpty
    }

    /// Settles one set of links; true if the object held other ones, or waited for other values.
    private func linkOther(
        _ row: Int, _ relationship: Int, _ sets: LinkSets, _ outcome: RowOutcome, _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) -> Bool {
        let objectID = work.objectIDs[row]
        let held = try relations.storedLinks([objectID], relationship)[objectID] ?? []
        let waited = try waits(row, relationship, outcome)
        let links = sets.links(row)
        let lacking = sets.lacking(row, batch.arena)
        let change = LinkSets.change(from: held, to: links)
        if !change.isEmpty { relations.markDifferent(row, relationship) }
        if isApplied(outcome) {
            _ = try relations.write(links, insteadOf: held, row, relationship)
            recount(
                row, relationship, outcome, held: (held.count, waited.count), now: (links.count, lacking.count))
            try renew(waited, lacking, row, relationship, section, batch)
        }
        let come = sets.come(waited, row, batch.arena)
        let known = LinkSets.change(from: held + come.map(\.link), to: links)
        let open = waited.filter { waiting in !come.contains { $0.position == waiting.position } }
        return !known.isEmpty || !open.map(\.value).areSame(as: lacking.map(\.value))
    }

    /// What an object waits for. Before its first record is linked, it is known whether it waits at all.
    private func waits(_ row: Int, _ relationship: Int, _ outcome: RowOutcome) throws(Failure) -> [Waiting] {
        let mayWait = outcome == .duplicate || loader.states.waiting[relationship].contains(work.objectIDs[row])
        return mayWait ? try loader.store.waits(relations.place(row, relationship)) : []
    }

    /// Counts what the object holds now, in place of what an earlier copy made it hold.
    private func recount(
        _ row: Int, _ relationship: Int, _ outcome: RowOutcome, held: (links: Int, lacking: Int),
        now: (links: Int, lacking: Int)
    ) {
        if outcome == .duplicate, relations.kept[relationship].remove(work.objectIDs[row]) {
            // An earlier copy said nothing, and what waited was not counted yet.
            loader.tally.recorded.relationships[relationship].resolved -= held.links
        } else if outcome == .duplicate {
            relations.count(links: held.links, lacking: held.lacking, relationship, sign: -1)
        }
        relations.count(links: now.links, lacking: now.lacking, relationship)
    }

    // MARK: Waiting

    /// Makes the waiting list say what the object lacks now.
    private func renew(
        _ waited: [Waiting], _ lacking: [LinkSets.Lacking], _ row: Int, _ relationship: Int, _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) {
        let positions = Set(lacking.map(\.position))
        for entry in waited where !positions.contains(entry.position) {
            try loader.store.stopWaiting(relations.place(row, relationship), position: entry.position)
        }
        try wait(lacking, row, relationship, section, batch)
    }

    private func wait(
        _ lacking: [LinkSets.Lacking], _ row: Int, _ relationship: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        guard !lacking.isEmpty else { return }
        let position = section.positions[row]
        let objectID = work.objectIDs[row]
        let at = FeedLocation(position, path: position.path(in: batch.arena))
        let isDuplicated = loader.states.duplicated.contains(objectID)
        let identifier = loader.facts.identifier(of: row, section, batch.arena)
        if isDuplicated { _ = self.lacking[relationship].insert(objectID) }
        for entry in lacking {
            try loader.store.wait(
                relations.place(row, relationship), position: entry.position, value: entry.value, at: at,
                moved: isDuplicated)
            if !isDuplicated { report(identifier, relationship, entry.value, at) }
        }
    }

    /// Reports the objects with duplicates that lack a target, as their last copies left them.
    func reportDuplicated() throws(Failure) {
        for relationship in lacking.indices {
            try lacking[relationship].inChunks(of: 1000) { objectIDs throws(Failure) in
                for objectID in objectIDs { try reportDuplicated(objectID, relationship) }
            }
        }
    }

    private func reportDuplicated(_ objectID: Int64, _ relationship: Int) throws(Failure) {
        let waits = try loader.store.waits(
            WaitingPlace(entity: loader.index, relationship: relationship, objectID: objectID))
        if waits.isEmpty { return }
        let identifier = try loader.store.identifier(of: objectID, entity: loader.index)
        for waiting in waits { report(identifier, relationship, waiting.value, waiting.at) }
    }

    private func report(_ identifier: String, _ relationship: Int, _ value: WaitingValue, _ at: FeedLocation) {
        sink.report(.unresolved, at: at.position) {
            .unresolved(relations, identifier, relationship, value, at)
        }
    }
}

extension Finding {
    /// A reference that lacks its target.
    static func unresolved(
        _ relations: EntityRelations, _ identifier: String, _ relationship: Int, _ value: WaitingValue,
        _ at: FeedLocation
    ) -> Finding {
        let finder = relations.finders.first { $0.relationship == relationship }?.finder
        return Finding(
            entity: relations.loader.entity.name, identifier: identifier,
            detail: .unresolved(
                relationship: relations.loader.entity.relationships[relationship].name,
                targets: value.target.map { [$0] } ?? finder?.targetNames ?? [], value: value.json),
            at: at)
    }
}
