import Records

/// The only owner of what a run counts of one entity.
final class Tally {
    private let states: ObjectStates
    private let highestAtStart: Int64
    /// What is counted record by record; see `counts`.
    var recorded: EntityCounts
    /// Which objects of earlier runs differ from what they were.
    let changes = ObjectChanges()
    /// Objects before this run, of which those that are absent are a share; counted when the first one is deleted.
    var countBefore: Int?
    /// By relationship, where objects may lose references or go: those whose first record waits for the second pass.
    let pending: [SeenObjects]
    /// By relationship: how many references to promised targets wait to be counted.
    var promised: [Int]

    init(_ facts: EntityFacts, _ states: ObjectStates) {
        self.states = states
        highestAtStart = facts.highestAtStart
        recorded = EntityCounts(relationships: facts.entity.relationships.count)
        pending = facts.entity.relationships.map { _ in SeenObjects() }
        promised = facts.entity.relationships.map { _ in 0 }
    }

    /// Whether the run has created objects.
    var hasMade: Bool { recorded.created > 0 || recorded.stubs > 0 }

    /// What the run has done so far, and in the end: of the objects with an accepted record, those that are new, those
    /// that differ from what they were before the run, and the others.
    var counts: EntityCounts {
        var counts = recorded
        let updated = changes.count(among: states.seen)
        // What this run has made and deleted was never there.
        let unmade = states.deleted.count(above: highestAtStart)
        counts.created -= unmade
        counts.updated = updated
        counts.unchanged += unmade + states.unborn.count + states.seen.count - updated
        return counts
    }
}
