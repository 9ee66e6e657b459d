import Foundation
import SluicePostgreSQL
import SluiceRecords
import StoreMirror
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluiceSchema
@testable import SluiceStorePostgreSQL
@testable import SluiceStoreSQLite
@testable import SluiceStores

/// The store on a server as it was, made from a later one, equals the copy that was made that night; and it has the same
/// histories as a store in a file to which the same has happened.
@Suite struct HistoryServerPropertyTests {
    @Test(arguments: SeededRandom.seeds(0..<16))
    func pastEqualsCopyOverDefinitions(seed: Int) throws {
        var world = GrowingStore(seed, isOnServer: true)
        var nights = try ServerNights()
        defer { nights.drop() }
        for _ in 0..<9 {
            let pipeline = world.random.below(2)
            for _ in 0..<(1 + world.random.below(4)) { world.change(pipeline) }
            guard !world.pipelines[pipeline].isEmpty else { continue }
            let model = world.model(pipeline)
            let records = world.run(pipeline)
            try nights.load(records, model, batchSize: [1, 3, 50][world.random.below(3)], pipeline: "p\(pipeline)")
        }
        try nights.compare("seed \(seed)")
        if seed % 4 == 0 { try nights.compareScripts("seed \(seed)") }
    }

    @Test(arguments: SeededRandom.seeds(0..<24))
    func storesHaveTheSamePast(seed: Int) throws {
        var random = SeededRandom(seed + 7_000_000)
        var base = LoadPropertyTests.model
        if random.below(3) == 0 { base = LoadPropertyTests.withRandomWays(&random, base) }
        if random.below(3) > 0 { base = LoadPropertyTests.withRandomDeletions(&random, base) }
        if random.below(3) == 0 { base = LoadPropertyTests.withRandomNeeds(&random, base) }
        if random.below(2) == 0 { base = LoadPropertyTests.withStubs(base) }
        for index in base.entities.indices where random.below(3) == 0 { base.entities[index].orphans = .delete }
        var nights = try ServerNights(twin: true)
        defer { nights.drop() }
        if random.below(3) == 0 { nights.keep = .runs(2 + random.below(4)) }
        for night in 0..<7 {
            let spread = [3, 12, 60][random.below(3)]
            let records = (0..<random.below(90)).map { _ in
                LoadPropertyTests.withRandomStatus(
                    &random, LoadPropertyTests.record(&random, spread: spread).cut(to: base), base)
            }
            let ends: [ServerNights.End] = [.saved, .saved, .saved, .failed, .failedWithBatches, .unchanged]
            nights.end = night == 0 ? .saved : ends[random.below(6)]
            nights.savesAtEnd = random.below(2) == 0
            let model = random.below(3) == 0 ? LoadPropertyTests.withRandomModes(&random, base) : base
            try nights.load(records, model, batchSize: [1, 7, 30, 1000][random.below(4)], pipeline: "test")
            if random.below(2) == 0 { try nights.writeAsProgram(&random) }
        }
        try nights.compare("seed \(seed)")
        try nights.compareViews(base, "seed \(seed)")
        try nights.compareWithTwin(base, "seed \(seed)", &random)
        if seed % 2 == 0 { try nights.compareScripts("seed \(seed)") }
    }
}

/// Runs of which each leaves a copy of the store, in a schema of its own; and a twin in a file.
private struct ServerNights {
    enum End { case saved, failed, failedWithBatches, unchanged }

    let server: TestServer
    var savesAtEnd = true
    var keep: HistoryKeep?
    var end = End.saved
    private let folder = TemporaryFolder()
    private let hasTwin: Bool
    private var runs: [Int] = []
    /// By run and table: what makes it.
    private var shapes: [Int: [String: String]] = [:]
    private let connection: ServerConnection

    init(twin: Bool = false) throws {
        server = try TestServer()
        connection = try server.connect()
        hasTwin = twin
    }

    private var twin: String { folder.file("twin.sqlite") }
    private var schema: String { server.location.schema }
    private func night(_ run: Int) -> String { "\(schema) night \(run)" }
    private func past(_ run: Int) -> String { "\(schema) past \(run)" }

