import CSluiceSQLite
import Glibc

// What SQLite calls to read the table.
extension BatchTable {
    /// A module lives as long as the process; nothing in it changes after it was made.
    nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
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
            unsafe BatchTable.state(of: cursor).pointee.setResult(Int(column), Int(cursor.pointee.place), of: result)
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
