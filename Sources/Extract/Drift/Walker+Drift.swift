import Records

// What records hold that the definition does not expect. It is counted by fields, of which there are few, so a record
// costs no memory.
extension Walker {
    /// Notes whether a path leads to the member that yajl has met the key of, in a container of a record to which one
    /// leads.
    @inline(never)
    mutating func noteUse() {
        // The text of a captured value is used as a whole.
        guard captureCount == 0 else { return }
        if unsafe hasDescendants && !top.pointee.isPassed { flushPassed() }
        if pendingCount > 0 && !isPassing {
            useCount += 1
            unsafe top.pointee.passedField = -1
        } else if unsafe pendingCount > 0 || top.pointee.isPassed {
            notePassed()
        } else {
            noteUnused(fieldOfKey())
        }
    }

    mutating func noteUnused(_ number: Int32) {
        let record = innermostRecord
        let field = unsafe fields.fields.base + Int(number)
        guard unsafe field.pointee.lastUnused != record.number else { return }
        unsafe field.pointee.lastUnused = record.number
        unsafe field.pointee.unused += 1
        if unsafe field.pointee.unused == 1 { fields.firstUnused[number] = location(of: record) }
    }

    /// A key of the top frame, to which a path leads, comes again in a record.
    mutating func noteRepeated() {
        guard innerCount > 0 else { return }
        let number = fieldOfKey()
        let record = innermostRecord
        let field = unsafe fields.fields.base + Int(number)
        guard unsafe field.pointee.lastRepeated != record.number else { return }
        unsafe field.pointee.lastRepeated = record.number
        unsafe field.pointee.repeated += 1
        if unsafe field.pointee.repeated == 1 { fields.firstRepeated[number] = location(of: record) }
    }

    /// The field that the records of a template are.
    @inline(__always)
    mutating func recordField(template: Int32) -> Int32 {
        let info = unsafe templates.base + Int(template)
        if unsafe info.pointee.field < 0 { unsafe info.pointee.field = fields.record(template: template) }
        return unsafe info.pointee.field
    }

    mutating func fieldOfKey() -> Int32 {
        let container = field(of: depth)
        return fields.field(container, step(ofEntry: unsafe top.pointee.lastKey))
    }

    /// The field that an open container of a record is.
    private mutating func field(of depth: Int) -> Int32 {
        if frames[depth].field >= 0 { return frames[depth].field }
        let outer = field(of: depth - 1)
        let frame = frames[depth - 1]
        // A member that only a wildcard names can have any name.
        let isNamed =
            !frame.isArray
            && (frames[depth].isPassed || keys.entries[Int(frame.lastKey)].symbol != SymbolTable.other)
        let field = fields.field(outer, isNamed ? step(ofEntry: frame.lastKey) : FieldTable.wildcard)
        unsafe (frames.base + depth).pointee.field = field
        return field
    }

    private func step(ofEntry entry: Int32) -> Int32 { entry == KeyTable.unknown ? FieldTable.wildcard : entry }

    private var innermostRecord: OpenRecord {
        var index = recordCount - 1
        while !records[index].isRecord { index -= 1 }
        return records[index]
    }

    private func location(of record: OpenRecord) -> FeedLocation {
        // The rows of what is around records come first.
        var row = record.rowStart
        while rows[row].entity < 0 { row += 1 }
        return location(of: rows[row])
    }

    private func location(of row: OpenRow) -> FeedLocation {
        let position = sections[row.entity].positions[row.row]
        return FeedLocation(position, path: position.path(in: arena))
    }

    /// Notes the first record of an entity.
    mutating func noteFirst(_ row: OpenRow) {
        if drift.firsts[row.entity] == nil { drift.firsts[row.entity] = location(of: row) }
    }

    /// Notes which slots the rows of the batch have filled.
    mutating func noteFilled() {
        for entity in sections.indices where emptySlots[entity].count > 0 {
            var found: [Int] = []
            for slot in emptySlots[entity] where isFilled(slot, in: sections[entity], from: firstRows[entity]) {
                found.append(slot)
            }
            for slot in found { drift.filled[entity][slot] = true }
            if !found.isEmpty { emptySlots[entity].removeAll { found.contains($0) } }
        }
    }

    private func isFilled(_ slot: Int, in section: EntityRecords, from first: Int) -> Bool {
        let (raw, status, width) = (section.raw, section.status, section.slotCount)
        for row in first..<section.count where raw[row * width + slot].kind != .absent {
            if status[row] == .complete || status[row] == .rejected { return true }
        }
        return false
    }

    /// All drift so far.
    func summary() -> FeedDrift {
        var drift = drift
        for (number, first) in fields.firstUnused {
            drift.fields += driftFields(number, first, isRepeated: false, fields.fields[Int(number)].unused)
        }
        for (number, first) in fields.firstRepeated {
            drift.fields += driftFields(number, first, isRepeated: true, fields.fields[Int(number)].repeated)
        }
        return drift
    }

    /// The drift of a field, for each entity of its record.
    private func driftFields(
        _ number: Int32, _ first: FeedLocation, isRepeated: Bool, _ records: UInt64
    ) -> [FeedDrift.Field] {
        var steps: [Path.Step] = []
        var field = fields.fields[Int(number)]
        while field.parent >= 0 {
            steps.append(field.step == FieldTable.wildcard ? .wildcard : .name(keys.name(of: field.step)))
            field = fields.fields[Int(field.parent)]
        }
        let path = Path(root: .record, steps: steps.reversed())
        return automaton.templates[Int(field.step)].entities.map { entity in
            FeedDrift.Field(entity: entity, path: path, isRepeated: isRepeated, records: records, first: first)
        }
    }
}
