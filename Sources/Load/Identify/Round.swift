import SluiceRecords

/// The scratch of a round: the rows of a batch that are taken through identify, resolve and save together, by their
/// fate. No two of them have one identifier. `EntityRounds` owns it, and hands it to each step in turn.
@safe
struct Round: ~Copyable {
    /// Rows that become objects, in the order of the feed.
    private(set) var new: [Int] = []
    /// Rows that are the first of this run for their object of an earlier one.
    private(set) var first: [Int] = []
    /// Of the new and the first rows, those that come after records that said that the object is gone.
    private(set) var reviving: Set<Int> = []
    private(set) var copies: [Int] = []
    private(set) var gone: [Int] = []
    private(set) var goneCopies: [Int] = []
    private(set) var spared: [Int] = []
    private(set) var contradicting: [Int] = []
    private(set) var nextRound: [Int] = []
    private(set) var kept: [Int] = []
    private(set) var aside: [Int] = []
    private(set) var scattered: [Int] = []

    /// The identifiers that the store is queried for.
    private(set) var keys: SortedKeys
    /// Rows whose object is in the store, in the order of the feed.
    private(set) var found: [Int] = []

    init(_ facts: EntityFacts) { keys = SortedKeys(width: facts.identifierCount) }

    deinit {
        var keys = keys
        keys.deallocate()
    }

    /// Begins with the rows of a section, and forgets the round before.
    mutating func start() {
        new.removeAll(keepingCapacity: true)
        first.removeAll(keepingCapacity: true)
        reviving.removeAll(keepingCapacity: true)
        copies.removeAll(keepingCapacity: true)
        gone.removeAll(keepingCapacity: true)
        goneCopies.removeAll(keepingCapacity: true)
        spared.removeAll(keepingCapacity: true)
        contradicting.removeAll(keepingCapacity: true)
        nextRound.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        aside.removeAll(keepingCapacity: true)
        scattered.removeAll(keepingCapacity: true)
        found.removeAll(keepingCapacity: true)
        keys.removeAll()
    }

    /// Gives a row its fate.
    @inline(__always)
    mutating func add(_ row: Int, _ fate: RowFate) {
        switch fate {
        case .new: new.append(row)
        case .first: first.append(row)
        case .createdAfterDeletion:
            new.append(row)
            reviving.insert(row)
        case .describedAfterDeletion:
            first.append(row)
            reviving.insert(row)
        case .copy: copies.append(row)
        case .gone: gone.append(row)
        case .goneCopy: goneCopies.append(row)
        case .skipped: break
        case .spared: spared.append(row)
        case .contradicting: contradicting.append(row)
        case .nextRound: nextRound.append(row)
        case .kept: kept.append(row)
        case .aside: aside.append(row)
        case .scattered: scattered.append(row)
        }
    }

    /// Gives rows their fate, all the same one.
    mutating func add(_ rows: [Int], _ fate: RowFate) { for row in rows { add(row, fate) } }

    /// Gives the rows another fate that were taken for new, but whose identifier an object has by now.
    mutating func removeTaken(_ rows: [Int]) {
        if rows.isEmpty { return }
        let taken = Set(rows)
        new.removeAll { taken.contains($0) }
        nextRound.append(contentsOf: rows)
    }

    /// Keeps the new rows for the order of their objectIDs.
    mutating func scatterNew() { swap(&new, &scattered) }

    /// Adds the key of a row's identifier to those that the store is queried for.
    @inline(__always)
    mutating func appendKey(_ row: Int, _ facts: EntityFacts, _ section: EntityRecords, _ arena: Arena) {
        keys.append(identifierOf: row, facts, section, arena)
    }

    /// Sorts the keys; of equal ones the first row is queried for, the others are left for the next round.
    mutating func sortKeys(_ arena: Arena) {
        var repeated: [Int] = []
        unsafe keys.sort(arena.base) { repeated.append($0) }
        nextRound.append(contentsOf: repeated)
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
            nextRound.append(max(row, found[other]))
            found[other] = min(row, found[other])
        }
        found.sort()
        nextRound.sort()
    }

    /// The place of the row with an objectID among the first found rows, whose objectIDs ascend.
    private func placeOfFound(_ objectID: Int64, _ count: Int, _ objectIDs: Table<Int64>) -> Int? {
        let place = (0..<count).partitionPoint { objectIDs[found[$0]] >= objectID }
        return place < count && objectIDs[found[place]] == objectID ? place : nil
    }

    /// Leaves only these of the found rows: the others have their fate.
    mutating func keepFound(_ rows: [Int]) { found = rows }
}
