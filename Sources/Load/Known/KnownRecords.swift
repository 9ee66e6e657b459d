import SluiceRecords

/// The records of one entity that are known from the run before, and were not read, beside those that were; and of
/// which objects the next run must read every record.
final class KnownRecords {
    private let highestAtStart: Int64
    /// Objects of earlier runs that had a record in this one, read or not.
    private let seen: ObjectIDSet
    /// Of these, those whose first record was read.
    private let read = ObjectIDSet()
    /// Whether any records are known.
    private var isExpected = false
    /// Whether known records contradict records that were read.
    private(set) var isContradicted = false
    private let keptAttributes: [Int]
    /// nil: an object has one known record at the most.
    private let shared: SharedKnown?
    /// Objects with later copies, of whatever kind.
    private let copied = ObjectIDSet()

    /// - Parameter seen: the objects that had a record in this run, as the entity has them.
    init(_ traits: EntityTraits, _ seen: ObjectIDSet) {
        highestAtStart = traits.highestAtStart
        keptAttributes = traits.entity.keptAttributes
        self.seen = seen
        shared = traits.entity.sharesKnown ? SharedKnown() : nil
    }

    /// Whether objects may have several known records.
    var areShared: Bool { shared != nil }

    /// Says, before any record, that some are known without being read.
    func expectKnown() { isExpected = true }

    /// Inserts an object whose record in this run says what its last one said; false if it had one before.
    func insertKnown(_ record: BatchItems.KnownRecord) -> Bool {
        let objectID = record.objectID
        if objectID > highestAtStart { contradict() }
        let isFirst = seen.insert(objectID)
        if let shared {
            if !shared.insertKnown(objectID, isPartial: record.isPartial) { contradict() }
        } else if !isFirst {
            contradict()
        }
        return isFirst
    }

    /// Inserts an object of an earlier run of which a record was read.
    ///
    /// - Parameter isFirst: whether the object had none before, known or read.
    func insertRead(_ objectID: Int64, isFirst: Bool) {
        if isFirst {
            if isExpected { read.insert(objectID) }
        } else if shared == nil, isKnown(objectID) {
            contradict()
        }
    }

    /// Inserts rows that were read, where objects may have several known records, with whether they equal the stored
    /// objects, with which they have been compared.
    func insertRead(_ rows: [Int], areCopies: Bool, _ section: EntityRecords, _ work: RowScratch) {
        guard let shared else { return }
        for row in rows {
            let record = SharedKnown.Record(
                objectID: work.objectIDs[row], isCopy: areCopies, differs: work.hasDifferences(row),
                isWhole: section.states(keptAttributes, row))
            if !shared.insertRead(record) { contradict() }
        }
    }

    /// Whether the first record of an object is known, and was not read.
    func isKnown(_ objectID: Int64) -> Bool { isExpected && seen.contains(objectID) && !read.contains(objectID) }

    /// Whether a later copy of an object, which may have several known records, is one of a known record, and says the
    /// same as that: then it is counted.
    func isCopyOfKnown(_ objectID: Int64) -> Bool { shared != nil && isKnown(objectID) }

    /// Contradicts the known records, where there are any: they must be read after all.
    func contradict() { if isExpected { isContradicted = true } }

    // MARK: The next run

    /// Records that an object has a later copy.
    func recordCopied(_ objectID: Int64) { copied.insert(objectID) }

    /// Records that the next run must read every record of an object.
    func recordToRead(_ objectID: Int64) {
        recordCopied(objectID)
        shared?.recordUnlike(objectID)
    }

    /// The objects with copies of which the next run must read every record.
    var copiesToRead: [Int64] { shared.map { copied.all.filter($0.isUnlike) } ?? copied.all }
}
