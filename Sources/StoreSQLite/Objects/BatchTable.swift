import CSluiceSQLite
import Glibc
import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The rows to write, as a virtual table that one `INSERT` reads: a statement for each row would be bound, started and
/// ended each time, which takes a fifth of the time of writing.
///
/// The table is there for its connection only, nothing of it is in the store. Its columns are named c0, c1 …; what they
/// hold is set with the rows.
@safe
final class BatchTable {
    static let name = "sluice_batch"

    /// What a column holds.
    enum Column {
        case objectID
        case attribute(Int)
        /// The objectID of what a to-one relationship refers to.
        case reference(Int)
        /// The name of the entity that this is of.
        case targetName(Int)
        case null
        // Of links:
        case source, target, position
        case linkTargetName
        /// What a link has of its own.
        case linkValue(Int)
        // Of the place of a record, beside the objectID:
        case origin, line, column, offset
    }

    /// Where records stood, as columns.
    static let placeColumns: [Column] = [.objectID, .origin, .line, .column, .offset]

    private let state: UnsafeMutablePointer<State>

    /// The rows of a section, or the links, that the table shows. Plain memory, so that a value costs no reference
    /// counting.
    @unsafe
    struct State {
        let connection: OpaquePointer
        let columnCount: Int
        var columns: [Column] = []
        var count = 0
        /// Whether SQLite numbers the rows, see `append`.
        var isNumbered = false
        /// By relationship, or of the links: the names of the entities that may be referred to.
        var targetNames: [[String]] = []

        var rows: UnsafePointer<Int>?
        var typed: UnsafePointer<Cell>?
        /// Cells in a row.
        var width = 0
        var arena: UnsafePointer<UInt8>?
        var objectIDs: UnsafePointer<Int64>?
        var positions: UnsafePointer<RecordPosition>?
        var references: UnsafePointer<Reference>?
        /// References in a row.
        var relationshipCount = 0

        var links: UnsafePointer<SourceLink>?
        /// What links have of their own, by its number from 1: so many cells each.
        var linkCells: UnsafePointer<Cell>?
        var linkWidth = 0

        init(_ connection: OpaquePointer, columnCount: Int) {
            unsafe self.connection = connection
            unsafe self.columnCount = columnCount
        }
    }

    /// Registers the table with a connection, which must not be used when the table is gone, with the most columns that
    /// are needed.
    init(_ connection: Connection, _ schema: Schema) throws(Failure) {
        let entities = schema.model.entities
        let most = entities.map { schema.columns(of: $0).count + 1 }.max() ?? 0
        // Links need four, and those for what they have of their own.
        let own = entities.flatMap(\.relationships).map(\.values.count).max() ?? 0
        let columnCount = max(4 + own, most, BatchTable.placeColumns.count)
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State(connection.handle, columnCount: columnCount))
        let code = unsafe sqlite3_create_module_v2(
            connection.handle, BatchTable.name, BatchTable.module, state, nil)
        if code != SQLITE_OK { throw connection.failure(code, doing: "written to") }
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Names of the first columns, for SQL.
    static func columnList(_ count: Int) -> String { (0..<count).map { "c\($0)" }.joined(separator: ", ") }

    /// Runs a statement that writes rows of a section.
    func run(
        _ statement: Statement, _ columns: [Column], _ rows: UnsafeBufferPointer<Int>, _ section: EntityRecords,
        _ arena: Arena, _ work: RowScratch, targetNames: [[String]]
    ) throws(Failure) {
        unsafe state.pointee.columns = columns
        unsafe state.pointee.count = rows.count
        unsafe state.pointee.rows = rows.baseAddress
        unsafe state.pointee.typed = UnsafePointer(section.typed.base)
        unsafe state.pointee.width = section.width
        unsafe state.pointee.arena = UnsafePointer(arena.base)
        unsafe state.pointee.objectIDs = UnsafePointer(work.objectIDs.base)
        unsafe state.pointee.references = UnsafePointer(work.references.base)
        unsafe state.pointee.relationshipCount = work.relationshipCount
        unsafe state.pointee.targetNames = targetNames
        try statement.run()
    }

    /// Runs a statement that writes rows of a section, and leaves their objectIDs to SQLite, which numbers them as they
    /// are numbered already: they follow the highest one of the table. The statement ends behind the first row that is
    /// not written, whose number the next row would get. Returns how many rows it took.
    func append(
        _ statement: Statement, _ columns: [Column], _ rows: UnsafeBufferPointer<Int>, _ section: EntityRecords,
        _ arena: Arena, _ work: RowScratch, targetNames: [[String]]
    ) throws(Failure) -> Int {
        unsafe sqlite3_set_last_insert_rowid(state.pointee.connection, 0)
        unsafe state.pointee.isNumbered = true
        defer { unsafe state.pointee.isNumbered = false }
        try unsafe run(statement, columns, rows, section, arena, work, targetNames: targetNames)
        let (taken, written) = unsafe (state.pointee.count, Int(sqlite3_changes64(state.pointee.connection)))
        let last = unsafe written == 0 ? 0 : work.objectIDs[rows[written - 1]]
        guard taken - written <= 1, unsafe sqlite3_last_insert_rowid(state.pointee.connection) == last else {
            throw Failure(.defect, "SQLite has numbered new rows as they were not to be")
        }
        return taken
    }

    /// Runs a statement that reads which objects rows have, and where their records stood.
    func run(
        _ statement: Statement, _ rows: ArraySlice<Int>, placesOf section: EntityRecords, _ work: RowScratch
    ) throws(Failure) {
        let run = { (rows: UnsafeBufferPointer<Int>) throws(Failure) in
            try unsafe self.run(statement, rows, placesOf: section, work)
        }
        try unsafe rows.withUnsafeBufferPointer(run)
    }

    private func run(
        _ statement: Statement, _ rows: UnsafeBufferPointer<Int>, placesOf section: EntityRecords, _ work: RowScratch
    ) throws(Failure) {
        unsafe state.pointee.columns = BatchTable.placeColumns
        unsafe state.pointee.count = rows.count
        unsafe state.pointee.rows = rows.baseAddress
        unsafe state.pointee.objectIDs = UnsafePointer(work.objectIDs.base)
        unsafe state.pointee.positions = UnsafePointer(section.positions.base)
        try statement.run()
    }

    /// Runs a statement that writes links.
    func run(
        _ statement: Statement, _ columns: [Column], _ links: UnsafeBufferPointer<SourceLink>, _ values: LinkValues,
        targetNames: [String]
    ) throws(Failure) {
        unsafe state.pointee.columns = columns
        unsafe state.pointee.count = links.count
        unsafe state.pointee.links = links.baseAddress
        unsafe state.pointee.linkCells = values.base
        unsafe state.pointee.linkWidth = values.columns.count
        unsafe state.pointee.arena = UnsafePointer(values.arena.base)
        unsafe state.pointee.targetNames = [targetNames]
        try statement.run()
    }
}
