import Foundation
import TestSupport
import Testing

/// What a report says of the wire.
@Suite struct WireTests {
    private func wire(_ outcome: Sluice.Outcome, _ source: String) -> [String: Any] {
        (outcome.report["wire"] as? [String: Any])?[source] as? [String: Any] ?? [:]
    }

    private func waited(_ wire: [String: Any], _ reason: String) -> Double? {
        (wire["waited"] as? [String: Any])?[reason] as? Double
    }

    @Test func requestsAreCounted() throws {
        let scene = try IssueScene(
            issues: IssueScene.cursor,
            comments: IssueScene.cursor + #", "requests": 3, "cache": "1 MB", "rate": "100/s""#)
        let issues = IssueScene.issues([3, 2, 0, 1])
        try scene.service.offer(issues, #", "tags": true"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let (list, details) = (wire(outcome, "issues"), wire(outcome, "comments"))
        #expect(list["requests"] as? Int == 2 && details["requests"] as? Int == 5)
        #expect(try scene.service.requests.count == 7)
        #expect((list["bytes"] as? Int ?? 0) > 100 && details["kept"] as? Int == 0)
        #expect(try #require(waited(details, "rate")) > 0 && waited(list, "rate") == 0)
        let again = wire(try scene.run(), "comments")
        #expect(again["notModified"] as? Int == 5 && again["requests"] as? Int == 5 && again["bytes"] as? Int == 0)
        // The ledger has it, too.
        let shown = try Sluice.run(["runs", scene.definition, "--run", "2", "--format", "json"])
        #expect(shown.output.contains(#""notModified": 5"#), "\(shown.output)")
    }

    /// Also of a run that fails, and of a dry run; as JSON in the log, and as text where something was unusual.
    @Test func retriesHaveTheirReasons() throws {
        let service = FaultyServer.shared.service(
            #"{"status":503,"body":"no","headers":[["Retry-After","1"]]}"#, #"{"status":500}"#, #"{"status":503}"#,
            #"{"items":9}"#)
        let scene = try WebScene(service.member)
        let outcome = try scene.run("--dry-run")
        let wire = wire(outcome, "main")
        #expect(outcome.status == 0 && wire["requests"] as? Int == 4, "\(outcome.errors)")
        #expect(
            wire["retries"] as? [String: Int] == ["answered with status 503": 2, "answered with status 500": 1])
        #expect(try #require(waited(wire, "service")) >= 1)
        service.post(#"[{"status":500}]"#)
        let failed = try scene.run()
        #expect(failed.status == 69 && self.wire(failed, "main")["requests"] as? Int == 6)
        let text = try Sluice.run(["run", scene.definition, "--log", "json"], environment: scene.environment)
        #expect(text.output.contains("  main: 6 requests, 5 retries"), "\(text.output)")
        let lines = try text.errors.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let told = lines.filter { $0["source"] as? String == "main" }
        #expect(told.count == 1 && told[0]["requests"] as? Int == 6 && told[0]["retries"] as? Int == 5)
        #expect(told[0]["waitedForRetries"] is Double || told[0]["waitedForRetries"] is Int)
    }

    @Test func aFileHasNoWire() throws {
        let scene = try WebScene(#""file": "feed.json""#)
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1}]}"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0 && outcome.report["wire"] == nil)
    }
}
