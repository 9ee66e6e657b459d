import Foundation
import Testing

/// What the ledger says of runs, and what commands show of it.
@Suite struct LedgerTests {
    private func ledger(_ scene: Scene, _ columns: String) throws -> [[String]] {
        try Database(scene.store).rows("SELECT \(columns) FROM sluice_run ORDER BY run")
    }

    private func command(_ words: [String], _ scene: Scene) throws -> Sluice.Outcome {
        try Sluice.run([words[0], scene.definition] + words.dropFirst())
    }

    @Test func aRunLeavesARowWithAllThatIsSaidOfIt() throws {
        let scene = try Scene(.existing)
        let row = try #require(
            try ledger(scene, "run, pipeline, length(definition), status, replay_of, version, finished >= started")
                .first)
        #expect(row == ["1", "items", "64", "succeeded", "∅", "0.1.0", "1"])
        let sources = try Database(scene.store).rows(
            """
            SELECT json_extract(sources, '$.main.location'), json_extract(sources, '$.main.sizes[0]'),
            json_extract(sources, '$.main.bytes'), json_extract(sources, '$.main.sha256') FROM sluice_run
            """)
        let size = String(Scene.goodFeed.utf8.count)
        let digest = String(decoding: try Shell.output(["sha256sum", scene.feed]).prefix(64), as: UTF8.self)
        #expect(sources == [[scene.feed, size, size, digest]])
    }

    /// Who asks which nights failed wants to know why.
    @Test func aListOfRunsSaysWhyOneFailed() throws {
        let scene = try Scene(.existing)
        let bad = try scene.folder.write("bad.json", #"{"items": [{"id": "x"}]}"#)
        #expect(try scene.run(["--feed", bad]).status == 65)
        let lines = try command(["runs"], scene).output.split(separator: "\n").map(String.init)
        // The header, the two runs, and the reason below the first of them.
        #expect(lines.count == 4, "\(lines)")
        #expect(
            lines.dropFirst(2).first == "       the limit of 0 rejects is exceeded: there is 1 (limits.rejects)",
            "\(lines)")
    }

    /// A night without a feed is one of the nights, and changes nothing for the next one.
    @Test func aRunWithoutItsFeedIsOneOfTheRuns() throws {
        let scene = try Scene(.new)
        let items = (1...9).map { "{\"id\": \($0), \"name\": \"one\"}" }.joined(separator: ", ")
        _ = try scene.folder.write("feed.json", "{\"items\": [\(items)]}")
        #expect(try scene.run().status == 0)
        try FileManager.default.moveItem(atPath: scene.feed, toPath: scene.folder.file("away"))
        #expect(try scene.run(["--dry-run"]).status == 66)
        #expect(try Sluice.run(["run", scene.definition, "--feed", "none=x"]).status == 64)
        let outcome = try Sluice.run(["run", scene.definition, "--format", "json"])
        #expect(outcome.status == 66)
        #expect(outcome.output.contains("\"run\": 2,"), "\(outcome.output)")
        let shown = try command(["runs"], scene).output
        #expect(shown.replacing(/\n +/, with: " ").contains("feed.json does not exist"), "\(shown)")
        try FileManager.default.moveItem(atPath: scene.folder.file("away"), toPath: scene.feed)
        #expect(try Sluice.run(["run", scene.definition]).status == 0)
        #expect(try ledger(scene, "run, status") == [["1", "succeeded"], ["2", "failed"], ["3", "unchanged"]])
        #expect(try ledger(scene, "json_extract(report, '$.run')") == [["1"], ["2"], ["3"]])
        _ = try scene.folder.write("feed.json", "{\"items\": [\(items), {\"id\": 10, \"name\": \"ten\"}]}")
        let night = try Sluice.run(["run", scene.definition, "--format", "json"])
        #expect(night.output.contains("\"known\": 3"), "\(night.output)")
    }

    @Test func aFirstRunWithoutItsFeedMakesNoStore() throws {
        let scene = try Scene(.new)
        try FileManager.default.removeItem(atPath: scene.feed)
        let outcome = try scene.run(["--format", "json"])
        #expect(outcome.status == 66 && outcome.output.contains("\"run\": null"))
        #expect(scene.folder.names == ["items.jsonc"])
    }

    @Test func aSourceOfSeveralFilesHasADigestOfAllOfThem() throws {
        let scene = try Scene(.new)
        let names = ["a.json", "b.json", "c.json"]
        for (index, name) in names.enumerated() {
            _ = try scene.folder.write(name, "{\"items\": [{\"id\": \(index)}]}")
        }
        let text = Scene.definition().replacingOccurrences(of: "feed.json", with: "[abc].json")
        _ = try scene.folder.write("items.jsonc", text)
        #expect(try scene.run().status == 0)
        let paths = names.map(scene.folder.file).joined(separator: " ")
        let digest = try Shell.output(["sh", "-c", "sha256sum \(paths) | cut -c1-64 | sha256sum | cut -c1-64"])
        let noted = try ledger(scene, "json_extract(sources, '$.main.sha256')")
        #expect(noted == [[String(decoding: digest.dropLast(), as: UTF8.self)]])
        // Where one file ends matters, and so does each of them.
        _ = try scene.folder.write("a.json", "{\"items\": [{\"id\": 9}]}")
        #expect(try Sluice.run(["run", scene.definition]).output.contains("succeeded"))
        #expect(try Database(scene.store).integer("SELECT count(*) FROM Item") == 4)
    }

    @Test func anOlderStoreGetsTheColumnsThatItLacks() throws {
        let scene = try Scene(.existing)
        let database = try Database(scene.store)
        let columns = "run, pipeline, started, finished, status, report"
        _ = try database.rows("CREATE TABLE old AS SELECT \(columns) FROM sluice_run")
        _ = try database.rows("DROP TABLE sluice_run")
        _ = try database.rows(
            """
            CREATE TABLE sluice_run (run INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, started TEXT NOT NULL,
            finished TEXT, status TEXT NOT NULL, report TEXT) STRICT
            """)
        _ = try database.rows("INSERT INTO sluice_run SELECT \(columns) FROM old")
        _ = try database.rows("DROP TABLE old")
        // They can be read as they are.
        #expect(try command(["runs"], scene).output.contains("1  20"))
        let outcome = try Sluice.run(["run", scene.definition])
        #expect(outcome.output.contains("items: succeeded (run 2"))
        #expect(try ledger(scene, "run, status, version") == [["1", "succeeded", "∅"], ["2", "succeeded", "0.1.0"]])
    }

    @Test func aRunThatDiedIsNotedByTheNext() throws {
        let scene = try Scene(.existing)
        _ = try Database(scene.store).rows(
            "INSERT INTO sluice_run (pipeline, started, status) VALUES ('items', '2026-01-01T00:00:00Z', 'running')")
        #expect(try command(["runs", "--run", "2"], scene).errors.contains("has no report: it died"))
        // Nothing is taken to be unchanged behind it.
        let outcome = try Sluice.run(["run", scene.definition])
        #expect(outcome.output.contains("items: succeeded (run 3"))
        #expect(try ledger(scene, "run, status") == [["1", "succeeded"], ["2", "died"], ["3", "succeeded"]])
        let shown = try command(["runs", "--run", "2"], scene)
        #expect(shown.status == 66)
        #expect(shown.errors.contains("run 2, started 2026-01-01T00:00:00Z, has no report: it died"))
    }

    @Test func onlyTheNewestRunsOfThisPipelineStay() throws {
        let scene = try Scene(.existing, settings: #""ledger": { "keep": 2 },"#)
        let other = Scene.definition(settings: #""name": "other", "ledger": { "keep": 1 },"#)
        let path = try scene.folder.write("other.jsonc", other)
        for _ in 2...3 { #expect(try scene.run().status == 0) }
        #expect(try Sluice.run(["run", path, "--force"]).status == 0)
        for _ in 5...6 { #expect(try scene.run().status == 0) }
        #expect(
            try ledger(scene, "run, pipeline") == [["1", "items"], ["4", "other"], ["5", "items"], ["6", "items"]])
        // The waiting list names the first one. What is unchanged counts, too.
        #expect(try Sluice.run(["run", scene.definition]).output.contains("unchanged"))
        #expect(try ledger(scene, "run") == [["1"], ["4"], ["6"], ["7"]])
    }

    /// However many runs found nothing new since, or failed.
    @Test(arguments: [true, false]) func theLastSucceededRunStays(nightsFail: Bool) throws {
        let scene = try Scene(.new, settings: #""ledger": { "keep": 2 }, "limits": { "records": "50%" },"#)
        let whole = (1...20).map { "{\"id\": \($0)}" }
        _ = try scene.folder.write("feed.json", "{\"items\": [\(whole.joined(separator: ", "))]}")
        #expect(try scene.run().status == 0)
        let short = "{\"items\": [\(whole[0])]}"
        for _ in 0..<4 {
            if nightsFail { _ = try scene.folder.write("feed.json", short) }
            #expect(try Sluice.run(["run", scene.definition, "--quiet"]).status == (nightsFail ? 65 : 0))
        }
        _ = try scene.folder.write("feed.json", short)
        #expect(try Sluice.run(["run", scene.definition, "--quiet"]).status == 65)
        #expect(try ledger(scene, "run") == [["1"], ["5"], ["6"]])
    }

    /// What waits says since when, and where it stood, by the row of its run.
    @Test func runsThatTheWaitingListNamesStayWithoutTheirReports() throws {
        let scene = try Scene(.new, settings: #""ledger": { "keep": 1 },"#, source: #", "new": true"#)
        _ = try scene.folder.write(
            "items.jsonc",
            Scene.definition(
                settings: #""ledger": { "keep": 1 },"#, source: #", "new": true"#
            ).replacingOccurrences(of: "feed.json", with: "in-*.json"))
        for number in 1...4 {
            let parent = number == 1 ? ", \"parent\": 99" : ""
            _ = try scene.folder.write("in-\(number).json", "{\"items\": [{\"id\": \(number)\(parent)}]}")
            #expect(try Sluice.run(["run", scene.definition, "--quiet"]).status == 0)
        }
        #expect(try ledger(scene, "run, report IS NULL") == [["1", "1"], ["4", "0"]])
        let waiting = try command(["unresolved", "--format", "json"], scene).output
        #expect(waiting.contains("\"since\": \"20"), "\(waiting)")
        #expect(try command(["unresolved"], scene).output.contains("in-1.json:1:12"))
        #expect(try command(["runs"], scene).status == 0)
        let first = try command(["runs", "--run", "1"], scene)
        #expect(first.status == 66 && first.errors.contains("the ledger keeps it no longer (ledger.keep)"), "\(first)")
    }

    @Test func runsAreListedAndShownAgain() throws {
        let scene = try Scene(.new)
        let first = try Sluice.run(["run", scene.definition])
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": "x"}]}"#)
        let second = try Sluice.run(["run", scene.definition, "--format", "json"])
        #expect(second.status == 65)
        let list = try command(["runs"], scene).output.split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        // Why it failed is below the run.
        #expect(list.map { $0[0] } == ["Run", "2", "the", "1"])
        #expect(list[1][4...] == ["failed", "65", "1", "0", "0", "1"])
        #expect(list[2].joined(separator: " ") == "the limit of 0 rejects is exceeded: there is 1 (limits.rejects)")
        #expect(list[3][4...] == ["succeeded", "3", "3", "0", "0"])
        #expect(try command(["runs", "--rows", "1"], scene).output.split(separator: "\n").count == 3)
        #expect(try withoutStart(command(["runs", "--run", "1"], scene).output) == first.output)
        #expect(try command(["runs", "--run", "2", "--format", "json"], scene).output == second.output)
        let page = scene.folder.file("again.html")
        #expect(try command(["runs", "--run", "2", "--report", page], scene).status == 0)
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("integer expected"))
        #expect(try command(["runs", "--run", "3"], scene).errors.contains("knows no run 3"))
        let json = try command(["runs", "--format", "json"], scene).output
        let rows = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]] ?? []
        #expect(rows.map { $0["run"] as? Int } == [2, 1])
        #expect(rows.map { $0["status"] as? String } == ["failed", "succeeded"])
    }

    /// A report that is shown again has all that the first one had, whatever kinds of findings it has.
    @Test func aReportIsTheSameWhenItIsShownAgain() throws {
        let folder = TemporaryFolder()
        let definition = Sluice.path("Pipelines/berlin-transit.jsonc")
        let first = try Sluice.run(["run", definition, "--store", folder.file("s.sqlite")])
        let again = try Sluice.run(["runs", definition, "--store", folder.file("s.sqlite"), "--run", "1"])
        #expect(first.output == withoutStart(again.output))
    }

    /// A report without the line that says when a run of the past was.
    private func withoutStart(_ report: String) -> String {
        report.replacing(/\n  started [-0-9]{10} [0-9]{2}:[0-9]{2} UTC\n/, with: "\n")
    }

    /// A report that is read later says when the run was, and whose feed it read.
    @Test func aReportOfThePastSaysOfWhatItIs() throws {
        let scene = try Scene(.existing, settings: #""archive": { "directory": "archive", "keep": 3 },"#)
        #expect(try scene.run().status == 0)
        #expect(try command(["replay", "--run", "2"], scene).status == 0)
        #expect(try Sluice.run(["replay", scene.definition, scene.feed]).status == 0)
        func start(_ run: Int) throws -> String {
            let lines = try command(["runs", "--run", String(run)], scene).output.split(separator: "\n")
            return String(lines[1])
        }
        #expect(try start(2).hasSuffix(" UTC") && start(2).hasPrefix("  started 20"))
        #expect(try start(3).hasSuffix(" UTC, a replay of run 2"))
        #expect(try start(4).hasSuffix(" UTC, a replay"))
    }

    @Test func whatWaitsIsListedByTargetAndRelationship() throws {
        let scene = try Scene(.existing)
        let items = #"{"id": 4, "parent": 8}, {"id": 5, "parent": 8}, {"id": 6, "parent": 7}"#
        _ = try scene.folder.write("feed.json", "{\"items\": [\(items)]}")
        #expect(try scene.run().status == 0)
        let lines = try command(["unresolved", "--by-target", "--format", "json"], scene).output.split(separator: "\n")
        #expect(
            lines == [
                #"{ "entity": "Item", "relationship": "parent", "to": ["Item"], "value": 8, "references": 2, "run": 2 }"#,
                #"{ "entity": "Item", "relationship": "parent", "to": ["Item"], "value": 7, "references": 1, "run": 2 }"#,
                #"{ "entity": "Item", "relationship": "parent", "to": ["Item"], "value": 9, "references": 1, "run": 1 }"#,
            ])
        let text = try command(["unresolved", "--by-target", "--rows", "1"], scene).output
        #expect(text.contains("2  Item.parent   Item 8            2\n… and 2 more"))
        let all = try command(["unresolved", "--format", "json"], scene).output
        for words in [
            ["--entity", "Item"], ["--relationship", "parent"], ["--entity=Item", "--relationship=parent"],
        ] {
            #expect(try command(["unresolved", "--format", "json"] + words, scene).output == all)
        }
        let slip = try command(["unresolved", "--entity", "Itme"], scene)
        #expect(slip.status == 64)
        #expect(slip.errors.contains("there is no entity Itme: did you mean Item?"))
        #expect(try command(["unresolved", "--relationship", "child"], scene).status == 64)
    }

    @Test func whatWaitsIsListedWithItsPlace() throws {
        let scene = try Scene(.existing)
        _ = try scene.folder.write("feed.json", "{\"items\": [\n  {\"id\": 4, \"parent\": 8}]}")
        #expect(try scene.run().status == 0)
        let text = try command(["unresolved"], scene).output
        #expect(text.contains("Item 3"))
        let json = try command(["unresolved", "--format", "json"], scene).output
        let lines = try json.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["identifier"] as? Int } == [3, 4])
        #expect(lines.map { $0["value"] as? Int } == [9, 8])
        #expect(lines.map { $0["run"] as? Int } == [1, 2])
        let places = lines.map { $0["at"] as? [String: Any] ?? [:] }
        #expect(places.map { $0["offset"] as? Int } == [Scene.goodFeed.utf8.count - 24, 14])
        #expect(places.map { $0["line"] as? Int } == [1, 2])
        #expect(places.map { $0["path"] as? String } == ["$.items[2]", "$.items[0]"])
        #expect(try command(["unresolved", "--rows", "1"], scene).output.contains("… and 1 more"))
        #expect(try Sluice.run(["unresolved", scene.definition, "--store", "none"]).status == 66)
    }
}
