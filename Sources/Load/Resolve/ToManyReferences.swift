import SluiceRecords

/// The references of one to-many relationship: for each row a set of links, or a list of them, in the order of the
/// record's values.
@safe
final class ToManyReferences: RelationshipReferences {
    let finder: TargetFinder
    let values: LinkValues
    let isSet: Bool
    private let hasValues: Bool
    let relationship: Int
    private let firstCell: Int
    private let width: Int
    private let tables: Unchecked<Tables>
    /// Scratch: the links of one row.
    private var counted: [SourceLink] = []

    private struct Tables {
        /// The keys of all values of the rows, block by block.
        var blocks = Table<Cell>()
        var references = Table<Reference>()
        /// What the links have of their own, where they have anything.
        var valueNumbers = Table<Int32>(capacity: 0)
        var count = 0
        /// By row: where its values are among these.
        var ranges = Table<Range>()
    }

    /// Cells of a link's block.
    private var blockWidth: Int { finder.layout.blockWidth }
    private var blocks: Table<Cell> { tables.value.blocks }
    private var references: Table<Reference> { tables.value.references }
    private var valueNumbers: Table<Int32> { tables.value.valueNumbers }
    private var ranges: Table<Range> { tables.value.ranges }
    private var count: Int { tables.value.count }

    /// The values of a row.
    private struct Range: BitwiseCopyable {
        /// Of a row that says nothing.
        static let nothing = Range(start: 0, count: -1, isPostponed: false)

        var start: Int32
        var count: Int32
        /// Whether it is left for the second pass although its targets are known.
        var isPostponed: Bool

        var indices: Swift.Range<Int> { Int(start)..<Int(start) + Int(max(count, 0)) }
    }

    init(_ state: EntityState, relationship: Int, all: [EntityState]) {
        self.relationship = relationship
        let definition = state.entity.relationships[relationship]
        finder = TargetFinder(definition, all: all)
        values = LinkValues(definition)
        isSet = definition.isSet
        hasValues = !definition.values.isEmpty
        firstCell = state.traits.layout.relationshipStart[relationship]
        width = state.traits.layout.width
        tables = Unchecked(Tables())
    }

    deinit {
        tables.value.blocks.deallocate()
        tables.value.references.deallocate()
        tables.value.valueNumbers.deallocate()
        tables.value.ranges.deallocate()
        tables.deallocate()
    }

    /// Forgets the rows of the round before, and makes room for those of a section.
    func startRound(_ rowCount: Int) {
        tables.value.ranges.ensure(rowCount)
        let ranges = ranges
        for row in 0..<rowCount { ranges[row] = .nothing }
        tables.value.count = 0
        values.reset()
    }

    func beginResolving(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, among scope: TargetScope
    ) throws(Failure) {
        for row in rows { gather(row, section, batch) }
        tables.value.references.ensure(count)
        let (blocks, references, blockWidth) = unsafe (UnsafePointer(blocks.base), references.base, blockWidth)
        try unsafe finder.begin(
            count, batch.arena, among: scope, block: { unsafe blocks + $0 * blockWidth },
            set: { unsafe references[$0] = $1 })
    }

    func finishResolving(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, among scope: TargetScope
    ) throws(Failure) {
        let (blocks, references, blockWidth) = unsafe (UnsafePointer(blocks.base), references.base, blockWidth)
        try unsafe finder.finish(
            batch.arena, among: scope, block: { unsafe blocks + $0 * blockWidth },
            set: { unsafe references[$0] = $1 })
    }

    private func gather(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) {
        let cells = unsafe UnsafePointer(section.typed.base) + (row * width + firstCell)
        let first = unsafe cells[0].kind
        // A selector may hold for all values of a row: the key says how many there are.
        let key = (0..<blockWidth).first { unsafe cells[$0].kind == .list }
        guard let key else {
            ranges[row] = first == .absent ? .nothing : Range(start: Int32(count), count: 0, isPostponed: false)
            return
        }
        let start = count
        let length = unsafe cells[key].count
        tables.value.count += length
        tables.value.blocks.ensure(count * blockWidth)
        for part in 0..<blockWidth { unsafe spread(cells[part], part, length, start, batch) }
        if !values.isEmpty { unsafe gatherValues(cells + blockWidth, length, start, batch) }
        ranges[row] = Range(start: Int32(start), count: Int32(length), isPostponed: false)
    }

    /// Writes what each link has of its own.
    private func gatherValues(_ cells: UnsafePointer<Cell>, _ length: Int, _ start: Int, _ batch: RecordBatch) {
        tables.value.valueNumbers.ensure(start + length)
        var lists = ListsBeside(values.columns.indices.map { unsafe cells[$0] })
        for place in 0..<length {
            lists.advance(batch)
            valueNumbers[start + place] = values.number(of: lists.cells, batch.arena)
        }
    }

    private func valueNumber(_ index: Int) -> Int32 { hasValues ? valueNumbers[index] : 0 }

    /// Writes one part of the keys: the elements of a list, or the same cell for all.
    private func spread(_ cell: Cell, _ part: Int, _ length: Int, _ start: Int, _ batch: RecordBatch) {
        var index = cell.head
        for place in 0..<length {
            var value = cell
            if cell.kind == .list {
                let element = batch.elements[index]
                value = element.cell
                index = Int(element.next)
            }
            blocks[(start + place) * blockWidth + part] = value
        }
    }

    func postpone(_ row: Int) {
        if state(row) == .settled { unsafe ranges.base[row].isPostponed = true }
    }

