import SluiceRecords

/// Identifiers whose records say that their objects are gone, where there is none: a later copy is not the first of its
/// object for that. They are in a database of their own, which has no name and goes with its connection: there may be
/// any number of them.
@safe
final class GoneIdentifiers {
    private let connection: Connection
    private let query: Statement
    private let insertion: Statement

    init() throws(Failure) {
        connection = try Connection(path: "for a list of identifiers", access: .temporary)
        try connection.execute(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            CREATE TABLE gone (identifier BLOB PRIMARY KEY, objectID INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            BEGIN
            """)
        query = try connection.prepare("SELECT objectID FROM gone WHERE identifier = ?")
        insertion = try connection.prepare("INSERT INTO gone VALUES (?, ?)")
    }

    /// The objectID that was kept for an identifier, or 0.
    func objectID(of key: ObjectIDCache.Key) throws(Failure) -> Int64 {
        unsafe query.bind(1, Cell(kind: .blob, length: UInt32(key.count)), key.bytes)
        guard try query.step() else { return 0 }
        defer { query.reset() }
        return query.integer(0)
    }

    func add(_ key: ObjectIDCache.Key, objectID: Int64) throws(Failure) {
        unsafe insertion.bind(1, Cell(kind: .blob, length: UInt32(key.count)), key.bytes)
        insertion.bind(2, objectID)
        try insertion.run()
    }
}
