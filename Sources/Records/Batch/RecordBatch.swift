/// What has become of a row of a batch.
@frozen
public enum RowStatus: UInt8, Sendable, BitwiseCopyable {
    /// The reader has not seen the record's end.
    case open
    /// The reader has filled the raw cells.
    case complete
    /// Transform has found that the record cannot become an object.
    case rejected
    /// The record says that its object is gone (`deleteWhere`): of its typed cells only the identifier's are set.
    case gone
    /// The row was moved to another batch, or its record does not count (`where`).
    case dropped
}

/// One element of a list: a cell, and the index of the next one.
@frozen
public struct ListElement: Sendable, BitwiseCopyable {
    /// The value.
    public var cell: Cell
    /// The index of the next element; of the last one, 0.
    public var next: UInt32

    /// An element, and the one after it.
    @inlinable
    public init(cell: Cell, next: UInt32) {
        self.cell = cell
        self.next = next
    }
}

/// Why a record could not become an object: one fault of one row.
public struct Fault: Sendable {
    /// The index of the entity in the model.
    public var entity: Int
    /// The row in the batch.
    public var row: Int
    /// The attribute or relationship, or a path where there is none.
    public var member: String
    /// A sentence without a full stop: what was expected, and what was found.
    public var reason: String
    /// Whether the bytes of the row are no record at all: nobody knows what is in it, whether it counts included.
    package var isOfBytes = false
    /// Whether the values of the row may not be those of their columns: nobody knows whether it meets conditions.
    package var isMisplaced = false

    /// A fault of a row.
    public init(entity: Int, row: Int, member: String, reason: String) {
        self.entity = entity
        self.row = row
        self.member = member
        self.reason = reason
    }
}

/// The records of one entity in one batch. Row-major: cell `c` of row `r` is at `r * width + c`.
@safe
public final class EntityRecords {
    /// What it holds, at an address that stays: no access to it is checked, and no reference to it is counted.
    @usableFromInline let tables: UnsafeMutablePointer<RecordTables>

    /// The entity's index in the model.
    @inlinable public var entity: Int { unsafe tables.pointee.entity }
    /// Raw cells in a row: the entity's slots.
    @inlinable public var slotCount: Int { unsafe tables.pointee.slotCount }
    /// Typed cells in a row, see `RowLayout`.
    @inlinable public var width: Int { unsafe tables.pointee.width }
    /// Rows, whatever their status.
    @inlinable public var count: Int { unsafe tables.pointee.count }
    /// What the reader found, by slot.
    @inlinable public var raw: Table<Cell> { unsafe tables.pointee.raw }
    /// What Transform made of it, by column.
    @inlinable public var typed: Table<Cell> { unsafe tables.pointee.typed }
    /// The position of each row's record in its feed.
    @inlinable public var positions: Table<RecordPosition> { unsafe tables.pointee.positions }
    /// What has become of each row.
    @inlinable public var status: Table<RowStatus> { unsafe tables.pointee.status }
    /// The item of the feed to which each row belongs.
    @inlinable public var items: Table<RowItem> { unsafe tables.pointee.items }
    /// Of each row that Load has saved, and of which no more is to be said than what its item holds: the objectID of
    /// its object. 0 of all others.
    @inlinable public var outcomes: Table<Int64> { unsafe tables.pointee.outcomes }
    /// By row and relationship, of rows with an outcome: how many references with a target the object holds, or is to
    /// hold when all targets are there.
    @inlinable public var held: Table<UInt8> { unsafe tables.pointee.held }
    /// The entity's relationships.
    @inlinable public var relationshipCount: Int { unsafe tables.pointee.relationshipCount }
    /// Whether there are notes: only an entity with conditions has records that do not count.
    @inlinable public var hasNotes: Bool { unsafe tables.pointee.hasNotes }
    /// Where there are notes: by row, absent or a list of numbers. The numbers are the reader's, for its findings about
    /// a record that are reported only if the record counts.
    @inlinable public var notes: Table<Cell> { unsafe tables.pointee.notes }

