import SluiceDefinition
import SluiceRecords
import SluiceTransform

/// Fills batches with the records that a program makes.
struct ProgramRecords {
    private let model: Model
    private let source: Int
    /// By name: the entities that the source may give records to.
    private var entities: [ExactText: Int] = [:]
    /// By entity.
    private let members: [MemberSlots]
    /// By entity: the raw cells of the batch's rows.
    private(set) var rows: [RawRows]
    /// By entity: how many records it has had.
    private(set) var counts: [UInt64]
    private(set) var count: UInt64 = 0

    /// - Parameter model: what ``Model/forProgram()`` gives.
    init(_ model: Model, source: Int) {
        self.model = model
        self.source = source
        for (index, entity) in model.entities.enumerated() where entity.sources.contains(source) {
            entities[ExactText(entity.name)] = index
        }
        members = model.entities.map(MemberSlots.init)
        rows = model.entities.map { RawRows(slotCount: $0.slots.count) }
        counts = model.entities.map { _ in 0 }
    }

    /// Frees all memory.
    mutating func deallocate() { for index in rows.indices { rows[index].deallocate() } }

    /// Forgets the rows of a batch that has been handed over.
    mutating func reset() { for index in rows.indices { rows[index].reset() } }

    /// Adds a record to a batch. What it names must be in the definition; its values are judged when the batch is
    /// transformed.
    mutating func append(_ record: FeedRecord, to batch: RecordBatch) throws(Failure) {
        guard let entity = entities[ExactText(record.entity)] else { throw unknownEntity(record) }
        let section = batch.sections[entity]
        // The batch may hold rows of sources before this one.
        let row = section.appendRow(status: .complete)
        let start = rows[entity].append(upTo: row)
        section.positions[row] = position(entity)
        let filler = CellFiller(batch: batch, cells: rows[entity].cells, start: start)
        for (name, value) in record.values {
            guard let slots = members[entity][name] else { throw unknownMember(name, record) }
            filler.fill(value, slots)
        }
        counts[entity] += 1
        count += 1
    }

    private func position(_ entity: Int) -> RecordPosition {
        var position = RecordPosition()
        position.offset = count
        position.record = counts[entity]
        position.line = count + 1
        position.source = UInt16(source)
        position.step = .integer(Int64(count))
        return position
    }

    private func unknownEntity(_ record: FeedRecord) -> Failure {
        let isThere = model.entities.contains { $0.name.isIdentical(to: record.entity) }
        let reason = isThere ? "gets no records from this source" : "is not in the definition"
        return failure("the entity \(quoted(record.entity)) \(reason)")
    }

    private func unknownMember(_ name: String, _ record: FeedRecord) -> Failure {
        failure("the entity \(quoted(record.entity)) has no attribute and no relationship \(quoted(name))")
    }

    private func failure(_ message: String) -> Failure {
        let place = Failure.Place(file: ProgramFeed.name, line: count + 1, column: 1, offset: count)
        return Failure(.usage, "\(message), of which a record of the program speaks", at: place)
    }
}

/// The raw cells of the rows of one entity: as many slots each.
struct RawRows {
    let slotCount: Int
    private(set) var cells = Table<Cell>()
    private var count = 0

    init(slotCount: Int) { self.slotCount = slotCount }

    mutating func deallocate() { cells.deallocate() }

    mutating func reset() { count = 0 }

    /// Makes room for a row, and for those before it that have none here; returns where it starts.
    mutating func append(upTo row: Int) -> Int {
        let end = (row + 1) * slotCount
        cells.ensure(max(end, 1))
        while count < end {
            cells[count] = .absent
            count += 1
        }
        return row * slotCount
    }
}
