import SluiceRecords

/// A set of objectIDs: one bit each, in pages made when they are needed. Its memory is an eighth of a byte per object
/// where objectIDs are dense, as they are in a store that Sluice made.
@safe
package final class ObjectIDSet {
    private let state: Unchecked<State>

    private struct State {
        var pages: [Int64: Page] = [:]
        /// The page used last: feeds mostly go on where they were.
        var lastIndex = Int64.min
        var lastPage: Page?
        var count = 0
    }

    package init() {
        state = Unchecked(State())
    }

    convenience init(_ ids: [Int64]) {
        self.init()
        for id in ids { insert(id) }
    }

    deinit {
        for page in state.value.pages.values { page.deallocate() }
        state.deallocate()
    }

    package var count: Int { state.value.count }

    /// Adds an objectID; false if it was there.
    @discardableResult
    package func insert(_ id: Int64) -> Bool {
        let page = page(at: id >> Page.bits)
        let (word, mask) = Page.place(id)
        guard page[word] & mask == 0 else { return false }
        page[word] |= mask
        state.value.count += 1
        return true
    }

    /// Takes an objectID out; false if it was not there.
    @discardableResult
    package func remove(_ id: Int64) -> Bool {
        guard contains(id) else { return false }
        let page = page(at: id >> Page.bits)
        let (word, mask) = Page.place(id)
        page[word] &= ~mask
        state.value.count -= 1
        return true
    }

    /// Adds the objectIDs of another set.
    func formUnion(_ other: ObjectIDSet) {
        for (index, page) in other.state.value.pages {
            let own = self.page(at: index)
            for word in 0..<Page.wordCount {
                state.value.count += (page[word] & ~own[word]).nonzeroBitCount
                own[word] |= page[word]
            }
        }
    }

    package var isEmpty: Bool { count == 0 }

    /// The objectIDs, in ascending order.
    package var all: [Int64] {
        var all: [Int64] = []
        inChunks(of: 1 << 16) { all += $0 }
        return all
    }

    /// Hands out the objectIDs in ascending order, in chunks of at most `size`. Those that are added meanwhile may be
    /// missed.
    func inChunks<E: Error>(of size: Int, _ body: ([Int64]) throws(E) -> Void) throws(E) {
        var chunk: [Int64] = []
        for index in state.value.pages.keys.sorted() {
            guard let page = state.value.pages[index] else { continue }
            for word in 0..<Page.wordCount {
                let first = index << Page.bits | Int64(word << 6)
                try ObjectIDSet.append(page[word], from: first, to: &chunk, of: size, body)
            }
        }
        if !chunk.isEmpty { try body(chunk) }
    }

    /// Hands out the objectIDs from 1 to `highest` that are not in the set, in ascending order and chunks of at most
    /// `size`.
    func inverseInChunks<E: Error>(
        of size: Int, upTo highest: Int64, _ body: ([Int64]) throws(E) -> Void
    ) throws(E) {
        var chunk: [Int64] = []
        for first in stride(from: 0, through: highest, by: 64) {
            var missing = ~(state.value.pages[first >> Page.bits]?[Page.place(first).word] ?? 0)
            if first == 0 { missing &= ~1 }
            if highest - first < 63 { missing &= 1 << UInt64(highest - first + 1) - 1 }
            try ObjectIDSet.append(missing, from: first, to: &chunk, of: size, body)
        }
        if !chunk.isEmpty { try body(chunk) }
    }

    /// Appends the objectIDs whose bits are set in a word, and hands out each chunk that is full.
    private static func append<E: Error>(
        _ word: UInt64, from first: Int64, to chunk: inout [Int64], of size: Int,
        _ body: ([Int64]) throws(E) -> Void
    ) throws(E) {
        var bits = word
        while bits != 0 {
            chunk.append(first | Int64(bits.trailingZeroBitCount))
            bits &= bits - 1
            guard chunk.count == size else { continue }
            try body(chunk)
            chunk.removeAll(keepingCapacity: true)
        }
    }

    package func contains(_ id: Int64) -> Bool {
        if isEmpty { return false }
        let index = id >> Page.bits
        let known = index == state.value.lastIndex ? state.value.lastPage : state.value.pages[index]
        guard let page = known else { return false }
        let (word, mask) = Page.place(id)
        return page[word] & mask != 0
    }

    /// How many objectIDs of this set are in one of two others, or in both.
    package func count(inEither one: ObjectIDSet, _ other: ObjectIDSet) -> Int {
        if one.isEmpty, other.isEmpty { return 0 }
        var count = 0
        for (index, page) in state.value.pages {
            let (first, second) = (one.state.value.pages[index], other.state.value.pages[index])
            if first == nil, second == nil { continue }
            for word in 0..<Page.wordCount {
                count += (page[word] & ((first?[word] ?? 0) | (second?[word] ?? 0))).nonzeroBitCount
            }
        }
        return count
    }

    /// How many objectIDs are greater than one.
    package func count(above highest: Int64) -> Int {
        if isEmpty { return 0 }
        var count = 0
        for (index, page) in state.value.pages where (index + 1) << Page.bits > highest + 1 {
            let start = index << Page.bits
            for word in 0..<Page.wordCount where start + Int64(word << 6) + 63 > highest {
                let below = max(highest + 1 - start - Int64(word << 6), 0)
                count += (page[word] & UInt64.max << UInt64(below)).nonzeroBitCount
            }
        }
        return count
    }

    private func page(at index: Int64) -> Page {
        if index == state.value.lastIndex, let page = state.value.lastPage { return page }
        let page = state.value.pages[index] ?? Page()
        state.value.pages[index] = page
        state.value.lastIndex = index
        state.value.lastPage = page
        return page
    }

    /// The bits of 32,768 objectIDs that follow one another.
    @safe
    private struct Page {
        static let bits: Int64 = 15
        static let wordCount = 1 << 9

        private let words: UnsafeMutablePointer<UInt64>

        init() {
            unsafe words = .allocate(capacity: Page.wordCount)
            unsafe words.initialize(repeating: 0, count: Page.wordCount)
        }

        func deallocate() { unsafe words.deallocate() }

        subscript(word: Int) -> UInt64 {
            get { unsafe words[word] }
            nonmutating set { unsafe words[word] = newValue }
        }

        static func place(_ id: Int64) -> (word: Int, mask: UInt64) {
            let bit = Int(id & (1 << bits - 1))
            return (bit >> 6, 1 << UInt64(bit & 63))
        }
    }
}
