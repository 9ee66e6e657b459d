import SluiceLoad
import SluiceRecords

/// Identifiers in a database of their own, which has no name and goes with its connection.
@safe
package final class IdentifierDatabase: GoneIdentifiers {
    private let connection: Connection
    private let query: Statement
    private let insertion: Statement

    package init() throws(Failure) {
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

    package func objectID(of identifier: UnsafeBufferPointer<UInt8>) throws(Failure) -> Int64 {
        unsafe bind(identifier, to: query)
        guard try query.step() else { return 0 }
        defer { query.reset() }
        return query.integer(0)
    }

    package func add(_ identifier: UnsafeBufferPointer<UInt8>, objectID: Int64) throws(Failure) {
        unsafe bind(identifier, to: insertion)
        insertion.bind(2, objectID)
        try insertion.run()
    }

    private func bind(_ identifier: UnsafeBufferPointer<UInt8>, to statement: Statement) {
        guard let bytes = identifier.baseAddress else { return }
        unsafe statement.bind(1, Cell(kind: .blob, length: UInt32(identifier.count)), bytes)
    }
}
