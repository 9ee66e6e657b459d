import Glibc
import SluiceRecords

/// The objectIDs of one entity by identifier: what relationships are resolved from.
///
/// An open-addressing hash table (linear probing) in shards, so that growing one never doubles the whole, with the
/// identifiers in an arena beside it. An entry costs 16 bytes in a table that is between three eighths and three
/// quarters full, so at most 43 bytes, and the identifier's own with one to five bytes for its length. Identifiers are
/// compared as a whole: two with the same hash are two.
@safe
struct ObjectIDCache {
    /// An identifier's bytes, ready to be looked for; valid until the next key is made.
    @safe
    struct Key {
        let bytes: UnsafePointer<UInt8>
        let count: Int
        let hash: UInt64

        var buffer: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: bytes, count: count) }
    }

    private struct Slot: BitwiseCopyable {
        /// 0: the slot is free; -1: the object was deleted; below: minus one and the objectID that is promised to an
        /// object which is not there yet. Sluice numbers objects from 1.
        var objectID: Int64
        /// The upper 24 bits of the hash, and the identifier's place in the arena.
        var place: UInt64

        var identifierPlace: Int { Int(place & (1 << ObjectIDCache.placeBits - 1)) }
    }

    @safe
    private struct Shard {
        var slots: UnsafeMutablePointer<Slot>?
        var capacity = 0
        var count = 0
    }

    private static let shardBits: UInt64 = 6
    private static let shardCount = 1 << 6
    private static let placeBits: UInt64 = 40

    private(set) var count = 0
    /// Slots of deleted objects.
    private var deletedCount = 0
    /// ObjectIDs that are promised to objects which are not there yet.
    private(set) var promisedCount = 0
    /// Bytes of the tables.
    private var tableByteCount = 0
    /// Of the identifiers' bytes, those of promises.
    private var promisedIdentifierByteCount = 0
    /// Memory of its own, not an array: copies of the cache are looked into in the hot path, and need not be counted.
    private let shards: UnsafeMutablePointer<Shard>
    private var identifiers = Arena(capacity: 4096)
    let seed: UInt64

    /// The seed keeps a feed from being made for its identifiers to collide.
    init(seed: UInt64 = .random(in: .min ... .max)) {
        self.seed = seed
        unsafe shards = .allocate(capacity: ObjectIDCache.shardCount)
        unsafe shards.initialize(repeating: Shard(), count: ObjectIDCache.shardCount)
    }

    mutating func deallocate() {
        for index in 0..<ObjectIDCache.shardCount { unsafe free(shards[index].slots) }
        unsafe shards.deallocate()
        identifiers.deallocate()
    }

    /// Bytes that the cache takes for its tables and identifiers. The rest of the arena has not been touched, and takes
    /// no memory yet.
    var byteCount: Int { tableByteCount + identifiers.count }
    /// Of these, the identifiers' own bytes with their lengths.
    var identifierByteCount: Int { identifiers.count }
    /// Bytes that promises take at the most: these cannot be evicted.
    var promisedByteCount: Int { promisedCount * ObjectIDCache.mostSlotBytes + promisedIdentifierByteCount }
    /// Whether there is anything that can be forgotten.
    var isForgettable: Bool { count > promisedCount }

    /// Bytes of its table that an entry takes at the most: where it is three eighths full.
    static let mostSlotBytes = 43

    @inline(__always)
    func key(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Key { unsafe Key(bytes, count, seed: seed) }

    /// The objectID of an identifier, or 0.
    @inline(__always)
    func find(_ key: Key) -> Int64 {
        guard let slot = unsafe slot(of: key) else { return 0 }
        return unsafe max(slot.pointee.objectID, 0)
    }

    /// The objectID that an identifier is promised, or 0.
    @inline(__always)
    func promised(_ key: Key) -> Int64 {
        guard promisedCount > 0, let slot = unsafe slot(of: key) else { return 0 }
        return unsafe max(-1 - slot.pointee.objectID, 0)
    }

    /// Promises an objectID to an identifier that is not there, so that it can be referred to. `find` does not find it
    /// before it is inserted.
    mutating func promise(_ key: Key, objectID: Int64) {
        insert(key, objectID: -1 - objectID)
        countPromise(key.count, 1)
    }

    /// The slot of an identifier, if it has one.
    @inline(__always)
    private func slot(of key: Key) -> UnsafeMutablePointer<Slot>? {
        unsafe slot(of: key.hash) { matches($0, key) }
    }

    /// The first slot that may be that of a hash, and that a test takes.
    @inline(__always)
    private func slot(of hash: UInt64, _ isTaken: (Slot) -> Bool) -> UnsafeMutablePointer<Slot>? {
        let shard = unsafe shards[ObjectIDCache.shard(of: hash)]
        guard let slots = unsafe shard.slots else { return nil }
        let mask = shard.capacity - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = unsafe slots[index]
            if slot.objectID == 0 { return nil }
            if slot.place >> ObjectIDCache.placeBits == hash >> ObjectIDCache.placeBits, isTaken(slot) {
                return unsafe slots + index
            }
            index = (index + 1) & mask
        }
    }

    /// Where the search for a hash begins.
    @inline(__always)
    func firstSlot(of hash: UInt64) -> UnsafeRawPointer? {
        let shard = unsafe shards[ObjectIDCache.shard(of: hash)]
        let index = Int(truncatingIfNeeded: hash) & (shard.capacity - 1)
        return unsafe shard.slots.map { unsafe UnsafeRawPointer($0 + index) }
    }

    /// The identifier in the first slot that may be that of a hash.
    @inline(__always)
    func firstIdentifier(of hash: UInt64) -> UnsafeRawPointer? {
        guard let slot = unsafe slot(of: hash, { _ in true }) else { return nil }
        return unsafe UnsafeRawPointer(identifiers.base + slot.pointee.identifierPlace)
    }

    /// Forgets the object of an identifier: it was deleted.
    mutating func remove(_ key: Key) {
        guard let slot = unsafe slot(of: key), unsafe slot.pointee.objectID > 0 else { return }
        unsafe slot.pointee.objectID = -1
        deletedCount += 1
    }

    /// Adds an identifier that is not there, or fulfils its promise.
    mutating func insert(_ key: Key, objectID: Int64) {
        if deletedCount + promisedCount > 0, let slot = unsafe slot(of: key), unsafe slot.pointee.objectID < 0 {
            if unsafe slot.pointee.objectID == -1 { deletedCount -= 1 } else { countPromise(key.count, -1) }
            unsafe slot.pointee.objectID = objectID
            return
        }
        let index = ObjectIDCache.shard(of: key.hash)
        let (count, capacity) = unsafe (shards[index].count, shards[index].capacity)
        if count * 4 >= capacity * 3 { grow(index, to: max(16, capacity * 2)) }
        let place = UInt64(store(key)) | (key.hash >> ObjectIDCache.placeBits) << ObjectIDCache.placeBits
        put(Slot(objectID: objectID, place: place), hash: key.hash, shard: index)
        unsafe shards[index].count += 1
        self.count += 1
    }

    /// Makes room for so many objects, so that few tables grow while they come: each identifier would be hashed again.
    mutating func reserve(_ objects: Int) {
        var capacity = 16
        while objects / ObjectIDCache.shardCount * 4 >= capacity * 3 { capacity *= 2 }
        for index in 0..<ObjectIDCache.shardCount where unsafe shards[index].capacity < capacity {
            grow(index, to: capacity)
        }
    }

    private mutating func countPromise(_ identifierBytes: Int, _ sign: Int) {
        promisedCount += sign
        promisedIdentifierByteCount += sign * (ObjectIDCache.lengthBytes(identifierBytes) + identifierBytes)
    }

    /// Forgets all objects, also deleted ones, and frees their memory; promises are kept.
    mutating func forgetObjects() {
        var old = self
        identifiers = Arena(capacity: 4096)
        (count, deletedCount, promisedCount) = (0, 0, 0)
        (tableByteCount, promisedIdentifierByteCount) = (0, 0)
        for index in 0..<ObjectIDCache.shardCount {
            let shard = unsafe shards[index]
            unsafe shards[index] = Shard()
            guard let slots = unsafe shard.slots else { continue }
            if old.promisedCount > 0 { unsafe copyPromises(slots, shard.capacity, of: old) }
            unsafe free(slots)
        }
        old.identifiers.deallocate()
    }

    /// Takes over the promises of a shard, which has the same ones in any table.
    private mutating func copyPromises(
        _ slots: UnsafeMutablePointer<Slot>, _ capacity: Int, of old: borrowing ObjectIDCache
    ) {
        for place in 0..<capacity {
            let slot = unsafe slots[place]
            if slot.objectID >= -1 { continue }
            let (bytes, count) = unsafe old.stored(slot)
            let key = unsafe key(bytes, count)
            promise(key, objectID: -1 - slot.objectID)
        }
    }

    private static func shard(of hash: UInt64) -> Int {
        // The tag has the upper bits, the slot the lowest: the shard takes some between, so that all three differ.
        Int(truncatingIfNeeded: hash >> (placeBits - shardBits) & (1 << shardBits - 1))
    }

    private func put(_ slot: Slot, hash: UInt64, shard: Int) {
        guard let slots = unsafe shards[shard].slots else { return }
        let mask = unsafe shards[shard].capacity - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while unsafe slots[index].objectID != 0 { index = (index + 1) & mask }
        unsafe slots[index] = slot
    }

    private mutating func grow(_ index: Int, to capacity: Int) {
        let old = unsafe shards[index]
        guard let memory = unsafe calloc(capacity, MemoryLayout<Slot>.stride) else {
            OutOfMemory.end(for: "the objectID cache (see --cache-limit)")
        }
        unsafe shards[index].slots = memory.assumingMemoryBound(to: Slot.self)
        unsafe shards[index].capacity = capacity
        tableByteCount += (capacity - old.capacity) * MemoryLayout<Slot>.stride
        guard let slots = unsafe old.slots else { return }
        for place in 0..<old.capacity {
            let slot = unsafe slots[place]
            if slot.objectID != 0 { put(slot, hash: hash(of: slot), shard: index) }
        }
        unsafe free(slots)
    }

    // MARK: Identifiers, each as its length (seven bits a byte) and its bytes

    /// Bytes that a length takes.
    private static func lengthBytes(_ length: Int) -> Int {
        var (length, bytes) = (length, 1)
        while length >= 0x80 {
            bytes += 1
            length >>= 7
        }
        return bytes
    }

    private mutating func store(_ key: Key) -> Int {
        let lengthBytes = ObjectIDCache.lengthBytes(key.count)
        // The arena adds a NUL of its own, which is one byte more than is needed: give it back.
        let place = identifiers.reserve(lengthBytes + key.count)
        identifiers.truncate(to: place + lengthBytes + key.count)
        var target = unsafe identifiers.base + place
        var length = key.count
        while length >= 0x80 {
            unsafe target.pointee = UInt8(length & 0x7f) | 0x80
            unsafe target += 1
            length >>= 7
        }
        unsafe target.pointee = UInt8(length)
        unsafe (target + 1).update(from: key.bytes, count: key.count)
        return place
    }

    @inline(__always)
    private func stored(_ slot: Slot) -> (UnsafePointer<UInt8>, Int) {
        var source = unsafe UnsafePointer(identifiers.base) + slot.identifierPlace
        var count = unsafe Int(source.pointee & 0x7f)
        var shift = 7
        while unsafe source.pointee & 0x80 != 0 {
            unsafe source += 1
            count |= unsafe Int(source.pointee & 0x7f) << shift
            shift += 7
        }
        return unsafe (source + 1, count)
    }

    @inline(__always)
    private func matches(_ slot: Slot, _ key: Key) -> Bool {
        let (bytes, count) = unsafe stored(slot)
        return unsafe count == key.count && memcmp(bytes, key.bytes, count) == 0
    }

    private func hash(of slot: Slot) -> UInt64 {
        let (bytes, count) = unsafe stored(slot)
        return unsafe hashBytes(bytes, count, seed: seed)
    }
}

extension ObjectIDCache.Key {
    /// - Parameter seed: that of the cache.
    init(_ bytes: UnsafePointer<UInt8>, _ count: Int, seed: UInt64) {
        unsafe self.init(bytes: bytes, count: count, hash: hashBytes(bytes, count, seed: seed))
    }
}
