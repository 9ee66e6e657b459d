import SluiceRecords

/// What of the rows of one entity is kept on disk for the second pass, whatever the phase of the entity: whole records
/// that wait are the phase's own.
final class EntitySpools {
    private let entity: Entity
    /// References, until their targets are known.
    private(set) var references: RowSpool?
    /// References whose targets have a promised objectID: to be looked at again only where a target has not come.
    private(set) var promised: RowSpool?
    /// References that say more of stubs than their identifiers, until all stubs are there.
    let stubValues: RowSpool?
    /// The positions of the records of objects whose references may be nullified.
    let positions: RowSpool?
    /// The positions of the records of objects that programs have changed.
    private(set) var editedPositions: RowSpool?
    /// The positions of the records that say nothing of what their objects wait for since an earlier run.
    private(set) var silentPositions: RowSpool?

    init(_ facts: EntityFacts) {
        entity = facts.entity
        stubValues = facts.describesStubs ? RowSpool(facts.entity, whole: false) : nil
        positions = facts.mayNullifyAny ? RowSpool(facts.entity, cells: []) : nil
    }

    // What follows is made when it is first needed: most runs need none of it.

    var madeReferences: RowSpool { made(&references) { RowSpool(entity, whole: false) } }
    var madePromised: RowSpool { made(&promised) { RowSpool(entity, whole: false) } }
    var madeEditedPositions: RowSpool { made(&editedPositions) { RowSpool(entity, cells: []) } }
    var madeSilentPositions: RowSpool { made(&silentPositions) { RowSpool(entity, cells: []) } }

    private func made(_ spool: inout RowSpool?, _ make: () -> RowSpool) -> RowSpool {
        if let spool { return spool }
        let new = make()
        spool = new
        return new
    }

    /// Forgets the references whose promised targets have come, all of them.
    func forgetPromised() { promised = nil }

    /// Forgets the references that are settled.
    func forgetReferences() { (promised, references) = (nil, nil) }
}