    func state(_ row: Int) -> TargetState {
        let range = ranges[row]
        if range.count < 0 { return .unstated }
        if range.isPostponed { return .pending }
        for index in range.indices where references[index] == .pending { return .pending }
        return .settled
    }

    /// Adds the links that the row's object should have: of a set, each target once, at its first position. Returns how
    /// many.
    @discardableResult
    func appendLinks(_ row: Int, of source: Int64, to links: inout [SourceLink]) -> Int {
        let (start, range) = (links.count, ranges[row].indices)
        var met = isSet && range.count > ToManyReferences.few ? Set<Reference>(minimumCapacity: range.count) : nil
        for index in range where references[index].isKnown {
            let reference = references[index]
            let isNew =
                !isSet
                || (met?.insert(reference).inserted ?? !links[start...].contains { $0.link.reference == reference })
            if !isNew { continue }
            let link = Link(
                reference: reference, position: Int64(index - range.lowerBound), values: valueNumber(index))
            links.append(SourceLink(source: source, link: link))
        }
        return links.count - start
    }

    /// How many these are.
    func linkCount(_ row: Int) -> Int {
        counted.removeAll(keepingCapacity: true)
        return appendLinks(row, of: 0, to: &counted)
    }

    /// Up to this many values are compared with each other; more are looked up in a set.
    private static let few = 24

    /// Of a set, each target once, at its first position.
    func links(_ row: Int) -> [Link] {
        var links: [SourceLink] = []
        appendLinks(row, of: 0, to: &links)
        return links.map(\.link)
    }

    /// Promises the targets of rows that are not there yet their objectIDs, `promised` the rows; not those of a row of
    /// which one can never be there.
    func promise(_ rows: [Int], _ arena: Arena, promised: (_ row: Int) -> Void) {
        let ids = finder.soleTarget
        for row in rows where state(row) == .pending {
            let isPromised = unsafe promise(row) { key in
                guard let ids else { return unsafe finder.promise(key, arena, mayAdd: true) }
                return unsafe finder.promise(key, 0, ids, arena, mayAdd: true)
            }
            if isPromised { promised(row) }
        }
    }

    /// Promises the targets of a row, unless one of them can never be there. Returns whether it did.
    @inline(__always)
    private func promise(_ row: Int, _ promise: (_ key: UnsafePointer<Cell>) -> Reference) -> Bool {
        let (range, base) = unsafe (ranges[row].indices, UnsafePointer(blocks.base))
        for index in range where references[index] == .pending {
            if unsafe !finder.mayCome(base + index * blockWidth) { return false }
        }
        for index in range where references[index] == .pending {
            references[index] = unsafe promise(base + index * blockWidth)
        }
        return true
    }

    func brokenPromises(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [Link] {
        var met: Set<Reference> = []
        return pending(row).compactMap { index, position in
            let promised = unsafe finder.promised(key(index), arena)
            guard !isSet || met.insert(promised).inserted else { return nil }
            return Link(reference: promised, position: position, values: valueNumber(index))
        }
    }

    /// Of a set, each once, at its first position.
    func unresolved(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [WaitingReference] {
        var met: Set<WaitingValue> = []
        return pending(row).compactMap { index, position in
            let value = unsafe finder.value(key(index), arena)
            guard !isSet || met.insert(value).inserted else { return nil }
            return WaitingReference(position: position, value: value, with: values.text(valueNumber(index)))
        }
    }

    /// The row's values without a target, each with its position among the values of the record.
    private func pending(_ row: Int) -> [(index: Int, position: Int64)] {
        let range = ranges[row].indices
        return range.filter { references[$0] == .pending }.map { ($0, Int64($0 - range.lowerBound)) }
    }

    /// The key of a value.
    @inline(__always)
    private func key(_ index: Int) -> UnsafePointer<Cell> { unsafe UnsafePointer(blocks.base) + index * blockWidth }

    func found(
        _ waited: [WaitingReference], _ row: Int, _ section: EntityRecords, _ arena: Arena
    ) -> [(position: Int64, link: Link)] {
        let range = ranges[row].indices
        return waited.compactMap { waiting in
            let index = range.lowerBound + Int(waiting.position)
            guard index < range.upperBound, references[index].isKnown else { return nil }
            let value = unsafe finder.value(key(index), arena)
            let number = valueNumber(index)
            guard waiting.value.isSame(as: value), values.isSame(waiting.with, number) else { return nil }
            return (
                waiting.position, Link(reference: references[index], position: waiting.position, values: number)
            )
        }
    }

    func areSame(_ waited: [WaitingReference], _ unresolved: [WaitingReference]) -> Bool {
        waited.map(\.value).areSame(as: unresolved.map(\.value))
            && zip(waited, unresolved).allSatisfy { $0.position == $1.position }
            && (values.isEmpty
                || zip(waited, unresolved).allSatisfy { values.number(of: $0.with) == values.number(of: $1.with) })
    }

    func clearStated(_ row: Int, _ section: EntityRecords) {
        let start = row * width + firstCell
        for cell in start..<start + blockWidth { section.typed[cell] = .absent }
    }

    func targets(_ row: Int) -> [Reference] { ranges[row].indices.map { references[$0] } }

    func missingKeys(_ row: Int, _ section: EntityRecords) -> [(target: EntityState, cells: [Cell])] {
        ranges[row].indices.filter { finder.isMissing(references[$0]) }.compactMap { unsafe finder.missingKey(key($0)) }
    }

    func missingTargets(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [MissingTargetKeys] {
        pending(row).map { unsafe finder.missingTarget(key($0.index), arena) }
    }
}
