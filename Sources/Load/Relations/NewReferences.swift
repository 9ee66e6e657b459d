import SluiceRecords

/// The references of objects that are created, in the first pass.
final class NewReferences {
    private let relations: EntityRelations
    private let pending: PendingReferences
    /// Scratch: links that are written together.
    private var newLinks: [SourceLink] = []

    init(_ relations: EntityRelations, _ pending: PendingReferences) {
        self.relations = relations
        self.pending = pending
    }

    private var state: EntityState { relations.state }
    private var work: RowWork { relations.work }
    private var promises: PromisedReferences { relations.promises }

    /// Settles what is known of the relationships of new objects, and lets the rest wait.
    func settle(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
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
        for (relationship, links) in relations.toMany { try settle(rows, relationship, links) }
        let waiting = relations.pendingRows(rows)
        for row in waiting { try pending.append(row, section, batch, promises.of(row) == 0 ? .created : .promised) }
        promises.forget(waiting)
        let byRow = promises.byRow
        if byRow.isEmpty { return }
        try pending.appendPromised(rows.filter { byRow[$0] != 0 }, section, batch)
    }

    /// Writes the links of new objects that are known, all of an object or none.
    private func settle(_ rows: [Int], _ relationship: Int, _ links: ToManyReferences) throws(Failure) {
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
        try relations.store.insert(newLinks, relationship)
    }
}
