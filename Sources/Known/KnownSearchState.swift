import SluiceRecords

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
    /// Items from far away, one after the other, before all have a place in the table. One of sixteen leads to where
    /// the order goes on behind many new items; in another order, each must be found by itself.
    private static let straysBeforeWhole = 4
    /// A table of so many takes no time.
    private static let fewItems = 1 << 12

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
    /// Items from far away since one came in its order.
    private var strays = 0
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
        if isScattered, let number = numberInTable(hash, length) { return takeStray(number) }
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
        return takeStray(number)
    }

    private mutating func takeStray(_ number: Int) -> Bool {
        let before = strays
        defer {
            strays = before + 1
            if strays == KnownSearchState.straysBeforeWhole { index() }
        }
        return take(number, file.entry(number))
    }

    private func numberInTable(_ hash: ItemHash.Value, _ length: Int) -> Int? {
        guard let number = table?.number(of: hash, file), file.entry(number).length == length else { return nil }
        return number
    }

    mutating func index() {
        let left = items.count - itemCount
        let isWhole = strays >= KnownSearchState.straysBeforeWhole || items.count <= KnownSearchState.fewItems
        guard left * KnownSearchState.leastShareToIndex >= items.count, table.map({ isWhole && !$0.isWhole }) ?? true,
            KnownTable.bytes(items.count, isWhole: isWhole) <= tableBytes
        else { return }
        table?.deallocate()
        table = KnownTable(items, file, isWhole: isWhole)
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
        strays = 0
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
        if table?.isWhole != true, end > 0 { file.release(before: end) }
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
