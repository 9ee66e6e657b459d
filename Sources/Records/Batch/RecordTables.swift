/// The tables of an `EntityRecords`: trivial, so that the reader can reach them for each record at no cost.
@frozen
@safe
public struct RecordTables: BitwiseCopyable {
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
    /// By row: the item of its feed, see `EntityRecords.items`.
    public private(set) var items = Table<RowItem>()
    /// By row: see `EntityRecords.outcomes`.
    public private(set) var outcomes = Table<Int64>()
    /// By row and relationship: see `EntityRecords.held`.
    public private(set) var held: Table<UInt8>
    /// See `EntityRecords`.
    public let relationshipCount: Int
    /// The rows for which there is room in all tables.
    private var room = 0

    /// Bytes that the cells of a row take.
    @inlinable public var rowBytes: Int { (slotCount &+ width) &* MemoryLayout<Cell>.stride }

    init(entity: Int, slotCount: Int, width: Int, hasNotes: Bool, relationshipCount: Int) {
        self.relationshipCount = relationshipCount
        held = Table(capacity: 0)
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
        items.deallocate()
        outcomes.deallocate()
        held.deallocate()
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
        items[row] = .none
        outcomes[row] = 0
        return row
    }

    @inline(never)
    private mutating func grow() {
        room = max(64, 2 * room)
        raw.ensure(room * slotCount)
        typed.ensure(room * width)
        positions.ensure(room)
        status.ensure(room)
        items.ensure(room)
        outcomes.ensure(room)
        held.ensure(room * relationshipCount)
        if hasNotes { notes.ensure(room) }
    }

    mutating func reset() { count = 0 }
}

/// To which item of the feed a row belongs.
@frozen
public struct RowItem: BitwiseCopyable, Sendable {
    /// The number of the item among those of the batch that are read; of none, the greatest number.
    public var number: UInt32
    /// Which of the entity's paths of records have led to the record, as bits.
    public var paths: UInt32

    /// A row of an item.
    @inlinable
    public init(number: UInt32, paths: UInt32) {
        self.number = number
        self.paths = paths
    }

    /// Of no item that can be known.
    @inlinable public static var none: RowItem { RowItem(number: .max, paths: 0) }
}
