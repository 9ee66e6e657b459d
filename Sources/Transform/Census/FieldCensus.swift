import SluiceRecords

/// What the records of a run hold where attributes and relationships look for their values: how many records have
/// anything there, and of which JSON types it is. What is missing now, or of another type than before, is found so.
///
/// Records that do not count (`where`) are not among them. A row costs an addition for each slot, and no memory. Where
/// an entity has conditions, the census also knows in which records that count the reader has noted something.
///
/// One thread at a time has it: the one that transforms a batch, and in the end the one that has waited for the
/// reader. Where a cancelled run leaves a reader behind that is stuck, nobody else asks it.
package final class FieldCensus: @unchecked Sendable {
    /// Kinds of cells, with room for more.
    private static let width = 32
    private let model: Model
    /// By entity: the rows that count, and the first of them.
    private var records: [Int]
    private var firsts: [FeedPosition?]
    /// By entity and source.
    private var notes: [[Int: NoteCounts]]
    /// By entity, slot and kind of cell: in how many rows.
    private var counts: [Table<Int>]
    /// By entity, and by slot and kind of cell: the first row.
    private var firstsOfKinds: [[Int: FeedPosition]]
    /// By entity and slot: the first value, where one is kept.
    private var examples: [[String?]]
    private let keepsExamples: Bool
    private var sources: SourceEntities
    private var untaken: UntakenElements
    private let nulled: NulledSlots

    /// - Parameters:
    ///   - transformer: what transforms the batches.
    ///   - keepsExamples: whether the first value of each slot is kept, cut after some characters.
    package init(_ model: Model, _ transformer: Transformer, keepsExamples: Bool = false) {
        self.model = model
        self.keepsExamples = keepsExamples
        sources = SourceEntities(model)
        nulled = NulledSlots(model)
        untaken = UntakenElements(transformer.shared)
        records = model.entities.map { _ in 0 }
        firsts = model.entities.map { _ in nil }
        notes = model.entities.map { _ in [:] }
        firstsOfKinds = model.entities.map { _ in [:] }
        examples = model.entities.map { $0.slots.map { _ in nil } }
        counts = model.entities.map { entity in
            let table = Table<Int>(capacity: entity.slots.count * FieldCensus.width)
            for index in 0..<entity.slots.count * FieldCensus.width { table[index] = 0 }
            return table
        }
    }

    deinit { for index in counts.indices { counts[index].deallocate() } }

    /// Says that a source is read from now on.
    package func begin(_ source: Int) { sources.begin(source) }

    /// Counts the rows of a batch that has been transformed.
    package func add(_ batch: RecordBatch) {
        for section in batch.sections where section.count > 0 { add(section, batch) }
        untaken.add(batch)
    }

    /// Counts elements that no entity takes, which are known and were not read.
    package func add(known count: Int, untaken field: String, of entity: Int) {
        untaken.add(known: count, of: entity, field)
    }

    /// The elements that no entity takes, by their kind: the first of the entities that might, and where they are, as a
    /// path.
    package var untakenElements: [(entity: Int, field: String, elements: Int, first: FeedPosition)] {
        untaken.kinds.map { kind in
            let source = model.entities[kind.entity].sources.first ?? 0
            return (kind.entity, kind.field, kind.elements, kind.first ?? .beginning(of: source))
        }
    }

    /// Notes that a batch has records which no path has found: a program has made them, and their fields say nothing.
    package func add(made batch: RecordBatch) {
        for section in batch.sections where section.count > 0 { sources.note(section) }
    }

    /// Counts records that are known, and were not read: of an entity, with so many of each kind of cell by slot.
    package func add(known count: Int, of entity: Int, kinds: [UInt8]) {
        records[entity] += count
        let counts = counts[entity]
        // A feed of wide records has as many shapes as records: a loop over indices is not made for any sequence.
        var slot = 0
        while slot < kinds.count {
            let place = slot * FieldCensus.width + Int(kinds[slot])
            counts[place] = counts[place] + count
            slot += 1
        }
    }

    /// Of what kind a cell counts: what a value that was kept whole is, or the first value of a list.
    @inline(__always)
    package static func kind(of cell: Cell, _ batch: RecordBatch) -> CellKind {
        cell.kind == .json || cell.kind == .list ? type(of: cell, batch) : cell.kind
    }

    private func add(_ section: EntityRecords, _ batch: RecordBatch) {
        let (raw, status, slots, counts) = (section.raw, section.status, section.slotCount, counts[section.entity])
        sources.note(section)
        if firsts[section.entity] == nil { firsts[section.entity] = first(of: section, batch) }
        if section.hasNotes { addNotes(section, batch) }
        var found = 0
        for row in 0..<section.count where status[row] != .dropped && status[row] != .open {
            found += 1
            for slot in 0..<slots {
                let kind = FieldCensus.kind(of: raw[row * slots + slot], batch)
                let place = slot * FieldCensus.width + Int(kind.rawValue)
                counts[place] = counts[place] &+ 1
            }
        }
        records[section.entity] += found
        moveNulled(section, batch)
        noteFirsts(section, batch)
        if keepsExamples { keepExamples(section, batch) }
    }

    /// Counts values of which the definition has taken nothing as what it has made of them.
    private func moveNulled(_ section: EntityRecords, _ batch: RecordBatch) {
        let (raw, counts) = (section.raw, counts[section.entity])
        for slot in nulled[section.entity] {
            let first = slot.number * FieldCensus.width
            for row in 0..<section.count {
                guard let made = NulledSlots.kind(instead: slot, section, row) else { continue }
                let kind = FieldCensus.kind(of: raw[row * section.slotCount + slot.number], batch)
                counts[first + Int(kind.rawValue)] = counts[first + Int(kind.rawValue)] &- 1
                counts[first + Int(made.rawValue)] = counts[first + Int(made.rawValue)] &+ 1
            }
        }
    }

    private func first(of section: EntityRecords, _ batch: RecordBatch) -> FeedPosition? {
        let row = (0..<section.count).first { section.status[$0] != .dropped && section.status[$0] != .open }
        return row.map { section.location(of: $0, in: batch) }
    }

    /// Notes where kinds of cells were met for the first time: once for each, so that rows cost nothing more.
    private func noteFirsts(_ section: EntityRecords, _ batch: RecordBatch) {
        let (entity, slots) = (section.entity, section.slotCount)
        for place in 0..<slots * FieldCensus.width where counts[entity][place] > 0 {
            let (slot, kind) = (place / FieldCensus.width, place % FieldCensus.width)
            if kind == Int(CellKind.absent.rawValue) || firstsOfKinds[entity][place] != nil { continue }
            let row = (0..<section.count).first { row in
                guard section.status[row] != .dropped && section.status[row] != .open else { return false }
                return Int(FieldCensus.kind(of: section.raw[row * slots + slot], batch).rawValue) == kind
            }
            firstsOfKinds[entity][place] = row.map { section.location(of: $0, in: batch) }
        }
    }

    private func addNotes(_ section: EntityRecords, _ batch: RecordBatch) {
        let (status, entity) = (section.status, section.entity)
        var stamp = records[entity]
        for row in 0..<section.count where status[row] != .dropped && status[row] != .open {
            stamp += 1
            guard section.notes[row].kind == .list else { continue }
            let source = Int(section.positions[row].source)
            let counts = notes[entity][source] ?? NoteCounts()
            notes[entity][source] = counts
            counts.add(row, stamp: stamp, of: section, batch)
        }
    }

    /// What a value that was kept whole is, or the first value of a list; a list of none is just that.
    private static func type(of cell: Cell, _ batch: RecordBatch) -> CellKind {
        if cell.kind == .list { return cell.count == 0 ? .list : type(of: batch.elements[cell.head].cell, batch) }
        guard cell.kind == .json || cell.kind == .unlisted, let first = unsafe batch.arena.bytes(of: cell).first else {
            return cell.kind
        }
        return switch first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"): .yes
        case UInt8(ascii: "f"): .no
        default: .number
        }
    }

    private func keepExamples(_ section: EntityRecords, _ batch: RecordBatch) {
        for slot in 0..<section.slotCount where examples[section.entity][slot] == nil {
            for row in 0..<section.count where section.status[row] != .dropped && section.status[row] != .open {
                var cell = section.raw[row * section.slotCount + slot]
                if cell.kind == .list, cell.count > 0 { cell = batch.elements[cell.head].cell }
                guard let text = FieldCensus.text(of: cell, batch) else { continue }
                examples[section.entity][slot] = text
                break
            }
        }
    }

    private static func text(of cell: Cell, _ batch: RecordBatch) -> String? {
        let text: String
        switch cell.kind {
        case .yes: text = "true"
        case .no: text = "false"
        case .integer: text = String(cell.integer)
        case .number, .json, .unlisted: text = batch.arena.text(of: cell)
        case .string, .text: text = JSONText.quoted(batch.arena.text(of: cell))
        case .absent, .null, .real, .blob, .list, .impossible, .object, .array, .brokenString: return nil
        }
        return text.count > 40 ? text.prefix(39) + "…" : text
    }

    // MARK: What was found

    /// How many records of an entity there were.
    package func recordCount(_ entity: Int) -> Int { records[entity] }

    /// By entity, whether a source gave it a record.
    package func entities(of source: Int) -> [Bool] { sources.entities(of: source) }

    /// The first record of an entity; nil: there was none.
    package func first(of entity: Int) -> FeedPosition? { firsts[entity] }

    /// The records of an entity and a source that have a number among their notes, and the first of them; nil: there is
    /// none.
    package func records(noting number: Int, of entity: Int, source: Int) -> (records: Int, first: FeedPosition)? {
        notes[entity][source]?[number]
    }

    /// What was found of each attribute and relationship of an entity, in the order of the definition, and then of what
    /// links have of their own, and stubs.
    package func fields(of entity: Int) -> [FieldFacts] {
        FieldConsumer.all(of: model.entities[entity]).map { field in
            var facts = FieldFacts(name: field.name)
            facts.isList = field.isList
            facts.paths = field.slots.map { model.entities[entity].slots[$0].path.description }
            for slot in field.slots { add(slot, of: entity, isOfLinks: field.links != nil, to: &facts) }
            // What does not come from the record is in all of them.
            if field.slots.isEmpty { facts.records = records[entity] }
            // Where there are no links, nothing is missing of them.
            if let links = field.links { facts.isPossible = links.isEmpty || links.contains { has($0, of: entity) } }
            return facts
        }
    }

    /// Whether a record has a value in a slot.
    private func has(_ slot: Int, of entity: Int) -> Bool {
        let none: [CellKind] = [.absent, .null, .list]
        return (0..<FieldCensus.width).contains { kind in
            !none.contains { Int($0.rawValue) == kind } && counts[entity][slot * FieldCensus.width + kind] > 0
        }
    }

    /// The first record that has a value of one of some types where an attribute or relationship looks for its own.
    ///
    /// - Parameter field: its number among `fields(of:)`.
    package func first(of field: Int, of entity: Int, types: [ValueType]) -> FeedPosition? {
        let places = FieldConsumer.all(of: model.entities[entity])[field].slots.flatMap { slot in
            types.flatMap { FieldCensus.kinds(of: $0) }.map { slot * FieldCensus.width + Int($0.rawValue) }
        }
        return places.compactMap { firstsOfKinds[entity][$0] }.min { $0.position < $1.position }
    }

    private static func kinds(of type: ValueType) -> [CellKind] {
        switch type {
        case .string: [.string, .brokenString, .text]
        case .number: [.number, .integer, .real]
        case .boolean: [.yes, .no]
        case .object: [.object]
        case .array: [.array]
        // A list of none stands for it.
        case .null: [.null, .list]
        }
    }

    /// - Parameter isOfLinks: whether a list of none is no value: there may be links without it.
    private func add(_ slot: Int, of entity: Int, isOfLinks: Bool, to facts: inout FieldFacts) {
        func count(_ kinds: [CellKind]) -> Int {
            kinds.reduce(0) { $0 + counts[entity][slot * FieldCensus.width + Int($1.rawValue)] }
        }
        let none: [CellKind] = isOfLinks ? [.absent, .list] : [.absent]
        for type in ValueType.allCases {
            let kinds = FieldCensus.kinds(of: type).filter { !none.contains($0) && !(facts.isList && $0 == .list) }
            if count(kinds) > 0 { facts.types[type, default: 0] += count(kinds) }
        }
        // Records may have it at more than one of its places.
        facts.records = max(facts.records, records[entity] - count(none))
        facts.example = facts.example ?? examples[entity][slot]
    }
}