    func drop() {
        try? server.drop()
        for run in runs {
            for schema in [night(run), past(run)] {
                try? connection.execute("DROP SCHEMA IF EXISTS \(quoted(schema)) CASCADE")
            }
        }
    }

    // MARK: Nights

    /// Loads records as one run, which keeps what goes.
    mutating func load(_ records: [TestRecord], _ model: Model, batchSize: Int, pipeline: String) throws {
        let run = try load(records, model, batchSize, pipeline, into: .server(server.location))
        if hasTwin {
            let other = try load(records, model, batchSize, pipeline, into: .file(twin))
            #expect(run == other)
        }
        try copy(run)
    }

    private func load(
        _ records: [TestRecord], _ model: Model, _ batchSize: Int, _ pipeline: String, into location: StoreLocation
    ) throws -> Int {
        let store = try location.open(.init(model: model, pipeline: pipeline, savesAtEnd: savesAtEnd))
        store.historyStore?.history = .kept(keep)
        let outcome = RunOutcome(status: "succeeded", finished: "2026-11-21T00:00:01Z", report: "{}")
        if end == .unchanged {
            return try store.noteUnchanged(RunStart(started: "2026-11-21T00:00:00Z")) { _ in outcome }
        }
        let run = try store.begin(RunStart(started: "2026-11-21T00:00:00Z"))
        let options = Loader.Options(
            batchSize: batchSize, shortcuts: .all, cacheLimit: Loader.defaultCacheLimit,
            goneIdentifiers: IdentifierDatabase.init)
        let loader = try Loader(model, store, options, SilentSink())
        let batch = RecordBatch(model: model)
        for start in stride(from: 0, to: records.count, by: batchSize) {
            for number in start..<min(start + batchSize, records.count) {
                batch.append(records[number], number: number)
            }
            try loader.load(batch)
            batch.reset()
            if !savesAtEnd, end == .failedWithBatches { try store.saveBatch() }
        }
        try loader.finish()
        if end == .failed || end == .failedWithBatches {
            try store.rollback { outcome }
        } else {
            try store.commit(outcome)
        }
        return run
    }

    private func tables(_ schema: String) throws -> [String] {
        try texts(
            """
            SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE nspname = \(schema.inQuotes("'")) AND relkind = 'r'
            AND (relname NOT LIKE 'sluice\\_%' OR relname = 'sluice_model') ORDER BY 1
            """)
    }

    private func texts(_ sql: String) throws -> [String] {
        let found = try connection.query(sql)
        return (0..<found.count).map { row in
            (0..<found.width).map { found.isNull(row, $0) ? "∅" : found.text(row, $0) }.joined(separator: "\t")
        }
    }

    private mutating func copy(_ run: Int) throws {
        try connection.execute("CREATE SCHEMA \(quoted(night(run)))")
        let text = ServerTableText(connection, schema)
        for table in try tables(schema) {
            try connection.execute(
                "CREATE TABLE \(quoted(night(run))).\(quoted(table)) AS TABLE \(quoted(schema)).\(quoted(table))")
            shapes[run, default: [:]][table] = try text.text(of: table)
        }
        runs.append(run)
    }

