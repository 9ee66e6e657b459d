import Records

/// Creates the targets that are missing where a relationship says `stub`: objects with just their identifier. All of
/// them, before anything is linked, since a stub is a target for every relationship.
final class StubPass {
    private let relations: EntityRelations
    private let loader: EntityLoader
    /// For what is read, and for what is created; all passes of a run share them, as each has room for every entity.
    private let rows: RecordBatch
    private let batch: RecordBatch
    private let cacheLimit: CacheLimit
    /// What objects with several records lack: only the last record that speaks of it counts.
    private var lackingOfDuplicated: [WaitingPlace: [StubKey]] = [:]

    init(_ relations: EntityRelations, _ rows: RecordBatch, _ batch: RecordBatch, _ cacheLimit: CacheLimit) {
        self.relations = relations
        self.cacheLimit = cacheLimit
        loader = relations.loader
        self.rows = rows
        self.batch = batch
        lackingOfDuplicated = relations.lostKeys
    }

    /// Reads the rows that wait, and creates the stubs that they need; for those of objects with several records they
    /// are noted.
    func findMissing(_ spool: RowSpool, limit: Int) throws(Failure) {
        let section = rows.sections[loader.index]
        try spool.rewind()
        repeat {
            rows.reset()
            var waiting: [Int] = []
            while section.count < limit, rows.byteCount < Loader.batchBytes,
                let (row, outcome) = try spool.read(into: section, rows, work: loader.work)
            {
                if loader.states.deleted.contains(loader.work.objectIDs[row]) { continue }
                if outcome != .duplicate || loader.entity.duplicates == .last { waiting.append(row) }
            }
            relations.startRound(section)
            try relations.resolve(waiting, section, rows, among: .soFar)
            for row in waiting { try createStubs(row, section, rows) }
            cacheLimit.hold()
        } while section.count > 0
        try spool.rewind()
    }

    /// Creates what turned out to be missing when all rows were read.
    func createRest() throws(Failure) {
        // In an order, so that the same feed makes the same store.
        let places = lackingOfDuplicated.keys.sorted {
            ($0.objectID, $0.relationship) < ($1.objectID, $1.relationship)
        }
        for place in places where loader.states.isDescribed(place.objectID) {
            try create(lackingOfDuplicated[place] ?? [])
            cacheLimit.hold()
        }
    }

    private func createStubs(_ row: Int, _ section: EntityRecords, _ rows: RecordBatch) throws(Failure) {
        for (relationship, keys) in relations.missingKeys(row, section) {
            let lacking = keys.map { target, cells in StubKey(target: target, cells, rows.arena) }
            let objectID = loader.work.objectIDs[row]
            if loader.states.duplicated.contains(objectID) {
                lackingOfDuplicated[relations.place(row, relationship)] = lacking
            } else {
                try create(lacking)
            }
        }
    }

    private func create(_ keys: [StubKey]) throws(Failure) {
        for key in keys {
            batch.reset()
            let cells = key.values.map(cell)
            try key.target.createStub(cells, batch)
        }
    }

    private func cell(_ value: StubKey.Value) -> Cell {
        switch value {
        case .plain(let cell): return cell
        case .bytes(let kind, let bytes):
            let offset = batch.arena.reserve(bytes.count)
            for (index, byte) in bytes.enumerated() { unsafe batch.arena.base[offset + index] = byte }
            return Cell(kind: kind, payload: UInt64(offset), length: UInt32(bytes.count))
        }
    }
}

/// The identifier of a missing object, on its own.
struct StubKey {
    var target: EntityLoader
    var values: [Value]

    enum Value {
        case plain(Cell)
        case bytes(CellKind, [UInt8])
    }

    init(target: EntityLoader, _ cells: [Cell], _ arena: Arena) {
        self.target = target
        values = cells.map { cell in
            cell.hasBytes ? .bytes(cell.kind, unsafe Array(arena.bytes(of: cell))) : .plain(cell)
        }
    }
}

extension EntityLoader {
    /// Creates an object with just its identifier, unless it is there by now.
    func createStub(_ identifier: [Cell], _ batch: RecordBatch) throws(Failure) {
        let section = batch.sections[index]
        let row = section.appendTypedRow()
        for cell in 0..<section.width { section.typed[row * section.width + cell] = .null }
        for (part, attribute) in entity.identifier.enumerated() {
            section.typed[row * section.width + attribute] = identifier[part]
        }
        guard try claimObjectID(row, section, batch.arena) else { return }
        for relationship in 0..<work.relationshipCount {
            work.references[row * work.relationshipCount + relationship] = Reference.none
        }
        try store.insert([row], section, batch.arena, work) { _ in }
        try store.markStub(work.objectIDs[row], entity: index, true)
        tally.recorded.stubs += 1
    }
}
