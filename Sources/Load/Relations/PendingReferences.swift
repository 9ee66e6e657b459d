import SluiceRecords

/// The references of rows that wait on disk for the second pass.
struct PendingReferences {
    let relations: EntityRelations
    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }
    private var promises: PromisedReferences { relations.promises }

    /// Lets the pending references of a row wait for the second pass; of a duplicate, all of them.
    func append(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch, _ fate: SpooledFate
    ) throws(Failure) {
        let promised = promises.of(row)
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
    func appendPromised(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
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
