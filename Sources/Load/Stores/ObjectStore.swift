import SluiceRecords

/// Where objects go: what Load needs of a store. Nothing above this protocol knows SQL, and all of it is a batch at a
/// time: with a server, each call is a round trip.
package protocol ObjectStore: AnyObject {
    /// Whether the store may have got objects, since this pipeline's relationships last looked for their targets, by
    /// runs that do not know these relationships: those of other pipelines, or of this one while it lacked them.
    var hasObjectsOfOthers: Bool { get }

    /// The highest objectID of an entity; 0 where it has no objects.
    func highestObjectID(of entity: Int) throws(Failure) -> Int64

    /// Finds the objects of sorted identifiers, whose numbers are rows of the section, by as few queries as possible,
    /// in any order. For each row it sets `work.objectIDs` (0: there is none), and for those it found the columns that
    /// differ from the row (`work.differences`, attributes only) and the references that are stored (`work.stored`).
    func find(_ keys: SortedKeys, _ section: EntityRecords, _ arena: Arena, _ work: RowScratch) throws(Failure)

    /// As `find`, for rows in the order of the feed, whose objects may follow one another in the order of their
    /// objectIDs, behind `first` and up to `last`: `found` gets a row whose object was met there, in ascending order of
    /// both; `missed` gets one of which nothing is known yet.
    func findInSequence(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch, behind first: Int64,
        upTo last: Int64, found: (Int) -> Void, missed: (Int) -> Void
    ) throws(Failure)

    /// Finds the objectIDs of objects of an entity by sorted keys, the values of some attributes: the identifier, or
    /// others. Calls back with the place of each that it found, in any order; other values than identifiers may be
    /// those of several objects.
    func lookUp(
        _ keys: SortedKeys, entity: Int, by attributes: [Int], _ arena: Arena,
        found: (_ place: Int, _ objectID: Int64) -> Void
    ) throws(Failure)

    /// Creates objects from rows, with `work.objectIDs` and `work.references`. A row whose identifier is taken is not
    /// created; the closure gets it.
    func insert(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch, conflict: (Int) -> Void
    ) throws(Failure)

    /// Writes those columns of the rows' objects that `work.differences` names.
    func update(_ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch) throws(Failure)

    /// Sets `work.stored` of rows from their objects (`work.objectIDs`).
    func loadReferences(of rows: [Int], _ section: EntityRecords, _ work: RowScratch) throws(Failure)

    /// The objects of which only the identifier is known.
    func stubs(entity: Int) throws(Failure) -> ObjectIDSet

    /// Writes that only the identifiers of objects are known, or that this is no longer so.
    func markStubs(_ objectIDs: [Int64], entity: Int, _ areStubs: Bool) throws(Failure)

    /// The links that objects have by a to-many relationship, object by object, each in the order of positions. What
    /// they have of their own goes to `values`, where that is wanted.
    func links(
        of objectIDs: [Int64], entity: Int, relationship: Int, _ values: LinkValues?,
        each: (_ source: Int64, _ link: Link) -> Void
    ) throws(Failure)

    /// Writes links of objects that have none yet.
    func insertLinks(_ links: [SourceLink], entity: Int, relationship: Int, _ values: LinkValues) throws(Failure)

    /// Changes the links of objects.
    func changeLinks(_ changes: [LinkChange], entity: Int, relationship: Int, _ values: LinkValues) throws(Failure)

    /// The objects with a reference on the waiting list.
    func waitingObjects(entity: Int, relationship: Int) throws(Failure) -> ObjectIDSet

    /// What objects wait for by a relationship, each by position.
    func waits(
        of objectIDs: [Int64], entity: Int, relationship: Int,
        each: (_ objectID: Int64, _ waiting: WaitingReference) -> Void
    ) throws(Failure)

    /// Appends a row for each waiting reference of a range, in their order: with its cells (as if the relationship were
    /// to-one) and `work.objectIDs`, all else absent. Returns the positions.
    func appendWaiting(
        _ range: WaitingRange, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) -> [Int64]

    /// Puts references on the waiting list, or renews them: where one waits for the same value already, it stays as it
    /// was, and waits since then, unless it is moved.
    func wait(_ entries: [NewWaitingReference], entity: Int, relationship: Int) throws(Failure)

    /// Sets the position in the feed of what objects wait for since this run.
    func positionWaiting(
        _ positions: [(objectID: Int64, at: FeedPosition)], entity: Int, relationship: Int
    ) throws(Failure)

    /// Takes references off the waiting list.
    func stopWaiting(_ entries: [SettledWaitingReference], entity: Int, relationship: Int) throws(Failure)

    /// How many objects of up to an objectID an entity has; those that are marked as deleted do not count.
    func objectCount(entity: Int, upTo highest: Int64) throws(Failure) -> Int

    /// Hands out an entity's objects of up to an objectID, in no order, with the objectID that a to-one relationship
    /// refers to (0: none). Those that are marked as deleted are left out.
    func objects(
        entity: Int, upTo highest: Int64, within relationship: Int?,
        each: (_ objectID: Int64, _ reference: Int64) -> Void
    ) throws(Failure)

    /// As before, for those of some objectIDs that have an object.
    func objects(
        _ objectIDs: [Int64], entity: Int, within relationship: Int?,
        each: (_ objectID: Int64, _ reference: Int64) -> Void
    ) throws(Failure)

    /// Appends a row for each object: its identifier, other attributes by which references look for it, and
    /// `work.objectIDs`, all else absent.
    func appendIdentifiers(
        of objectIDs: [Int64], entity: Int, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure)

    /// As before, with the identifier alone, for the first `limit` objects behind one objectID and up to another, in
    /// their order.
    func appendIdentifiers(
        after first: Int64, upTo last: Int64, entity: Int, limit: Int, _ section: EntityRecords, _ batch: RecordBatch,
        _ work: RowScratch
    ) throws(Failure)

    /// Those of some objects to which no reference leads, be it one that the model does not know.
    func unreferenced(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64]

    /// At most `limit` of the references that objects of an entity hold, by a relationship, to objects of a target.
    /// What links have of their own goes to `values`.
    func referrers(
        to objectIDs: [Int64], target: Int, entity: Int, relationship: Int, _ values: LinkValues?, limit: Int
    ) throws(Failure) -> [Referrer]

    /// Makes references null, or removes links.
    func nullify(_ referrers: [Referrer], target: Int, entity: Int, relationship: Int) throws(Failure)

    /// Deletes objects with all that is theirs: their links, what they wait for.
    func delete(_ objectIDs: [Int64], entity: Int) throws(Failure)

    /// Marks objects as deleted when this run started, but for those that are marked; returns which it marked.
    func mark(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64]

    /// Takes away the marks of objects; returns which had one.
    func unmark(_ objectIDs: [Int64], entity: Int) throws(Failure) -> [Int64]

    /// Builds what is better built when all objects are there: indexes of new tables.
    func finishIndexes() throws(Failure)

    // MARK: What a store may do besides; nil: it does not

    var lateIndexStore: (any LateIndexStore)? { get }
    var indexDroppingStore: (any IndexDroppingStore)? { get }
    var digestStore: (any DigestStore)? { get }
    var queryAheadStore: (any QueryAheadStore)? { get }
    var editStore: (any EditStore)? { get }
    var historyStore: (any HistoryStore)? { get }
    /// Nil also where a run does not keep what it changes.
    var changeStore: (any ChangeStore)? { get }
}

extension ObjectStore {
    package var lateIndexStore: (any LateIndexStore)? { nil }
    package var indexDroppingStore: (any IndexDroppingStore)? { nil }
    package var digestStore: (any DigestStore)? { nil }
    package var queryAheadStore: (any QueryAheadStore)? { nil }
    package var editStore: (any EditStore)? { nil }
    package var historyStore: (any HistoryStore)? { nil }
    package var changeStore: (any ChangeStore)? { nil }
}
