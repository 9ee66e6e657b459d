/// What of one entity waits on disk for the second pass.
struct WaitingRows {
    /// Whole records, until their targets are known.
    var records: RowSpool?
    /// Whole records that are kept aside until the identifiers are indexed.
    var aside: RowSpool?
    /// Whole records of new objects, which are written in the order of their objectIDs before.
    var scattered: ScatteredRows?
    /// Where a relationship needs its target (`missing: reject`): all records, until it is known which of them have
    /// theirs.
    var candidates: RowSpool?
    /// References, until their targets are known.
    var references: RowSpool?
    /// References whose targets have a promised objectID: to be looked at again only where a promise was not kept.
    var promised: RowSpool?
    /// References that say more of stubs than their identifiers, until all stubs are there.
    var stubValues: RowSpool?
    /// The positions of the records of objects whose references may be nullified.
    var positions: RowSpool?
    /// The positions of the records of objects that programs have changed.
    var editedPositions: RowSpool?
    /// The positions of the records that say nothing of what their objects wait for since an earlier run.
    var silentPositions: RowSpool?

    init(_ facts: EntityFacts) {
        if facts.hasCandidates { candidates = RowSpool(facts.entity, whole: true) }
        if facts.describesStubs { stubValues = RowSpool(facts.entity, whole: false) }
        if facts.mayNullifyAny { positions = RowSpool(facts.entity, cells: []) }
    }
}
