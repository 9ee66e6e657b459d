import SluiceRecords

/// Evaluates the values of one batch: the section *Values* of the format.
///
/// Values are raw cells here; conversion to types follows. A list is the value of a to-many relationship; its elements
/// may be null, so that the parts of a key stay side by side.
struct Evaluator {
    let compiled: CompiledModel
    let batch: RecordBatch
    var converter: Converter
    /// The raw cells of the section (of none at first), and where the current row starts in them.
    var raw: Table<Cell>
    var rowStart = 0
    /// Where the rows stand in the feed, and which of them is the current one.
    var positions: Table<RecordPosition>
    var row = 0
    /// Values at hand while others are evaluated. A function that pushes values pops them again.
    var stack: Table<Cell>
    var stackCount = 0
    /// What the members of elements have, while elements are gone through, and where each member is.
    var entries: Table<ElementEntry>
    var memberEntries: Table<Int>
    /// Of all rejected rows so far.
    var faults: [Fault] = []
    /// While links are made of a list without elements: what would be in these.
    var withoutElement: CompiledElements?
    /// The value of a link that a complaint is about; negative: it is about none.
    var faultyLinkValue = -1
    /// Whether rows have been dropped that the reader had rejected.
    var dropsRejects = false
    private let rules: Table<CompiledRule>

    /// Takes the arena out of a batch; `finish` puts it back.
    init(_ compiled: CompiledModel, _ batch: RecordBatch) {
        self.compiled = compiled
        self.batch = batch
        converter = Converter(arena: batch.arena, catalog: compiled.catalog)
        stack = Table()
        raw = stack
        positions = Table(capacity: 0)
        entries = Table(capacity: 0)
        memberEntries = Table(capacity: 0)
        rules = compiled.rules
    }

    mutating func finish() {
        batch.arena = converter.arena
        if dropsRejects { batch.faults.removeAll { batch.sections[$0.entity].status[$0.row] == .dropped } }
        batch.faults += faults
        stack.deallocate()
        converter.members.deallocate()
        entries.deallocate()
        memberEntries.deallocate()
    }

    /// The value of a rule in the current row.
    mutating func evaluate(_ index: Int) throws(Complaint) -> Cell {
        let rule = rules[index]
        var value = try origin(rule)
        if rule.hasSteps && !value.isNull {
            value = value.kind == .list ? try applyToEach(value, rule) : try apply(rule, to: value)
        }
        if rule.split >= 0 && !value.isNull { value = try split(value, rule) }
        if rule.matches >= 0 && !value.isNull { value = try everyMatch(value, rule) }
        if rule.fallback >= 0 && isNull(value) { value = place(rule.fallback) }
        return value
    }

    private mutating func origin(_ rule: CompiledRule) throws(Complaint) -> Cell {
        switch rule.origin {
        case .slot: return try listed(raw[rowStart + Int(rule.source)], canBeOne: true)
        case .first: return try first(rule)
        case .joined: return try joined(rule)
        case .oneOrMany, .oneOrMembers, .oneOrWithin: return try oneOrMany(rule)
        case .constant: return place(rule.source)
        case .line: return converter.plain(.integer(Int64(positions[row].line)))
        case .fileName: return converter.arena.appendText(batch.fileName(at: positions[row]), kind: .string)
        case .element: return try ofFirstElement(rule)
        case .elements: return try ofElements(rule)
        }
    }

    /// One value, or a list of them, see `OneOrMany`.
    private mutating func oneOrMany(_ rule: CompiledRule) throws(Complaint) -> Cell {
        let one = converter.plain(raw[rowStart + Int(rule.source)])
        let mayBeMany =
            switch one.kind {
            case .absent: true
            case .array: rule.origin != .oneOrWithin
            case .object: rule.origin != .oneOrMany
            default: false
            }
        guard mayBeMany else { return one }
        let many = try listed(raw[rowStart + Int(rule.sourceCount)], canBeOne: false)
        // An object of which no sibling has the value is what was found in its place.
        let isFound = one.kind == .object && rule.origin == .oneOrWithin && isNull(many)
        return isFound ? one : many
    }

    /// A value of a slot, if it is no list in which something stands where a list was looked for.
    @inline(__always)
    private mutating func listed(_ value: Cell, canBeOne: Bool) throws(Complaint) -> Cell {
        if value.kind == .list { try checkListed(value, canBeOne: canBeOne) }
        return converter.plain(value)
    }

    func checkListed(_ list: Cell, canBeOne: Bool) throws(Complaint) {
        guard batch.hasUnlisted, list.kind == .list else { return }
        var rest = list
        while rest.length > 0 {
            let element = pop(&rest)
            if element.kind == .unlisted { throw .unlisted(element, canBeOne: canBeOne) }
        }
    }

    /// The first value that is not null. Absent only if all are.
    private mutating func first(_ rule: CompiledRule) throws(Complaint) -> Cell {
        var result = Cell.absent
        for index in Int(rule.source)..<Int(rule.source + rule.sourceCount) {
            let value = try evaluate(index)
            if !isNull(value) { return value }
            if value.kind != .absent { result = .null }
        }
        return result
    }

    /// Whether a value is null or absent, or a list that holds nothing else: a path with a wildcard finds an empty list
    /// in a field that is null.
    func isNull(_ value: Cell) -> Bool {
        guard value.kind == .list else { return value.isNull }
        var rest = value
        while rest.length > 0 {
            if !pop(&rest).isNull { return false }
        }
        return true
    }

    /// Takes the first element of a list away.
    func pop(_ list: inout Cell) -> Cell {
        let element = batch.elements[list.head]
        let payload = UInt64(element.next) << 32 | UInt64(list.tail)
        list = Cell(kind: .list, payload: payload, length: list.length - 1)
        return element.cell
    }

    /// A literal of the definition, its bytes in the arena of the batch.
    mutating func place(_ index: Int32) -> Cell {
        let literal = compiled.literals[Int(index)]
        guard literal.hasBytes else { return literal }
        let offset = unsafe converter.arena.append(compiled.pool.base + literal.offset, literal.count)
        return Cell(kind: literal.kind, payload: UInt64(offset), length: literal.length)
    }

    /// The literal's bytes where they are.
    func literalView(_ index: Int) -> ByteView { ByteView(compiled.literals[index], in: compiled.pool) }

    mutating func push(_ value: Cell) {
        stack.ensure(stackCount + 1)
        stack[stackCount] = value
        stackCount += 1
    }

    private mutating func applyToEach(_ list: Cell, _ rule: CompiledRule) throws(Complaint) -> Cell {
        var rest = list
        var result = Cell(kind: .list)
        while rest.length > 0 {
            let element = converter.plain(pop(&rest))
            batch.append(element.isNull ? .null : try apply(rule, to: element), to: &result)
        }
        return result
    }
}
