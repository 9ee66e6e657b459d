import SluiceRecords

/// The rows of one entity that wait on disk, because something that stands before them is not complete: they are handed
/// out by their numbers.
final class Hold {
    private(set) var file: KeyedFile?
    /// The number of the row that is to be handed out next.
    private(set) var next: UInt64 = 0
    /// The open node around records for which that row waits; 0: the row's record is open.
    var awaited: UInt64 = 0
    private(set) var isActive = false

    func begin(next: UInt64) {
        self.next = next
        awaited = 0
        isActive = true
    }

    func end() throws(Failure) {
        isActive = false
        try file?.clear(first: 0)
    }

    /// Whether no row is on disk.
    var isEmpty: Bool { file?.isEmpty ?? true }

    func put(_ number: UInt64, _ row: RawWriter) throws(Failure) {
        if file == nil { file = try KeyedFile() }
        if isEmpty { try file?.clear(first: next) }
        try unsafe file?.put(number, UnsafePointer(row.bytes.base), row.count)
    }

    /// The row that is next; nil: it is not on disk.
    func nextRow() throws(Failure) -> RawReader? {
        guard !isEmpty, let row = try unsafe file?.get(next) else { return nil }
        return unsafe RawReader(row)
    }

    func passNext() { next += 1 }
}

/// All that waits on disk.
@safe
struct HeldRecords {
    private let holds: [Hold]
    private(set) var activeCount = 0
    /// The values of ended nodes around records for which rows on disk wait.
    private var values: KeyedFile?
    var writer = RawWriter()
    /// By ancestor.
    private var shared: [SharedValues]

    /// What was read last for an ancestor, and is in the batch of that number.
    private struct SharedValues {
        var id: UInt64 = 0
        var batch = -1
        var cells: [Cell] = []
    }

    init(_ model: Model, ancestors: Int) {
        holds = model.entities.map { _ in Hold() }
        shared = Array(repeating: SharedValues(), count: ancestors)
    }

    mutating func deallocate() { writer.deallocate() }

    subscript(entity: Int) -> Hold { holds[entity] }

    func isActive(_ entity: Int) -> Bool { holds[entity].isActive }

    /// Whether a record is the one that the rows on disk wait for.
    func isNext(_ number: UInt64, of entity: Int) -> Bool { holds[entity].isActive && holds[entity].next == number }

    mutating func begin(_ entity: Int, next: UInt64) {
        holds[entity].begin(next: next)
        activeCount += 1
    }

    mutating func end(_ entity: Int) throws(Failure) {
        try holds[entity].end()
        activeCount -= 1
        if activeCount == 0 { try values?.clear(first: 0) }
    }

    /// Keeps the values of a node that ends.
    mutating func keep(_ ancestor: OpenAncestor, _ ancestors: Ancestors) throws(Failure) {
        if values == nil { values = try KeyedFile() }
        writer.clear()
        for cell in ancestor.cellStart..<ancestor.cellStart + ancestors.infos[ancestor.kind].slotCount {
            writer.write(ancestors.cells[cell], ancestors.values, ancestors.values.arena)
        }
        try unsafe values?.put(ancestor.id, UnsafePointer(writer.bytes.base), writer.count)
    }

    /// Fills the slots of a row with the values of a node that has ended.
    mutating func fill(
        _ row: UnsafeMutablePointer<Cell>, _ kind: Int, id: UInt64, _ ancestors: Ancestors, _ batch: RecordBatch,
        number: Int, _ arena: inout Arena
    ) throws(Failure) {
        let info = ancestors.infos[kind]
        if shared[kind].id != id || shared[kind].batch != number {
            guard let bytes = try unsafe values?.get(id) else {
                throw Failure(.defect, "the values around a record were not kept")
            }
            var reader = unsafe RawReader(bytes)
            shared[kind].cells.removeAll(keepingCapacity: true)
            for _ in 0..<info.slotCount { shared[kind].cells.append(reader.cell(batch, &arena)) }
            shared[kind].id = id
            shared[kind].batch = number
        }
        for value in 0..<info.slotCount { unsafe row[ancestors.slot(info, value)] = shared[kind].cells[value] }
    }
}
