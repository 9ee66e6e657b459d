import CSluiceSQLite
import SluiceExtract
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// The SHA-256 of what the tables of entities and links hold, whatever the file looks like. How it is made, to the
/// byte, is in Documentation/seeds.md, so that others can make it, too.
package enum ContentHash {
    static func digest(of connection: Connection, _ stop: Stop = Stop()) throws(Failure) -> String {
        try digest(of: SeedDatabase.contentTables(connection), connection, stop)
    }

    /// Likewise of the references that wait and of the list of stubs, which are no content; nil: there are none.
    static func digestOfWaiting(_ connection: Connection, _ stop: Stop) throws(Failure) -> String? {
        var tables: [String] = []
        for table in ["sluice_stub", "sluice_unresolved"] {
            if try connection.hasTable(table),
                try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table))") != 0
            {
                tables.append(table)
            }
        }
        return tables.isEmpty ? nil : try digest(of: tables, connection, stop)
    }

    private static func digest(of tables: [String], _ connection: Connection, _ stop: Stop) throws(Failure) -> String {
        let bytes = try HashedBytes()
        for table in tables {
            try stop.check()
            try add(table, connection, bytes)
        }
        return try bytes.hexadecimal()
    }

    private static func add(_ table: String, _ connection: Connection, _ bytes: HashedBytes) throws(Failure) {
        let columns = try connection.texts("SELECT name FROM pragma_table_info(?) ORDER BY name", table)
        let key = try connection.texts("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table)
        guard !key.isEmpty else { throw Failure(.data, "the table \(table) of a seed has no primary key") }
        bytes.add(tag: UInt8(ascii: "T"))
        bytes.add(text: table)
        bytes.add(UInt64(columns.count))
        for column in columns { bytes.add(text: column) }
        let rows = try connection.prepare(
            "SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(quoted(table)) "
                + "ORDER BY \(key.map(quoted).joined(separator: ", "))")
        while try rows.step() {
            bytes.add(tag: UInt8(ascii: "R"))
            for column in columns.indices { unsafe bytes.add(sqlite3_column_value(rows.handle, Int32(column))) }
        }
    }
}

/// Puts values into bytes, and these into a digest, some thousands at a time.
@safe
private final class HashedBytes {
    private static let size = 1 << 16
    private let digest: SHA256
    private let buffer: UnsafeMutableRawBufferPointer
    private var count = 0

    init() throws(Failure) {
        digest = try SHA256()
        unsafe buffer = .allocate(byteCount: HashedBytes.size, alignment: 16)
    }

    deinit { unsafe buffer.deallocate() }

    func hexadecimal() throws(Failure) -> String {
        flush()
        return try digest.hexadecimal()
    }

    func add(tag: UInt8) {
        if count == HashedBytes.size { flush() }
        unsafe buffer[count] = tag
        count += 1
    }

    /// Little-endian.
    func add(_ number: UInt64) {
        if count + 8 > HashedBytes.size { flush() }
        unsafe buffer.storeBytes(of: number.littleEndian, toByteOffset: count, as: UInt64.self)
        count += 8
    }

    func add(text: String) {
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(tag: byte) }
    }

    /// SQLite's number of the type, and what belongs to it.
    func add(_ value: OpaquePointer?) {
        let type = unsafe sqlite3_value_type(value)
        add(tag: UInt8(truncatingIfNeeded: type))
        switch type {
        case SQLITE_INTEGER: add(UInt64(bitPattern: unsafe sqlite3_value_int64(value)))
        case SQLITE_FLOAT: add(unsafe sqlite3_value_double(value).bitPattern)
        case SQLITE_TEXT:
            let bytes = unsafe UnsafeRawPointer(sqlite3_value_text(value))
            unsafe add(bytes, Int(sqlite3_value_bytes(value)))
        case SQLITE_BLOB:
            let bytes = unsafe sqlite3_value_blob(value)
            unsafe add(bytes, Int(sqlite3_value_bytes(value)))
        default: break
        }
    }

    private func add(_ bytes: UnsafeRawPointer?, _ length: Int) {
        add(UInt64(length))
        guard let bytes = unsafe bytes, length > 0 else { return }
        if count + length > HashedBytes.size { flush() }
        guard length <= HashedBytes.size else {
            unsafe digest.update(UnsafeRawBufferPointer(start: bytes, count: length))
            return
        }
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + length])
            .copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: length))
        count += length
    }

    private func flush() {
        unsafe digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        count = 0
    }
}
