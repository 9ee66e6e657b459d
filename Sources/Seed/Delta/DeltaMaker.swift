import CSluiceSQLite
import SluiceRecords
import SluiceStoreSQLite

/// Makes what turns one seed into another: a patchset of SQLite's session extension.
///
/// Each table is compared by itself, and its part of the patchset goes to the compressor as it is made.
struct DeltaMaker {
    /// What a comparison may keep in memory: where more differs, no delta is worth it.
    static let mostMemory: Int64 = 256 << 20

    /// The new seed is `main`, the earlier one `earlier`.
    let connection: Connection
    let stop: Stop

    enum Outcome {
        case made
        /// Tables or indexes differ, which a patchset does not carry.
        case otherSchema
        case tooLarge
    }

    func make(_ compressor: Compressor, most: UInt64) throws(Failure) -> Outcome {
        guard try DeltaMaker.hasSameSchema(connection) else { return .otherSchema }
        let tables = try connection.texts(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        )
        // What objects are found by follows from what they are: who applies the delta makes it so.
        for table in tables where !SideIndex.isOwn(table) {
            let isAdded = try add(table, compressor, most: most)
            try stop.check()
            guard isAdded else { return .tooLarge }
        }
        return .made
    }

    /// Whether both have the same tables and indexes, by the very texts.
    static func hasSameSchema(_ connection: Connection) throws(Failure) -> Bool {
        let sides = ["main", "earlier"].map { schema in
            "SELECT type, name, tbl_name, sql FROM \(schema).sqlite_schema"
        }
        for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if try connection.integer("SELECT EXISTS (\(one) EXCEPT \(other))") != 0 { return false }
        }
        return true
    }

    private func add(_ table: String, _ compressor: Compressor, most: UInt64) throws(Failure) -> Bool {
        let session = try Session(connection)
        guard try session.compare(table, stop) else { return false }
        return try session.write(to: compressor, most: most)
    }
}

/// A session of SQLite, for one table.
@safe
private final class Session {
    private let connection: Connection
    private let session: OpaquePointer

    init(_ connection: Connection) throws(Failure) {
        self.connection = connection
        var session: OpaquePointer?
        let code = unsafe sqlite3session_create(connection.handle, "main", &session)
        guard code == SQLITE_OK, let made = unsafe session else { throw connection.failure(code, doing: "compared") }
        unsafe self.session = made
    }

    deinit { unsafe sqlite3session_delete(session) }

    /// Notes all differences; false: they take too much memory, or somebody wants it to end.
    func compare(_ table: String, _ stop: Stop) throws(Failure) -> Bool {
        var code = unsafe sqlite3session_attach(session, table)
        guard code == SQLITE_OK else { throw connection.failure(code, doing: "compared") }
        let memory = unsafe Memory(session, stop)
        let context = unsafe Unmanaged.passUnretained(memory).toOpaque()
        unsafe sqlite3_progress_handler(
            connection.handle, 100_000,
            { context in unsafe Memory.from(context)?.isToEnd == true ? 1 : 0 }, context)
        var message: UnsafeMutablePointer<CChar>?
        code = unsafe sqlite3session_diff(session, "earlier", table, &message)
        unsafe sqlite3_free(message)
        unsafe sqlite3_progress_handler(connection.handle, 0, nil, nil)
        if memory.isToEnd { return false }
        guard code == SQLITE_OK else { throw connection.failure(code, doing: "compared") }
        return true
    }

    /// Writes them; false: they take too many bytes.
    func write(to compressor: Compressor, most: UInt64) throws(Failure) -> Bool {
        let output = Output(compressor, most: most)
        let context = unsafe Unmanaged.passUnretained(output).toOpaque()
        let code = unsafe sqlite3session_patchset_strm(
            session, { context, bytes, count in unsafe Output.from(context)?.write(bytes, count) ?? SQLITE_ABORT },
            context)
        if let failure = output.failure { throw failure }
        if output.isTooLarge { return false }
        guard code == SQLITE_OK else { throw connection.failure(code, doing: "compared") }
        return true
    }
}

/// The memory of a session, looked at while it compares.
@safe
private final class Memory {
    private let session: OpaquePointer
    private let stop: Stop

    init(_ session: OpaquePointer, _ stop: Stop) {
        unsafe self.session = session
        self.stop = stop
    }

    var isToEnd: Bool { unsafe sqlite3session_memory_used(session) > DeltaMaker.mostMemory || stop.isWanted() }

    static func from(_ context: UnsafeMutableRawPointer?) -> Memory? {
        unsafe context.map { unsafe Unmanaged<Memory>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Takes a patchset, piece by piece.
private final class Output {
    private let compressor: Compressor
    private let most: UInt64
    private(set) var failure: Failure?

    init(_ compressor: Compressor, most: UInt64) {
        self.compressor = compressor
        self.most = most
    }

    var isTooLarge: Bool { compressor.written > most }

    func write(_ bytes: UnsafeRawPointer?, _ count: Int32) -> Int32 {
        do throws(Failure) {
            try unsafe compressor.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        } catch {
            failure = error
        }
        return failure != nil || isTooLarge ? SQLITE_ABORT : SQLITE_OK
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Output? {
        unsafe context.map { unsafe Unmanaged<Output>.fromOpaque($0).takeUnretainedValue() }
    }
}
