import Records

/// The references of single rows.
extension EntityLoader {
    @inline(__always)
    func reference(_ row: Int, _ relationship: Int) -> Int64 {
        work.references[row * work.relationshipCount + relationship]
    }

    func hasPending(_ row: Int) -> Bool {
        for relationship in 0..<work.relationshipCount where reference(row, relationship) == Reference.pending {
            return true
        }
        return false
    }

    /// Notes the references that are known and differ from the stored ones.
    func compareReferences(_ row: Int) {
        for relationship in 0..<work.relationshipCount {
            let reference = reference(row, relationship)
            if reference >= 0, reference != work.stored[row * work.relationshipCount + relationship] {
                work.setDifferent(row, column: work.attributeCount + relationship)
            }
        }
    }

    /// Counts a settled reference of the first record of an object.
    func count(_ reference: Int64, _ relationship: Int, _ outcome: RowOutcome, _ row: Int) {
        // A record that says nothing of the reference leaves the object what it had.
        let held =
            reference == Reference.keep && outcome != .created
            ? work.stored[row * work.relationshipCount + relationship] : reference
        if held > 0 {
            counts.relationships[relationship].resolved += 1
        } else {
            counts.relationships[relationship].null += 1
        }
    }

    /// Takes a reference off the waiting list that the object's record has settled.
    func stopWaiting(_ row: Int, _ relationship: Int, _ reference: Int64) throws(Failure) {
        guard reference != Reference.keep, waiting[relationship].contains(work.objectIDs[row]) else { return }
        try store.stopWaiting(place(row, relationship))
    }

    /// A record that says nothing of a reference leaves an object of an earlier run waiting for what it waits for.
    func keepWaiting(
        _ row: Int, _ relationship: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        guard reference(row, relationship) == Reference.keep,
            waiting[relationship].contains(work.objectIDs[row]),
            try store.loadWaiting(place(row, relationship), row: row, section, batch)
        else { return }
        work.references[row * work.relationshipCount + relationship] = Reference.pending
    }

    func place(_ row: Int, _ relationship: Int) -> WaitingPlace {
        WaitingPlace(entity: index, relationship: relationship, objectID: work.objectIDs[row])
    }

    /// Lets the pending references of a row wait for the second pass; of a duplicate, all of them.
    func spoolLinks(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch, _ outcome: RowOutcome
    ) throws(Failure) {
        if outcome != .duplicate { hideSettled(row, section) }
        if linkSpool == nil { linkSpool = try RowSpool(entity, whole: false) }
        try linkSpool?.append(row, section, batch, outcome: outcome, work: work)
    }

    /// Marks the keys of settled references absent, so that the second pass leaves them alone.
    private func hideSettled(_ row: Int, _ section: EntityRecords) {
        for (relationship, definition) in entity.relationships.enumerated()
        where reference(row, relationship) != Reference.pending {
            let start = layout.relationshipStart[relationship]
            let cells = (definition.selector == nil ? 0 : 1) + definition.targets.count * definition.key.count
            for cell in start..<start + cells { section.typed[row * layout.width + cell] = .absent }
        }
    }

    /// The names of the columns in which a row differs.
    func differingNames(_ row: Int) -> [String] {
        work.columnSet(row).columns.map { column in
            column < entity.attributes.count
                ? entity.attributes[column].name : entity.relationships[column - entity.attributes.count].name
        }
    }
}
