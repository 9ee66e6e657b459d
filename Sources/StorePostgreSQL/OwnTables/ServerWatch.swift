import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

/// Looks whether anyone but the runs writes to the tables of a store.
///
/// A change of a row writes it anew in a later transaction (`xmin`), and a deletion changes the count. So a table is as
/// a run left it if it is the same table, with as many rows, of which none was written by a transaction that was not
/// over when that run began, but for the run's own: whatever else the server has been told to do. VACUUM changes
/// neither. A column that is dropped, added or renamed writes no row anew: so the same table has the same columns.
/// What others write while a run goes on is seen by the next one. A transaction's number has 64 bits here: that of the
/// row, and how often the counter has begun anew.
struct ServerWatch {
    private let connection: ServerConnection
    /// The names of tables, as SQL has them.
    private let tables: [String]
    /// The first transaction that need not be over: what later ones have written is of this run, or of others.
    private let oldest: Int64
    /// That of this run.
    private let own: Int64
    /// By table, when the watch began.
    private let found: [Found]
    /// Whether the server stores rows as they are written, without triggers and rules of others.
    private let isWrittenThrough: Bool
    /// Whether the tables are as the run left them that gave the stamp.
    let isUntouched: Bool

    /// A table, when the watch began.
    private struct Found {
        /// The number of the table, which a new table under the same name does not have.
        var id: Int64
        /// Its columns: their numbers, which a column that is dropped and added again does not keep, names and types.
        var columns: String
        var rows: Int64
        /// How many more rows this session has inserted than deleted, as far as the server's statistics do not include
        /// them yet.
        var balance: Int64
    }

    /// Begins to watch tables, within the transaction of a run.
    ///
    /// - Parameters:
    ///   - stamp: what an earlier run has left; nil: nothing is known.
    ///   - isDry: whether the transaction writes nothing, and has no number.
    init(
        _ connection: ServerConnection, _ tables: [String], since stamp: StoreStamp?, isDry: Bool = false
    ) throws(Failure) {
        (self.connection, self.tables) = (connection, tables)
        let now = try connection.query(
            """
            SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
            \(isDry ? "0::bigint" : "pg_current_xact_id()::text::bigint"), \(ServerWatch.areWrittenThrough(tables))
            """)
        (oldest, own, isWrittenThrough) = (now.integer(0, 0), now.integer(0, 2), now.boolean(0, 3))
        let earlier = stamp.flatMap { ServerStamp($0, now: now.integer(0, 1)) }
        let others = earlier == nil ? "0::bigint" : ServerWatch.writtenByOthers
        let answer = try connection.query(
            tables.map {
                """
                SELECT \(ServerWatch.id($0))::oid::bigint, count(*), \(ServerWatch.balance($0)), \(others),
                \(ServerWatch.columns($0)) FROM \($0) t
                """
            }.joined(separator: " UNION ALL "),
            values: earlier.map { [.integer($0.oldest), .integer($0.own)] } ?? [])
        found = tables.indices.map {
            Found(
                id: answer.integer($0, 0), columns: answer.text($0, 4), rows: answer.integer($0, 1),
                balance: answer.integer($0, 2))
        }
        isUntouched =
            isWrittenThrough && tables.indices.allSatisfy { answer.integer($0, 3) == 0 }
            && earlier?.content == ServerWatch.content(tables, found, rows: found.map(\.rows))
    }

    /// How many rows a table had when the watch began; nil: it is not watched.
    func rows(of table: String) -> Int64? {
        tables.firstIndex { $0.isIdentical(to: table) }.map { found[$0].rows }
    }

    /// The stamp by which the next run sees that no others have written to the tables, neither since nor while this run
    /// went on. Must be called within the same transaction. Nil: triggers or rules of others may change what is
    /// written.
    func end() throws(Failure) -> StoreStamp? {
        guard isWrittenThrough else { return nil }
        let answer = try connection.query("SELECT \(tables.map(ServerWatch.balance).joined(separator: ", "))")
        let ends = found.indices.map { found[$0].rows - found[$0].balance + answer.integer(0, $0) }
        guard let content = ServerWatch.content(tables, found, rows: ends) else { return nil }
        return ServerStamp(oldest: oldest, own: own, content: content).stamp
    }

    /// The identity of tables, their columns, and how many rows they have, as one number.
    private static func content(_ tables: [String], _ found: [Found], rows: [Int64]) -> ItemHash.Value? {
        let text = tables.indices.map { "\(tables[$0]) \(found[$0].id) \(found[$0].columns) \(rows[$0])\n" }.joined()
        let hash = ItemHash(secret: [UInt8](repeating: 0, count: ItemHash.secretBytes))
        defer { hash.deallocate() }
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe hash.value(of: $0, count: buffer.count) }
        }
    }

    // MARK: SQL

    /// As SQL: how many rows have been written since the beginning of a run, and not by that run. `age` says how far a
    /// number is behind that of now.
    private static let writtenByOthers = """
        count(*) FILTER (WHERE age(t.xmin) <= (SELECT age(\(number("$1")))) AND t.xmin <> (SELECT \(number("$2"))))
        """

    /// A number of 64 bits as those that rows have.
    private static func number(_ parameter: String) -> String { "(\(parameter)::bigint % 4294967296)::text::xid" }

    /// How many more rows this session has inserted than deleted, in this transaction, and in earlier ones that the
    /// server's statistics do not include yet.
    private static func balance(_ table: String) -> String {
        "pg_stat_get_xact_tuples_inserted(\(id(table))) - pg_stat_get_xact_tuples_deleted(\(id(table)))"
    }

    /// Nobody changes them while the run goes on, which reads the table.
    private static func columns(_ table: String) -> String {
        """
        (SELECT coalesce(string_agg(concat_ws(' ', attnum, quote_ident(attname), atttypid, atttypmod), ',' ORDER BY attnum), '')
          FROM pg_attribute WHERE attrelid = \(id(table)) AND attnum > 0 AND NOT attisdropped)
        """
    }

    private static func id(_ table: String) -> String { "\(table.inQuotes("'"))::regclass" }

    /// As SQL: whether what is written stays as it is written, and the server counts it: no triggers and rules of
    /// others.
    private static func areWrittenThrough(_ tables: [String]) -> String {
        let list = tables.map(id).joined(separator: ", ")
        return """
            current_setting('track_counts') = 'on' AND current_setting('standard_conforming_strings') = 'on'
            AND NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid IN (\(list)) AND NOT tgisinternal
              AND tgname NOT LIKE 'sluice\\_%')
            AND NOT EXISTS (SELECT 1 FROM pg_rewrite WHERE ev_class IN (\(list)))
            """
    }
}
