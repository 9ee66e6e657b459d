import SluiceRecords

/// The scratch of a round: the rows of a batch that are classified, resolved and saved together, by their fate. No two
/// of them have one identifier. `EntityRounds` owns it, and hands it to each step in turn.
@safe
struct Round: ~Copyable {
    /// By fate: its rows, in the order of the feed.
    private var rows: [[Int]] = RowFate.allCases.map { _ in [] }
    /// The identifiers that the store is queried for.
    private(set) var keys: SortedKeys
    /// Rows whose object is in the store, in the order of the feed.
    private(set) var found: [Int] = []

    init(_ traits: EntityTraits) { keys = SortedKeys(width: traits.identifierCount) }

    deinit {
        var keys = keys
        keys.deallocate()
    }

    /// Begins with the rows of a section, and forgets the round before.
    mutating func start() {
        for fate in rows.indices { rows[fate].removeAll(keepingCapacity: true) }
        found.removeAll(keepingCapacity: true)
        keys.removeAll()
    }

    /// The rows with a fate.
    subscript(fate: RowFate) -> [Int] { rows[fate.rawValue] }

    /// Rows that become objects, in the order of the feed.
    var new: [Int] { joined(.new, .createdAfterDeletion) }
    /// Rows that are the first of this run which describe their object of an earlier one, in the order of the feed.
    var first: [Int] { joined(.first, .describedAfterDeletion) }

    private func joined(_ usual: RowFate, _ rare: RowFate) -> [Int] {
        self[rare].isEmpty ? self[usual] : (self[usual] + self[rare]).sorted()
    }

    /// Gives a row its fate.
    @inline(__always)
    mutating func add(_ row: Int, _ fate: RowFate) { rows[fate.rawValue].append(row) }

    /// Gives rows their fate, all the same one.
    mutating func add(_ rows: [Int], _ fate: RowFate) { self.rows[fate.rawValue] += rows }

    /// Gives the rows another fate that were taken for new, but whose identifier an object has by now.
    mutating func deferRefused(_ taken: [Int]) {
        if taken.isEmpty { return }
        let refused = Set(taken)
        for fate in [RowFate.new, .createdAfterDeletion] { rows[fate.rawValue].removeAll { refused.contains($0) } }
        add(taken, .nextRound)
    }

    /// Keeps the new rows for the order of their objectIDs.
    mutating func scatterNew() { rows.swapAt(RowFate.new.rawValue, RowFate.scattered.rawValue) }

    /// Adds the key of a row's identifier to those that the store is queried for.
    @inline(__always)
    mutating func appendKey(_ row: Int, _ traits: EntityTraits, _ section: EntityRecords, _ arena: Arena) {
        keys.append(identifierOf: row, traits, section, arena)
    }

    /// Sorts the keys; of equal ones the first row is queried for, the others are left for the next round.
    mutating func sortKeys(_ arena: Arena) {
        var repeated: [Int] = []
        unsafe keys.sort(arena.base) { repeated.append($0) }
        add(repeated, .nextRound)
    }

    /// Adds a row whose object was met in the order of the objects.
    @inline(__always)
    mutating func addFound(_ row: Int) { found.append(row) }

    /// Adds the rows that were found by their identifiers to those that were found in sequence, in the order of the
    /// feed. Where a row of either has the object of one of the other, the later one waits for the next round.
    mutating func addFoundKeys(_ objectIDs: Table<Int64>) {
        let inSequence = found.count
        for place in 0..<keys.count {
            let row = keys.number(place)
            if objectIDs[row] == 0 { continue }
            guard let other = placeOfFound(objectIDs[row], inSequence, objectIDs) else {
                found.append(row)
                continue
            }
            add(max(row, found[other]), .nextRound)
            found[other] = min(row, found[other])
        }
        found.sort()
        rows[RowFate.nextRound.rawValue].sort()
    }

    /// The place of the row with an objectID among the first found rows, whose objectIDs ascend.
    private func placeOfFound(_ objectID: Int64, _ count: Int, _ objectIDs: Table<Int64>) -> Int? {
        let place = (0..<count).partitionPoint { objectIDs[found[$0]] >= objectID }
        return place < count && objectIDs[found[place]] == objectID ? place : nil
    }
}
