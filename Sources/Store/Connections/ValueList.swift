import CSluiceSQLite
import Glibc

/// Any number of values behind one parameter, as the table `sluice_list(?)`: SQLite has a limit of parameters, and a
/// list as JSON would lose what follows a NUL.
@safe
final class ValueList: Sendable {
    static let name = "sluice_list"
    fileprivate static let pointerType: StaticString = "sluice_list"

    fileprivate let values: [SQLValue]

    init(_ values: [SQLValue]) { self.values = values }

    /// Binds the list; the statement keeps it.
    func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
        let kept = unsafe Unmanaged.passRetained(self).toOpaque()
        let type = unsafe UnsafeRawPointer(ValueList.pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
        return unsafe sqlite3_bind_pointer(statement, index, kept, type) { kept in
            if let kept = unsafe kept { unsafe Unmanaged<ValueList>.fromOpaque(kept).release() }
        }
    }

    /// Makes the table known to a connection.
    static func register(_ connection: OpaquePointer) -> Int32 {
        unsafe sqlite3_create_module_v2(connection, name, module, nil, nil)
    }
}

// MARK: What SQLite calls

extension ValueList {
    /// Lives as long as the process; nothing in it changes after it was made.
    nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var callbacks = sqlite3_module()
        unsafe callbacks.xConnect = { connection, _, _, _, table, _ in unsafe ValueList.connect(connection, table) }
        unsafe callbacks.xBestIndex = { _, plan in unsafe ValueList.plan(plan) }
        unsafe callbacks.xDisconnect = { table in
            unsafe free(table)
            return SQLITE_OK
        }
        unsafe callbacks.xOpen = { _, cursor in unsafe ValueList.open(cursor) }
        unsafe callbacks.xClose = { cursor in
            unsafe free(cursor)
            return SQLITE_OK
        }
        unsafe callbacks.xFilter = { cursor, _, _, count, arguments in
            guard let cursor = unsafe ValueList.state(cursor) else { return SQLITE_ERROR }
            unsafe cursor.pointee.place = 0
            // The statement keeps the list as long as it is bound.
            unsafe cursor.pointee.state = count == 1 ? ValueList.list(arguments?[0]) : nil
            return SQLITE_OK
        }
        unsafe callbacks.xNext = { cursor in
            unsafe ValueList.state(cursor)?.pointee.place += 1
            return SQLITE_OK
        }
        unsafe callbacks.xEof = { cursor in
            guard let cursor = unsafe ValueList.state(cursor), let list = unsafe ValueList.from(cursor) else {
                return 1
            }
            return unsafe cursor.pointee.place < list.values.count ? 0 : 1
        }
        unsafe callbacks.xColumn = { cursor, result, column in
            guard column == 0, let cursor = unsafe ValueList.state(cursor), let list = unsafe ValueList.from(cursor)
            else {
                return SQLITE_OK
            }
            unsafe ValueList.give(list.values[Int(cursor.pointee.place)], result)
            return SQLITE_OK
        }
        unsafe callbacks.xRowid = { cursor, rowid in
            if let cursor = unsafe ValueList.state(cursor) { unsafe rowid?.pointee = cursor.pointee.place }
            return SQLITE_OK
        }
        unsafe module.initialize(to: callbacks)
        return unsafe UnsafePointer(module)
    }()

    private static func connect(
        _ connection: OpaquePointer?, _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        guard let memory = unsafe calloc(1, MemoryLayout<sqlite3_vtab>.size) else { return SQLITE_NOMEM }
        unsafe table?.pointee = memory.assumingMemoryBound(to: sqlite3_vtab.self)
        return unsafe sqlite3_declare_vtab(connection, "CREATE TABLE list (value, list HIDDEN)")
    }

    private static func open(
        _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 {
        guard let memory = unsafe calloc(1, MemoryLayout<sluice_virtual_cursor>.size) else { return SQLITE_NOMEM }
        unsafe cursor?.pointee = memory.assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    /// The list must be known before the table is gone through.
    private static func plan(_ plan: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
        guard let plan = unsafe plan, let constraints = unsafe plan.pointee.aConstraint,
            let usage = unsafe plan.pointee.aConstraintUsage
        else { return SQLITE_ERROR }
        for index in 0..<Int(unsafe plan.pointee.nConstraint) {
            let constraint = unsafe constraints[index]
            guard constraint.iColumn == 1, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ) else { continue }
            if constraint.usable == 0 { return SQLITE_CONSTRAINT }
            unsafe usage[index].argvIndex = 1
            unsafe usage[index].omit = 1
        }
        unsafe plan.pointee.estimatedCost = 1000
        unsafe plan.pointee.estimatedRows = 1000
        return SQLITE_OK
    }

    private static func state(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
    ) -> UnsafeMutablePointer<sluice_virtual_cursor>? {
        unsafe UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: sluice_virtual_cursor.self)
    }

    private static func list(_ argument: OpaquePointer?) -> UnsafeMutableRawPointer? {
        let type = unsafe UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
        return unsafe sqlite3_value_pointer(argument, type)
    }

    private static func from(_ cursor: UnsafeMutablePointer<sluice_virtual_cursor>) -> ValueList? {
        unsafe cursor.pointee.state.map { unsafe Unmanaged<ValueList>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func give(_ value: SQLValue, _ result: OpaquePointer?) {
        switch value {
        case .null: unsafe sqlite3_result_null(result)
        case .integer(let value): unsafe sqlite3_result_int64(result, value)
        case .real(let value): unsafe sqlite3_result_double(result, value)
        case .text(let text):
            unsafe sqlite3_result_text64(
                result, text, UInt64(text.utf8.count), sluice_sqlite_transient(), UInt8(SQLITE_UTF8))
        case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_result_zeroblob(result, 0)
        case .blob(let bytes):
            unsafe sqlite3_result_blob64(result, bytes, UInt64(bytes.count), sluice_sqlite_transient())
        }
    }
}
