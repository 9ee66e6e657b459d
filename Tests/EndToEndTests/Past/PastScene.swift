import TestSupport
import Testing

/// A small pipeline whose store keeps its past: in a file, or on a server.
final class PastScene {
    enum Store: String, CaseIterable, Sendable { case file, server }

    let folder: TemporaryFolder
    let definition: String
    /// Nil: the store is a file.
    private let server: ServerScene?
    /// How runs are started: in a file, each record is a batch.
    private let options: [String]

    /// - Parameter settings: members of the definition, with a comma behind each.
    init(_ store: Store, _ settings: String = #""history": true,"#) throws {
        let settings = settings + #" "limits": { "deletes": null },"#
        switch store {
        case .file:
            let scene = try Scene(.new)
            let text = Scene.definition(settings: settings).replacing(
                #""identifier": "id","#, with: #""identifier": "id", "absent": "delete","#)
            _ = try scene.folder.write("items.jsonc", text)
            (folder, definition, server) = (scene.folder, scene.definition, nil)
            options = ["--force", "--batch-size", "1"]
        case .server:
            let scene = try ServerScene(settings, entity: #", "absent": "delete""#)
            (folder, definition, server, options) = (scene.folder, scene.definition, scene, [])
        }
    }

    deinit {
        guard let server else { return }
        for run in 1...20 { _ = try? server.sql("DROP SCHEMA IF EXISTS \(schema(run)) CASCADE") }
    }

    // MARK: Runs

    /// Runs the pipeline on a feed.
    func run(_ feed: String) throws {
        _ = try folder.write("feed.json", feed)
        let outcome = try Sluice.run(["run", definition] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Runs all nights; by run: the objects that there were.
    func runNights() throws -> [[String]] {
        try ItemNights.feeds.map { feed in
            try run(feed)
            return try objects()
        }
    }

    func lastRun() throws -> Int { try #require(Int(rows("SELECT max(run) FROM @sluice_run")[0])) }

    // MARK: The store, and as it was

    /// What a query gives, each row as a text. `@` stands before the names of tables.
    ///
    /// - Parameter run: at which the store is looked into, which `at` has made; nil: the store as it is.
    func rows(_ sql: String, at run: Int? = nil) throws -> [String] {
        guard let server else {
            let path = folder.file(run.map { "past-\($0).sqlite" } ?? "store.sqlite")
            return try Database(path).rows(sql.replacing("@", with: "")).map { $0.joined(separator: "\t") }
        }
        let schema = run.map(schema) ?? "\"\(server.schema)\""
        return try server.sql(sql.replacing("@", with: schema + ".")).split(separator: "\n").map(String.init)
    }

    func objects(at run: Int? = nil) throws -> [String] { try rows("SELECT * FROM @\"Item\" ORDER BY id", at: run) }

    /// Makes the store as it was when a run had ended.
    func at(_ run: Int) throws -> Sluice.Outcome {
        let place = server.map { ["--schema", "\($0.schema) \(run)"] }
        return try Sluice.run(
            ["at", definition, "\(run)"] + (place ?? ["--output", folder.file("past-\(run).sqlite")]))
    }

    /// Carries out statements on the store as it was.
    func execute(_ sql: String, at run: Int) throws {
        guard let server else { return try Database(folder.file("past-\(run).sqlite")).execute(sql) }
        _ = try server.sql("SET search_path = \(schema(run)); " + sql)
    }

    private func schema(_ run: Int) -> String { "\"\(server?.schema ?? "") \(run)\"" }
}
