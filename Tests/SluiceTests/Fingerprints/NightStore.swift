import Foundation
import SluiceDefinition
import SluiceRecords
import TestSupport

@testable import Sluice
@testable import SluiceStoreSQLite

/// The folder for what belongs to stores on servers: not that of who runs the tests.
private enum StateOfTests {
    private static let folder: String = {
        let folder = NSTemporaryDirectory() + "sluice-state-\(getpid())"
        _ = unsafe setenv("XDG_STATE_HOME", folder, 1)
        return folder
    }()

    static func use() { _ = folder }
}

/// A store of the scene, and its runs.
struct NightStore {
    enum Kind: CaseIterable { case sqlite, postgresql }

    let folder: String
    private let definition: String
    private let kind: Kind
    /// Where its identifiers come at random, see `RunOptions.filterBytes`.
    var filterBytes: Int?
    private let schema = "night_" + UUID().uuidString.prefix(8).lowercased()

    /// - Parameter readsAll: whether nothing of a feed is ever taken for known.
    init(_ definition: String, _ kind: Kind, readsAll: Bool) throws {
        self.kind = kind
        folder = NSTemporaryDirectory() + "sluice-fingerprints-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var store = #"{ "sqlite": "store.sqlite" }"#
        if kind == .postgresql {
            let uri = try Cluster.shared.get().uri
            store = #"{ "postgresql": { "database": "\#(uri)", "schema": "\#(schema)" } }"#
            StateOfTests.use()
        }
        if readsAll { store += #", "fingerprints": false"# }
        self.definition = definition.replacing("STORE", with: store)
        try write(self.definition)
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/scene.jsonc"))
    }

    /// Has the definition say the same with its members in another order, or in its own again.
    func reorder() throws {
        let object = try JSONSerialization.jsonObject(with: Data(definition.utf8))
        let sorted = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        let now = try Data(contentsOf: URL(fileURLWithPath: folder + "/scene.jsonc"))
        try write(now == sorted ? definition : String(decoding: sorted, as: UTF8.self))
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: folder)
        if kind == .postgresql { _ = try? server("DROP SCHEMA IF EXISTS \(schema) CASCADE") }
    }

    // MARK: Programs

    /// Changes the store as a program does.
    func edit(_ statements: [String]) throws {
        for statement in statements {
            switch kind {
            case .sqlite: try Connection(path: store, access: .write).execute(statement)
            case .postgresql: try server(statement)
            }
        }
    }

    /// Has the store change what is written to it, from now on.
    func addTrigger() throws {
        switch kind {
        case .sqlite:
            try edit([
                """
                CREATE TRIGGER IF NOT EXISTS enlarged AFTER UPDATE OF size ON Place
                BEGIN UPDATE Place SET size = NEW.size + 100 WHERE objectID = NEW.objectID; END
                """
            ])
        case .postgresql:
            try edit([
                """
                CREATE OR REPLACE FUNCTION enlarge() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN NEW.size := NEW.size + 100; RETURN NEW; END $$
                """,
                """
                CREATE OR REPLACE TRIGGER enlarged BEFORE UPDATE ON "Place" FOR EACH ROW EXECUTE FUNCTION enlarge()
                """,
            ])
        }
    }

    @discardableResult
    private func server(_ sql: String) throws -> String {
        try Cluster.shared.get().sql("SET search_path = \(schema); \(sql)")
    }

    var store: String { folder + "/store.sqlite" }

    func run(isDry: Bool = false) throws -> (outcome: NightOutcome, known: Int) {
        let definition = try PipelineDefinition.read(
            Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/scene.jsonc"))), file: folder + "/scene.jsonc",
            environment: [:], checks: .all)
        var options = RunOptions()
        options.isDry = isDry
        options.filterBytes = filterBytes
        options.findings = folder + (isDry ? "/dry.ndjson" : "/findings.ndjson")
        let report = PipelineRun(checked: definition, options: options).perform()
        var outcome = NightOutcome(status: report.outcome.status.rawValue)
        outcome.report = try members(report.json)
        outcome.findings = try findings(options.findings ?? "")
        if !isDry { outcome.tables = try tables() }
        return (outcome, report.known)
    }

    /// The members of a report, but for what is different each time.
    private func members(_ json: String) throws -> [String: String] {
        var members = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
        if let checks = members["checks"] as? [String: [String: Any]] {
            members["checks"] = checks.mapValues { $0.filter { !["seconds", "earlier"].contains($0.key) } }
        }
        let other: Set = [
            "started", "finished", "seconds", "store", "cache", "known", "comparedWith", "run", "dryRun", "loaded",
            "failing",
        ]
        return try members.filter { !other.contains($0.key) }.mapValues {
            String(
                decoding: try JSONSerialization.data(
                    withJSONObject: $0, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]),
                as: UTF8.self
            ).replacingOccurrences(of: folder, with: "")
        }
    }

    private func findings(_ path: String) throws -> [String] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init).sorted()
    }

    /// The rows of all tables but those that say when something was.
    private func tables() throws -> [String: [String]] {
        if kind == .postgresql { return try serverTables() }
        guard FileManager.default.fileExists(atPath: store) else { return [:] }
        let connection = try Connection(path: store, access: .read)
        let names = try column("SELECT name FROM sqlite_schema WHERE type = 'table'", connection)
        var tables: [String: [String]] = [:]
        for name in names where !["sluice_run", "sluice_fingerprint", "sqlite_stat1"].contains(name) {
            let columns = try column("SELECT name FROM pragma_table_info('\(name)')", connection)
            // When an object was marked does not matter, but that it was.
            let cells = columns.map { $0 == "deleted_at" ? "quote(deleted_at IS NULL)" : "quote(\"\($0)\")" }
            let row = cells.joined(separator: " || '|' || ")
            tables[name] = try column("SELECT \(row) FROM \"\(name)\"", connection).sorted()
        }
        return tables
    }

    private func serverTables() throws -> [String: [String]] {
        let names = try server("SELECT tablename FROM pg_tables WHERE schemaname = '\(schema)'").split(separator: "\n")
        var tables: [String: [String]] = [:]
        for name in names where !["sluice_run", "sluice_fingerprint", "SET"].contains(name) {
            let row = "(to_jsonb(t) - 'deleted_at')::text || (to_jsonb(t) ->> 'deleted_at' IS NULL)::text"
            let rows = try server(#"SELECT \#(row) FROM "\#(name)" t"#).split(separator: "\n").map(String.init)
            tables[String(name)] = rows.sorted()
        }
        return tables
    }

    private func column(_ sql: String, _ connection: Connection) throws -> [String] {
        let statement = try connection.prepare(sql)
        var rows: [String] = []
        while try statement.step() { rows.append(statement.text(0)) }
        return rows
    }
}
