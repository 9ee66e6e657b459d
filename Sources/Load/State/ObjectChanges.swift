import SluiceRecords

/// Which objects of earlier runs differ from what they were before this one.
///
/// Each write of an object appends a change: the hashes of the old and of the new values, as one number (by exclusive
/// or). Where a later write restores the old values, the two cancel out. So an object that was written once differs,
/// and one that was written several times does if its changes do not add up to zero. They are kept on disk, and added
/// up when the run closes.
final class ObjectChanges {
    /// Objects that are handed out together.
    private static let chunkSize = 1 << 16
    private static let longestEntry = unsafe ByteWriter.longestNumber + MemoryLayout<UInt64>.size

    /// Objects that were written, and, when the changes have been added up, differ.
    private let changed = ObjectIDSet()
    /// Those that were written several times.
    private let again = ObjectIDSet()
    /// Objects that differ for certain: those that are gone, or are no longer a stub.
    private let certain = ObjectIDSet()
    /// Objects that were marked as deleted because they are absent, or because of other objects: no record has changed
    /// them.
    private let marked = ObjectIDSet()
    private var log: SpoolFile?

    /// Appends the change of an object that has been written.
    func append(_ objectID: Int64, _ change: UInt64) throws(Failure) {
        if change == 0 { return }
        if !changed.insert(objectID) { again.insert(objectID) }
        if log == nil { log = SpoolFile() }
        if let log { try append(objectID, change, to: log) }
    }

    /// Inserts an object that differs, whatever its changes add up to.
    func insertCertain(_ objectID: Int64) { certain.insert(objectID) }

    /// Inserts an object that was marked as deleted, which counts among the deleted ones alone.
    func insertMarked(_ objectID: Int64) { marked.insert(objectID) }

    /// The objects of earlier runs that were written, once the changes have been added up: they differ for
    /// certain or by their sums. One that is written in several ways is there as often.
    var written: [Int64] { changed.all + again.all + certain.all }

    var writtenCount: Int { changed.count + again.count + certain.count }

    /// How many of some objects differ.
    func count(among objects: ObjectIDSet) -> Int { objects.count(inEither: changed, certain) }

    /// Hands out those that differ, in ascending order, once the changes have been added up. Nothing is counted after
    /// it.
    func inChunks(_ body: ([Int64]) throws(Failure) -> Void) throws(Failure) {
        for others in [certain, marked] { changed.formUnion(others) }
        try changed.inChunks(of: ObjectChanges.chunkSize, body)
    }

    /// Adds up the changes: nothing is appended after it.
    ///
    /// - Parameter held: objects whose changes are added up together.
    func addUp(held: Int) throws(Failure) {
        guard let log, !again.isEmpty else { return }
        let parts = ObjectParts(again, of: held)
        let logs = try divided(log, by: parts)
        try parts.forEachPart { part, objectIDs throws(Failure) in
            var sums = Dictionary(uniqueKeysWithValues: objectIDs.map { ($0, UInt64(0)) })
            try visit(logs[part]) { objectID, change in
                if again.contains(objectID) { sums[objectID]? ^= change }
            }
            for (objectID, sum) in sums where sum == 0 { changed.remove(objectID) }
        }
        self.log = nil
    }

    private func divided(_ log: SpoolFile, by parts: ObjectParts) throws(Failure) -> [SpoolFile] {
        if parts.isWhole { return [log] }
        let logs = parts.files()
        try visit(log) { objectID, change throws(Failure) in
            if let part = parts.part(of: objectID) { try append(objectID, change, to: logs[part]) }
        }
        return logs
    }

    private func append(_ objectID: Int64, _ change: UInt64, to log: SpoolFile) throws(Failure) {
        var writer = unsafe ByteWriter(try log.beginRow(ObjectChanges.longestEntry))
        unsafe writer.write(UInt64(bitPattern: objectID))
        unsafe writer.write(word: change)
        try unsafe log.endRow(writer.next)
    }

    private func visit(
        _ log: SpoolFile, _ body: (_ objectID: Int64, _ change: UInt64) throws(Failure) -> Void
    ) throws(Failure) {
        try log.rewind()
        while let start = try unsafe log.nextRow() {
            var reader = unsafe ByteReader(start)
            let objectID = unsafe Int64(bitPattern: reader.readNumber())
            try body(objectID, unsafe reader.readWord())
        }
    }
}
