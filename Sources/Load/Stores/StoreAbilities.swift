import SluiceRecords

// What a store may do beyond `ObjectStore` and `OpenStore`. Each is a property of these, nil where a store lacks the
// ability, and a run does without: the passes use those of `ObjectStore`, what is around them those of `OpenStore`.

/// A store whose new tables do without an index on identifiers for a while.
package protocol LateIndexStore: AnyObject {
    /// Whether the identifiers of an entity are not indexed, and need not be before all its objects are there. Until
    /// they are, the caller that inserts makes sure that no two objects have the same identifier.
    func canIndexLate(entity: Int) -> Bool

    /// Whether identifiers are indexed best when all objects are there, in whatever order they come.
    var indexesLate: Bool { get }

    /// Indexes the identifiers of an entity, unless they are indexed. Whatever finds objects by identifiers does it
    /// first.
    func indexIdentifiers(of entity: Int) throws(Failure)
}

/// A store in which older tables can do without their indexes for a while, too.
package protocol IndexDroppingStore: AnyObject {
    /// Does without the indexes of an entity's table until they are needed, or the run ends, where it gets many
    /// objects. Until then, the caller that inserts makes sure that no two objects have the same identifier.
    func dropIndexes(of entity: Int) throws(Failure)
}

/// A store whose objects can be read as digests: in others each is looked for as its record comes, in whatever order.
package protocol DigestStore: AnyObject {
    /// Reads the objects of an entity whose objectIDs are greater than `first`, and at most `last`, in their order, and
    /// hands out the digest of each, with its objectID.
    func digests(
        of entity: Int, after first: Int64, upTo last: Int64, _ hash: RowHash,
        each: (RowDigest) throws(Failure) -> Void
    ) throws(Failure)
}

/// A store that takes queries before their answers are needed, so that several take one round trip.
package protocol QueryAheadStore: AnyObject {
    /// Sends the query of a look-up, which `finishLookUp` ends; nil: there is nothing to look up.
    func sendLookUp(
        _ keys: SortedKeys, entity: Int, by attributes: [Int], _ arena: Arena
    ) throws(Failure) -> (any SentQuery)?

    /// As `ObjectStore.lookUp`, for a query that was sent.
    func finishLookUp(_ sent: any SentQuery, found: (_ place: Int, _ objectID: Int64) -> Void) throws(Failure)

    /// Sends the queries of the next reads, before any of these objects is written.
    func send(_ reads: [ObjectRead]) throws(Failure)
}

/// A query whose answer a store gives later.
package protocol SentQuery: AnyObject {}

/// What is read of objects by one of the calls of a store.
package enum ObjectRead: Hashable {
    case references(entity: Int, objectIDs: [Int64])
    case links(entity: Int, relationship: Int, objectIDs: [Int64])
    case waits(entity: Int, relationship: Int, objectIDs: [Int64])
}

/// A store in which programs change objects, too.
package protocol EditStore: AnyObject {
    /// The objects with attributes that programs have changed, and those that programs have created and no feed has
    /// held yet; both none where the entity's `edits` are replaced. What is found, compared and updated of these
    /// attributes from then on is what was imported last, and not what the objects hold.
    func edited(entity: Int) throws(Failure) -> EditedObjects

    /// The attributes of a row's object that a program has changed, and of which the row says neither what the feed
    /// said before it nor what the program says.
    func conflicts(
        _ row: Int, _ section: EntityRecords, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) -> [Int]

    /// Records that what programs have created is in a feed from now on.
    func recordImported(_ objectIDs: [Int64], entity: Int) throws(Failure)

    /// Forgets the edits of an entity that say what the feed says.
    func forgetEqualEdits(entity: Int) throws(Failure)

    /// The edited objects of an entity of which the feed says something else than before they were changed.
    func conflicting(entity: Int) throws(Failure) -> ObjectIDSet

    /// The attributes of an object that conflict.
    func conflicts(of objectID: Int64, entity: Int) throws(Failure) -> [Finding.Edit]
}

/// A store that can keep what its objects were before a run changed or deleted them.
package protocol HistoryStore: AnyObject {
    /// Whether it is kept where the records stood that created or changed the objects of an entity. To be called within
    /// a run.
    func recordsPlaces(of entity: Int) -> Bool

    /// Records where the records of rows stood: they have created or changed their objects.
    func recordPlaces(_ rows: [Int], _ section: EntityRecords, _ work: RowScratch) throws(Failure)
}

/// A store that keeps which objects a run has changed.
package protocol ChangeStore: AnyObject {
    /// Records which objects of an entity the run has changed.
    func recordChanges(_ objects: [ChangedObjects], entity: Int) throws(Failure)

    /// Ends the recording: all changed objects of the run have been given.
    func finishChanges() throws(Failure)
}

/// A store that knows whether no other program has written to it since a run, and keeps the secret by which the next
/// run recognises the items of its feeds.
package protocol FingerprintStore: AnyObject {
    /// What the last run of this pipeline has left; nil: nothing.
    func fingerprints() throws(Failure) -> FingerprintRow?

    /// Replaces it, within the transaction of a run; nil: nothing is left.
    func replaceFingerprints(_ row: FingerprintRow?) throws(Failure)

    /// Where the fingerprints of this pipeline lie; nil: there is no place for them.
    var fingerprintPath: String? { get }

    /// Begins to watch the store, before the run begins: writes of others from now on show.
    func watch() throws(Failure)

    /// Whether a stamp may be that of the store, as far as it shows before the run begins.
    func mayHave(_ stamp: StoreStamp) -> Bool

    /// Whether the store is as it was when it was given a stamp; called when the run has begun, within its transaction.
    /// Throws where a stamp that the store had when it was looked at first is outdated by now.
    ///
    /// - Parameter stamp: nil: nothing is known of the store; only what others write until the run ends is to show.
    func isUntouched(since stamp: StoreStamp?) throws(Failure) -> Bool

    /// Whether an object that the run has created has the values of another one.
    func hasTwin(_ search: TwinSearch) throws(Failure) -> Bool

    /// Ends the watch within the transaction of the run, when only the ledger is still to be written.
    func watchEnd() throws(Failure)

    /// The stamp of the store once the run is saved; nil: others have written to it since the watch began, or their
    /// writes would not show.
    var stamp: StoreStamp? { get }

    /// Whether an object that the run has written may hold what others have written to it meanwhile, without a trace.
    var hidesWritesBeside: Bool { get }

    /// Undoes a run as if it had never begun, and closes the store: the ledger does not know of the run.
    func retract() throws(Failure)
}

/// The stamp of a store, by which it is seen whether others have written to it: the same stamp means the same content.
package struct StoreStamp: Hashable, Sendable {
    /// How many words it has.
    package static let wordCount = 8
    package let words: [UInt64]

    /// A number that distinguishes texts, unless they are chosen to collide (FNV-1a).
    package static func number(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// Nil where the words are not as many as they should be.
    package init?(_ words: [UInt64]) {
        guard words.count == StoreStamp.wordCount else { return nil }
        self.words = words
    }
}

/// The file of fingerprints that belongs to a store, and the secret with which they were made.
package struct FingerprintRow: Sendable {
    /// 64 hexadecimal digits.
    package var secret: String
    /// Of the file: 32 hexadecimal digits.
    package var identity: String

    package init(secret: String, identity: String) {
        self.secret = secret
        self.identity = identity
    }

    /// What distinguishes a file of fingerprints from those of other pipelines: 16 hexadecimal digits.
    package static func digits(of name: String) -> String {
        let digits = String(StoreStamp.number(of: name.utf8), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
