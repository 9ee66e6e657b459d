import SluiceRecords

/// Gives stubs the attributes that references state: each stub gets those of the first reference in the feeds that
/// states any. A null leaves the stub what it has.
final class StubValuePass {
    private let relations: [EntityRelations]
    /// For what is read.
    private let rows: RecordBatch
    private let context: LoadContext

    init(_ relations: [EntityRelations], _ rows: RecordBatch, _ context: LoadContext) {
        self.relations = relations.filter(\.state.traits.describesStubs)
        self.rows = rows
        self.context = context
    }

    /// Where a reference occurs: its source, file and offset, the entity, the relationship, and its place in it.
    private struct Place: Comparable {
        var numbers: [UInt64]

        static func < (one: Place, other: Place) -> Bool { one.numbers.lexicographicallyPrecedes(other.numbers) }
    }

    /// What a reference says of a stub.
    private struct StatedValues {
        var place: Place
        var values: [(attribute: Int, value: StubKey.Value)]
    }

    /// All of it; the batch is used for it.
    func run(_ batch: RecordBatch) throws(Failure) {
        var targets: [EntityState] = []
        for relations in relations {
            for statement in relations.stubs.statements where !targets.contains(where: { $0 === statement.target }) {
                targets.append(statement.target)
            }
        }
        for target in targets {
            let parts = ObjectParts(openStubs(target.objects), of: target.heldObjects)
            let describing = try divided(target, by: parts)
            try parts.forEachPart { part, objectIDs throws(Failure) in
                let stated = try read(Set(objectIDs), target, describing.map { ($0.relations, $0.spools[part]) })
                try setValues(stated, target, batch)
            }
        }
    }

    /// The objects of which no record says anything.
    private func openStubs(_ objects: ObjectStates) -> ObjectIDSet {
        let open = ObjectIDSet()
        let (seen, deleted) = (objects.seen, objects.deletions.deleted)
        for stubs in [objects.stubs.earlier, objects.stubs.made] {
            stubs.inChunks(of: LoadContext.chunk) { chunk in
                for objectID in chunk where !seen.contains(objectID) && !deleted.contains(objectID) {
                    open.insert(objectID)
                }
            }
        }
        return open
    }

    // MARK: What is stated

    /// What is said of a target's stubs, divided along with these: a row is in the part of each that it names.
    private func divided(
        _ target: EntityState, by parts: ObjectParts
    ) throws(Failure) -> [(relations: EntityRelations, spools: [RowSpool])] {
        var all: [(relations: EntityRelations, spools: [RowSpool])] = []
        for relations in relations where !relations.stubs.statements(about: target).isEmpty {
            guard let spool = relations.state.spools.stubValues else { continue }
            let spools = parts.isWhole ? [spool] : parts.files().map { spool.empty(in: $0) }
            all.append((relations, spools))
            if parts.isWhole { continue }
            try forEachRow(spool, relations) { entry, section throws(Failure) in
                for part in relations.stubs.parts(entry.row, target, parts) {
                    try spools[part].append(
                        entry.row, section, rows, fate: entry.fate, work: relations.work)
                }
            }
        }
        return all
    }

    /// Reads the rows of a spool, whose references are resolved.
    private func forEachRow(
        _ spool: RowSpool, _ relations: EntityRelations,
        _ body: (RowSpool.ReadRow, EntityRecords) throws(Failure) -> Void
    ) throws(Failure) {
        try context.forEachBatch(spool, of: relations, rows) { read, section throws(Failure) in
            try relations.resolveAmongAll(read.map(\.row), section, rows)
            for entry in read { try body(entry, section) }
        }
    }

    private func read(
        _ wanted: Set<Int64>, _ target: EntityState, _ describing: [(EntityRelations, RowSpool)]
    ) throws(Failure) -> [Int64: StatedValues] {
        var stated: [Int64: StatedValues] = [:]
        for (relations, spool) in describing {
            try forEachRow(spool, relations) { entry, section in
                readStated(entry.row, relations, section, wanted, target, &stated)
            }
        }
        return stated
    }

    private func readStated(
        _ row: Int, _ relations: EntityRelations, _ section: EntityRecords, _ wanted: Set<Int64>,
        _ target: EntityState, _ stated: inout [Int64: StatedValues]
    ) {
        let position = section.positions[row]
        for statement in relations.stubs.statements(about: target) {
            let cells = statement.cells(row, section, rows)
            for (place, reference) in statement.references.targets(row).enumerated()
            where reference.isKnown && wanted.contains(reference.objectID) && place < cells.count {
                let values = zip(statement.attributes, cells[place]).filter { !$1.isNull }
                if values.isEmpty { continue }
                let numbers = [UInt64(position.source), UInt64(position.file), position.offset]
                let last = [relations.state.index, statement.relationship, place].map { UInt64($0) }
                let at = Place(numbers: numbers + last)
                if let before = stated[reference.objectID], before.place < at { continue }
                stated[reference.objectID] = StatedValues(
                    place: at, values: values.map { ($0, StubKey.Value($1, rows.arena)) })
            }
        }
    }

    // MARK: What they get

    private func setValues(_ stated: [Int64: StatedValues], _ target: EntityState, _ batch: RecordBatch) throws(Failure)
    {
        let objectIDs = stated.keys.sorted()
        for start in stride(from: 0, to: objectIDs.count, by: LoadContext.chunk) {
            let chunk = Array(objectIDs[start..<min(start + LoadContext.chunk, objectIDs.count)])
            try setValues(chunk, stated, target, batch)
            context.cacheLimit.evictIfOverLimit()
        }
    }

    private func setValues(
        _ objectIDs: [Int64], _ stated: [Int64: StatedValues], _ target: EntityState, _ batch: RecordBatch
    ) throws(Failure) {
        let work = RowScratch(target.entity)
        let section = try target.readIdentifiers(of: objectIDs, batch, work)
        for row in 0..<section.count {
            work.clearDifferences(row)
            for (attribute, value) in stated[work.objectIDs[row]]?.values ?? [] {
                section.typed[row * section.width + attribute] = value.cell(in: batch)
            }
        }
        var keys = SortedKeys(identifiersOf: 0..<section.count, target.traits, section, batch.arena)
        defer { keys.deallocate() }
        try target.store.find(keys, section, batch.arena, work)
        let changed = (0..<section.count).filter { row in
            let given = stated[work.objectIDs[row]]?.values.map(\.attribute) ?? []
            // A reference states no other attributes.
            for column in work.columnSet(row).columns where !given.contains(column) {
                work.setSame(row, column: column)
            }
            return work.hasDifferences(row)
        }
        for row in changed where work.objectIDs[row] <= target.traits.highestAtStart {
            target.tally.insertRestated(work.objectIDs[row])
        }
        try target.store.update(changed, section, batch.arena, work)
    }
}
