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
    /// yajl has had the bytes before this index.
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

    /// Reads the next chunk, and returns the number of its bytes: 0 at the end of the feed. Indices change.
    mutating func fill(from source: any ByteSource) throws(Failure) -> Int {
        let wanted = wanted
        makeRoom(for: wanted)
        let got = try unsafe source.read(into: UnsafeMutableRawBufferPointer(start: base + end, count: wanted))
        end += got
        return got
    }

    /// The most bytes of the next chunk.
    private var wanted: Int {
        // yajl looks at an unfinished token from its first byte again with each chunk: when it grows, so must they.
        max(chunkSize, fed - start)
    }

    /// Whether the next chunk needs room, so that the bytes may move.
    var isAboutToMove: Bool { end + wanted > capacity }

    private mutating func makeRoom(for count: Int) {
        guard end + count > capacity else { return }
        if start > 0 {
            unsafe memmove(base, base + start, end - start)
            origin += UInt64(start)
            end -= start
            fed -= start
            start = 0
        }
        // Half of the memory free after each move makes the moves cheap, however much is kept.
        guard end + count > capacity || end > capacity / 2 else { return }
        capacity = max(end + count, 2 * capacity)
        unsafe base = Window.allocate(base, capacity)
    }

    private static func allocate(_ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe realloc(old, capacity) else { OutOfMemory.end(for: "the bytes of the feed") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }
}