    /// A program writes to both stores: what it says of objects belongs to the next run.
    func writeAsProgram(_ random: inout SeededRandom) throws {
        for _ in 0..<(1 + random.below(5)) {
            let (number, part) = (1 + random.below(30), random.below(4))
            let links = ["regions", "things"].map {
                "DELETE FROM @\"Visit_\($0)\" WHERE source IN (SELECT \"objectID\" FROM @\"Visit\" WHERE id % 4 = \(part))"
            }
            let statements = [
                "UPDATE @\"Place\" SET note = 'edited \(number)' WHERE size % 4 = \(part)",
                "UPDATE @\"Person\" SET name = 'edited' WHERE id % 4 = \(part)",
                "UPDATE @\"Visit\" SET note = 'again', region = NULL WHERE id BETWEEN \(number) AND \(number + 3)",
                links[0],
                (links + [
                    """
                    DELETE FROM @"sluice_unresolved" WHERE entity = 'Visit' AND "objectID" IN (
                      SELECT "objectID" FROM @"Visit" WHERE id % 4 = \(part))
                    """, "DELETE FROM @\"Visit\" WHERE id % 4 = \(part)",
                ]).joined(separator: ";\n"),
                """
                INSERT INTO @"Visit" ("objectID", id, note) SELECT coalesce(max("objectID"), 0) + 1, \(1000 + number), 'program'
                FROM @"Visit" HAVING NOT EXISTS (SELECT 1 FROM @"Visit" WHERE id = \(1000 + number))
                """,
                """
                UPDATE @"Visit" SET id = id + 5000 WHERE id % 9 = \(part) AND NOT EXISTS (
                  SELECT 1 FROM @"Visit" w WHERE w.id = @"Visit".id + 5000)
                """,
                // What goes and comes again under its objectID.
                """
                CREATE TEMP TABLE kept AS SELECT * FROM @"Person" WHERE id % 4 = \(part);
                DELETE FROM @"Person" WHERE id % 4 = \(part); INSERT INTO @"Person" SELECT * FROM kept; DROP TABLE kept
                """,
            ]
            let statement = statements[random.below(statements.count)]
            try connection.execute(statement.replacingExactly("@", with: quoted(schema) + "."))
            try Connection(path: twin, access: .write).execute(statement.replacingExactly("@", with: ""))
        }
    }

    // MARK: Comparing

    private var floor: Int {
        get throws { Int(try texts("SELECT floor::text FROM \(quoted(schema)).sluice_history")[0]) ?? 0 }
    }

