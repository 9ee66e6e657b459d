import SluiceRecords

/// Looks for the items of one source in the fingerprints of the run before, while the source is read.
///
/// Most come in the order in which they came the last time: then the bytes of the next one have its length and its hash.
/// An item that does not is looked for by its own hash: among those that come next, then among all.
@safe
package final class KnownSearch {
    package let file: KnownFile
    private let state: Unchecked<KnownSearchState>

    /// What is said of the bytes at hand.
    package enum Outcome: BitwiseCopyable {
        /// They begin with an item that is known, of so many bytes.
        case known(length: Int)
        /// More of them must be at hand before anything can be said.
        case unfinished
        case unknown
    }

    /// - Parameters:
    ///   - waiting: by entity, the objects that wait for a target.
    ///   - tableBytes: what a table of all items may take.
    package init(_ file: KnownFile, source: Int, waiting: [[Int64]], tableBytes: Int) {
        self.file = file
        state = Unchecked(KnownSearchState(file, source: source, waiting: waiting, tableBytes: tableBytes))
    }

    deinit {
        state.value.deallocate()
        state.deallocate()
    }

    package var isEmpty: Bool { state.value.items.isEmpty }
    /// By shape: how many records were known.
    package var counts: [Int] { state.value.counts }
    /// By number of what drift notes: how many items were known.
    package var driftCounts: [Int] { state.value.driftCounts }
    /// How many items were known.
    package var itemCount: Int { state.value.itemCount }
    /// The number of the item that was known last.
    package var last: Int { state.value.last }
    /// Items that were not found since one was known.
    package var missed: Int { state.value.missed }
    /// Whether something was met that a run in full must judge.
    package var isInDoubt: Bool {
        get { state.value.isInDoubt }
        set { state.value.isInDoubt = newValue }
    }

    /// Adds the records that were known to those that the paths of each entity have taken.
    package func addTaken(to taken: inout [[UInt64]], _ model: Model) {
        for (shape, records) in zip(file.shapes, state.value.counts) where records > 0 {
            for path in model.entities[shape.entity].records.indices
            where path < 32 && shape.paths >> UInt32(path) & 1 == 1 {
                taken[shape.entity][path] += UInt64(records)
            }
        }
    }

    /// Whether the bytes begin with the item that should come next, or with the one behind it.
    package func match(_ bytes: UnsafePointer<UInt8>, _ available: Int, isLast: Bool) -> Outcome {
        unsafe state.value.match(bytes, available, isLast: isLast)
    }

    /// Likewise of rows of a table.
    ///
    /// - Parameter salt: the hash of what the cells of its rows mean.
    package func matchRow(
        _ bytes: UnsafePointer<UInt8>, _ available: Int, isLast: Bool, salt: ItemHash.Value
    ) -> Outcome {
        unsafe state.value.matchRow(bytes, available, isLast: isLast, salt: salt)
    }

    /// Whether an item, of which all bytes are at hand, is known.
    package func find(
        _ bytes: UnsafePointer<UInt8>, _ length: Int, salt: ItemHash.Value = ItemHash.Value(low: 0, high: 0)
    ) -> Bool {
        unsafe state.value.find(bytes, length, salt)
    }

    /// Has all items at hand by their hashes, if there is room for it.
    package func indexAll() { state.value.indexAll() }

    /// Bytes that are read without looking for any item: more each time that none was found.
    package func nextPause() -> Int { state.value.nextPause() }

    /// Hands out the records of the item that was known last: their entities and objects; of one that does not count, 0.
    @inline(__always)
    package func forEachRecord(_ body: (_ entity: Int, _ objectID: Int64) -> Void) {
        let file = file
        _ = file.forEachRecord(of: file.entry(last)) { body(file.entity(of: $0), $1) }
    }
}

/// What a search knows: a struct, so that nothing of it is checked for exclusive access for each item.
struct KnownSearchState {
    /// Items that are looked at behind the one that should come.
    private static let window = 24
    /// Items after which the memory of those before is given back: 12 MiB of entries.
    private static let releasedItems = 1 << 19
    private static let pauses = 1 << 18...1 << 24

    private let file: KnownFile
    let items: Range<Int>
    /// By entity: objects that wait for a target, and those of which no item may be known.
    private let excluded: [Set<Int64>]
    private let excludesAny: Bool
    /// The item that should come next.
    private var next: Int
    private var coverage: KnownCoverage
    private(set) var counts: [Int]
    private(set) var driftCounts: [Int]
    private(set) var itemCount = 0
    private(set) var last = 0
    private(set) var missed = 0
    /// The item at hand, if it must be read although it is known: it is not to be taken for covered by itself.
    private var refused = -1
    var isInDoubt = false
    private var table: KnownTable?
    private let tableBytes: Int
    private var pause = KnownSearchState.pauses.lowerBound

