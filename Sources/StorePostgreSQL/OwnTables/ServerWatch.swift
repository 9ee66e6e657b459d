import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

/// Looks whether anyone but the runs writes to the tables of a store.
///
/// By table, the rows are counted and the numbers of the transactions that wrote them (`xmin`) are added up. Whoever changes
/// a row writes it anew in a later transaction, and whoever puts one in the place of another does: the sum grows. Whoever
/// deletes one changes the count. So the same two numbers are the same rows, whatever else the server has been told to do;
/// VACUUM leaves both. A transaction's number has 64 bits here: that of the row, and how often the counter has begun anew.
struct ServerWatch {
    private let connection: ServerConnection
    /// The names of tables, as SQL has them.
    private let tables: [String]
    /// The first transaction that need not be over: what later ones have written is of this run, or of others meanwhile.
    private let oldest: Int64
    /// That of this run.
    private let own: Int64
    /// By table, when the watch began: its rows, and those that this session had inserted and deleted.
    private let counts: [Int64]
    /// How the tables were when the watch began; nil: what is written may be changed on the way.
    let stamp: StoreStamp?

    /// Begins to watch tables, within the transaction of a run.
    ///
    /// - Parameter isDry: whether the transaction writes nothing, and has no number.
    init(_ connection: ServerConnection, _ tables: [String], isDry: Bool = false) throws(Failure) {
        (self.connection, self.tables) = (connection, tables)
        let now = try connection.query(
            """
            SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
            \(isDry ? "0::bigint" : "pg_current_xact_id()::text::bigint"), \(ServerWatch.areWrittenThrough(tables))
            """)
        (oldest, own) = (now.integer(0, 0), now.integer(0, 2))
        var parameters = Parameters()
        defer { parameters.deallocate() }
        parameters.add(now.integer(0, 1))
        let found = try connection.query(
            tables.map { "SELECT \(ServerWatch.sums($0)), \(ServerWatch.balance($0)) FROM \($0) t" }
                .joined(separator: " UNION ALL "),
            parameters)
        counts = (0..<tables.count).map { found.integer($0, 0) - found.integer($0, 2) }
        stamp = now.boolean(0, 3) ? ServerWatch.stamp(tables, found) : nil
    }

    /// How the tables are now, within the same transaction; nil: others have written to them since the watch began.
    func end() throws(Failure) -> StoreStamp? {
        if stamp == nil { return nil }
        var parameters = Parameters()
        defer { parameters.deallocate() }
        parameters.add(own)
        parameters.add(oldest)
        let others = """
            count(*) FILTER (WHERE age(t.xmin) <= (SELECT age(\(ServerWatch.number("$2")))) \
            AND t.xmin <> (SELECT \(ServerWatch.number("$1"))))
            """
        let found = try connection.query(
            tables.map { "SELECT \(ServerWatch.sums($0)), \(ServerWatch.balance($0)), \(others) FROM \($0) t" }
                .joined(separator: " UNION ALL "),
            parameters)
        for table in tables.indices {
            // Those that are not there any more were deleted by this run, or by nobody knows whom.
            let areOwn = found.integer(table, 0) - found.integer(table, 2) == counts[table]
            if !areOwn || found.integer(table, 3) > 0 { return nil }
        }
        return ServerWatch.stamp(tables, found)
    }

    // MARK: SQL

    /// A number of 64 bits as those that rows have.
    private static func number(_ parameter: String) -> String { "(\(parameter)::bigint % 4294967296)::text::xid" }

    /// The count of a table's rows, and the sum of their transactions: `age` says how far a number is behind that of now,
    /// which is known by how far the first parameter is.
    private static func sums(_ table: String) -> String {
        """
        count(*), (count(*) * ($1::bigint + (SELECT age(\(number("$1")))))::numeric \
        - coalesce(sum(age(t.xmin)), 0))::text
        """
    }

    /// How many more rows this session has inserted than deleted, in this transaction and those before of which the server
    /// has not taken notice yet.
    private static func balance(_ table: String) -> String {
        let name = "\(literal(table))::regclass"
        return "pg_stat_get_xact_tuples_inserted(\(name)) - pg_stat_get_xact_tuples_deleted(\(name))"
    }

    private static func literal(_ text: String) -> String { text.inQuotes("'") }

    /// As SQL: whether what is written stays as it is written, and the server counts it: no triggers and rules of others.
    private static func areWrittenThrough(_ tables: [String]) -> String {
        let list = tables.map { "\(literal($0))::regclass" }.joined(separator: ", ")
        return """
            current_setting('track_counts') = 'on' AND current_setting('standard_conforming_strings') = 'on'
            AND NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid IN (\(list)) AND NOT tgisinternal
              AND tgname NOT LIKE 'sluice\\_%')
            AND NOT EXISTS (SELECT 1 FROM pg_rewrite WHERE ev_class IN (\(list)))
            """
    }

    private static func stamp(_ tables: [String], _ found: ServerRows) -> StoreStamp? {
        var text = ""
        for table in tables.indices { text += "\(tables[table]) \(found.integer(table, 0)) \(found.text(table, 1))\n" }
        let hash = ItemHash(secret: [UInt8](repeating: 0, count: ItemHash.secretBytes))
        defer { hash.deallocate() }
        let bytes = Array(text.utf8)
        let value = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe hash.value(of: $0, count: buffer.count) }
        }
        guard let value else { return nil }
        return StoreStamp([value.low, value.high, UInt64(bytes.count), 0, 0, 0, 0, 0])
    }
}
