import CSluiceSQLite
import SluicePosix
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// One connection to a store, with the seeds beside it: used by one thread at a time.
@safe
package final class StoreConnection {
    /// What is opened, and how.
    struct Target: Sendable {
        var path: String
        /// The files beside it, by the names that queries call them by.
        var seeds: [(name: String, path: String)]
        var isWriting: Bool
        /// What must be there.
        var objects: [any StoredObject.Type]

        /// Which files they are now.
        var files: [FileNumber?] { ([path] + seeds.map(\.path)).map(FileNumber.init(following:)) }
    }

    /// Statements that are kept; programs have fewer shapes of queries.
    private static let keptStatements = 64
    /// How long another program's lock is waited for, in milliseconds.
    private static let patience: Int32 = 5000

    let target: Target
    package let serial = ConnectionSerial.next()
    private let connection: Connection
    private let listener = Listener()
    private var statements: [ExactText: StoreStatement] = [:]
    /// Which files were opened.
    private let files: [FileNumber?]
    package let seed: SeedVersion?
    package private(set) var seedsBeside: [SeedBeside] = []

    /// What the handlers of the connection look at. One thread at a time has it: the one that uses the connection, on
    /// which they are called.
    private final class Listener: @unchecked Sendable {
        var flag: CancelFlag?
    }

    init(_ target: Target) throws(StoreError) {
        self.target = target
        files = target.files
        guard files[0] != nil else { throw StoreError(.missing, "there is no store \(target.path)") }
        (connection, seed) = try StoreConnection.open(target)
        let listener = listener
        connection.listen(patience: StoreConnection.patience) { listener.flag?.isSet ?? false }
        try prepare()
    }

    var handle: OpaquePointer { unsafe connection.handle }

    /// Whether one of the files has been replaced by another.
    package var isOutdated: Bool { target.files != files }

    /// Ends statements once a flag is set.
    package func listen(to flag: CancelFlag?) { listener.flag = flag }

    // MARK: Opening

    private static func open(_ target: Target) throws(StoreError) -> (Connection, SeedVersion?) {
        try stored { () throws(Failure) in
            let connection = try Connection(
                path: target.path, access: target.isWriting ? .write : try StoreReader.access(target.path))
            connection.isForeign = true
            // Who closes a store as its last user locks it for a moment.
            _ = unsafe sqlite3_busy_timeout(connection.handle, patience)
            let mark = try connection.integer("PRAGMA application_id")
            let seed = try SeedVersion.read(connection)
            guard mark == SeedMark.application, seed != nil else { return (connection, nil) }
            if target.isWriting { return (connection, seed) }
            connection.close()
            // Nobody writes to a seed: no locks, and every look-up is several times quicker.
            let unlocked = try Connection(path: target.path, access: .readUnlocked)
            unlocked.isForeign = true
            return (unlocked, try SeedVersion.read(unlocked))
        }
    }

    private func prepare() throws(StoreError) {
        if target.isWriting, let seed {
            throw StoreError(
                .readOnly,
                "the store \(target.path) is version \(seed.version) of the seed \(seed.name), and is not written")
        }
        let codes = unsafe [
            ValueList.register(handle), DecimalOrder.register(handle), Arithmetic.register(handle),
        ]
        for code in codes where code != SQLITE_OK { throw error(code) }
        for (name, path) in target.seeds { try attach(path, name) }
        if target.isWriting {
            connection.keepLogs()
            try execute("PRAGMA foreign_keys = ON")
        } else {
            try execute("PRAGMA query_only = ON")
        }
        try StoreModel.check(target, connection)
    }

    private func attach(_ path: String, _ name: String) throws(StoreError) {
        guard FileNumber(following: path) != nil else { throw StoreError(.missing, "there is no seed \(path)") }
        guard !["main", "temp"].contains(name.lowercased()) else {
            throw StoreError(.statement, "no seed can be called \(name): SQLite calls its own so")
        }
        let file = Connection.Access.readUnlocked.name(path)
        try run("ATTACH ? AS \(quoted(name))", [.value(.text(file))]) { _ throws(StoreError) in false }
        let mark = try first("PRAGMA \(quoted(name)).application_id")
        guard mark == .integer(SeedMark.application) else {
            throw StoreError(
                .incompatible, "\(path) is no seed: what others may write to cannot be read beside a store")
        }
        let version = try withConnection { connection throws(Failure) in
            try SeedVersion.read(connection, schema: name)
        }
        if let version { seedsBeside.append(SeedBeside(name: name, version: version)) }
    }

    // MARK: Statements

    /// A statement that nobody goes through.
    func statement(_ sql: String) throws(StoreError) -> StoreStatement {
        if let known = statements[ExactText(sql)] {
            return known.isRunning ? try StoreStatement(self, sql) : known
        }
        if statements.count >= StoreConnection.keptStatements { statements.removeAll(keepingCapacity: true) }
        let statement = try StoreStatement(self, sql)
        statements[ExactText(sql)] = statement
        return statement
    }

    /// Runs a statement, and hands out its rows until the closure says no.
    func run(
        _ sql: String, _ values: [StatementValue], each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() { if try !each(statement.row) { return } }
    }

    /// Runs a statement that is made of pieces, likewise.
    ///
    /// - Parameter seed: see ``StatementText``.
    package func run(
        _ fragment: Fragment, in seed: String?, each: (borrowing StoreRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let text = try StatementText(fragment, schema: seed)
        try run(text.sql, text.values, each: each)
    }

    /// The objectIDs that a statement gives in its first column.
    func objectIDs(_ fragment: Fragment) throws(StoreError) -> [Int64] {
        var found: [Int64] = []
        try run(fragment) { row throws(StoreError) in
            found.append(Int64(try row.value(0) as Int))
            return true
        }
        return found
    }

    /// Runs a statement that gives nothing.
    func execute(_ sql: String, _ values: [StatementValue] = []) throws(StoreError) {
        try run(sql, values) { _ throws(StoreError) in true }
    }

    /// The first value of the first row, or nil.
    func first(_ sql: String, _ values: [StatementValue] = []) throws(StoreError) -> SQLValue? {
        var found: SQLValue?
        try run(sql, values) { row throws(StoreError) in
            found = try row.any(0)
            return false
        }
        return found
    }

    /// Rows that the last statement changed.
    var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// What other modules read the tables of sluice with.
    func withConnection<Result>(_ body: (Connection) throws(Failure) -> Result) throws(StoreError) -> Result {
        try stored { () throws(Failure) in try body(connection) }
    }

    // MARK: Errors

    /// What an SQLite error means to the program.
    func error(_ code: Int32, _ sql: String? = nil) -> StoreError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        switch (code & 0xff, code >> 8) {
        case (SQLITE_CONSTRAINT, 8), (SQLITE_CONSTRAINT, 6), (SQLITE_CONSTRAINT, 10):
            return StoreError(.conflict, "there is an object with this identifier already: \(message)", sql: sql)
        case (SQLITE_CONSTRAINT, 3): return StoreError(.reference, "a reference leads to no object", sql: sql)
        case (SQLITE_CONSTRAINT, _): return StoreError(.invalid, message, sql: sql)
        case (SQLITE_TOOBIG, _), (SQLITE_MISMATCH, _): return StoreError(.invalid, message, sql: sql)
        case (SQLITE_ERROR, _), (SQLITE_RANGE, _), (SQLITE_MISUSE, _):
            return StoreError(.statement, message, sql: sql)
        case (SQLITE_READONLY, _):
            return StoreError(.readOnly, "the store \(target.path) must not be written: \(message)", sql: sql)
        default:
            var error = StoreError(connection.failure(code, doing: target.isWriting ? "written to" : "read"))
            error.sql = sql
            return error
        }
    }
}
