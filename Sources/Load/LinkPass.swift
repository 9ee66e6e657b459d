import Records

/// The second pass over the references of one entity that waited: all targets that will ever be there are there.
final class LinkPass {
    private let loader: EntityLoader
    private let references: [References]
    private let sink: any FindingSink
    private let countDuplicate: (_ row: Int, _ conflicting: Bool) -> Void
    private var createdRows: [Int] = []
    private var otherRows: [(row: Int, outcome: RowOutcome)] = []
    /// Objects with duplicates that still lack a target: which, only the last copy tells.
    private var lacking: [Int64: String] = [:]

    init(
        _ loader: EntityLoader, _ references: [References], _ sink: any FindingSink,
        countDuplicate: @escaping (_ row: Int, _ conflicting: Bool) -> Void
    ) {
        self.loader = loader
        self.references = references
        self.sink = sink
        self.countDuplicate = countDuplicate
    }

    /// Reads rows from the spool into the batch, and links them.
    func link(_ spool: RowSpool, _ batch: RecordBatch, limit: Int) throws(Failure) {
        let section = batch.sections[loader.index]
        createdRows.removeAll(keepingCapacity: true)
        otherRows.removeAll(keepingCapacity: true)
        while section.count < limit, batch.byteCount < Loader.batchBytes,
            let (row, outcome) = try spool.read(into: section, batch, work: loader.work)
        {
            if outcome == .created { createdRows.append(row) } else { otherRows.append((row, outcome)) }
        }
        for reference in references {
            try reference.resolve(createdRows, section, batch.arena)
            try reference.resolve(otherRows.map(\.row), section, batch.arena)
        }
        // An object is created before its duplicates are met, so these may come second; among them, order counts.
        try linkCreated(section, batch)
        for (row, outcome) in otherRows { try linkOther(row, outcome, section, batch) }
    }

    private func linkCreated(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        for row in createdRows {
            for relationship in references.indices {
                let reference = loader.reference(row, relationship)
                if reference > 0 {
                    loader.work.setDifferent(row, column: loader.work.attributeCount + relationship)
                    loader.counts.relationships[relationship].resolved += 1
                } else if reference == Reference.pending {
                    loader.counts.relationships[relationship].unresolved += 1
                    try wait(row, relationship, section, batch)
                }
            }
        }
        try loader.updateRows(createdRows, section, batch.arena)
    }

    /// A row whose object was there, or that is a later copy: compares with what the object holds by now.
    private func linkOther(
        _ row: Int, _ outcome: RowOutcome, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        let attributesDiffer = loader.work.hasDifferences(row)
        let attributeDifferences = loader.work.columnSet(row)
        loader.work.clearDifferences(row)
        try loader.store.loadReferences(of: row, section, loader.work)
        var waitsForOther: [Int] = []
        for relationship in references.indices {
            if try linkOther(row, relationship, outcome, section, batch) { waitsForOther.append(relationship) }
        }
        try loader.updateRows([row], section, batch.arena)
        let linksDiffer = loader.work.hasDifferences(row) || !waitsForOther.isEmpty
        if outcome == .unchanged, loader.work.hasDifferences(row) {
            loader.counts.unchanged -= 1
            loader.counts.updated += 1
        }
        guard outcome == .duplicate else { return }
        for column in attributeDifferences.columns { loader.work.setDifferent(row, column: column) }
        for relationship in waitsForOther {
            loader.work.setDifferent(row, column: loader.work.attributeCount + relationship)
        }
        countDuplicate(row, attributesDiffer || linksDiffer)
    }

    /// Settles one reference; true if the object waited for another value, or for none.
    private func linkOther(
        _ row: Int, _ relationship: Int, _ outcome: RowOutcome, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) -> Bool {
        let reference = loader.reference(row, relationship)
        guard reference != Reference.keep else { return false }
        let place = loader.place(row, relationship)
        let held = loader.work.stored[row * loader.work.relationshipCount + relationship]
        let waited = try loader.store.waitingValue(place)
        if max(reference, 0) != held {
            loader.work.setDifferent(row, column: loader.work.attributeCount + relationship)
        }
        if outcome == .duplicate { uncount(held, waited, relationship) }
        guard reference == Reference.pending else {
            if reference > 0 {
                loader.counts.relationships[relationship].resolved += 1
            } else {
                loader.counts.relationships[relationship].null += 1
            }
            if waited != nil { try loader.store.stopWaiting(place) }
            return waited != nil && held == Reference.none && reference == Reference.none
        }
        loader.counts.relationships[relationship].unresolved += 1
        try wait(row, relationship, section, batch)
        return waited != references[relationship].value(of: row, section, batch.arena)
    }

    /// Takes back the count of the reference that an earlier copy held.
    private func uncount(_ held: Int64, _ waited: String?, _ relationship: Int) {
        if held > 0 {
            loader.counts.relationships[relationship].resolved -= 1
        } else if waited != nil {
            loader.counts.relationships[relationship].unresolved -= 1
        } else {
            loader.counts.relationships[relationship].null -= 1
        }
    }

    private func wait(
        _ row: Int, _ relationship: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        let position = section.positions[row]
        let objectID = loader.work.objectIDs[row]
        let at = FeedLocation(position, path: position.path(in: batch.arena))
        let value = references[relationship].value(of: row, section, batch.arena)
        let isDuplicated = loader.duplicated.contains(objectID)
        try loader.store.wait(loader.place(row, relationship), value: value, at: at, moved: isDuplicated)
        let identifier = loader.identifier(of: row, section, batch.arena)
        if isDuplicated {
            lacking[objectID] = identifier
        } else {
            report(identifier, relationship, value, at)
        }
    }

    /// Reports the objects with duplicates that lack a target, as their last copies left them.
    func reportDuplicated() throws(Failure) {
        for (objectID, identifier) in lacking.sorted(by: { $0.key < $1.key }) {
            for waiting in try loader.store.waits(entity: loader.index, objectID: objectID) {
                report(identifier, waiting.relationship, waiting.value, waiting.at)
            }
        }
    }

    private func report(_ identifier: String, _ relationship: Int, _ value: String, _ at: FeedLocation) {
        let definition = loader.entity.relationships[relationship]
        sink.report(.unresolved, at: at.position) {
            Finding(
                entity: loader.entity.name, identifier: identifier,
                detail: .unresolved(
                    relationship: definition.name, targets: references[relationship].targetNames, value: value),
                at: at)
        }
    }
}
