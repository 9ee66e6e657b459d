/// A set of objectIDs: one bit each, in pages made when they are needed. Its memory is an eighth of a byte per object
/// where objectIDs are dense, as they are in a store that Sluice made.
@safe
public final class SeenObjects {
    private static let pageBits = 1 << 15
    private static let pageBytes = pageBits / 8

    private var pages: [Int64: UnsafeMutablePointer<UInt64>] = unsafe [:]
    /// The page used last: feeds mostly go on where they were.
    private var lastIndex = Int64.min
    private var lastPage: UnsafeMutablePointer<UInt64>?
    private(set) var count = 0

    deinit {
        for index in unsafe pages.indices { unsafe pages[index].value.deallocate() }
    }

    /// Adds an objectID; false if it was there.
    func insert(_ id: Int64) -> Bool {
        let page = unsafe page(at: id >> 15)
        let (word, mask) = SeenObjects.place(id)
        guard unsafe page[word] & mask == 0 else { return false }
        unsafe page[word] |= mask
        count += 1
        return true
    }

    func contains(_ id: Int64) -> Bool {
        let page = unsafe id >> 15 == lastIndex ? lastPage : pages[id >> 15]
        guard let page = unsafe page else { return false }
        let (word, mask) = SeenObjects.place(id)
        return unsafe page[word] & mask != 0
    }

    func remove(_ id: Int64) {
        guard contains(id) else { return }
        let (word, mask) = SeenObjects.place(id)
        unsafe page(at: id >> 15)[word] &= ~mask
        count -= 1
    }

    private static func place(_ id: Int64) -> (Int, UInt64) {
        let bit = Int(id & Int64(pageBits - 1))
        return (bit >> 6, 1 << UInt64(bit & 63))
    }

    private func page(at index: Int64) -> UnsafeMutablePointer<UInt64> {
        if index == lastIndex, let page = unsafe lastPage { return unsafe page }
        let page = unsafe pages[index] ?? makePage()
        unsafe pages[index] = page
        lastIndex = index
        unsafe lastPage = page
        return unsafe page
    }

    private func makePage() -> UnsafeMutablePointer<UInt64> {
        let page = UnsafeMutablePointer<UInt64>.allocate(capacity: SeenObjects.pageBytes / 8)
        unsafe page.initialize(repeating: 0, count: SeenObjects.pageBytes / 8)
        return unsafe page
    }
}
