import SluiceRecords

/// The position of the first record of each object of a run, and what it left unsaid, on disk: a few bytes each, in the
/// order in which the records were accepted. It is written while the run goes on, and then read as often as need be.
@safe
final class FirstPositionLog {
    /// Entries that are written together.
    private static let blockSize = 1000

    private let file: SpoolFile
    private let wordCount: Int
    private let digestCount: Int
    private let longestEntry: Int
    private var last: Entry
    /// The columns that the record of the last entry left unsaid.
    private var lastUnsaid: Table<UInt64>

    /// The first record of an object.
    struct Entry {
        fileprivate(set) var objectID: Int64 = 0
        /// The source and the file in one number.
        fileprivate var origin: Int64 = 0
        fileprivate var offset: Int64 = 0
        fileprivate var record: Int64 = 0
        /// The columns of which the record says nothing, where the store may know something of them.
        fileprivate(set) var unsaid: [UInt64]
        /// What the record refers to, by digested relationship: see `StatedColumns`.
        fileprivate(set) var digests: [UInt64]

        var position: FirstPosition {
            FirstPosition(
                RecordPositionKey(
                    source: Int(origin >> 32), file: Int(origin & 0xffff_ffff),
                    offset: UInt64(bitPattern: offset)), record: UInt64(bitPattern: record))
        }
    }

    init(wordCount: Int, digestCount: Int, in file: SpoolFile = SpoolFile()) {
        self.file = file
        self.wordCount = wordCount
        self.digestCount = digestCount
        longestEntry =
            unsafe (4 + wordCount) * ByteWriter.longestNumber + digestCount * MemoryLayout<UInt64>.size
        last = FirstPositionLog.first(wordCount, digestCount)
        lastUnsaid = Table(capacity: wordCount)
        for word in 0..<wordCount { lastUnsaid[word] = 0 }
    }

    deinit { lastUnsaid.deallocate() }

    private static func first(_ wordCount: Int, _ digestCount: Int) -> Entry {
        Entry(
            unsaid: Array(repeating: 0, count: wordCount), digests: Array(repeating: 0, count: digestCount))
    }

    /// Adds the objects of rows, with `work.digests`; `work.stated` has what those of up to an objectID say.
    func append(_ rows: [Int], _ section: EntityRecords, _ work: RowScratch, upTo highest: Int64) throws(Failure) {
        var start = 0
        while start < rows.count {
            let end = min(start + FirstPositionLog.blockSize, rows.count)
            try append(rows[start..<end], section, work, highest)
            start = end
        }
    }

    private func append(
        _ rows: ArraySlice<Int>, _ section: EntityRecords, _ work: RowScratch, _ highest: Int64
    ) throws(Failure) {
        let positions = section.positions
        let (objectIDs, stated, digests) = (work.objectIDs, work.stated, work.digests)
        let (lastUnsaid, wordCount, digestCount) = (lastUnsaid, wordCount, digestCount)
        var (lastID, lastOrigin) = (last.objectID, last.origin)
        var (lastOffset, lastRecord) = (last.offset, last.record)
        var writer = unsafe ByteWriter(try file.beginRow(ByteWriter.longestNumber + rows.count * longestEntry))
        unsafe writer.write(UInt64(rows.count))
        for row in rows {
            let position = positions[row]
            let (objectID, origin) = (objectIDs[row], Int64(position.source) << 32 | Int64(position.file))
            let (offset, record) = (Int64(bitPattern: position.offset), Int64(bitPattern: position.record))
            unsafe writer.write(signed: objectID &- lastID)
            unsafe writer.write(signed: origin &- lastOrigin)
            unsafe writer.write(signed: offset &- lastOffset)
            unsafe writer.write(signed: record &- lastRecord)
            (lastID, lastOrigin, lastOffset, lastRecord) = (objectID, origin, offset, record)
            for word in 0..<wordCount {
                // Mostly as in the record before, so that a byte will do.
                let unsaid = objectID > highest ? 0 : ~stated[row * wordCount + word]
                unsafe writer.write(unsaid ^ lastUnsaid[word])
                lastUnsaid[word] = unsaid
            }
            for index in 0..<digestCount { unsafe writer.write(word: digests[row * digestCount + index]) }
        }
        (last.objectID, last.origin, last.offset, last.record) = (lastID, lastOrigin, lastOffset, lastRecord)
        try unsafe file.endRow(writer.next)
    }

    /// Adds an entry of another one.
    private func append(_ entry: Entry) throws(Failure) {
        var writer = unsafe ByteWriter(try file.beginRow(ByteWriter.longestNumber + longestEntry))
        unsafe writer.write(UInt64(1))
        unsafe writer.write(signed: entry.objectID &- last.objectID)
        unsafe writer.write(signed: entry.origin &- last.origin)
        unsafe writer.write(signed: entry.offset &- last.offset)
        unsafe writer.write(signed: entry.record &- last.record)
        for word in 0..<wordCount {
            unsafe writer.write(entry.unsaid[word] ^ lastUnsaid[word])
            lastUnsaid[word] = entry.unsaid[word]
        }
        for digest in entry.digests { unsafe writer.write(word: digest) }
        last = entry
        try unsafe file.endRow(writer.next)
    }

    /// The entries of the objects of each part, in their order. Where there is one part, it is this log, which may have
    /// entries of other objects as well.
    func divided(by parts: ObjectParts) throws(Failure) -> [FirstPositionLog] {
        if parts.isWhole { return [self] }
        let logs = parts.files().map { FirstPositionLog(wordCount: wordCount, digestCount: digestCount, in: $0) }
        try visit { objectID, entry throws(Failure) in
            if let part = parts.part(of: objectID) { try logs[part].append(entry()) }
        }
        return logs
    }

    /// Reads all from the first on. Nothing can be added any more.
    func visit(
        _ body: (_ objectID: Int64, _ entry: () -> Entry) throws(Failure) -> Void
    ) throws(Failure) {
        try file.rewind()
        var entry = FirstPositionLog.first(wordCount, digestCount)
        while let start = try unsafe file.nextRow() {
            var reader = unsafe ByteReader(start)
            for _ in 0..<(unsafe reader.readNumber()) {
                entry.objectID &+= unsafe reader.readSigned()
                entry.origin &+= unsafe reader.readSigned()
                entry.offset &+= unsafe reader.readSigned()
                entry.record &+= unsafe reader.readSigned()
                for word in 0..<wordCount { entry.unsaid[word] ^= unsafe reader.readNumber() }
                for index in 0..<digestCount { entry.digests[index] = unsafe reader.readWord() }
                try body(entry.objectID) { entry }
            }
        }
    }
}
