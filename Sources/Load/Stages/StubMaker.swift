import SluiceRecords

/// Creates objects of which only the identifier is known, a batch at a time.
final class StubMaker {
    private let batch: RecordBatch
    /// By entity.
    private let works: [RowScratch]

    init(_ model: Model) {
        batch = RecordBatch(model: model)
        works = model.entities.map(RowScratch.init)
    }

    /// Creates the objects with these identifiers that are not there by now, those of one entity after those of
    /// another.
    func create(_ keys: [StubKey]) throws(Failure) {
        if keys.isEmpty { return }
        batch.reset()
        var targets: [(state: EntityState, rows: [Int])] = []
        var places: [Int: Int] = [:]
        for key in keys {
            let place = places[key.target.index] ?? targets.count
            if place == targets.count { targets.append((key.target, [])) }
            places[key.target.index] = place
            targets[place].rows.append(append(key))
        }
        for (state, rows) in targets { try create(rows, state, batch.sections[state.index]) }
    }

    /// Creates the objects of rows that have just their identifiers, unless they are there by now.
    private func create(_ rows: [Int], _ state: EntityState, _ section: EntityRecords) throws(Failure) {
        let work = works[state.index]
        let claimed = try claimObjectIDs(rows, state, section)
        for row in claimed {
            for relationship in 0..<work.relationshipCount {
                work.references[row * work.relationshipCount + relationship] = .null
            }
        }
        try state.store.insert(claimed, section, batch.arena, work) { _ in }
        for row in claimed { state.objects.stubs.made.insert(work.objectIDs[row]) }
        try state.store.markStubs(claimed.map { work.objectIDs[$0] }, entity: state.index, true)
        state.tally.add(claimed.count, to: \.stubs)
    }

    /// Gives objectIDs to the rows whose identifiers no object has, and returns them: of equal ones, the first.
    private func claimObjectIDs(
        _ rows: [Int], _ state: EntityState, _ section: EntityRecords
    ) throws(Failure) -> [Int] {
        let (ids, arena) = (state.ids, batch.arena)
        let missing = rows.filter { ids.cache.find(ids.key(of: $0, section, arena)) == 0 }
        if !ids.cacheIsWhole { try cacheStored(missing, state, section) }
        let work = works[state.index]
        work.ensure(section.count)
        return missing.filter { row in
            let key = ids.key(of: row, section, arena)
            guard ids.cache.find(key) == 0 else { return false }
            work.objectIDs[row] = ids.assign(promised: ids.cache.promised(key))
            ids.insert(key, work.objectIDs[row])
            return true
        }
    }

    /// Caches the objects of rows that are in the store.
    private func cacheStored(_ rows: [Int], _ state: EntityState, _ section: EntityRecords) throws(Failure) {
        var keys = SortedKeys(identifiersOf: rows, state.traits, section, batch.arena)
        defer { keys.deallocate() }
        var found: [(row: Int, objectID: Int64)] = []
        try state.store.lookUp(
            keys, entity: state.index, by: state.entity.identifier, batch.arena
        ) { found.append((keys.number($0), $1)) }
        for (row, objectID) in found { state.ids.insert(state.ids.key(of: row, section, batch.arena), objectID) }
    }

    private func append(_ key: StubKey) -> Int {
        let section = batch.sections[key.target.index]
        let row = section.appendTypedRow()
        let start = row * section.width
        for cell in 0..<section.width { section.typed[start + cell] = .null }
        for (value, attribute) in zip(key.values, key.target.entity.identifier) {
            section.typed[start + attribute] = value.cell(in: batch)
        }
        return row
    }
}

extension StubKey.Value {
    init(_ cell: Cell, _ arena: Arena) {
        self = cell.hasBytes ? .bytes(cell.kind, unsafe Array(arena.bytes(of: cell))) : .plain(cell)
    }

    func cell(in batch: RecordBatch) -> Cell {
        switch self {
        case .plain(let cell): cell
        case .bytes(let kind, let bytes):
            unsafe bytes.withUnsafeBufferPointer { unsafe batch.arena.append($0, kind: kind) }
        }
    }
}

/// The identifier of a missing object, on its own.
struct StubKey {
    var target: EntityState
    var values: [Value]

    enum Value {
        case plain(Cell)
        case bytes(CellKind, [UInt8])
    }

    init(target: EntityState, _ cells: [Cell], _ arena: Arena) {
        self.target = target
        values = cells.map { Value($0, arena) }
    }
}
