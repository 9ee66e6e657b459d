import SluicePostgreSQL
import SluiceRecords

/// The statistics of the server's planner.
struct ServerStatistics {
    private let store: PostgreSQLStore
    /// Whether the run saves its batches.
    var hasSavedBatches = false
    /// The answer that lists the tables of which the planner knows too little.
    private var outdated: ServerAnswer?

    init(_ store: PostgreSQLStore) { self.store = store }

    private var connection: ServerConnection { store.connection }

    /// Renews the statistics of tables that the run has made, or saved in batches, and asks in which other tables the
    /// run has changed many rows; in those of the past, too, which `diff` and commands of `after` read at once.
    ///
    /// It takes a tenth of a second for a table, however little has changed in it: half of what a night takes the
    /// server. What changes in many nights together is left to the server's own daemon.
    mutating func renew() throws(Failure) {
        var others: [String] = []
        for (index, entity) in store.model.entities.enumerated() {
            let table = store.named(entity.table)
            if hasSavedBatches || store.check.missing.tables.contains(index) {
                try connection.write("ANALYZE \(table)")
            } else {
                others.append(table)
            }
        }
        if others.isEmpty, !hasSavedBatches { return }
        outdated = try connection.sendQuery(
            """
            SELECT c.oid::regclass::text FROM unnest($1::text[]) t JOIN pg_class c ON c.oid = to_regclass(t)
            WHERE c.reltuples <= 0 OR NOT current_setting('track_counts')::boolean
            OR \(ServerStatistics.changes) > 50 + c.reltuples / 10
            UNION ALL SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = \(store.location.schema.inQuotes("'")) AND c.relkind = 'r'
            AND c.relname LIKE 'sluice\\_history\\_%' AND \(ServerStatistics.changes) > 50 + greatest(c.reltuples, 0) / 10
            """, .texts(others))
    }

    /// How many rows the transaction has changed. The threshold is that of the server's daemon
    /// (`autovacuum_analyze_threshold`, `autovacuum_analyze_scale_factor`). The daemon's own counter
    /// (`n_mod_since_analyze`) is not used: it counts these rows once more after the transaction, so that a table would
    /// be analysed twice.
    private static let changes = """
        pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid)
          + pg_stat_get_xact_tuples_deleted(c.oid)
        """

    /// Renews the statistics of tables in which many rows have changed, by the answer to the earlier question.
    mutating func renewOutdated() throws(Failure) {
        guard let sent = outdated else { return }
        outdated = nil
        let tables = try connection.rows(of: sent)
        for row in 0..<tables.count { try connection.write("ANALYZE \(tables.text(row, 0))") }
    }
}
