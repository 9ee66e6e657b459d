import SluiceRecords

/// The keys of objects, and for each the symbol that the automaton has for it.
///
/// Keys come in the same order in object after object: each entry knows the one that followed it last, and most keys
/// are recognised by comparing them with that. Keys that no path names are entered too, up to a limit, so that they do
/// not break the chain. Those of maps, which any name leads on from, have a limit of their own: there may be millions,
/// and names of fields would find no room behind them.
@safe
struct KeyInterner {
    @safe
    struct Entry: BitwiseCopyable {
        /// In memory of their own.
        var start: UnsafeMutablePointer<UInt8>
        /// Negative: matches no key.
        var length: Int
        var symbol: Int32
        /// The entry that came next when this one came last.
        var next: Int32
    }

    /// What stands for all keys that have no entry of their own.
    static let unknown: Int32 = 0

    private(set) var entries: Table<Entry>
    private var count: Int
    private var buckets: Table<Int32>
    private let mask: Int
    /// How many more keys may be entered that no path names.
    private var room: (ofFields: Int, ofMaps: Int)

    private static let extraEntries = 2048
    private static let mapEntries = 1024
    /// In bytes: with as many of them as there may be, two megabytes.
    private static let longestUnknown = 1024

    init(_ symbols: SymbolTable) {
        room = (KeyInterner.extraEntries, KeyInterner.mapEntries)
        let capacity = symbols.count + 1 + KeyInterner.extraEntries + KeyInterner.mapEntries
        var size = 1
        while size < 2 * capacity { size *= 2 }
        mask = size - 1
        entries = Table(capacity: capacity)
        buckets = Table(capacity: size)
        for bucket in 0..<size { buckets[bucket] = -1 }
        entries[0] = unsafe Entry(start: .allocate(capacity: 1), length: -1, symbol: 0, next: 0)
        count = 1
        for (name, symbol) in symbols.names {
            let start = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count + 1)
            for (index, byte) in name.enumerated() { unsafe start[index] = byte }
            unsafe add(start, name.count, symbol, bucket: bucket(of: start, name.count))
        }
    }

    func deallocate() {
        for index in 0..<count { unsafe entries[index].start.deallocate() }
        var (entries, buckets) = (entries, buckets)
        entries.deallocate()
        buckets.deallocate()
    }

    /// The key of an entry.
    func name(of index: Int32) -> String {
        let entry = entries[Int(index)]
        return unsafe String(decoding: UnsafeBufferPointer(start: entry.start, count: entry.length), as: UTF8.self)
    }

    /// The entry of a key; nil: it has none.
    func find(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int32? {
        let entry = buckets[unsafe bucket(of: text, length)]
        return entry >= 0 ? entry : nil
    }

    /// Enters a key that has no entry, and that no path names; where there are too many, it has that of the unknown.
    ///
    /// - Parameter isOfMap: whether any key leads on from where it stands.
    mutating func enter(_ text: UnsafePointer<UInt8>, _ length: Int, isOfMap: Bool) -> Int32 {
        guard (isOfMap ? room.ofMaps : room.ofFields) > 0, length <= KeyInterner.longestUnknown else {
            return KeyInterner.unknown
        }
        if isOfMap { room.ofMaps -= 1 } else { room.ofFields -= 1 }
        let bucket = unsafe bucket(of: text, length)
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: length + 1)
        unsafe start.update(from: text, count: length)
        unsafe add(start, length, 0, bucket: bucket)
        return buckets[bucket]
    }

    /// Whether an entry is that of a key.
    @inline(__always)
    func isEntry(_ index: Int32, _ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let entry = unsafe entries.base + Int(index)
        return unsafe entry.pointee.length == length && KeyInterner.areEqual(entry.pointee.start, text, length)
    }

    /// Whether so many bytes are the same. Keys are short, and there are hundreds of millions: `memcmp` is too far
    /// away.
    @inline(__always)
    private static func areEqual(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if count >= 8 {
            // The last word overlaps the one before it.
            var at = 0
            while at < count &- 8 {
                if unsafe word(one, at, UInt64.self) != word(other, at, UInt64.self) { return false }
                at &+= 8
            }
            return unsafe word(one, count &- 8, UInt64.self) == word(other, count &- 8, UInt64.self)
        }
        if count >= 4 {
            return unsafe word(one, 0, UInt32.self) == word(other, 0, UInt32.self)
                && word(one, count &- 4, UInt32.self) == word(other, count &- 4, UInt32.self)
        }
        for index in 0..<max(count, 0) where unsafe one[index] != other[index] { return false }
        return true
    }

    @inline(__always)
    private static func word<Word: BitwiseCopyable>(
        _ bytes: UnsafePointer<UInt8>, _ at: Int, _ type: Word.Type
    ) -> Word {
        unsafe UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: at, as: type)
    }

    private mutating func add(_ start: UnsafeMutablePointer<UInt8>, _ length: Int, _ symbol: Int32, bucket: Int) {
        entries[count] = unsafe Entry(start: start, length: length, symbol: symbol, next: 0)
        buckets[bucket] = Int32(count)
        count += 1
    }

    /// The bucket that holds a key, or the empty one where it belongs.
    private func bucket(of text: UnsafePointer<UInt8>, _ length: Int) -> Int {
        var hash = UInt64(length)
        for index in 0..<length { hash = unsafe (hash ^ UInt64(text[index])) &* 0x0000_0100_0000_01b3 }
        var bucket = Int(truncatingIfNeeded: hash ^ (hash >> 32)) & mask
        while buckets[bucket] >= 0 && !(unsafe isEntry(buckets[bucket], text, length)) { bucket = (bucket + 1) & mask }
        return bucket
    }
}
