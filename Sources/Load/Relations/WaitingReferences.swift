import SluiceRecords

/// The references of one entity on the waiting list: objects wait for their targets since an earlier run, or since a
/// deletion of this one.
struct WaitingReferences {
    let relations: EntityRelations
    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }

    /// Reads what objects wait for by a relationship, a batch at a time: the batch is reset for each, and `body` gets
    /// its section, with a row for each reference, and the positions of these.
    ///
    /// - Parameters:
    ///   - ofThisRun: whether only what waits since this run is read.
    ///   - first: the first objectID that is read.
    ///   - end: the last one; there may be some behind it.
    func forEachBatch(
        _ relationship: Int, ofThisRun: Bool, from first: Int64 = 1, upTo end: Int64 = .max, _ batch: RecordBatch,
        limit: Int,
        _ body: (_ section: EntityRecords, _ positions: [Int64]) throws(Failure) -> Void
    ) throws(Failure) {
        let section = batch.sections[state.index]
        var range = WaitingRange(
            entity: state.index, relationship: relationship, ofThisRun: ofThisRun, limit: limit,
            last: (first - 1, .max))
        while true {
            batch.reset()
            relations.forgetLookUps()
            relations.references.values(relationship)?.reset()
            let positions = try state.store.appendWaiting(range, section, batch, work)
            guard let position = positions.last else { return }
            range.last = (work.objectIDs[section.count - 1], position)
            try body(section, positions)
            // `body` must add no entries behind these.
            if positions.count < limit || range.last.objectID > end { return }
        }
    }

    /// What rows of the waiting list refer to.
    func resolve(
        _ rows: [Int], _ relationship: Int, _ finder: TargetFinder, _ section: EntityRecords, _ arena: Arena,
        among scope: TargetScope
    ) throws(Failure) -> [Reference] {
        let cells = unsafe UnsafePointer(section.typed.base) + state.traits.layout.relationshipStart[relationship]
        var references = Array(repeating: Reference.pending, count: rows.count)
        try unsafe finder.resolve(
            rows.count, arena, among: scope, block: { unsafe cells + rows[$0] * section.width },
            set: { references[$0] = $1 })
        return references
    }
}
