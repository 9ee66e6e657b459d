import Foundation
import Testing

/// A feed that the store has already is not loaded again; one that might change anything is.
@Suite struct UnchangedFeedTests {
    private let scene: Scene

    init() throws { scene = try Scene(.existing) }

    private func status(_ more: [String] = []) throws -> String {
        let outcome = try Sluice.run(["run", scene.definition, "--format", "json"] + more)
        return outcome.report["status"] as? String ?? outcome.errors
    }

    @Test func nothingIsDoneTwice() throws {
        let before = try Database(scene.store).snapshot()
        let outcome = try Sluice.run(["run", scene.definition])
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("items: unchanged; the store has this feed since run 1 (run 2, "))
        #expect(try Database(scene.store).snapshot() == before)
        // Again, by what the unchanged run says; it is the run before that has loaded something.
        let again = try Sluice.run(["run", scene.definition, "--metrics", scene.folder.file("m.prom")])
        #expect(again.output.hasPrefix("items: unchanged; the store has this feed since run 1 (run 3, "))
        let metrics = try String(contentsOfFile: scene.folder.file("m.prom"), encoding: .utf8)
        #expect(metrics.contains("sluice_run_findings{pipeline=\"items\",kind=\"unresolved\"} 1\n"))
        #expect(metrics.contains("sluice_run_records{pipeline=\"items\",entity=\"Item\",outcome=\"created\"} 3\n"))
        let rows = try Database(scene.store).rows(
            "SELECT status, json_extract(sources, '$.main.sha256') FROM sluice_run")
        #expect(rows.map { $0[0] } == ["succeeded", "unchanged", "unchanged"])
        #expect(Set(rows.map { $0[1] }).count == 1)
        #expect(try status(["--force"]) == "succeeded")
    }

    @Test func theFindingsOfTheLastRunStay() throws {
        let findings = scene.folder.file("findings.ndjson")
        #expect(try status(["--force", "--findings", findings]) == "succeeded")
        let before = try String(contentsOfFile: findings, encoding: .utf8)
        #expect(before.contains("unresolved"))
        #expect(try status(["--findings", findings]) == "unchanged")
        #expect(try String(contentsOfFile: findings, encoding: .utf8) == before)
    }

    @Test func anotherFeedOfTheSameSizeIsLoaded() throws {
        _ = try scene.folder.write("feed.json", Scene.goodFeed.replacingOccurrences(of: "one", with: "eno"))
        #expect(try status() == "succeeded")
        #expect(try status() == "unchanged")
    }

    /// Long feeds are told apart by what they begin with, before all of them is read.
    @Test func aLongFeedOfTheSameSize() throws {
        func feed(_ changed: Int? = nil) -> String {
            let items = (1...60_000).map { #"{ "id": \#($0), "name": "\#($0 == changed ? "two" : "one")" }"# }
            return "{ \"items\": [\(items.joined(separator: ",\n"))] }"
        }
        func beginnings() throws -> [String] {
            try Database(scene.store).rows("SELECT sources ->> '$.main.beginning' FROM sluice_run WHERE run > 1")
                .map { $0[0] }
        }
        _ = try scene.folder.write("feed.json", feed())
        #expect(try status() == "succeeded")
        for _ in 1...2 { #expect(try status() == "unchanged") }
        #expect(Set(try beginnings().map(\.count)) == [64])
        for (changed, count) in [(59_999, 1), (7, 2)] {
            _ = try scene.folder.write("feed.json", feed(changed))
            #expect(try status() == "succeeded")
            #expect(try status() == "unchanged")
            #expect(Set(try beginnings()).count == count)
            #expect(try Database(scene.store).integer("SELECT id FROM Item WHERE name = 'two'") == changed)
        }
        // In another encoding, the bytes of the file count.
        _ = try scene.folder.write(
            "items.jsonc",
            String(contentsOfFile: scene.definition, encoding: .utf8)
                .replacing("\"file\": ", with: "\"encoding\": \"utf-16\", \"file\": "))
        try feed().data(using: .utf16)?.write(to: URL(fileURLWithPath: scene.folder.file("feed.json")))
        #expect(try status() == "succeeded")
        #expect(try status() == "unchanged")
    }

    @Test func theSameBytesUnderAnotherNameAreTheSameFeed() throws {
        let copy = try scene.folder.write("copy.json", Scene.goodFeed)
        #expect(try status(["--feed", copy]) == "unchanged")
        // Its name makes it another one.
        let lines = try scene.folder.write("copy.ndjson", Scene.goodFeed)
        #expect(try status(["--feed", lines]) == "succeeded")
    }

    @Test func aPipeIsAlwaysRead() throws {
        let data = Data(Scene.goodFeed.utf8)
        for _ in 1...2 {
            let outcome = try Sluice.run(
                ["run", scene.definition, "--format", "json", "--feed", "-"], input: data)
            #expect(outcome.report["status"] as? String == "succeeded")
        }
    }

    /// What has no say in what is loaded may change, and what has may not.
    @Test(arguments: [
        (#""batchSize": 7,"#, "unchanged"), (#""commit": "batch","#, "unchanged"),
        (#""findings": "f.ndjson","#, "unchanged"), (#""ledger": { "keep": 3 },"#, "unchanged"),
        (#""archive": { "directory": "archive" },"#, "unchanged"),
        (#"/* a comment */"#, "unchanged"), (#""limits": { "rejects": 5 },"#, "succeeded"),
    ])
    func theDefinitionCounts(settings: String, expected: String) throws {
        _ = try scene.folder.write("items.jsonc", Scene.definition(settings: settings))
        #expect(try status() == expected)
    }

    @Test func aVariableCountsByItsValue() throws {
        let text = Scene.definition().replacingOccurrences(
            of: #""records": "$.items[*]""#, with: #""records": "$.items[*]", "where": { "name": "${NAME}" }"#)
        _ = try scene.folder.write("items.jsonc", text)
        for (name, expected) in [("one", "succeeded"), ("one", "unchanged"), ("two", "succeeded")] {
            let outcome = try Sluice.run(["run", scene.definition, "--format", "json"], environment: ["NAME": name])
            #expect(outcome.report["status"] as? String == expected)
        }
    }

    @Test func anotherPipelinesRunComesBetween() throws {
        let other = try scene.folder.write("other.jsonc", Scene.definition(settings: #""name": "other","#))
        _ = try scene.folder.write("other.json", #"{"items": [{"id": 1, "name": "by the other"}]}"#)
        let outcome = try Sluice.run(["run", other, "--feed", scene.folder.file("other.json")])
        #expect(outcome.status == 0)
        #expect(try status() == "succeeded")
        #expect(try Database(scene.store).rows("SELECT name FROM Item WHERE id = 1") == [["one"]])
        // One that changes nothing does not matter.
        #expect(try Sluice.run(["run", other, "--feed", scene.folder.file("other.json")]).status == 0)
        #expect(try status() == "succeeded")
        _ = try scene.folder.write("other.json", #"{"items": [{"id": 1, "price": "dear"}]}"#)
        #expect(try Sluice.run(["run", other, "--feed", scene.folder.file("other.json")]).status == 65)
        #expect(try status() == "unchanged")
    }

    /// The ledger forgets runs; what came between must not be forgotten with them: the last that succeeded stays.
    @Test func whatCameBetweenIsNotForgotten() throws {
        let text = Scene.definition(settings: #""name": "other", "ledger": { "keep": 1 },"#)
        let other = try scene.folder.write("other.jsonc", text)
        let feed = try scene.folder.write("other.json", #"{"items": [{"id": 1, "name": "by the other"}]}"#)
        #expect(try Sluice.run(["run", other, "--feed", feed]).status == 0)
        _ = try scene.folder.write("other.json", #"{"items": [{"id": "x"}]}"#)
        #expect(try Sluice.run(["run", other, "--feed", feed]).status == 65)
        #expect(try Database(scene.store).rows("SELECT run FROM sluice_run") == [["1"], ["2"], ["3"]])
        #expect(try status() == "succeeded")
        #expect(try Database(scene.store).rows("SELECT name FROM Item WHERE id = 1") == [["one"]])
    }

    @Test(arguments: ["run", "batch"])
    func aFailedRunComesBetween(commit: String) throws {
        _ = try scene.folder.write("feed.json", Scene.beginning + "oops")
        let outcome = try scene.run(["--commit", commit])
        #expect(outcome.status == 65)
        _ = try scene.folder.write("feed.json", Scene.goodFeed)
        // With `batch`, the failed run has saved what came before the mistake.
        #expect(try status() == (commit == "run" ? "unchanged" : "succeeded"))
        #expect(try Database(scene.store).rows("SELECT name FROM Item WHERE id = 1") == [["one"]])
    }

    @Test func anotherStoreHasItsOwnRuns() throws {
        let other = scene.folder.file("other.sqlite")
        #expect(try status(["--store", other]) == "succeeded")
        #expect(try status(["--store", other]) == "unchanged")
        #expect(try status() == "unchanged")
    }

    @Test func aStoreThatLacksATableIsLoaded() throws {
        _ = try Database(scene.store).rows("DROP TABLE Item")
        #expect(try status() == "succeeded")
        #expect(try Database(scene.store).integer("SELECT count(*) FROM Item") == 3)
    }

    @Test func aMissingFeedIsMissing() throws {
        try scene.folder.remove("feed.json")
        #expect(try Sluice.run(["run", scene.definition]).status == 66)
    }

    /// What a file is called counts where a value says it.
    @Test(arguments: [true, false]) func aFileWithAnotherName(isTaken: Bool) throws {
        let folder = TemporaryFolder()
        let path = try folder.write(
            "items.jsonc",
            """
            { "source": { "file": "feed-*.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": { "Item": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "at": { "type": "text", "from": "\(isTaken ? "$file" : "x")" } } } } }
            """)
        _ = try folder.write("feed-1.json", #"[{"id": 1}]"#)
        _ = try Sluice.run(["run", path])
        try FileManager.default.moveItem(atPath: folder.file("feed-1.json"), toPath: folder.file("feed-2.json"))
        let outcome = try Sluice.run(["run", path, "--format", "json"])
        #expect(outcome.report["status"] as? String == (isTaken ? "succeeded" : "unchanged"), "\(outcome.errors)")
        let names = try Database(folder.file("s.sqlite")).rows("SELECT at FROM Item").map { $0[0] }
        #expect(names == [isTaken ? "feed-2.json" : "∅"])
    }
}
