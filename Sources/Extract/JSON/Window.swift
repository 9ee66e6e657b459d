import Glibc
import SluiceRecords

/// The bytes of a feed that are at hand: what must be kept of those that yajl has had, and those that it has not.
///
/// They are contiguous, so every token and every captured value is a slice of them.
@safe
struct Window {
    private(set) var base: UnsafeMutablePointer<UInt8>
    /// The offset of `base[0]` in the feed.
    private(set) var origin: UInt64 = 0
    /// The bytes before this index are not needed any more.
    var start = 0
    /// The reader has looked at the bytes before this index: yajl has had them, or, of a table, they are whole
    /// characters.
    var fed = 0
    /// The bytes before this index are there.
    private(set) var end = 0

    private var capacity: Int
    private let chunkSize: Int

    init(chunkSize: Int) {
        self.chunkSize = chunkSize
        capacity = max(2 * chunkSize, 64)
        unsafe base = Window.allocate(nil, capacity)
    }

    func deallocate() { unsafe free(base) }

    mutating func reset() {
        origin = 0
        start = 0
        fed = 0
        end = 0
    }

    func offset(of index: Int) -> UInt64 { origin + UInt64(index) }
    func index(of offset: UInt64) -> Int { Int(offset - origin) }

    /// Reads the next chunk, and gives it to a digest.
    ///
    /// Who moves the bytes is who settles the digest before: nobody else can tell when they move.
    ///
    /// - Returns: the number of the chunk's bytes, 0 at the end of the feed; and by how many bytes those that were kept
    ///   have moved to the front, so that indices are less by as many.
    mutating func fill(
        from source: any ByteSource, _ digest: FeedDigest? = nil
    ) throws(Failure) -> (count: Int, moved: Int) {
        // An unfinished token or row is looked at from its first byte again with each chunk: when it grows, so must
        // they.
        let wanted = max(chunkSize, fed - start)
        let moved = makeRoom(for: wanted, digest)
        let count = try unsafe source.read(into: UnsafeMutableRawBufferPointer(start: base + end, count: wanted))
        if let digest, count > 0 { unsafe digest.add(base + end, count) }
        end += count
        return (count, moved)
    }

    /// Makes room behind the end, and returns by how many bytes what is kept has moved to the front.
    private mutating func makeRoom(for count: Int, _ digest: FeedDigest?) -> Int {
        guard end + count > capacity else { return 0 }
        digest?.settle()
        let moved = start
        if moved > 0 {
            unsafe memmove(base, base + moved, end - moved)
            origin += UInt64(moved)
            end -= moved
            fed -= moved
            start = 0
        }
        // Half of the memory free after each move makes the moves cheap, however much is kept.
        guard end + count > capacity || end > capacity / 2 else { return moved }
        capacity = max(end + count, 2 * capacity)
        unsafe base = Window.allocate(base, capacity)
        return moved
    }

    private static func allocate(_ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe realloc(old, capacity) else { OutOfMemory.end(for: "the bytes of the feed") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }
}
