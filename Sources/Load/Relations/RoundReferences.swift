import SluiceRecords

/// The references of the objects of a round, in the first pass: what is known of them is counted and written, the rest
/// waits for the second one.
final class RoundReferences {
    private let relations: EntityRelations
    /// Scratch: links of one row, or those that are written together.
    private var newLinks: [SourceLink] = []

    init(_ relations: EntityRelations) { self.relations = relations }

    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }
    private var promises: PromisedReferences { relations.promises }

    // MARK: Objects that are created

    /// Settles what is known of the relationships of new objects, and lets the rest wait.
    func settleNew(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if rows.isEmpty || state.entity.relationships.isEmpty { return }
        let (references, count) = (work.references, work.relationshipCount)
        for (relationship, _) in relations.toOne {
            var (resolved, null) = (0, 0)
            for row in rows {
                let reference = references[row * count + relationship]
                if reference.isKnown { resolved += 1 } else if reference != .pending { null += 1 }
            }
            // Promised references are counted when their targets come.
            if !promises.byRow.isEmpty { resolved -= rows.count { promises.isPromised($0, relationship) } }
            state.tally.count(resolved: resolved, null: null, relationship)
        }
        for (relationship, links) in relations.toMany { try settleNew(rows, relationship, links) }
        let waiting = relations.pendingRows(rows)
        for row in waiting {
            try appendPending(row, section, batch, promises.relationships(of: row) == 0 ? .created : .promised)
        }
        promises.forget(waiting)
        let byRow = promises.byRow
        if byRow.isEmpty { return }
        try appendPromised(rows.filter { byRow[$0] != 0 }, section, batch)
    }

    /// Writes the links of new objects that are known, all of an object or none.
    private func settleNew(_ rows: [Int], _ relationship: Int, _ links: ToManyReferences) throws(Failure) {
        // Here, and not in the property: access to it would be checked for each row.
        var newLinks: [SourceLink] = []
        swap(&newLinks, &self.newLinks)
        defer { swap(&newLinks, &self.newLinks) }
        newLinks.removeAll(keepingCapacity: true)
        let objectIDs = work.objectIDs
        for row in rows where links.state(row) != .pending {
            let added = links.appendLinks(row, of: objectIDs[row], to: &newLinks)
            // Promised references are counted when their targets come.
            if promises.isPromised(row, relationship) {
                state.tally.countPromised(relations.isPending(row) ? 0 : added, relationship)
            } else {
                state.tally.count(HeldReferences(links: added), relationship)
            }
        }
        if newLinks.isEmpty { return }
        try relations.references.insert(newLinks, relationship)
    }

    // MARK: Objects of earlier runs, which a record of this run describes for the first time

    /// Settles what is known of the relationships of objects of earlier runs, and lets the rest wait.
    func settleFirst(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        var isPending = false
        var kept: Set<Int> = []
        for (relationship, references) in relations.toOne {
            let counting = try settleWaiting(rows, relationship, &kept) { references.state($0) }
            if count(counting, relationship) { isPending = true }
        }
        for (relationship, links) in relations.toMany {
            let counting = try settleWaiting(rows, relationship, &kept) { links.state($0) }
            if try count(counting, relationship, links) { isPending = true }
        }
        for row in kept.sorted() { try appendPosition(row, section, batch) }
        if isPending { for row in relations.pendingRows(rows) { try appendPending(row, section, batch, .found) } }
    }

    /// Settles references of objects that wait since an earlier run. A record that does not state such a reference
    /// leaves it waiting, and its object counts when the run closes. A reference that a record settles no longer waits.
    /// Returns the rows that are left to be counted.
    private func settleWaiting(
        _ rows: [Int], _ relationship: Int, _ kept: inout Set<Int>, of stated: (Int) -> TargetState
    ) throws(Failure) -> [Int] {
        let waiting = state.objects.waiting[relationship]
        if waiting.isEmpty { return rows }
        var (counting, settled): ([Int], [SettledWaitingReference]) = ([], [])
        for row in rows {
            let objectID = work.objectIDs[row]
            if waiting.contains(objectID), stated(row) == .unstated {
                state.tally.insertOpen(objectID, relationship)
                kept.insert(row)
                continue
            }
            counting.append(row)
            if waiting.contains(objectID), stated(row) != .pending {
                settled.append(SettledWaitingReference(objectID: objectID, position: nil))
            }
        }
        try state.store.stopWaiting(settled, entity: state.index, relationship: relationship)
        return counting
    }

    /// Keeps the position of a record whose object may be reported when the run closes.
    private func appendPosition(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        try state.spools.madeSilentPositions.append(row, section, batch, fate: .found, work: work)
    }

    /// Counts the settled references of the first records of objects; true if there are others.
    private func count(_ rows: [Int], _ relationship: Int) -> Bool {
        let (references, stored, count) = (work.references, work.stored, work.relationshipCount)
        var (resolved, pending) = (0, 0)
        for row in rows {
            let reference = references[row * count + relationship]
            // A record that says nothing of the reference leaves the object what it had.
            let held = reference == .unstated ? stored[row * count + relationship] : reference
            if held.isKnown { resolved += 1 } else if held == .pending { pending += 1 }
        }
        state.tally.count(resolved: resolved, null: rows.count - resolved - pending, relationship)
        return pending > 0
    }

    /// Counts the settled links of the first records of objects; true if there are others.
    private func count(_ rows: [Int], _ relationship: Int, _ links: ToManyReferences) throws(Failure) -> Bool {
        var isPending = false
        var kept: [Int64] = []
        for row in rows {
            switch links.state(row) {
            case .pending: isPending = true
            case .unstated: kept.append(work.objectIDs[row])
            case .settled: state.tally.count(HeldReferences(links: links.linkCount(row)), relationship)
            }
        }
        if kept.isEmpty { return isPending }
        let held = try relations.references.linkCounts(kept, relationship)
        for objectID in kept { state.tally.count(HeldReferences(links: held[objectID] ?? 0), relationship) }
        return isPending
    }

    /// Sets as different the references of objects of earlier runs that are known and not those in the store, and
    /// writes the links that are. Where targets may still be deleted, an object that refers to nothing so far is left
    /// for the second pass: references to targets that are deleted by then need not be written.
    func compareFirst(_ rows: [Int]) throws(Failure) {
        for (relationship, _) in relations.toOne {
            let mayNullify = state.traits.mayNullify[relationship]
            for row in rows {
                let reference = relations.reference(row, relationship)
                let stored = relations.stored(row, relationship)
                guard reference.isDetermined, reference != stored else { continue }
                if mayNullify, reference.isKnown, !stored.isKnown {
                    work.references[row * work.relationshipCount + relationship] = .pending
                } else {
                    relations.markDifferent(row, relationship)
                }
            }
        }
        try sendLinkReads(rows)
        for (relationship, links) in relations.toMany { try compareFirst(rows, relationship, links) }
    }

    /// Where several relationships have links, one query fetches them together.
    private func sendLinkReads(_ rows: [Int]) throws(Failure) {
        if relations.toMany.count < 2 { return }
        let reads = relations.toMany.compactMap { relationship, links -> ObjectRead? in
            let settled = settled(rows, links)
            if settled.isEmpty { return nil }
            return .links(
                entity: state.index, relationship: relationship, objectIDs: settled.map { work.objectIDs[$0] })
        }
        try state.store.queryAheadStore?.send(reads)
    }

    /// The rows whose links are known, in the order of their objects.
    private func settled(_ rows: [Int], _ links: ToManyReferences) -> [Int] {
        let objectIDs = work.objectIDs
        return rows.filter { links.state($0) == .settled }.sorted { objectIDs[$0] < objectIDs[$1] }
    }

    private func compareFirst(_ rows: [Int], _ relationship: Int, _ links: ToManyReferences) throws(Failure) {
        let settled = settled(rows, links)
        guard !settled.isEmpty else { return }
        var changed: [ReferenceStore.ChangedLinks] = []
        for (row, stored) in try differing(settled, relationship, links) {
            if state.traits.mayNullify[relationship] {
                links.postpone(row)
                continue
            }
            relations.markDifferent(row, relationship)
            changed.append(.init(objectID: work.objectIDs[row], held: stored, links: links.links(row)))
        }
        try relations.references.write(changed, relationship)
    }

    /// Of rows in the order of their objects, those whose links differ from those in the store, with the stored links.
    private func differing(
        _ sorted: [Int], _ relationship: Int, _ links: ToManyReferences
    ) throws(Failure) -> [(row: Int, stored: [Link])] {
        let objectIDs = work.objectIDs
        var differing: [(row: Int, stored: [Link])] = []
        // The store hands them out object by object, in this order.
        var (place, stored): (Int, [Link]) = (0, [])
        func end() {
            newLinks.removeAll(keepingCapacity: true)
            links.appendLinks(sorted[place], of: 0, to: &newLinks)
            if !newLinks.areSame(as: stored) { differing.append((sorted[place], stored)) }
            stored.removeAll(keepingCapacity: true)
            place += 1
        }
        try state.store.links(
            of: sorted.map { objectIDs[$0] }, entity: state.index, relationship: relationship, links.values
        ) { source, link in
            while objectIDs[sorted[place]] < source { end() }
            stored.append(link)
        }
        while place < sorted.count { end() }
        return differing
    }

    // MARK: What waits on disk for the second pass

    /// Lets the pending references of a row wait for the second pass; of a duplicate, all of them.
    func appendPending(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch, _ fate: SpooledFate
    ) throws(Failure) {
        let promised = promises.relationships(of: row)
        if fate != .duplicate {
            insertPending(row)
            clearSettled(row, section, promised)
        }
        if fate == .promised { promises.setColumns(row, promised) }
        try state.spools.madeReferences.append(row, section, batch, fate: fate, work: work)
    }

    /// Inserts, where references may be nullified or objects deleted, the references that are not counted before the
    /// second pass.
    private func insertPending(_ row: Int) {
        guard state.traits.mayNullifyAny || state.traits.hasDeletions else { return }
        let objectID = work.objectIDs[row]
        for references in relations.all where references.state(row) == .pending {
            state.tally.insertPending(objectID, references.relationship)
        }
    }

    /// Marks the keys of settled references absent, so that the second pass leaves them alone.
    ///
    /// - Parameter promises: the relationships that refer to a promised target, as bits.
    private func clearSettled(_ row: Int, _ section: EntityRecords, _ promises: UInt64) {
        func isKept(_ relationship: Int) -> Bool { promises >> UInt64(relationship) & 1 == 1 }
        // By index: a copy of the elements for each row would cost more than all else here.
        for index in relations.toOne.indices {
            let relationship = relations.toOne[index].relationship
            if relations.reference(row, relationship) == .pending || isKept(relationship) { continue }
            relations.toOne[index].references.clearStated(row, section)
        }
        for index in relations.toMany.indices where relations.toMany[index].links.state(row) != .pending {
            if isKept(relations.toMany[index].relationship) { continue }
            relations.toMany[index].links.clearStated(row, section)
        }
    }

    /// Keeps the references of rows to promised targets, in case that a target does not come.
    private func appendPromised(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if rows.isEmpty { return }
        for (relationship, _) in relations.toOne {
            state.tally.countPromised(rows.count { promises.isPromised($0, relationship) }, relationship)
        }
        let spool = state.spools.madePromised
        // A local copy, so that the property is not accessed for each row.
        let byRow = promises.byRow
        for row in rows {
            clearSettled(row, section, byRow[row])
            promises.setColumns(row, byRow[row])
            try spool.append(row, section, batch, fate: .promised, work: work)
        }
    }
}

extension [SourceLink] {
    /// Whether these are the links that an object has, both in the order of positions.
    fileprivate func areSame(as stored: [Link]) -> Bool {
        guard count == stored.count else { return false }
        for (index, link) in stored.enumerated() where self[index].link != link { return false }
        return true
    }
}