    init(_ file: KnownFile, source: Int, waiting: [[Int64]], tableBytes: Int) {
        self.file = file
        self.tableBytes = tableBytes
        items = file.items(of: source)
        next = items.lowerBound
        excluded = waiting.indices.map { entity in
            Set(waiting[entity]).union(entity < file.tail.excluded.count ? file.tail.excluded[entity] : [])
        }
        excludesAny = excluded.contains { !$0.isEmpty }
        coverage = KnownCoverage(file)
        counts = Array(repeating: 0, count: file.shapes.count)
        driftCounts = Array(repeating: 0, count: max(file.drifts.count, 1))
    }

    mutating func deallocate() { table?.deallocate() }

    // MARK: In their order

    mutating func match(_ bytes: UnsafePointer<UInt8>, _ available: Int, isLast: Bool) -> KnownSearch.Outcome {
        refused = -1
        var isUnfinished = false
        var number = next
        let end = min(next + 2, items.upperBound)
        while number < end {
            defer { number += 1 }
            let entry = file.entry(number)
            guard entry.length <= available else {
                isUnfinished = isUnfinished || !isLast
                continue
            }
            guard unsafe KnownSearchState.ends(bytes, entry.length),
                unsafe file.hash.value(of: bytes, count: entry.length) == entry.hash
            else { continue }
            return take(number, entry) ? .known(length: entry.length) : .unknown
        }
        return isUnfinished ? .unfinished : .unknown
    }

    /// Whether an item may end so: a hash of other bytes is not worth making.
    @inline(__always)
    private static func ends(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let last = unsafe bytes[length - 1]
        switch unsafe bytes[0] {
        case UInt8(ascii: "{"): return last == UInt8(ascii: "}")
        case UInt8(ascii: "["): return last == UInt8(ascii: "]")
        default: return last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
        }
    }

    /// A row begins where the bytes do: with those of a known row and the end of a line, it is that row.
    mutating func matchRow(
        _ bytes: UnsafePointer<UInt8>, _ available: Int, isLast: Bool, salt: ItemHash.Value
    ) -> KnownSearch.Outcome {
        refused = -1
        var isUnfinished = false
        for number in next..<min(next + 2, items.upperBound) {
            let entry = file.entry(number)
            guard entry.length + 2 <= available || isLast && entry.length <= available else {
                isUnfinished = isUnfinished || !isLast
                continue
            }
            guard unsafe RowEnd.length(bytes, entry.length, available) != nil,
                unsafe file.hash.value(of: bytes, count: entry.length).mixed(with: salt) == entry.hash
            else { continue }
            return take(number, entry) ? .known(length: entry.length) : .unknown
        }
        return isUnfinished ? .unfinished : .unknown
    }

    // MARK: By their hashes

    mutating func find(_ bytes: UnsafePointer<UInt8>, _ length: Int, _ salt: ItemHash.Value) -> Bool {
        let hash = unsafe file.hash.value(of: bytes, count: length).mixed(with: salt)
        for number in next..<min(next + KnownSearchState.window, items.upperBound) {
            let entry = file.entry(number)
            if entry.hash == hash, entry.length == length { return take(number, entry) }
        }
        guard let number = table?.number(of: hash, file), file.entry(number).length == length else {
            missed += 1
            return false
        }
        return take(number, file.entry(number))
    }

    mutating func indexAll() {
        guard table == nil, KnownTable.bytes(items.count) <= tableBytes else { return }
        table = KnownTable(items, file)
    }

    mutating func nextPause() -> Int {
        defer { pause = min(2 * pause, KnownSearchState.pauses.upperBound) }
        missed = 0
        return pause
    }

    // MARK: Known items

    /// Takes an item for known, unless something about it must be read in full.
    @inline(__always)
    private mutating func take(_ number: Int, _ entry: KnownEntry) -> Bool {
        next = number + 1
        (missed, pause) = (0, KnownSearchState.pauses.lowerBound)
        guard number != refused, mayBeKnown(entry) else {
            refused = number
            return false
        }
        last = number
        itemCount += 1
        if itemCount & (KnownSearchState.releasedItems - 1) == 0 { releaseMemory(before: number) }
        if entry.pair != KnownEntry.severalRecords {
            let pair = file.pair(entry.pair)
            counts[pair.shape] &+= 1
            driftCounts[pair.drift] &+= 1
            return true
        }
        let drift = file.forEachRecord(of: entry) { shape, _ in counts[shape] &+= 1 }
        driftCounts[drift] &+= 1
        return true
    }

