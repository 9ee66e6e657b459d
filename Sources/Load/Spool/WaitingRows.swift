/// What of one entity waits on disk for the second pass.
struct WaitingRows {
    /// Whole records, until their targets are known.
    var records: RowSpool?
    /// Where a relationship needs its target (`missing: reject`): all records, until it is known which of them have
    /// theirs.
    var candidates: RowSpool?
    /// References, until their targets are known.
    var references: RowSpool?
    /// References whose targets have a promised objectID: to be looked at again only where a promise was not kept.
    var promised: RowSpool?
    /// Where the records stood, of objects that may lose references.
    var positions: RowSpool?
    /// Where the records stood of objects that wait since an earlier run, and of whose references they say nothing.
    var places: RowSpool?

    init(_ facts: EntityFacts) {
        if facts.hasCandidates { candidates = RowSpool(facts.entity, whole: true) }
        if facts.mayLoseTargets { positions = RowSpool(facts.entity, cells: []) }
    }
}
