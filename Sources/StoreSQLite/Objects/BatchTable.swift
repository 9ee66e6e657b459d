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
    fileprivate struct State {
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
        _ arena: Arena, _ work: RowWork, targetNames: [[String]]
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
        _ arena: Arena, _ work: RowWork, targetNames: [[String]]
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
        _ statement: Statement, _ rows: ArraySlice<Int>, placesOf section: EntityRecords, _ work: RowWork
    ) throws(Failure) {
        let run = { (rows: UnsafeBufferPointer<Int>) throws(Failure) in
            try unsafe self.run(statement, rows, placesOf: section, work)
        }
        try unsafe rows.withUnsafeBufferPointer(run)
    }

    private func run(
        _ statement: Statement, _ rows: UnsafeBufferPointer<Int>, placesOf section: EntityRecords, _ work: RowWork
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

// MARK: What SQLite calls

extension BatchTable {
    /// A module lives as long as the process; nothing in it changes after it was made.
    nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var callbacks = sqlite3_module()
        unsafe callbacks.xConnect = { connection, state, _, _, table, _ in
            unsafe BatchTable.connect(connection, state, table)
        }
        unsafe callbacks.xBestIndex = { _, _ in SQLITE_OK }
        unsafe callbacks.xDisconnect = { table in
            unsafe free(table)
            return SQLITE_OK
        }
        unsafe callbacks.xOpen = { _, cursor in unsafe BatchTable.open(cursor) }
        unsafe callbacks.xClose = { cursor in
            unsafe free(cursor)
            return SQLITE_OK
        }
        unsafe callbacks.xFilter = { cursor, _, _, _, _ in
            unsafe BatchTable.cursor(cursor).pointee.place = 0
            return SQLITE_OK
        }
        unsafe callbacks.xNext = { cursor in
            let cursor = unsafe BatchTable.cursor(cursor)
            unsafe cursor.pointee.place += 1
            unsafe BatchTable.state(of: cursor).pointee.checkNumber(before: Int(cursor.pointee.place))
            return SQLITE_OK
        }
        unsafe callbacks.xEof = { cursor in
            let cursor = unsafe BatchTable.cursor(cursor)
            return unsafe cursor.pointee.place < BatchTable.state(of: cursor).pointee.count ? 0 : 1
        }
        unsafe callbacks.xColumn = { cursor, result, column in
            let cursor = unsafe BatchTable.cursor(cursor)
            unsafe BatchTable.state(of: cursor).pointee.give(Int(column), Int(cursor.pointee.place), to: result)
            return SQLITE_OK
        }
        unsafe callbacks.xRowid = { cursor, rowid in
            unsafe rowid?.pointee = BatchTable.cursor(cursor).pointee.place
            return SQLITE_OK
        }
        unsafe module.initialize(to: callbacks)
        return unsafe UnsafePointer(module)
    }()

    private static func connect(
        _ connection: OpaquePointer?, _ state: UnsafeMutableRawPointer?,
        _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        guard let state = unsafe state, let memory = unsafe calloc(1, MemoryLayout<sluice_virtual_table>.size) else {
            return SQLITE_NOMEM
        }
        let made = unsafe memory.assumingMemoryBound(to: sluice_virtual_table.self)
        unsafe made.pointee.state = state
        unsafe table?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
        let count = unsafe state.assumingMemoryBound(to: State.self).pointee.columnCount
        return unsafe sqlite3_declare_vtab(connection, "CREATE TABLE batch (\(columnList(count)))")
    }

    private static func open(
        _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 {
        guard let memory = unsafe calloc(1, MemoryLayout<sluice_virtual_cursor>.size) else { return SQLITE_NOMEM }
        unsafe cursor?.pointee = memory.assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    @inline(__always)
    private static func cursor(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
    ) -> UnsafeMutablePointer<sluice_virtual_cursor> {
        unsafe UnsafeMutableRawPointer(cursor.unsafelyUnwrapped).assumingMemoryBound(to: sluice_virtual_cursor.self)
    }

    @inline(__always)
    private static func state(of cursor: UnsafeMutablePointer<sluice_virtual_cursor>) -> UnsafeMutablePointer<State> {
        // Neither is ever null: SQLite made the one from the other, and `connect` set the state.
        let table = unsafe UnsafeMutableRawPointer(cursor.pointee.base.pVtab.unsafelyUnwrapped)
        let state = unsafe table.assumingMemoryBound(to: sluice_virtual_table.self).pointee.state.unsafelyUnwrapped
        return unsafe state.assumingMemoryBound(to: State.self)
    }
}

extension BatchTable.State {
    /// Ends the rows if the one before has not been written, where SQLite numbers them.
    @inline(__always)
    fileprivate mutating func checkNumber(before place: Int) {
        guard unsafe isNumbered, let row = unsafe rows?[place - 1], let objectID = unsafe objectIDs?[row] else {
            return
        }
        if unsafe sqlite3_last_insert_rowid(connection) != objectID { unsafe count = place }
    }

    /// Gives SQLite a value. Without a result, it is null.
    @inline(__always)
    fileprivate func give(_ column: Int, _ place: Int, to result: OpaquePointer?) {
        let column = unsafe columns[column]
        switch column {
        case .null: break
        case .source, .target, .position, .linkTargetName, .linkValue:
            guard let link = unsafe links?[place] else { break }
            unsafe give(column, link, to: result)
        case .objectID, .attribute, .reference, .targetName:
            guard let row = unsafe rows?[place] else { break }
            unsafe give(column, row: row, to: result)
        case .origin, .line, .column, .offset:
            guard let row = unsafe rows?[place], let position = unsafe positions?[row] else { break }
            unsafe give(column, position, to: result)
        }
    }

    @inline(__always)
    private func give(_ column: BatchTable.Column, _ position: RecordPosition, to result: OpaquePointer?) {
        let number: UInt64 =
            switch column {
            case .origin: UInt64(position.file) << 16 | UInt64(position.source)
            case .line: position.line
            case .column: position.column
            default: position.offset
            }
        unsafe sqlite3_result_int64(result, Int64(bitPattern: number))
    }

    @inline(__always)
    private func give(_ column: BatchTable.Column, row: Int, to result: OpaquePointer?) {
        switch column {
        case .objectID:
            if let objectID = unsafe objectIDs?[row] { unsafe sqlite3_result_int64(result, objectID) }
        case .attribute(let attribute):
            guard let cell = unsafe typed?[row * width + attribute], let arena = unsafe arena else { break }
            unsafe give(cell, arena, to: result)
        case .reference(let relationship):
            guard let reference = unsafe references?[row * relationshipCount + relationship], reference.isKnown else {
                break
            }
            unsafe sqlite3_result_int64(result, reference.objectID)
        case .targetName(let relationship):
            guard let reference = unsafe references?[row * relationshipCount + relationship], reference.isKnown else {
                break
            }
            unsafe give(targetNames[relationship][reference.target], to: result)
        default: break
        }
    }

    @inline(__always)
    private func give(_ column: BatchTable.Column, _ linked: SourceLink, to result: OpaquePointer?) {
        let link = linked.link
        switch column {
        case .source: unsafe sqlite3_result_int64(result, linked.source)
        case .target: unsafe sqlite3_result_int64(result, link.reference.objectID)
        case .position: unsafe sqlite3_result_int64(result, link.position)
        case .linkValue(let index):
            guard link.values > 0, let cells = unsafe linkCells, let arena = unsafe arena else { break }
            unsafe give(cells[(Int(link.values) - 1) * linkWidth + index], arena, to: result)
        default: unsafe give(targetNames[0][link.reference.target], to: result)
        }
    }

    /// A typed cell. The arena stays as it is until the statement has run: nothing is copied.
    @inline(__always)
    private func give(_ cell: Cell, _ arena: UnsafePointer<UInt8>, to result: OpaquePointer?) {
        switch cell.kind {
        case .text, .impossible:
            // The length always goes along, and the pointer is never null: a text may hold NUL, and may be empty.
            let bytes = unsafe UnsafeRawPointer(arena + cell.offset).assumingMemoryBound(to: CChar.self)
            unsafe sqlite3_result_text64(result, bytes, UInt64(cell.length), nil, UInt8(SQLITE_UTF8))
        case .integer: unsafe sqlite3_result_int64(result, cell.integer)
        case .real: unsafe sqlite3_result_double(result, cell.real)
        case .blob: unsafe sqlite3_result_blob64(result, arena + cell.offset, UInt64(cell.length), nil)
        default: break
        }
    }

    private func give(_ name: String, to result: OpaquePointer?) {
        // SQLITE_TRANSIENT is the destructor -1: SQLite copies the text at once.
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        unsafe sqlite3_result_text64(result, name, UInt64(name.utf8.count), transient, UInt8(SQLITE_UTF8))
    }
}
