import SluiceRecords

// What records hold that the definition does not expect. It is counted by fields, of which there are few, so a record
// costs no memory.
extension Walker {
    /// Notes whether a path leads to the member that yajl has met the key of, in a container of a record to which one
    /// leads.
    @inline(never)
    mutating func noteUse() {
        // The text of a captured value is used as a whole.
        guard open.captureCount == 0 else { return }
        if unsafe paths.hasDescendants && !top.pointee.isPassed { flushPassed() }
        if pendingCount > 0 && !isPassing {
            drift.useCount += 1
            unsafe top.pointee.passed.field = -1
        } else if unsafe pendingCount > 0 || top.pointee.isPassed {
            notePassed()
        } else {
            noteUnused(fieldOfKey())
        }
    }

    mutating func noteUnused(_ number: Int32) {
        let record = innermostRecord
        let field = unsafe drift.fields.fields.base + Int(number)
        guard !isNoted(number, isRepeated: false, in: record, unsafe field.pointee.lastUnused) else { return }
        unsafe field.pointee.lastUnused = record.number
        unsafe field.pointee.unused += 1
        if items.isNoting { items.note(number, isRepeated: false) }
        if unsafe field.pointee.unused == 1 { nameEntry(number, isRepeated: false) }
        // Of records in records, those around may have it behind those in them.
        if unsafe record.number < field.pointee.firstUnused {
            unsafe field.pointee.firstUnused = record.number
            drift.fields.firstUnused[number] = positions(of: record)
        }
        if record.notingRow >= 0 { note(number, isRepeated: false, in: record) }
    }

    /// A scalar that is something stands where paths only lead to what is in it.
    @inline(never)
    mutating func noteScalarOnTheWay() {
        guard open.innerCount > 0, open.captureCount == 0, isNamed(in: depth) else { return }
        let container = field(of: depth)
        let entry = unsafe top.pointee.isArray ? KeyInterner.unknown : top.pointee.lastKey
        let isNamed = paths.keys.entries[Int(entry)].symbol != SymbolTable.other
        noteUnused(drift.fields.field(container, isNamed ? step(ofEntry: entry) : FieldTable.wildcard))
    }

    /// No path leads to the next element of the top frame, to which paths lead: where they lead to none, the array
    /// stands where paths only lead to members of an object.
    @inline(never)
    mutating func noteArrayOnTheWay() {
        guard unsafe top.pointee.index == 0 && !top.pointee.isUsed, open.innerCount > 0, open.captureCount == 0,
            containers.frames[depth].field >= 0 || isNamed(in: depth - 1)
        else { return }
        let start = Int(unsafe top.pointee.cursorStart)
        for index in start..<start + Int(unsafe top.pointee.cursorCount)
        where paths.tables.infos[Int(containers.cursors[index].state)].namesIndices {
            return
        }
        noteUnused(field(of: depth))
    }

    /// A list begins to which no path leads, in an object at the top.
    @inline(never)
    mutating func beginUnusedList() {
        // Each line of a sequence has the same ones, and some are not read where they are known.
        guard feed.options.format == .json, unsafe !top.pointee.isArray else { return }
        drift.openList = unsafe (top.pointee.lastKey, tokenEnd)
    }

    /// Something at the top has ended to which no path leads.
    @inline(never)
    mutating func endUnusedList() {
        let (entry, start) = drift.openList
        drift.openList = (KeyInterner.unknown, 0)
        // An empty list, and a few numbers, are no records.
        guard entry > KeyInterner.unknown, tokenEnd - start > Drift.leastOfList,
            drift.lists.count < Drift.mostLists, !drift.lists.contains(entry)
        else { return }
        drift.lists.append(entry)
    }

    /// A value stands where paths of some cursors lead on to records: which these would be, nobody knows.
    mutating func noteHidden(_ cursors: Range<Int>, isElement: Bool, isArray: Bool) {
        for index in cursors {
            let state = containers.cursors[index].state
            guard paths.tables.infos[Int(state)].holdsRecords else { continue }
            let hidden = paths.automaton.recordsMissed(in: state, isElement: isElement, isArray: isArray)
            if hidden.isEmpty { continue }
            drift.hidden.formUnion(hidden)
            items.isUnknowable = true
        }
    }

    /// An array ends that has elements, where paths look for members: what is in these, nobody knows.
    @inline(never)
    mutating func noteHiddenMembers() {
        let start = Int(unsafe top.pointee.cursorStart)
        let isElement = containers.frames[depth - 1].isArray
        noteHidden(start..<start + Int(unsafe top.pointee.cursorCount), isElement: isElement, isArray: true)
    }

    /// Whether a path names the node that is being read in a container, or the node is an element: of what is a member
    /// by any name, other members may be what the path is about.
    private func isNamed(in depth: Int) -> Bool {
        let frame = containers.frames[depth]
        if frame.isArray { return true }
        let symbol = paths.keys.entries[Int(frame.lastKey)].symbol
        guard symbol != SymbolTable.other else { return false }
        return (Int(frame.cursorStart)..<Int(frame.cursorStart + frame.cursorCount)).contains { index in
            paths.automaton.names(symbol, in: containers.cursors[index].state)
        }
    }

