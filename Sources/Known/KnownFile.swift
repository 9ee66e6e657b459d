import Glibc
import SluicePosix
import SluiceRecords

/// The memory of a run: for each item of its feeds the hash of its bytes, and what became of it; read by the next run.
///
/// It is no second truth: without it, or where anything about it is in doubt, the next run reads all.
///
/// Nothing in it changes after it was opened.
@safe
package final class KnownFile: @unchecked Sendable {
    private let memory: UnsafeRawPointer
    private let byteCount: Int
    private let header: KnownHeader
    let tail: KnownTail
    package let hash: ItemHash
    /// By number.
    package let shapes: [RecordShape]
    /// By shape: its records, of no object.
    private let records: [BatchItems.KnownRecord]
    private let pairs: [(shape: Int, drift: Int)]
    package var identity: ItemHash.Value { header.identity }
    /// The words of the stamp that the store had when the run had ended; empty: nobody has seen that.
    package var stamp: [UInt64] { header.stamp }

    /// Opens a memory; nil where there is none with this identity, or it was damaged.
    ///
    /// - Parameter relationships: how many relationships an entity has; nil: there is no such entity.
    package init?(
        _ path: String, secret: [UInt8], identity: ItemHash.Value, relationships: (_ entity: Int) -> Int?
    ) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size >= KnownHeader.bytes,
            let mapped = unsafe mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
            unsafe mapped != MAP_FAILED
        else { return nil }
        let hash = ItemHash(secret: secret)
        unsafe (memory, byteCount, self.hash) = (UnsafeRawPointer(mapped), Int(status.st_size), hash)
        guard
            let content = unsafe KnownFile.read(
                UnsafeRawBufferPointer(start: mapped, count: Int(status.st_size)), descriptor, hash, identity)
        else {
            (header, tail, shapes, records, pairs) = (KnownHeader(), KnownTail(), [], [], [])
            return nil
        }
        (header, tail) = content
        pairs = tail.pairs
        var shapes: [RecordShape] = []
        shapes.reserveCapacity(tail.shapes.count)
        for number in 0..<tail.shapes.count {
            guard let shape = RecordShape(tail.shapes[number], relationships: relationships) else {
                (self.shapes, records) = ([], [])
                return nil
            }
            shapes.append(shape)
        }
        self.shapes = shapes
        records = shapes.map { BatchItems.KnownRecord(objectID: 0, entity: $0.entity, isPartial: $0.isPartial) }
    }

    deinit {
        _ = unsafe munmap(UnsafeMutableRawPointer(mutating: memory), byteCount)
        hash.deallocate()
    }

    /// The header and the tail, if all bytes are those that were written.
    private static func read(
        _ bytes: UnsafeRawBufferPointer, _ descriptor: CInt, _ hash: ItemHash, _ identity: ItemHash.Value
    ) -> (KnownHeader, KnownTail)? {
        let words = (0..<KnownHeader.bytes / 8).map {
            unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)
        }
        guard let header = KnownHeader(words, hash), header.identity == identity, header.fileBytes == bytes.count,
            KnownContent.hash(of: descriptor, KnownHeader.bytes..<bytes.count, hash) == header.content
        else { return nil }
        return unsafe KnownTail(Array(bytes[header.tailStart...])).map { (header, $0) }
    }

    /// Says in the file how the store looks now: nothing was loaded since.
    package func confirm(at path: String, _ stamp: [UInt64]) {
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var (status, mapped) = (stat(), header)
        mapped.stamp = stamp
        guard unsafe fstat(descriptor, &status) == 0, status.st_size == byteCount else { return }
        _ = unsafe mapped.bytes(hash).withUnsafeBytes { unsafe writeAll($0, to: descriptor, at: 0) }
    }

    // MARK: Items

    /// The shape and the drift of a pair.
    @inline(__always)
    func pair(_ number: Int) -> (shape: Int, drift: Int) { pairs[number] }

    /// A record of a shape, of no object.
    @inline(__always)
    func record(of shape: Int) -> BatchItems.KnownRecord { records[shape] }

    package var count: Int { header.entryCount }

    /// The numbers of a source's items.
    package func items(of source: Int) -> Range<Int> {
        source < tail.sources.count ? tail.sources[source] : 0..<0
    }

    @inline(__always)
    func entry(_ number: Int) -> KnownEntry {
        unsafe memory.loadUnaligned(
            fromByteOffset: KnownHeader.bytes + number * MemoryLayout<KnownEntry>.stride, as: KnownEntry.self)
    }

    func further(_ place: Int64) -> UInt64 {
        unsafe memory.loadUnaligned(fromByteOffset: header.furtherStart + Int(place) * 8, as: UInt64.self)
    }

    /// Gives the memory of items back that are not needed soon: those before a number. They stay where they are.
    func release(before number: Int) {
        let end = (KnownHeader.bytes + number * MemoryLayout<KnownEntry>.stride) & ~(KnownFile.pageBytes - 1)
        _ = unsafe madvise(UnsafeMutableRawPointer(mutating: memory), end, MADV_DONTNEED)
    }

    private static let pageBytes = 1 << 16

    /// Hands out the records of an item, and returns what drift notes of it.
    @inline(__always)
    func forEachRecord(of entry: KnownEntry, _ body: (_ shape: Int, _ objectID: Int64) -> Void) -> Int {
        if entry.pair != KnownEntry.severalRecords {
            let pair = pair(entry.pair)
            body(pair.shape, entry.reference)
            return pair.drift
        }
        let head = FurtherHead(word: further(entry.reference))
        for index in 0..<head.count {
            let record = FurtherRecord(word: further(entry.reference + 1 + Int64(index)))
            body(record.shape, record.objectID)
        }
        return head.drift
    }

    /// What drift notes of items, by number.
    package var drifts: [[DriftNote]] { tail.drifts }
}
