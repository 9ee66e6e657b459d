import SluiceRecords

/// The objects of which records may not be known without being read, where objects may have several known records
/// (`Entity.sharesKnown`).
///
/// Records of an object that are known together must say the same, and all of it: then it makes no difference which of
/// them comes first. A record that is read beside known ones must say the same as well, or the feed is read in full.
final class SharedKnown {
    /// Objects with a known record, and with one that says nothing of some attribute.
    private let known = ObjectIDSet()
    private let knownInPart = ObjectIDSet()
    /// Objects of which a record that was read said something else than the store, or not all of it.
    private let different = ObjectIDSet()
    /// Objects of which the next run may not know several records: a later copy said something else, or one has not
    /// said all.
    private let unlike = ObjectIDSet()

    /// How a record that was read compares with the stored object.
    struct Record {
        var objectID: Int64
        /// Whether its object had one before.
        var isCopy: Bool
        var differs: Bool
        /// Whether it says something of every attribute.
        var isWhole: Bool
    }

    /// Inserts a known record; false if it contradicts records that were read. After a complete record, one with fewer
    /// attributes is a copy that says the same.
    func insertKnown(_ objectID: Int64, isPartial: Bool) -> Bool {
        known.insert(objectID)
        if isPartial { knownInPart.insert(objectID) }
        return !different.contains(objectID)
    }

    /// Inserts a record of an object of an earlier run, or a later copy, that was read; false if that cannot be with
    /// what is known: behind a record that says less, one that says all is a conflict.
    func insertRead(_ record: Record) -> Bool {
        let objectID = record.objectID
        if record.differs || !record.isWhole { different.insert(objectID) }
        if record.isCopy && record.differs || !record.isWhole { unlike.insert(objectID) }
        return !knownInPart.contains(objectID) && !(known.contains(objectID) && different.contains(objectID))
    }

    /// Records that the next run may not know several records of an object.
    func recordUnlike(_ objectID: Int64) { unlike.insert(objectID) }

    /// Whether the next run may not know several records of an object.
    func isUnlike(_ objectID: Int64) -> Bool { unlike.contains(objectID) }
}
