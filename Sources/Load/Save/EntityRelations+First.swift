import Records

// The relationships of objects of earlier runs, which a record of this run describes for the first time.
extension EntityRelations {
    /// Settles what is known of the relationships of objects of earlier runs, and lets the rest wait.
    func settleFirst(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        guard loader.states.waiting.allSatisfy(\.isEmpty) else {
            for row in rows { try settle(row, section, batch) }
            return
        }
        var isPending = false
        for (relationship, _) in toOne where count(rows, relationship) { isPending = true }
        for (relationship, links) in toMany {
            for row in rows {
                switch links.state(row) {
                case .pending: isPending = true
                case .keep: try keepLinks(row, relationship)
                case .settled: count(links: count(row, links), relationship)
                }
            }
        }
        if isPending { for row in pendingRows(rows) { try spool(row, section, batch, .found) } }
    }

    /// Counts the settled references of the first records of objects; true if there are others.
    private func count(_ rows: [Int], _ relationship: Int) -> Bool {
        let (references, stored, count) = (work.references, work.stored, work.relationshipCount)
        var (resolved, pending) = (0, 0)
        for row in rows {
            let reference = references[row * count + relationship]
            // A record that says nothing of the reference leaves the object what it had.
            let held = reference == Reference.keep ? stored[row * count + relationship] : reference
            if held > 0 { resolved += 1 } else if held == Reference.pending { pending += 1 }
        }
        loader.tally.recorded.relationships[relationship].resolved += resolved
        loader.tally.recorded.relationships[relationship].null += rows.count - resolved - pending
        return pending > 0
    }

    /// Settles what is known of a row's relationships, and lets the rest wait.
    private func settle(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        var isPending = false
        for (relationship, _) in toOne {
            try keepWaiting(row, relationship, section, batch)
            let reference = reference(row, relationship)
            if reference == Reference.pending {
                isPending = true
            } else {
                count(reference, relationship, row)
                try stopWaiting(row, relationship, isKept: reference == Reference.keep)
            }
        }
        for (relationship, links) in toMany {
            switch links.state(row) {
            case .pending: isPending = true
            case .keep: try keepLinks(row, relationship)
            case .settled:
                count(links: count(row, links), relationship)
                try stopWaiting(row, relationship, isKept: false)
            }
        }
        if isPending { try spool(row, section, batch, .found) }
    }

    /// Notes the references of objects of earlier runs that are known and differ from those in the store, and writes the
    /// links that do. Where targets may be deleted yet, an object that refers to nothing so far is left for the second
    /// pass: what goes by then need not be written.
    func compare(_ rows: [Int]) throws(Failure) {
        for (relationship, _) in toOne {
            let mayLose = loader.facts.mayLose[relationship]
            for row in rows {
                let reference = reference(row, relationship)
                let stored = stored(row, relationship)
                guard reference >= 0, reference != stored else { continue }
                if mayLose, reference > 0, stored <= 0 {
                    work.references[row * work.relationshipCount + relationship] = Reference.pending
                } else {
                    markDifferent(row, relationship)
                }
            }
        }
        for (relationship, links) in toMany { try compare(rows, relationship, links) }
    }

    private func compare(_ rows: [Int], _ relationship: Int, _ links: LinkSets) throws(Failure) {
        let settled = rows.filter { links.state($0) == .settled }
        guard !settled.isEmpty else { return }
        for (row, stored) in try differing(settled, relationship, links) {
            if loader.facts.mayLose[relationship] {
                links.postpone(row)
                continue
            }
            markDifferent(row, relationship)
            _ = try write(links.links(row), insteadOf: stored, row, relationship)
        }
    }

    /// The rows whose links are not those of their objects in the store, with these.
    private func differing(
        _ rows: [Int], _ relationship: Int, _ links: LinkSets
    ) throws(Failure) -> [(row: Int, stored: [Link])] {
        let objectIDs = work.objectIDs
        let sorted = rows.sorted { objectIDs[$0] < objectIDs[$1] }
        var differing: [(row: Int, stored: [Link])] = []
        // The store tells them object by object, in this order.
        var (place, stored): (Int, [Link]) = (0, [])
        func end() {
            newLinks.removeAll(keepingCapacity: true)
            links.appendLinks(sorted[place], of: 0, to: &newLinks)
            if !newLinks.areSame(as: stored) { differing.append((sorted[place], stored)) }
            stored.removeAll(keepingCapacity: true)
            place += 1
        }
        try loader.store.links(
            of: sorted.map { objectIDs[$0] }, entity: loader.index, relationship: relationship
        ) { source, link in
            while objectIDs[sorted[place]] < source { end() }
            stored.append(link)
        }
        while place < sorted.count { end() }
        return differing
    }

    /// How many links a row says that its object has.
    private func count(_ row: Int, _ links: LinkSets) -> Int {
        newLinks.removeAll(keepingCapacity: true)
        return links.appendLinks(row, of: 0, to: &newLinks)
    }

    // MARK: Records that say nothing

    /// A record that says nothing of a reference leaves an object of an earlier run waiting for what it waits for.
    private func keepWaiting(
        _ row: Int, _ relationship: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        guard reference(row, relationship) == Reference.keep,
            loader.states.waiting[relationship].contains(work.objectIDs[row]),
            try loader.store.loadWaiting(place(row, relationship), row: row, section, batch)
        else { return }
        work.references[row * work.relationshipCount + relationship] = Reference.pending
    }

    /// A record that says nothing of its links leaves them; those that wait are looked at again in the end.
    private func keepLinks(_ row: Int, _ relationship: Int) throws(Failure) {
        let objectID = work.objectIDs[row]
        let links = try storedLinks([objectID], relationship)[objectID] ?? []
        if loader.states.waiting[relationship].contains(objectID) {
            _ = kept[relationship].insert(objectID)
            loader.tally.recorded.relationships[relationship].resolved += links.count
        } else {
            count(links: links.count, relationship)
        }
    }

    /// Takes references off the waiting list that the object's record has settled.
    private func stopWaiting(_ row: Int, _ relationship: Int, isKept: Bool) throws(Failure) {
        guard !isKept, loader.states.waiting[relationship].contains(work.objectIDs[row]) else { return }
        try loader.store.stopWaiting(place(row, relationship), position: nil)
    }

    /// Counts a settled reference of the first record of an object.
    private func count(_ reference: Int64, _ relationship: Int, _ row: Int) {
        // A record that says nothing of the reference leaves the object what it had.
        let isKept = reference == Reference.keep
        count(links: (isKept ? stored(row, relationship) : reference) > 0 ? 1 : 0, relationship)
    }
}

extension [SourceLink] {
    /// Whether these are the links that an object has, both in the order of positions.
    fileprivate func areSame(as stored: [Link]) -> Bool {
        guard count == stored.count else { return false }
        for (index, link) in stored.enumerated()
        where self[index].reference != link.reference || self[index].position != link.position {
            return false
        }
        return true
    }
}
