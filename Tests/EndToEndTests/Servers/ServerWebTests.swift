import Foundation
import TestSupport
import Testing

/// Feeds of web services whose store is on a server: what the store knows of them, and what is asked for.
@Suite struct ServerWebTests {
    /// A scene whose feed is a service's; `source` are more members of the source, with a comma before each.
    private func scene(_ service: FaultyService, _ source: String = "", settings: String = "") throws -> ServerScene {
        let scene = try ServerScene(settings)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc",
            text.replacing("\"file\": \"feed.json\"", with: service.member + source)
                .replacing(
                    "\"price\": \"real\"", with: "\"price\": \"real\", \"changed\": \"datetime\", \"day\": \"date\""))
        return scene
    }

    private func version(_ tag: String, items: Int) -> String {
        #"""
        {"unless":["if-none-match","\"\#(tag)\""],"items":\#(items),"headers":[["ETag","\"\#(tag)\""]],
         "else":{"status":304}}
        """#
    }

    private func run(_ scene: ServerScene, _ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", scene.definition, "--format", "json"] + more, environment: ["SLUICE_TEST_BACKOFF": "0.002"])
    }

    private func status(_ outcome: Sluice.Outcome) -> String? { outcome.report["status"] as? String }

    @Test(arguments: ["run", "batch"])
    func whatHasNotChangedIsNotDownloaded(_ commit: String) throws {
        let service = FaultyServer.shared.service(version("a", items: 50))
        let scene = try scene(
            service, ", \"retries\": 0", settings: "\"commit\": \"\(commit)\", \"batchSize\": 7,")
        #expect(try run(scene).status == 0)
        let before = try scene.items()
        #expect(try status(run(scene)) == "unchanged")
        #expect(try status(run(scene, "--dry-run")) == "unchanged")
        #expect(service.requests.map { $0.headers["if-none-match"] } == [nil, "\"a\"", "\"a\""])
        #expect(try scene.items() == before)
        service.post("[\(version("b", items: 60))]")
        // A dry run remembers nothing.
        #expect(try run(scene, "--dry-run").count("Item", "created") == 10)
        #expect(try run(scene).count("Item", "created") == 10)
        #expect(try status(run(scene)) == "unchanged")
        // Only a run whose data were saved knows a version.
        service.post(#"[{"items":90,"cut":1500,"headers":[["ETag","\"c\""]]}]"#)
        #expect(try run(scene).status == 69)
        service.post("[\(version("b", items: 60))]")
        #expect(try status(run(scene)) == (commit == "run" ? "unchanged" : "succeeded"))
        #expect(try status(run(scene, "--force")) == "succeeded")
        #expect(
            try scene.sql("SELECT status FROM @.sluice_run ORDER BY run").split(separator: "\n").prefix(3)
                == ["succeeded", "unchanged", "succeeded"])
    }

    /// Each record is asked for what is newer than what the server has of it.
    @Test func whatIsNewIsAskedForByRecord() throws {
        let server = try ServerScene()
        let scene = try IssueScene(
            issues: IssueScene.cursor,
            comments: IssueScene.cursor + #", "since": { "parameter": "since", "attribute": "Comment.updated" }"#,
            store: #"{ "postgresql": { "database": "\#(server.cluster.uri)", "schema": "\#(server.schema)" } }"#)
        var issues = IssueScene.issues([3, 0, 1])
        try scene.service.offer(issues)
        #expect(try scene.run().status == 0)
        issues[0].comments.append(.init(id: 9, updated: IssueScene.time(2), text: "new"))
        try scene.service.offer(issues, #", "size": 10"#)
        #expect(try scene.run("--dry-run").count("Comment", "created") == 1)
        let outcome = try scene.run()
        #expect(outcome.count("Comment", "created") == 1 && outcome.status == 0, "\(outcome.errors)")
        let asked = try scene.asked.map { $0.replacing("%3A", with: ":") }
        let expected = [
            "/issues/1/comments?since=2026-11-01T02:00:00Z", "/issues/2/comments",
            "/issues/3/comments?since=2026-11-01T00:00:00Z",
        ]
        #expect(asked == expected + expected)
        #expect(
            try server.sql("SELECT count(*) FROM @.\"Comment\" c JOIN @.\"Issue\" i ON i.\"objectID\" = c.issue") == "5"
        )
    }

    @Test func aDateIsAVersion() throws {
        let date = "Sun, 01 Nov 2026 10:00:00 GMT"
        let service = FaultyServer.shared.service(
            #"""
            {"unless":["if-modified-since","\#(date)"],"items":9,"headers":[["Last-Modified","\#(date)"]],
             "else":{"status":304}}
            """#)
        let scene = try scene(service)
        #expect(try run(scene).status == 0)
        #expect(try status(run(scene)) == "unchanged")
    }

    // MARK: since

    private static let items = [
        #"{\"id\":7,\"name\":\"a\",\"price\":2.5,\"changed\":\"2026-03-04T05:06:07Z\",\"day\":\"2026-03-01\"}"#,
        #"{\"id\":10,\"name\":\"ä\",\"price\":10,\"changed\":\"2026-03-04T06:06:07.5+01:00\",\"day\":\"2025-12-31\"}"#,
        #"{\"id\":9,\"name\":\"Z\",\"price\":-1,\"changed\":\"1999-01-01T00:00:00Z\"}"#,
    ].joined(separator: ",")

    /// The highest stored value is what SQLite would have said.
    @Test(arguments: [
        ("changed", "", "2026-03-04T05:06:07.5Z"), ("changed", #", "overlap": "10m""#, "2026-03-04T04:56:07Z"),
        ("changed", #", "overlap": "10m", "format": "unix""#, "1772600167"),
        ("changed", #", "format": "unix-ms""#, "1772600767500"), ("day", "", "2026-03-01"),
        ("day", #", "overlap": "1d""#, "2026-02-28"), ("id", "", "10"), ("id", #", "overlap": 2"#, "8"),
        ("price", "", "10.0"), ("name", "", "%C3%A4"),
    ])
    func theHighestValueIsSent(_ attribute: String, _ more: String, _ expected: String) throws {
        let service = FaultyServer.shared.service("{\"body\":\"{\\\"items\\\":[\(Self.items)]}\"}")
        let scene = try scene(
            service, ", \"since\": { \"parameter\": \"since\", \"attribute\": \"Item.\(attribute)\"\(more) }")
        #expect(try run(scene).status == 0)
        service.post(#"[{"body":"{\"items\":[]}"}]"#)
        for command in ["run", "fetch"] {
            _ = try scene.folder.write(
                "items.jsonc",
                String(contentsOfFile: scene.definition, encoding: .utf8)
                    .replacing(
                        /^\{\n/, with: command == "fetch" ? "{\n\"archive\": { \"directory\": \"archive\" },\n" : "{\n")
            )
            let outcome = try Sluice.run([command, scene.definition])
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
        }
        let sent = "since=\(expected.replacing(":", with: "%3A"))"
        #expect(service.requests.map(\.query) == [sent, sent])
        #expect(try scene.sql("SELECT count(*) FROM @.\"Item\"") == "3")
    }

    // MARK: Commands that read feeds

    @Test func aFetchedFeedCanBeReplayed() throws {
        let service = FaultyServer.shared.service(#"{"items":50}"#)
        let scene = try scene(service, settings: #""archive": { "directory": "archive" },"#)
        let fetched = try scene.run("fetch")
        #expect(fetched.status == 0, "\(fetched.errors)")
        let files = fetched.output.split(separator: "\n").map(String.init)
        #expect(files.count == 1 && files[0].hasPrefix("main="))
        // Nothing is loaded, and no lock is left.
        #expect(try !scene.exists)
        #expect(try Sluice.run(["replay", scene.definition, "--quiet"] + files).status == 0)
        #expect(try scene.items().count == 50)
        #expect(service.requests.count == 1)
        #expect(try scene.sql("SELECT status, replay_of IS NULL FROM @.sluice_run") == "succeeded\tt")
    }

    /// A preview does not need the server.
    @Test func aPreviewAsksNoServer() throws {
        let service = FaultyServer.shared.service(#"{"items":50}"#)
        let scene = try scene(service)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("items.jsonc", text.replacing(scene.cluster.socket, with: "/nowhere"))
        let outcome = try scene.run("preview")
        #expect(outcome.status == 0 && outcome.output.contains("item 1"), "\(outcome.errors)")
    }
}
