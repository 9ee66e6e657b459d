import Records

/// Where the first record of each object of a run stood, on disk: a few bytes each, in the order in which the records
/// were accepted. It is written while the run goes on, and then read as often as need be.
@safe
final class PlaceLog {
    /// Entries that are written together.
    private static let blockSize = 1000
    /// Four numbers.
    private static let longestEntry = unsafe 4 * ByteWriter.longestNumber

    private let file: SpoolFile
    private var last = Entry()

    private struct Entry {
        var objectID: Int64 = 0
        /// The source and the file in one number.
        var origin: Int64 = 0
        var offset: Int64 = 0
        var record: Int64 = 0

        var place: RecordPlace {
            RecordPlace(
                RecordPositionKey(
                    source: Int(origin >> 32), file: Int(origin & 0xffff_ffff),
                    offset: UInt64(bitPattern: offset)), record: UInt64(bitPattern: record))
        }
    }

    init() throws(Failure) { file = try SpoolFile() }

    /// Adds the objects of rows.
    func append(_ rows: [Int], _ section: EntityRecords, _ work: RowWork) throws(Failure) {
        var start = 0
        while start < rows.count {
            let end = min(start + PlaceLog.blockSize, rows.count)
            try append(rows[start..<end], section, work)
            start = end
        }
    }

    private func append(_ rows: ArraySlice<Int>, _ section: EntityRecords, _ work: RowWork) throws(Failure) {
        let positions = section.positions
        let objectIDs = work.objectIDs
        let most = unsafe ByteWriter.longestNumber + rows.count * PlaceLog.longestEntry
        var writer = unsafe ByteWriter(try file.beginRow(most))
        unsafe writer.write(UInt64(rows.count))
        var last = last
        for row in rows {
            let position = positions[row]
            let entry = Entry(
                objectID: objectIDs[row], origin: Int64(position.source) << 32 | Int64(position.file),
                offset: Int64(bitPattern: position.offset), record: Int64(bitPattern: position.record))
            unsafe writer.write(signed: entry.objectID &- last.objectID)
            unsafe writer.write(signed: entry.origin &- last.origin)
            unsafe writer.write(signed: entry.offset &- last.offset)
            unsafe writer.write(signed: entry.record &- last.record)
            last = entry
        }
        self.last = last
        unsafe file.endRow(writer.next)
    }

    /// Reads all from the first on. Nothing can be added any more.
    func visit(_ body: (_ objectID: Int64, _ place: () -> RecordPlace) -> Void) throws(Failure) {
        try file.rewind()
        var entry = Entry()
        while let start = try unsafe file.nextRow() {
            var reader = unsafe ByteReader(start)
            for _ in 0..<(unsafe reader.readNumber()) {
                entry.objectID &+= unsafe reader.readSigned()
                entry.origin &+= unsafe reader.readSigned()
                entry.offset &+= unsafe reader.readSigned()
                entry.record &+= unsafe reader.readSigned()
                body(entry.objectID) { entry.place }
            }
        }
    }
}
