import Glibc
import SluicePosix
import SluiceRecords

/// Writes the memory of a run, item by item in the order of the feeds.
@safe
package final class KnownWriter {
    private static let bufferEntries = 1 << 13
    private static let copiedBytes = 1 << 18

    private let path: String
    private let descriptor: CInt
    private let hash: ItemHash
    private let old: KnownFile?
    private var entries = Table<KnownEntry>(capacity: KnownWriter.bufferEntries)
    private var buffered = 0
    private var written = 0
    private let further: TemporaryFile
    private var furtherWords = Table<UInt64>(capacity: KnownWriter.bufferEntries)
    private var furtherBuffered = 0
    private var furtherCount: Int64 = 0
    private var sources: [Range<Int>] = []
    private var shapes = ShapeTable()
    private var pairs: [UInt64: Int] = [:]
    private var pairList: [(shape: Int, drift: Int)] = []
    /// Most items are like the one before.
    private var lastPair: (key: UInt64, number: Int) = (.max, 0)

    package static let ending = ".new"

    /// - Parameters:
    ///   - path: the name that `publish` gives it.
    ///   - secret: that of the old memory.
    ///   - old: what known items are taken from.
    package init(_ path: String, secret: [UInt8], old: KnownFile?) throws(Failure) {
        self.path = path
        self.old = old
        further = try TemporaryFile()
        hash = ItemHash(secret: secret)
        let working = path + KnownWriter.ending
        _ = unsafe unlink(working)
        descriptor = unsafe open(working, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        // All is there by now: what is thrown from here on lets `deinit` free it.
        guard descriptor >= 0 else { throw Failure(.uncreatable, "\(working) cannot be written", errno: errno) }
        guard let old else { return }
        for number in 0..<old.tail.shapes.count {
            unsafe old.tail.shapes[number].withUnsafeBufferPointer { _ = unsafe shapes.number(of: $0) }
        }
        for pair in old.tail.pairs { _ = number(ofShape: pair.shape, drift: pair.drift) }
    }

    deinit {
        entries.deallocate()
        furtherWords.deallocate()
        shapes.deallocate()
        hash.deallocate()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Where it is written before it is published.
    package var workingPath: String { path + KnownWriter.ending }

    private var count: Int { written + buffered }

    /// The number of a record's shape; nil: there are too many.
    package func number(ofShape bytes: UnsafeBufferPointer<UInt8>) -> Int? { unsafe shapes.number(of: bytes) }

    // MARK: Items

    /// Says of which source the items are that follow.
    package func begin(source: Int) {
        if sources.count > source { return }
        end()
        while sources.count <= source { sources.append(count..<count) }
    }

    private func end() {
        guard let last = sources.popLast() else { return }
        sources.append(last.lowerBound..<count)
    }

    /// Adds an item with one record.
    package func append(_ read: BatchItems.Read, shape: Int, objectID: Int64) throws(Failure) {
        if let pair = number(ofShape: shape, drift: read.drift), KnownEntry.fits(objectID) {
            return try append(KnownEntry(hash: read.hash, length: read.length, pair: pair, reference: objectID))
        }
        try append(read, [(shape, objectID)])
    }

    /// Adds an item with any number of records.
    package func append(_ read: BatchItems.Read, _ records: [(shape: Int, objectID: Int64)]) throws(Failure) {
        let place = furtherCount
        guard KnownEntry.fits(place) else { return }
        try append(further: FurtherHead(drift: read.drift, count: records.count).word)
        for record in records {
            try append(further: FurtherRecord(shape: record.shape, objectID: record.objectID).word)
        }
        try append(
            KnownEntry(hash: read.hash, length: read.length, pair: KnownEntry.severalRecords, reference: place))
    }

    /// Adds items of the old memory.
    package func append(known numbers: Range<Int>) throws(Failure) {
        guard let old else { return }
        for number in numbers {
            let entry = old.entry(number)
            guard entry.pair == KnownEntry.severalRecords else {
                try append(entry)
                continue
            }
            let (place, head) = (furtherCount, FurtherHead(word: old.further(entry.reference)))
            for index in 0...Int64(head.count) { try append(further: old.further(entry.reference + index)) }
            try append(entry.moved(to: place))
        }
    }

    /// The number of a pair of shapes; nil: there are too many.
    private func number(ofShape shape: Int, drift: Int) -> Int? {
        let key = UInt64(shape) << 32 | UInt64(drift)
        if key == lastPair.key { return lastPair.number }
        if let known = pairs[key] {
            lastPair = (key, known)
            return known
        }
        guard pairList.count < KnownEntry.severalRecords else { return nil }
        pairs[key] = pairList.count
        pairList.append((shape, drift))
        return pairList.count - 1
    }

    @inline(__always)
    private func append(_ entry: KnownEntry) throws(Failure) {
        entries[buffered] = entry
        buffered += 1
        if buffered == KnownWriter.bufferEntries { try flush() }
    }

    private func append(further word: UInt64) throws(Failure) {
        furtherWords[furtherBuffered] = word
        furtherBuffered += 1
        furtherCount += 1
        if furtherBuffered == KnownWriter.bufferEntries { try flushFurther() }
    }

    private func flush() throws(Failure) {
        let stride = MemoryLayout<KnownEntry>.stride
        let bytes = unsafe UnsafeRawBufferPointer(start: entries.base, count: buffered * stride)
        try unsafe write(bytes, at: KnownHeader.bytes + written * stride)
        written += buffered
        buffered = 0
    }

    private func flushFurther() throws(Failure) {
        let count = furtherBuffered * MemoryLayout<UInt64>.stride
        try unsafe further.append(UnsafeRawBufferPointer(start: furtherWords.base, count: count))
        furtherBuffered = 0
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Failure) {
        guard unsafe writeAll(bytes, to: descriptor, at: offset) else {
            throw Failure(.io, "\(workingPath) cannot be written", errno: errno)
        }
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(Failure) {
        let isWritten = unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor, at: offset) }
        guard isWritten else { throw Failure(.io, "\(workingPath) cannot be written", errno: errno) }
    }

    // MARK: The end

    /// Ends the memory, which is valid once the store knows its identity.
    ///
    /// - Parameters:
    ///   - drifts: what drift notes of items, by number.
    ///   - excluded: by entity, objects of which no item may be known.
    package func finish(
        identity: ItemHash.Value, drifts: [[DriftNote]], excluded: [[Int64]]
    ) throws(Failure) {
        end()
        try flush()
        try flushFurther()
        var header = KnownHeader()
        (header.identity, header.entryCount, header.furtherCount) = (identity, written, Int(furtherCount))
        try copyFurther(to: header.furtherStart)
        var tail = KnownTail()
        (tail.sources, tail.pairs, tail.drifts, tail.excluded) = (sources, pairList, drifts, excluded)
        let bytes = tail.bytes(with: shapes)
        header.tailBytes = bytes.count
        let start = header.tailStart
        try write(bytes, at: start)
        guard let content = KnownContent.hash(of: descriptor, KnownHeader.bytes..<header.fileBytes, hash) else {
            throw Failure(.io, "\(workingPath) cannot be read", errno: errno)
        }
        header.content = content
        try write(header)
        self.header = header
    }

    private var header = KnownHeader()

    private func copyFurther(to offset: Int) throws(Failure) {
        try further.rewind()
        var (at, buffer) = (offset, Table<UInt8>(capacity: KnownWriter.copiedBytes))
        defer { buffer.deallocate() }
        while true {
            let room = unsafe UnsafeMutableRawBufferPointer(start: buffer.base, count: KnownWriter.copiedBytes)
            let count = try unsafe further.read(into: room)
            if count == 0 { return }
            try unsafe write(UnsafeRawBufferPointer(start: buffer.base, count: count), at: at)
            at += count
        }
    }

    private func write(_ header: KnownHeader) throws(Failure) { try write(header.bytes(hash), at: 0) }

    /// Gives it its name, with the words of the stamp by which the store shows how it is now.
    package func publish(_ stamp: [UInt64]) throws(Failure) {
        header.stamp = stamp
        try write(header)
        guard unsafe rename(workingPath, path) == 0 else {
            throw Failure(.io, "\(path) cannot be written", errno: errno)
        }
    }

    package func abandon() { _ = unsafe unlink(workingPath) }
}