    /// A key of the top frame, to which a path leads, comes again in a record.
    mutating func noteRepeated() {
        guard open.innerCount > 0 else { return }
        let number = fieldOfKey()
        let record = innermostRecord
        let field = unsafe drift.fields.fields.base + Int(number)
        guard !isNoted(number, isRepeated: true, in: record, unsafe field.pointee.lastRepeated) else { return }
        unsafe field.pointee.lastRepeated = record.number
        unsafe field.pointee.repeated += 1
        if items.isNoting { items.note(number, isRepeated: true) }
        if unsafe field.pointee.repeated == 1 { nameEntry(number, isRepeated: true) }
        // Of records in records, those around may have it behind those in them.
        if unsafe record.number < field.pointee.firstRepeated {
            unsafe field.pointee.firstRepeated = record.number
            drift.fields.firstRepeated[number] = positions(of: record)
        }
        if record.notingRow >= 0 { note(number, isRepeated: true, in: record) }
    }

    /// Whether a record has been counted for a field, for which the record of the number `last` was counted last.
    private mutating func isNoted(_ number: Int32, isRepeated: Bool, in record: OpenRecord, _ last: UInt64) -> Bool {
        if last == record.number { return true }
        let note = Drift.Note(record: 0, field: number, isRepeated: isRepeated)
        // Records in this one have been counted since.
        if last > record.number { return drift.outer.contains(note.of(record.number)) }
        if open.innerCount > 1 && isOpen(last) {
            if drift.outer.count >= Drift.outerLimit { drift.outer = drift.outer.filter { isOpen($0.record) } }
            drift.outer.insert(note.of(last))
        }
        return false
    }

    private func isOpen(_ number: UInt64) -> Bool {
        (0..<open.recordCount).contains { open.records[$0].number == number }
    }

    /// The field that the records of a template are.
    @inline(__always)
    mutating func recordField(template: Int32) -> Int32 {
        let info = unsafe paths.tables.templates.base + Int(template)
        if unsafe info.pointee.field < 0 { unsafe info.pointee.field = drift.fields.record(template: template) }
        return unsafe info.pointee.field
    }

    mutating func fieldOfKey() -> Int32 {
        let container = field(of: depth)
        return drift.fields.field(container, step(ofEntry: unsafe top.pointee.lastKey))
    }

    /// The field that an open container of a record is.
    private mutating func field(of depth: Int) -> Int32 {
        if containers.frames[depth].field >= 0 { return containers.frames[depth].field }
        let outer = field(of: depth - 1)
        let frame = containers.frames[depth - 1]
        // A member that only a wildcard names can have any name.
        let isNamed =
            !frame.isArray
            && (containers.frames[depth].isPassed || paths.keys.entries[Int(frame.lastKey)].symbol != SymbolTable.other)
        let field = drift.fields.field(outer, isNamed ? step(ofEntry: frame.lastKey) : FieldTable.wildcard)
        unsafe (containers.frames.base + depth).pointee.field = field
        return field
    }

    private func step(ofEntry entry: Int32) -> Int32 { entry == KeyInterner.unknown ? FieldTable.wildcard : entry }

    private var innermostRecord: OpenRecord {
        var index = open.recordCount - 1
        while !open.records[index].isRecord { index -= 1 }
        return open.records[index]
    }

    /// The innermost record, by its entities.
    private func positions(of record: OpenRecord) -> [FeedPosition] {
        // Other rows are about what is around records.
        (record.rowStart..<open.rowCount).filter { open.rows[$0].entity >= 0 }.map { row in
            let position = output.sections[open.rows[row].entity].positions[open.rows[row].row]
            return FeedPosition(position, path: position.path(in: output.arena))
        }
    }

    /// All drift so far.
    func summary() -> FeedDrift {
        var drift = FeedDrift()
        drift.hidden = self.drift.hidden
        drift.lists = feed.options.format == .json ? self.drift.lists.map { paths.keys.name(of: $0) } : nil
        // Fields are numbered as they are met.
        for (number, firsts) in self.drift.fields.firstUnused.sorted(by: { $0.key < $1.key }) {
            let records = self.drift.fields.fields[Int(number)].unused
            add(number, isRepeated: false, records, firsts, to: &drift)
        }
        for (number, firsts) in self.drift.fields.firstRepeated {
            let records = self.drift.fields.fields[Int(number)].repeated
            add(number, isRepeated: true, records, firsts, to: &drift)
        }
        for (found, count) in self.drift.around.values {
            drift.fields.append(
                FeedDrift.Field(
                    entity: found.entity, path: found.path, isRepeated: true, records: count, first: found.first))
        }
        return drift
    }

    /// The entities of a field's record, and its path there.
    private func place(ofField number: Int32) -> (entities: [Int], path: Path) {
        var steps: [Path.Step] = []
        var field = drift.fields.fields[Int(number)]
        while field.parent >= 0 {
            steps.append(field.step == FieldTable.wildcard ? .wildcard : .name(paths.keys.name(of: field.step)))
            field = drift.fields.fields[Int(field.parent)]
        }
        return (paths.automaton.templates[Int(field.step)].entities, Path(root: .record, steps: steps.reversed()))
    }

    /// A field's path, for each entity of its record.
    func driftPaths(of number: Int32) -> [(entity: Int, path: String)] {
        let (entities, path) = place(ofField: number)
        return entities.map { ($0, path.description) }
    }

    /// Adds the drift of a field, for each entity of its record.
    private func add(
        _ number: Int32, isRepeated: Bool, _ records: UInt64, _ firsts: [FeedPosition], to drift: inout FeedDrift
    ) {
        let (entities, path) = place(ofField: number)
        for (entity, first) in zip(entities, firsts) {
            if feed.model.entities[entity].conditions.isEmpty {
                drift.fields.append(
                    FeedDrift.Field(entity: entity, path: path, isRepeated: isRepeated, records: records, first: first))
            } else {
                drift.notedFields.append(
                    FeedDrift.NotedField(
                        entity: entity, path: path, isRepeated: isRepeated,
                        number: Walker.noteNumber(number, isRepeated: isRepeated)))
            }
        }
    }
}
