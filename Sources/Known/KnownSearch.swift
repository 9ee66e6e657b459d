import SluiceRecords

/// Looks for the items of one source in the fingerprints of the run before, while the source is read.
///
/// Most come in the order in which they came the last time: then the bytes of the next one have its length and its
/// hash. An item that does not is looked for by its own hash: among those that come next, then among all.
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
    ///
    /// - Parameter salt: the hash of what items of the list become.
    package func match(
        _ bytes: UnsafePointer<UInt8>, _ available: Int, isLast: Bool,
        salt: ItemHash.Value = ItemHash.Value(low: 0, high: 0)
    ) -> Outcome {
        unsafe state.value.match(bytes, available, isLast: isLast, salt: salt)
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

    /// Items that may be missed, one after the other, before all are looked at.
    private static let missedBeforeIndexing = 48
    /// Those that may be missed then before the reading goes on without.
    private static let missedBeforePause = 512

    /// Draws the conclusion of an item that was not found: indexes all, or returns how many bytes are read without
    /// looking for any item, more each time that none was found.
    package func pauseAfterMiss() -> Int? {
        if missed == KnownSearch.missedBeforeIndexing { indexAll() }
        return missed >= KnownSearch.missedBeforePause ? state.value.nextPause() : nil
    }

    /// Hands out the records of the item that was known last; one that does not count has the objectID 0.
    @inline(__always)
    package func forEachRecord(_ body: (BatchItems.KnownRecord) -> Void) {
        let file = file
        _ = file.forEachRecord(of: file.entry(last)) { body(file.record(of: $0).with(objectID: $1)) }
    }
}

/// What a search knows: a struct, so that nothing of it is checked for exclusive access for each item.
struct KnownSearchState {
    /// Items that are looked at behind the one that should come.
    private static let window = 24
    /// Items after which the memory of those before is given back: 12 MiB of entries.
    private static let releasedItems = 1 << 19
    private static let pauses = 1 << 18...1 << 24
    /// A table of all items takes a seventieth of the time that it takes to read them, and finds at most those that
    /// have not come yet, of which most have changed.
    private static let leastShareToIndex = 32

    private let file: KnownFile
    let items: Range<Int>
    private let excluded: ExcludedObjects
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
    /// Whether the last item that was looked for by its hash was far from where it should have been.
    private var isScattered = false
    private let tableBytes: Int
    private var pause = KnownSearchState.pauses.lowerBound

    init(_ file: KnownFile, source: Int, waiting: [[Int64]], tableBytes: Int) {
        self.file = file
        self.tableBytes = tableBytes
        items = file.items(of: source)
        next = items.lowerBound
        excluded = ExcludedObjects(waiting: waiting, others: file.tail.excluded)
        coverage = KnownCoverage(file)
        counts = Array(repeating: 0, count: file.shapes.count)
        driftCounts = Array(repeating: 0, count: max(file.drifts.count, 1))
    }

    mutating func deallocate() { table?.deallocate() }

    // MARK: In their order

    mutating func match(
        _ bytes: UnsafePointer<UInt8>, _ available: Int, isLast: Bool, salt: ItemHash.Value
    ) -> KnownSearch.Outcome {
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
                unsafe file.hash.value(of: bytes, count: entry.length).mixed(with: salt) == entry.hash
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
        // Behind an item from far away, the next one is mostly from elsewhere, too.
        if isScattered, let number = numberInTable(hash, length) { return take(number, file.entry(number)) }
        for number in next..<min(next + KnownSearchState.window, items.upperBound) {
            let entry = file.entry(number)
            guard entry.hash == hash, entry.length == length else { continue }
            isScattered = false
            return take(number, entry)
        }
        guard !isScattered, let number = numberInTable(hash, length) else {
            missed += 1
            return false
        }
        isScattered = true
        return take(number, file.entry(number))
    }

    private func numberInTable(_ hash: ItemHash.Value, _ length: Int) -> Int? {
        guard let number = table?.number(of: hash, file), file.entry(number).length == length else { return nil }
        return number
    }

    mutating func indexAll() {
        let left = items.count - itemCount
        guard table == nil, left * KnownSearchState.leastShareToIndex >= items.count,
            KnownTable.bytes(items.count) <= tableBytes
        else { return }
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
        if entry.pair != KnownEntry.severalRecords, coverage.covers(pair: entry.pair),
            !excluded.mayContain(entry.reference)
        {
            return true
        }
        return mayBeKnownInAllItsRecords(entry)
    }

    @inline(never)
    private mutating func mayBeKnownInAllItsRecords(_ entry: KnownEntry) -> Bool {
        var isAllowed = true
        let drift = file.forEachRecord(of: entry) { shape, objectID in
            let entity = file.record(of: shape).entity
            if !coverage.covers(shape) || excluded.contains(objectID, of: entity) { isAllowed = false }
        }
        if !coverage.covers(drift: drift) { isAllowed = false }
        if entry.pair != KnownEntry.severalRecords { coverage.noteCovered(pair: entry.pair) }
        return isAllowed
    }
}