    init(entity: Int, slotCount: Int, width: Int, hasNotes: Bool, relationshipCount: Int) {
        unsafe tables = .allocate(capacity: 1)
        unsafe tables.initialize(
            to: RecordTables(
                entity: entity, slotCount: slotCount, width: width, hasNotes: hasNotes,
                relationshipCount: relationshipCount))
    }

    deinit {
        unsafe tables.pointee.deallocate()
        unsafe tables.deallocate()
    }

    /// Adds a row whose raw cells are absent, and returns its index. Its typed cells and its position are undefined.
    public func appendRow(status: RowStatus = .open) -> Int { unsafe tables.pointee.appendRow(status: status) }

    /// Adds a row for typed cells only, with undefined contents, and returns its index.
    public func appendTypedRow() -> Int { unsafe tables.pointee.extend(.complete) }

    /// The tables themselves, for who keeps the batch alive while using them.
    @inlinable public var unsafeTables: UnsafeMutablePointer<RecordTables> { unsafe tables }

    func reset() { unsafe tables.pointee.reset() }
}

/// A row of an entity, by indices.
package struct RowReference: BitwiseCopyable, Hashable, Sendable {
    package var entity: Int
    package var row: Int

    package init(entity: Int, row: Int) { (self.entity, self.row) = (entity, row) }
}

/// An element that none of several entities takes.
package struct UntakenElement: Sendable {
    /// Of the first of these entities.
    package var row: RowReference
    /// The number of its kind in this run.
    package var kind: Int
    /// The elements of its kind, as a path.
    package var field: String

    package init(row: RowReference, kind: Int, field: String) { (self.row, self.kind, self.field) = (row, kind, field) }
}

/// A record for which a service was not asked for the objects that belong to it: it is a reject, or has no value for
/// the address. None of these objects is absent.
package struct UnaskedOwner: BitwiseCopyable {
    /// The entity of the record.
    package var entity: Int
    package var row: Int
    /// The entity of the objects that belong to it.
    package var part: Int

    package init(entity: Int, row: Int, part: Int) { (self.entity, self.row, self.part) = (entity, row, part) }
}

/// The records that are created, saved and forgotten together, of all entities; the currency of the pipeline.
///
/// A batch is owned by one stage at a time, filled, handed on, and reset for use again: its memory stays. Extract
/// fills the raw cells, Transform the typed ones and the faults, Load reads the typed ones. ``BatchQueue`` hands a
/// batch from one thread to another, and who has handed it over does not use it any more.
@safe
public final class RecordBatch: @unchecked Sendable {
    /// By the entity's index in the model.
    public let sections: [EntityRecords]
    /// Behind a pointer: a property of a class is checked for exclusive access each time, which takes longer than the
    /// access itself.
    @usableFromInline let values: UnsafeMutablePointer<Values>

    @usableFromInline
    struct Values {
        @usableFromInline var arena = Arena(capacity: 1 << 20)
        @usableFromInline var elements = Table<ListElement>()
        @usableFromInline var elementCount = 0
        /// Whether an element stands where a list was looked for.
        var hasUnlisted = false
    }

    /// The items, to be added to: what is outside of this module would be given a copy that is put back, each time.
    package let noted = Unchecked(BatchItems())

