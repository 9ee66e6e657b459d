import CSluiceSQLite
import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

/// Applies a delta to a copy of the seed that it was made from. Whether it was that seed, the content hash tells
/// afterwards: SQLite does not.
struct DeltaApplier {
    let connection: Connection
    let stop: Stop

    enum Outcome {
        case applied
        /// Two rows that swap what must be unique: neither can be first.
        case swapped
        /// The database is not the one that the delta was made from.
        case conflict
    }

    func apply(_ expander: Expander) throws(Failure) -> Outcome {
        // What finds objects follows by its own triggers; there are no others, so they may be trusted.
        try SeedDatabase.refuseActors(connection)
        try SideIndexes(connection).letWrite()
        let course = Course(expander, stop)
        let context = unsafe Unmanaged.passUnretained(course).toOpaque()
        let code = unsafe sqlite3changeset_apply_strm(
            connection.handle,
            { context, bytes, count in unsafe Course.from(context)?.read(bytes, count) ?? SQLITE_ABORT },
            context, nil,
            { context, kind, _ in unsafe Course.from(context)?.note(kind) ?? SQLITE_CHANGESET_ABORT }, context)
        if let failure = course.failure { throw failure }
        if let conflict = course.conflict { return conflict == SQLITE_CHANGESET_CONSTRAINT ? .swapped : .conflict }
        switch code & 0xff {
        case SQLITE_OK: return .applied
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_INTERRUPT:
            throw connection.failure(code, doing: "written to")
        default: return .conflict
        }
    }

    /// Removes the indexes that demand unique values, and returns what makes them again.
    func dropUniqueIndexes() throws(Failure) -> [String] {
        let indexes = try connection.rows(
            """
            SELECT s.name, s.sql FROM sqlite_schema s WHERE s.type = 'index' AND s.sql IS NOT NULL
            AND s.sql LIKE 'CREATE UNIQUE%' ORDER BY s.name
            """
        ) { row in
            (name: row.text(0), sql: row.text(1))
        }
        for index in indexes { try connection.execute("DROP INDEX \(quoted(index.name))") }
        return indexes.map(\.sql)
    }
}

/// What the functions that SQLite calls keep.
private final class Course {
    private let expander: Expander
    private let stop: Stop
    private var framing = PatchsetFraming()
    private(set) var failure: Failure?
    private(set) var conflict: Int32?

    init(_ expander: Expander, _ stop: Stop) {
        self.expander = expander
        self.stop = stop
    }

    func read(_ bytes: UnsafeMutableRawPointer?, _ count: UnsafeMutablePointer<Int32>?) -> Int32 {
        guard let count = unsafe count else { return SQLITE_ABORT }
        do throws(Failure) {
            try stop.check()
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count.pointee))
            let got = try unsafe expander.read(into: buffer)
            try unsafe framing.take(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            guard got > 0 || framing.mayEnd else { throw PatchsetFraming.cut }
            unsafe count.pointee = Int32(got)
            return SQLITE_OK
        } catch {
            failure = error
            return SQLITE_ABORT
        }
    }

    func note(_ kind: Int32) -> Int32 {
        conflict = kind
        return SQLITE_CHANGESET_ABORT
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Course? {
        unsafe context.map { unsafe Unmanaged<Course>.fromOpaque($0).takeUnretainedValue() }
    }
}
