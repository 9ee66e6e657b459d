/// The tables of an `EntityRecords`: trivial, so that the reader can reach them for each record at no cost.
@frozen
@safe
public struct EntityTables: BitwiseCopyable {
    /// See `EntityRecords`, for each of these.
    public let entity: Int
    /// See `EntityRecords`.
    public let slotCount: Int
    /// See `EntityRecords`.
    public let width: Int
    /// See `EntityRecords`.
    public let hasNotes: Bool
    /// See `EntityRecords`.
    public private(set) var count = 0
    /// See `EntityRecords`.
    public private(set) var raw = Table<Cell>()
    /// See `EntityRecords`.
    public private(set) var typed = Table<Cell>()
    /// See `EntityRecords`.
    public private(set) var positions = Table<RecordPosition>()
    /// See `EntityRecords`.
    public private(set) var status = Table<RowStatus>()
    /// See `EntityRecords`.
    public private(set) var notes: Table<Cell>
    /// The rows for which there is room in all tables.
    private var room = 0

    /// Bytes that the cells of a row take.
    @inlinable public var rowBytes: Int { (slotCount &+ width) &* MemoryLayout<Cell>.stride }

    init(entity: Int, slotCount: Int, width: Int, hasNotes: Bool) {
        self.entity = entity
        self.slotCount = slotCount
        self.width = width
        self.hasNotes = hasNotes
        notes = Table(capacity: hasNotes ? 64 : 0)
    }

    mutating func deallocate() {
        raw.deallocate()
        typed.deallocate()
        positions.deallocate()
        status.deallocate()
        notes.deallocate()
    }

    /// Adds a row whose raw cells are absent, and returns its index. Its typed cells and its position are undefined.
    public mutating func appendRow(status: RowStatus = .open) -> Int {
        let row = extend(status)
        let cells = unsafe raw.base + row &* slotCount
        var slot = 0
        while slot < slotCount {
            unsafe cells[slot] = .absent
            slot &+= 1
        }
        if hasNotes { notes[row] = .absent }
        return row
    }

    /// Adds a row with undefined contents, and returns its index.
    mutating func extend(_ status: RowStatus) -> Int {
        let row = count
        if row == room { grow() }
        count = row &+ 1
        self.status[row] = status
        return row
    }

    @inline(never)
    private mutating func grow() {
        room = max(64, 2 * room)
        raw.ensure(room * slotCount)
        typed.ensure(room * width)
        positions.ensure(room)
        status.ensure(room)
        if hasNotes { notes.ensure(room) }
    }

    mutating func reset() { count = 0 }
}
