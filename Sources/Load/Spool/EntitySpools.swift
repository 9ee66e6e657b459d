import SluiceRecords

/// The parts of one entity's rows that are kept on disk for the second pass, in whatever phase the entity is. The phase
/// owns whole records that wait.
final class EntitySpools {
    private let entity: Entity
    /// References, until their targets are known.
    private(set) var references: RowSpool?
    /// References whose targets have a promised objectID: they are read again only where a target has not come.
    private(set) var promised: RowSpool?
    /// References that say more of stubs than their identifiers, until all stubs are there.
    let stubValues: RowSpool?
    /// The positions of the records of objects whose references may be nullified, until nothing nullifies any more.
    private(set) var positions: RowSpool?
    /// The positions of the records of objects that programs have changed.
    private(set) var editedPositions: RowSpool?
    /// The positions of the records that do not state references for which their objects wait since an earlier run.
    private(set) var silentPositions: RowSpool?

    init(_ traits: EntityTraits) {
        entity = traits.entity
        stubValues = traits.describesStubs ? RowSpool(traits.entity, whole: false) : nil
        positions = traits.mayNullifyAny ? RowSpool(traits.entity, cells: []) : nil
    }

    // The following spools are made when they are first needed: most runs need none of them.

    var madeReferences: RowSpool { ensure(&references) { RowSpool(entity, whole: false) } }
    var madePromised: RowSpool { ensure(&promised) { RowSpool(entity, whole: false) } }
    var madeEditedPositions: RowSpool { ensure(&editedPositions) { RowSpool(entity, cells: []) } }
    var madeSilentPositions: RowSpool { ensure(&silentPositions) { RowSpool(entity, cells: []) } }

    private func ensure(_ spool: inout RowSpool?, _ make: () -> RowSpool) -> RowSpool {
        if let spool { return spool }
        let new = make()
        spool = new
        return new
    }

    /// Forgets the positions of records, and keeps no further ones.
    func forgetPositions() { positions = nil }

    /// Forgets the references whose promised targets have come, all of them.
    func forgetPromised() { promised = nil }

    /// Forgets the references that are settled.
    func forgetReferences() { (promised, references) = (nil, nil) }
}
