import SluiceRecords

/// What the objects of one entity are to a run: named sets of their objectIDs. An objectID above the highest of earlier
/// runs is of this one.
final class ObjectStates {
    private let highestAtStart: Int64
    private let hasDeletions: Bool

    /// Objects of earlier runs that had a record in this one.
    let seen = ObjectIDSet()
    /// The records that are known without being read, and their contradictions with those that are read.
    let known: KnownRecords
    var absence: Absence
    /// Objects of which only the identifier is known.
    let stubs: Stubs
    /// Objects with later copies whose references wait for the second pass.
    let duplicated = ObjectIDSet()
    let deletions = Deletions()
    let edits: EditedObjects
    /// By relationship: the objects of earlier runs whose reference waits.
    let waiting: [ObjectIDSet]
    /// The relationships of which a deletion of this run has nullified references.
    var nullified: Set<Int> = []

    /// What hides that objects of earlier runs are absent, see `Presence`.
    struct Absence {
        /// Why it is unknown which objects are absent; empty: it is known.
        var unknown: Set<UnknownAbsence>
        /// Those that the feed holds in records that were not loaded.
        let alsoPresent = ObjectIDSet()
        /// The owners, which are objects of another entity, of which no service was queried for what belongs to them.
        let unaskedOwners = ObjectIDSet()
    }

    /// Objects of which references name the identifier, and no record says more.
    struct Stubs {
        /// Those of earlier runs: a record completes them in every mode.
        let earlier: ObjectIDSet
        /// Those that this run has made.
        let made = ObjectIDSet()
    }

    /// Objects that are gone, by their records or because this run deletes them.
    struct Deletions {
        /// Objects whose record, the last one that counts, says that they are gone.
        let gone = ObjectIDSet()
        /// Of these, those that were never there, with objectIDs that no object has.
        let neverCreated = ObjectIDSet()
        /// Where records may say that objects are gone: the objects that a record describes.
        let described = ObjectIDSet()
        /// Where records may say that objects are gone, and these are marked: those with a record in this run that were
        /// marked before it. They stay so until all records are read.
        let markedBefore = ObjectIDSet()
        /// Objects that this run deleted.
        let deleted = ObjectIDSet()
    }

    init(_ traits: EntityTraits, _ store: any ObjectStore) throws(Failure) {
        highestAtStart = traits.highestAtStart
        hasDeletions = traits.hasDeletions
        known = KnownRecords(traits, seen)
        absence = Absence(unknown: traits.entity.absence.unknown)
        stubs = Stubs(earlier: try store.stubs(entity: traits.index))
        edits = try store.editStore?.edited(entity: traits.index) ?? EditedObjects()
        var waiting: [ObjectIDSet] = []
        for relationship in traits.entity.relationships.indices {
            waiting.append(try store.waitingObjects(entity: traits.index, relationship: relationship))
        }
        self.waiting = waiting
    }

    /// Whether an object had a record in this run.
    func isOfThisRun(_ objectID: Int64) -> Bool { objectID > highestAtStart || seen.contains(objectID) }

    /// Whether the feed holds an object, be it in a rejected record.
    func isPresent(_ objectID: Int64) -> Bool { isOfThisRun(objectID) || absence.alsoPresent.contains(objectID) }

    /// Whether a record of this run says what an object is like.
    func isDescribed(_ objectID: Int64) -> Bool {
        isOfThisRun(objectID) && (!hasDeletions || deletions.described.contains(objectID))
    }

    /// Whether an object is not there, or no longer, although a record names it.
    func isNotThere(_ objectID: Int64) -> Bool {
        deletions.deleted.contains(objectID) || deletions.neverCreated.contains(objectID)
    }

    /// Inserts an object of an earlier run among those with a record in this one; false if it had one before.
    func insertSeen(_ objectID: Int64) -> Bool {
        guard objectID <= highestAtStart else { return false }
        let isFirst = seen.insert(objectID)
        known.insertRead(objectID, isFirst: isFirst)
        return isFirst
    }

    // MARK: Absent objects

    /// How many objectIDs of earlier runs have no record in this one, be there an object or not.
    var absentCount: Int64 { highestAtStart - Int64(seen.count) }

    /// Hands these out.
    func absentInChunks(of size: Int, _ body: ([Int64]) throws(Failure) -> Void) throws(Failure) {
        try seen.inverseInChunks(of: size, upTo: highestAtStart, body)
    }
}
