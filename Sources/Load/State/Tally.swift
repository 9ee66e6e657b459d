import SluiceRecords

/// What an object holds by one relationship.
struct HeldReferences {
    /// References with their target.
    var links: Int
    /// Those without.
    var unresolved = 0
}

/// When the references that an object holds by one relationship count.
enum CountState {
    /// They have been counted: the object must be reopened before they change.
    case counted
    /// They are counted when they are linked, in the second pass.
    case pending
    /// They are counted when the run closes, from what the store holds then.
    case open
}

/// The only owner of what a run counts of one entity.
///
/// The references of an object count once: when they are settled and nothing can change them any more in this run, else
/// when the run closes, from what the store holds then. Such objects are *open*.
final class Tally {
    private let objects: ObjectStates
    private let highestAtStart: Int64
    /// What is counted record by record; see `counts`.
    private var recorded: EntityCounts
    /// Which objects of earlier runs differ from what they were.
    let changes = ObjectChanges()
    /// Stubs of earlier runs of which references state something else, or that were marked, and something refers to
    /// them again.
    private let restated = ObjectIDSet()
    /// Objects before this run, of which those that are absent are a share; counted when the first one is deleted.
    var countBefore: Int?
    /// The identifiers, as JSON, of the first objects that are counted as deleted: whoever is told that a run deletes
    /// too much wants to look some of them up.
    private(set) var firstDeleted: [String] = []

    private static let namedDeletions = 20

    /// By relationship: the objects that count when the run closes.
    let open: [ObjectIDSet]
    /// By relationship, where references may be nullified or objects go: those that are not counted before they are
    /// linked.
    private let pending: [ObjectIDSet]
    /// By relationship: references to promised targets, which count when these have come.
    private var promised: [Int]

    init(_ traits: EntityTraits, _ objects: ObjectStates) {
        self.objects = objects
        highestAtStart = traits.highestAtStart
        recorded = EntityCounts(relationships: traits.entity.relationships.count)
        open = traits.entity.relationships.map { _ in ObjectIDSet() }
        pending = traits.entity.relationships.map { _ in ObjectIDSet() }
        promised = traits.entity.relationships.map { _ in 0 }
    }

    // MARK: Objects

    /// Counts records, or objects, of one kind.
    func add(_ count: Int = 1, to kind: WritableKeyPath<EntityCounts, Int>) { recorded[keyPath: kind] += count }

    /// How many deleted objects may still be named.
    var unnamedDeletions: Int { Tally.namedDeletions - firstDeleted.count }

    func nameDeleted(_ identifiers: [String]) { firstDeleted += identifiers.prefix(unnamedDeletions) }

    /// Counts a stub of an earlier run of which references state something else, or whose mark they take away, unless
    /// the run deletes it.
    func insertRestated(_ objectID: Int64) {
        changes.insertCertain(objectID)
        restated.insert(objectID)
    }

    /// Whether an object is such a stub.
    func isRestated(_ objectID: Int64) -> Bool { restated.contains(objectID) }

    /// Whether the run has created objects.
    var hasMade: Bool { recorded.created > 0 || recorded.stubs > 0 }

    /// What the run has done so far, and in the end: of the objects with an accepted record, those that are new, those
    /// that differ from what they were before the run, and the others.
    var counts: EntityCounts {
        var counts = recorded
        let updated = changes.count(among: objects.seen)
        // Objects that this run has created and deleted count as neither.
        let unmade = objects.deletions.deleted.count(above: highestAtStart)
        counts.created -= unmade
        counts.updated = updated
        restated.inChunks(of: LoadContext.chunk) { chunk in
            counts.changedStubs += chunk.count { !objects.deletions.deleted.contains($0) }
        }
        counts.unchanged += unmade + objects.deletions.neverCreated.count + objects.seen.count - updated
        return counts
    }

    // MARK: References

    /// Counts what objects hold: references with a target, and objects without any.
    func count(resolved: Int, null: Int, _ relationship: Int) {
        recorded.relationships[relationship].resolved += resolved
        recorded.relationships[relationship].null += null
    }

    /// Counts what an object holds.
    func count(_ held: HeldReferences, _ relationship: Int) { add(held, relationship, sign: 1) }

    /// Counts a reference of an object without a record in this run, which was linked.
    func countLate(_ relationship: Int) { recorded.relationships[relationship].late += 1 }

    /// Lets an object count when the run closes, which has not been counted.
    func insertOpen(_ objectID: Int64, _ relationship: Int) { open[relationship].insert(objectID) }

    /// Inserts an object among those that are not counted before they are linked.
    func insertPending(_ objectID: Int64, _ relationship: Int) { pending[relationship].insert(objectID) }

    /// When the references of an object count.
    func state(of objectID: Int64, _ relationship: Int) -> CountState {
        if open[relationship].contains(objectID) { return .open }
        return pending[relationship].contains(objectID) ? .pending : .counted
    }

    func isOpen(_ objectID: Int64, _ relationship: Int) -> Bool { state(of: objectID, relationship) == .open }

    /// Lets an object whose references change once more count when the run closes: takes back the counts of what it
    /// held. Nothing else takes back counts.
    func reopen(_ objectID: Int64, _ relationship: Int, _ held: HeldReferences) {
        guard state(of: objectID, relationship) == .counted else { return }
        add(held, relationship, sign: -1)
        insertOpen(objectID, relationship)
    }

    private func add(_ held: HeldReferences, _ relationship: Int, sign: Int) {
        recorded.relationships[relationship].resolved += sign * held.links
        recorded.relationships[relationship].unresolved += sign * held.unresolved
        if held.links == 0, held.unresolved == 0 { recorded.relationships[relationship].null += sign }
    }

    // MARK: Promises

    /// Counts references whose targets were promised.
    func countPromised(_ count: Int, _ relationship: Int) { promised[relationship] += count }

    /// Counts the references whose promised targets have come, all of them.
    func countFulfilledPromises() {
        for relationship in promised.indices { count(resolved: promised[relationship], null: 0, relationship) }
    }
}
