import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Makes a store as it was when a run ended, in a schema of its own beside one that keeps its past.
///
/// The new schema has the objects of that time, with their objectIDs, in the tables of that time; of sluice's own
/// tables the ledger up to that run, and what the pipelines said of their entities. References that waited for their
/// targets at that time are no longer known.
package struct ServerEarlierStoreWriter {
    private let connection: ServerConnection
    private let run: Int64
    /// The schemas: that of the store, and the new one.
    private let (schema, output): (String, String)

    private var old: ServerDialect { ServerDialect(namespace: ServerNamespace(schema)) }
    private var new: ServerDialect { ServerDialect(namespace: ServerNamespace(output)) }

    /// Makes the store in a schema that does not exist yet: all of it, or nothing.
    ///
    /// - Throws: `missing` where the run is not there, or its past is not kept any more; `definition` where none is
    ///   kept; `uncreatable` where the schema exists.
    package static func write(_ location: ServerLocation, run: Int, to output: String) throws(Failure) {
        let connection = try location.connect(nil)
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        do throws(Failure) {
            let source = ServerHistory(connection, location.schema)
            guard try source.keepsPast() else { throw ServerHistoryReader.noHistory(source.name) }
            let store = ServerEarlierStoreWriter(
                connection: connection, run: Int64(run), schema: location.schema, output: output)
            try store.refuse(source)
            try store.make(source)
            try connection.execute("COMMIT")
        } catch {
            if connection.isAlive { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    private init(connection: ServerConnection, run: Int64, schema: String, output: String) {
        self.connection = connection
        self.run = run
        (self.schema, self.output) = (schema, output)
    }

    // MARK: What cannot be

    private func refuse(_ source: ServerHistory) throws(Failure) {
        guard try connection.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", .text(output)).count == 0 else {
            throw Failure(
                .uncreatable, "the schema \(output) exists already: a store is never replaced by an earlier one")
        }
        try source.refuseState(of: run)
    }

    // MARK: Making it

    private func make(_ source: ServerHistory) throws(Failure) {
        try connection.write("CREATE SCHEMA \(quoted(output))")
        let tables = try source.historyTables().filter { $0.isValid(at: run) }
        let text = ServerTableText(connection, schema)
        var made: [ServerTableText.Statements] = []
        for table in tables {
            let present = table.until == nil ? try source.table(table.name) : nil
            var sql = present != nil ? try text.text(of: table.name) : table.sql
            // Of a table that a program has dropped or changed, only the past is left.
            if sql.isEmpty { sql = ServerTableText.text(of: table) }
            let statements = ServerTableText.statements(sql, as: table.name, in: new)
            try connection.write(statements.table)
            if present != nil { try takePresent(table) }
            try fill(table)
            made.append(statements)
        }
        for key in made.flatMap(\.keys) { try connection.write(key) }
        let names = tables.map(\.name)
        try makeOwnTables(source)
        try clearForgotten(names)
        for reference in made.flatMap(\.references) where names.containsExactly(reference.target) {
            try connection.write(reference.sql)
        }
        for table in tables { try connection.write("ANALYZE \(new.table(table.name))") }
        try connection.awaitAnswers()
        let descriptions = try ServerCatalog(connection, output).modelRows().map(\.description)
        let present = try source.descriptions()
        for entity in descriptions where names.containsExactly(entity.table) {
            try copyStubs(entity, now: tables.nameNow(of: entity, among: present))
        }
        try ServerViews(
            connection: connection, schema: output, namespace: new.namespace, descriptions: descriptions
        ).make()
        if descriptions.contains(where: { $0.search != nil || $0.place != nil }) {
            try ServerSideIndexes(connection, schema: output, namespace: new.namespace, descriptions).make()
        }
    }

    /// Objects that are still stubs were stubs at that time, too: no feed has described them since.
    ///
    /// - Parameter now: what the entity is called now.
    private func copyStubs(_ entity: EntityDescription, now: String) throws(Failure) {
        try connection.write(
            OwnRows.copyOfStubs(
                from: old.ownTable("sluice_stub"), to: new.ownTable("sluice_stub"), of: entity.name,
                now: now, in: new.table(entity.table)))
    }

    /// Sets references to null that lead to objects whose past was erased on demand, before foreign keys are declared.
    private func clearForgotten(_ tables: [String]) throws(Failure) {
        guard try connection.query(ForgottenReferences.mayBe(in: old.ownTable("sluice_run"))).count > 0 else { return }
        try connection.awaitAnswers()
        let rows = try ServerCatalog(connection, output).modelRows().map(\.description)
        let statements = try ForgottenReferences(rows, new).statements { name throws(Failure) in
            tables.containsExactly(name)
        }
        for statement in statements { try connection.write(statement) }
    }

    /// Takes what the table has held since before.
    private func takePresent(_ table: HistoryTable) throws(Failure) {
        let columns = table.columns.map(quoted).joined(separator: ", ")
        let owner = "t.\(table.owner)"
        try connection.write(
            """
            INSERT INTO \(new.table(table.name)) (\(columns)) SELECT \(columns) FROM \(old.table(table.name)) t
            WHERE NOT EXISTS (SELECT 1 FROM \(old.ownTable(table.past)) p WHERE p.o = \(owner) AND p.r > \(run))
            AND NOT EXISTS (
              SELECT 1 FROM \(old.ownTable("sluice_history_given")) g WHERE g.object = \(table.object) AND g.o = \(owner)
              AND g.run > \(run) AND g.is_new > 0)
            AND NOT EXISTS (
              SELECT 1 FROM \(old.ownTable("sluice_history_made")) m WHERE m.object = \(table.object) AND m.run > \(run)
              AND \(owner) BETWEEN m.first AND m.last)
            AND \(owner) <= (
              SELECT highest FROM \(old.ownTable("sluice_history_object")) WHERE number = \(table.object))
            """)
    }

    /// Gives a table the rows that were true then, and ended since.
    private func fill(_ table: HistoryTable) throws(Failure) {
        let columns = table.columns.map(quoted).joined(separator: ", ")
        try connection.write(
            "INSERT INTO \(new.table(table.name)) (\(columns)) \(table.endedRows(at: run, old))")
    }

    private func makeOwnTables(_ source: ServerHistory) throws(Failure) {
        try ServerLedgerTable(connection, new.ownTable("sluice_run"), "").create()
        let columns = (["run"] + LedgerRow.columns).joined(separator: ", ")
        try connection.write(
            """
            INSERT INTO \(new.ownTable("sluice_run")) (\(columns))
            SELECT \(columns) FROM \(old.ownTable("sluice_run")) WHERE run <= \(run)
            """)
        // No digest of a definition: where the store takes the place of the present one, its next run loads the feed of
        // this run again, since nothing is known of what waited.
        try connection.write("UPDATE \(new.ownTable("sluice_run")) SET definition = ''")
        for table in ServerSchema.ownTables(new.namespace) { try connection.write(table) }
        let rows = try source.modelRows(at: run, old.ownTable("sluice_model"))
        try connection.write("INSERT INTO \(new.ownTable("sluice_model")) (pipeline, entity, description, run) \(rows)")
    }
}