    private func releaseMemory(before number: Int) {
        // Who writes the next fingerprints is a few batches behind.
        let end = number - KnownSearchState.releasedItems
        if table == nil, end > 0 { file.release(before: end) }
    }

    @inline(__always)
    private mutating func mayBeKnown(_ entry: KnownEntry) -> Bool {
        if entry.pair != KnownEntry.severalRecords, !excludesAny, coverage.covers(pair: entry.pair) { return true }
        return mayBeKnownInAllItsRecords(entry)
    }

    @inline(never)
    private mutating func mayBeKnownInAllItsRecords(_ entry: KnownEntry) -> Bool {
        var isAllowed = true
        let drift = file.forEachRecord(of: entry) { shape, objectID in
            if !coverage.covers(shape) || excluded[file.entity(of: shape)].contains(objectID) { isAllowed = false }
        }
        if !coverage.covers(drift: drift) { isAllowed = false }
        if entry.pair != KnownEntry.severalRecords { coverage.noteCovered(pair: entry.pair) }
        return isAllowed
    }
}

/// Which shapes of records this run has met in full. What is met for the first time, such as a field of another type, is
/// reported with its place: the first record that has it is always read.
struct KnownCoverage {
    private let shapes: [RecordShape]
    private var covered: [Bool]
    private var coveredDrifts: [Bool]
    /// By entity and slot: the kinds, as bits.
    private var kinds: [[UInt32]] = []
    private var paths: Set<Paths> = []
    private var notes: Set<DriftNote> = []
    private let drifts: [[DriftNote]]
    /// By pair of shapes: whether both are covered.
    private var coveredPairs = [Bool](repeating: false, count: KnownEntry.severalRecords + 1)

    private struct Paths: Hashable {
        var entity: Int
        var paths: UInt32
        var counts: Bool
    }

    init(_ file: KnownFile) {
        shapes = file.shapes
        drifts = file.drifts
        covered = Array(repeating: false, count: shapes.count)
        coveredDrifts = Array(repeating: false, count: max(drifts.count, 1))
        coveredDrifts[0] = true
    }

    func covers(pair: Int) -> Bool { coveredPairs[pair] }

    /// Notes that an item of a pair has been looked at: both shapes are covered from now on.
    mutating func noteCovered(pair: Int) { coveredPairs[pair] = true }

    /// Whether all is met that records of a shape have; from now on it is.
    mutating func covers(_ shape: Int) -> Bool {
        if covered[shape] { return true }
        covered[shape] = true
        let record = shapes[shape]
        var isNew = false
        while kinds.count <= record.entity { kinds.append([]) }
        while kinds[record.entity].count < record.kinds.count { kinds[record.entity].append(0) }
        let first = record.kinds.startIndex
        for index in record.kinds.indices {
            let bit = UInt32(1) << UInt32(record.kinds[index] & 31)
            if kinds[record.entity][index - first] & bit == 0 { isNew = true }
            kinds[record.entity][index - first] |= bit
        }
        let met = Paths(entity: record.entity, paths: record.paths, counts: record.counts)
        if paths.insert(met).inserted { isNew = true }
        return !isNew
    }

    mutating func covers(drift: Int) -> Bool {
        if coveredDrifts[drift] { return true }
        coveredDrifts[drift] = true
        var isNew = false
        for note in drifts[drift] where notes.insert(note).inserted { isNew = true }
        return !isNew
    }
}

/// The numbers of items by their hashes.
@safe
private struct KnownTable {
    private var slots: Table<UInt32>
    private let mask: Int

    static func bytes(_ count: Int) -> Int { size(count) * MemoryLayout<UInt32>.stride }

    private static func size(_ count: Int) -> Int {
        var size = 64
        while size < count * 3 / 2 { size *= 2 }
        return size
    }

    init(_ items: Range<Int>, _ file: KnownFile) {
        let size = KnownTable.size(items.count)
        slots = Table(capacity: size)
        mask = size - 1
        for slot in 0..<size { slots[slot] = .max }
        for number in items {
            var slot = Int(truncatingIfNeeded: file.entry(number).hash.low) & mask
            while slots[slot] != .max { slot = (slot + 1) & mask }
            slots[slot] = UInt32(truncatingIfNeeded: number)
        }
    }

    mutating func deallocate() { slots.deallocate() }

    func number(of hash: ItemHash.Value, _ file: KnownFile) -> Int? {
        var slot = Int(truncatingIfNeeded: hash.low) & mask
        while slots[slot] != .max {
            if file.entry(Int(slots[slot])).hash == hash { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }
}