    /// The bytes of all values.
    @inlinable public var arena: Arena {
        get { unsafe values.pointee.arena }
        set { unsafe values.pointee.arena = newValue }
    }
    /// The elements of all lists, each with the index of the next one.
    @inlinable public var elements: Table<ListElement> { unsafe values.pointee.elements }
    /// How many elements there are.
    @inlinable public var elementCount: Int { unsafe values.pointee.elementCount }
    /// The items of feeds that the batch is about, where they are noted.
    package var items: BatchItems { noted.value }
    /// All faults of the batch's rejected rows.
    public var faults: [Fault] = []
    /// Rows of records for which a service was not asked for what belongs to them.
    package var unasked: [UnaskedOwner] = []
    /// Rows of elements of a kind that none of several entities asks for, each a row of the first of these.
    package var unclaimed: [RowReference] = []
    /// The same, with their kinds.
    package var untaken: [UntakenElement] = []
    /// The entities of objects for which a service was not asked, where nothing says to which record they belong.
    package var unaskedParts: Set<Int> = []

    /// An empty batch for the records of a model.
    public init(model: Model) {
        sections = model.entities.enumerated().map { index, entity in
            EntityRecords(
                entity: index, slotCount: entity.slots.count, width: entity.layout.width,
                hasNotes: !entity.conditions.isEmpty, relationshipCount: entity.relationships.count)
        }
        unsafe values = .allocate(capacity: 1)
        unsafe values.initialize(to: Values())
    }

    deinit {
        unsafe values.pointee.arena.deallocate()
        unsafe values.pointee.elements.deallocate()
        noted.value.deallocate()
        noted.deallocate()
        unsafe values.deallocate()
    }

    /// Rows of all entities, whatever their status.
    public var rowCount: Int { sections.reduce(0) { $0 + $1.count } }

    /// Bytes that the cells of the rows take.
    public var cellBytes: Int { sections.reduce(0) { $0 + $1.count * (unsafe $1.unsafeTables.pointee.rowBytes) } }

    /// Records of all entities: rows but for those that do not count, or were moved away.
    public var recordCount: Int {
        sections.reduce(0) { total, section in
            total + (0..<section.count).count { section.status[$0] != .dropped }
        }
    }

    /// The bytes of the feed's values that the batch holds.
    @inlinable public var byteCount: Int { arena.count }

    /// Adds a value at the end of a list; an absent cell becomes a list of one.
    public func append(_ value: Cell, to list: inout Cell) {
        let index = elementCount
        unsafe values.pointee.elementCount = index + 1
        unsafe values.pointee.elements.ensure(index + 1)
        if value.kind == .unlisted { unsafe values.pointee.hasUnlisted = true }
        let elements = elements
        elements[index] = ListElement(cell: value, next: 0)
        guard list.kind == .list, list.length > 0 else {
            list = Cell(kind: .list, payload: UInt64(index) << 32 | UInt64(index), length: 1)
            return
        }
        elements[list.tail].next = UInt32(index)
        list = Cell(kind: .list, payload: UInt64(list.head) << 32 | UInt64(index), length: list.length + 1)
    }

    /// Whether an element of a list is none: it stands where a list was looked for.
    package var hasUnlisted: Bool { unsafe values.pointee.hasUnlisted }

    /// The names of the files that rows are from, by source and file.
    private var fileNames: [UInt64: String] = [:]

    /// Says what a file is called; of its path, the last part counts.
    package func name(file: UInt32, of source: UInt16, _ path: String) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        fileNames[UInt64(source) << 32 | UInt64(file)] = String(path[start...])
    }

    /// The name of the file in which a row stands.
    package func fileName(at position: RecordPosition) -> String {
        fileNames[UInt64(position.source) << 32 | UInt64(position.file)] ?? ""
    }

    /// Forgets everything, and keeps the memory.
    public func reset() {
        for section in sections { section.reset() }
        unsafe values.pointee.arena.reset()
        unsafe values.pointee.elementCount = 0
        unsafe values.pointee.hasUnlisted = false
        noted.value.reset()
        fileNames.removeAll(keepingCapacity: true)
        faults.removeAll(keepingCapacity: true)
        unasked.removeAll(keepingCapacity: true)
        unclaimed.removeAll(keepingCapacity: true)
        untaken.removeAll(keepingCapacity: true)
        unaskedParts.removeAll(keepingCapacity: true)
    }
}
