import SluiceRecords

/// A `map` of a value: literals by the bytes of a text, found without making a `String`.
@safe
final class TextMap {
    /// Of all keys, one after the other.
    private let bytes: UnsafeMutablePointer<UInt8>
    private var entries: [Entry] = []
    /// Open addressing: indices of entries, negative where nothing is; a power of two in number, at most half full.
    private var table: [Int32]

    private struct Entry {
        var start: Int
        var count: Int
        /// The index of the literal in the compiled model.
        var literal: Int32
    }

    init(_ literals: [(key: String, literal: Int32)]) {
        unsafe bytes = .allocate(capacity: literals.reduce(1) { $0 + $1.key.utf8.count })
        var size = 8
        while size < literals.count * 2 { size *= 2 }
        table = Array(repeating: -1, count: size)
        var end = 0
        for (key, literal) in literals {
            let start = end
            for byte in key.utf8 {
                unsafe bytes[end] = byte
                end += 1
            }
            insert(Entry(start: start, count: end - start, literal: literal))
        }
        // A view may read one byte beyond its end.
        unsafe bytes[end] = 0
    }

    deinit { unsafe bytes.deallocate() }

    private func insert(_ entry: Entry) {
        var place = hash(view(entry)) & (table.count - 1)
        while table[place] >= 0 { place = (place + 1) & (table.count - 1) }
        table[place] = Int32(entries.count)
        entries.append(entry)
    }

    private func view(_ entry: Entry) -> ByteView {
        unsafe ByteView(bytes + entry.start, count: entry.count)
    }

    /// The index of the literal that a text maps to.
    func literal(for text: ByteView) -> Int32? {
        var place = hash(text) & (table.count - 1)
        while table[place] >= 0 {
            let entry = entries[Int(table[place])]
            if view(entry).equals(text) { return entry.literal }
            place = (place + 1) & (table.count - 1)
        }
        return nil
    }

    /// FNV-1a. The keys come from the definition: no feed can make them collide.
    private func hash(_ text: ByteView) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in 0..<text.count {
            hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01b3
        }
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