    /// Makes the store of each night again, and compares it with its copy.
    func compare(_ comment: String) throws {
        let floor = try floor
        for run in runs where run < floor {
            #expect(throws: Failure.self) { try ServerPastStore.write(server.location, run: run, to: past(run)) }
        }
        for run in runs where run >= floor {
            try ServerPastStore.write(server.location, run: run, to: past(run))
            let (found, expected) = (try tables(past(run)), try tables(night(run)))
            #expect(found == expected, "\(comment), run \(run) of \(runs)")
            let text = ServerTableText(connection, past(run))
            for table in expected where found.contains(table) {
                let contents = { (schema: String) in
                    try texts("SELECT t::text FROM \(quoted(schema)).\(quoted(table)) t ORDER BY 1")
                }
                #expect(
                    try contents(past(run)) == contents(night(run)), "\(comment), run \(run) of \(runs), table \(table)"
                )
                if !table.hasPrefix("sluice_") {
                    let (made, kept) = (try text.text(of: table), shapes[run]?[table] ?? "")
                    #expect(sorted(made) == sorted(kept), "\(comment), run \(run) of \(runs), table \(table)")
                }
            }
        }
    }

    /// Indexes and foreign keys have no order.
    private func sorted(_ text: String) -> [String] {
        let parts = StoredJSON(text)
        return ["columns", "keys", "references"].flatMap { name in
            let list = (parts?[name]?.elements ?? []).map(\.canonicalText)
            return name == "columns" ? list : list.sorted()
        }
    }

    /// The script from one night to another, applied to the store as it was at the first, gives the copy of the
    /// second, with all keys: where all tables are the same.
    func compareScripts(_ comment: String) throws {
        let (floor, here) = (try floor, try ServerPast(server.location))
        let kept = runs.filter { $0 >= floor }
        let writer = try server.connect()
        for from in kept {
            // Each to the next one, and some to others, also back.
            for to in kept where to != from && (kept.first { $0 > from } == to || (5 * from + 3 * to) % 7 == 0) {
                var script = ""
                do throws(Failure) {
                    try here.script(from: from, to: to, of: nil) { script += $0 }
                } catch {
                    #expect(error.kind == .definition, "\(comment): \(error.message)")
                    continue
                }
                #expect(script.hasSuffix("COMMIT;\n"))
                try writer.execute("SET search_path = \(quoted(past(from)))")
                try writer.execute(script.dropLast("COMMIT;\n".count) + "SET CONSTRAINTS ALL IMMEDIATE")
                let tables = try tables(night(to)).filter { $0 != "sluice_model" }
                for table in tables {
                    let contents = { (schema: String) in
                        let found = try writer.query(
                            "SELECT t::text FROM \(quoted(schema)).\(quoted(table)) t ORDER BY 1")
                        return (0..<found.count).map { found.text($0, 0) }
                    }
                    #expect(
                        try contents(past(from)) == contents(night(to)),
                        "\(comment), from \(from) to \(to) of \(runs), \(table): \(script)")
                }
                try writer.execute("ROLLBACK")
            }
        }
    }

    /// The view of all that objects have been, as of each night, shows what the view of that night's copy shows.
    func compareViews(_ model: Model, _ comment: String) throws {
        let descriptions = model.entities.map { EntityDescription($0, in: model) }
        for run in runs where run >= (try floor) {
            let catalog = ServerCatalog(connection, night(run))
            let dialect = ServerDialect(namespace: quoted(night(run)))
            for (entity, description) in zip(model.entities, descriptions) {
                guard let table = try catalog.table(entity.table) else { continue }
                var view = EntityView(description, among: descriptions, table, dialect)
                try connection.execute(view.sql())
                let name = quoted(entity.table + "_view")
                let lists = entity.relationships.filter(\.isMany).map(\.name)
                let columns = try texts(
                    """
                    SELECT attname FROM pg_attribute WHERE attrelid = \("\(quoted(night(run))).\(name)".inQuotes("'"))::regclass
                    AND attnum > 0 ORDER BY attnum
                    """
                ).filter { !lists.contains($0) }.map(quoted).joined(separator: ", ")
                let expected = try texts("SELECT ROW(\(columns))::text FROM \(quoted(night(run))).\(name) ORDER BY 1")
                let found = try texts(
                    """
                    SELECT ROW(\(columns))::text FROM \(quoted(schema)).\(quoted(entity.table + "_history"))
                    WHERE from_run <= \(run) AND (to_run IS NULL OR to_run > \(run)) ORDER BY 1
                    """)
                #expect(found == expected, "\(comment), run \(run) of \(runs), \(entity.table)")
            }
        }
    }

    /// Each object has the same versions in both stores, and the same differs between two nights.
    func compareWithTwin(_ model: Model, _ comment: String, _ random: inout SeededRandom) throws {
        let (here, there) = (try ServerPast(server.location), try PastFile(twin))
        let kept = runs.filter { $0 >= ((try? floor) ?? 0) }
        for _ in 0..<8 {
            let (from, to) = (kept[random.below(kept.count)], kept[random.below(kept.count)])
            let (found, expected) = (try differences(here, from, to), try differences(there, from, to))
            #expect(found == expected, "\(comment), from \(from) to \(to) of \(runs)")
        }
        for entity in model.entities {
            for identifier in try identifiers(of: entity, there) {
                let (found, expected) = (
                    try versions(here, entity, identifier), try versions(there, entity, identifier)
                )
                #expect(found == expected, "\(comment), \(entity.name) \(identifier) of \(runs)")
            }
        }
    }

    /// All that an entity's objects have ever been called.
    private func identifiers(of entity: Entity, _ past: PastFile) throws -> Set<String> {
        let parts = entity.identifier.map { quoted(entity.attributes[$0].name) }
        let value = parts.count == 1 ? parts[0] : "json_array(\(parts.joined(separator: ", ")))"
        return Set(try rows(twin, "SELECT \(value) FROM \(quoted(entity.table + "_history"))").map { $0[0] })
    }

    private func versions(_ past: any StorePast, _ entity: Entity, _ identifier: String) throws -> [String] {
        let found = try past.versions(of: entity.name, identifier)
        return ["\(found.names) \(found.identifier)"]
            + found.versions.map { version in
                "\(version.from) \(version.to ?? 0) \(version.values) \(version.at.map { "\($0)" } ?? "")"
            }
    }

    private func differences(_ past: any StorePast, _ from: Int, _ to: Int) throws -> [String] {
        var found: [String] = []
        try past.differences(from: from, to: to, of: nil) { entity, names, difference throws(Failure) in
            let (before, after) = (difference.before ?? [], difference.after ?? [])
            found.append("\(entity) \(difference.identifier) \(names) \(before) \(after) \(difference.changed)")
        }
        return found.sorted()
    }
}
