import Foundation
import TestSupport
import Testing

/// A service without a word of versions that answers with the same bytes night after night: its runs change nothing, as
/// those that read the same files.
@Suite struct SameAnswerTests {
    private static func page(_ ids: ClosedRange<Int>, _ members: String = "", name: String = "n") -> String {
        let items = ids.map { #"{\"id\":\#($0),\"name\":\"\#(name)\#($0)\"}"# }.joined(separator: ",")
        return #"{"body":"{\"items\":[\#(items)]\#(members)}"}"#
    }

    private func status(_ outcome: Sluice.Outcome) -> String? { outcome.report["status"] as? String }

    @Test func theSecondNightIsUnchanged() throws {
        let service = FaultyServer.shared.service(Self.page(1...9))
        let scene = try WebScene(
            service.member,
            settings: """
                "archive": { "directory": "archive" }, "history": true,
                "after": { "unchanged": ["sh", "-c", "echo $SLUICE_LOADED > unchanged"] },
                """, entity: #", "absent": "delete""#)
        #expect(try status(scene.run()) == "succeeded")
        let before = try scene.contents
        for _ in 2...3 {
            let outcome = try scene.run("--metrics", scene.folder.file("m.prom"))
            #expect(outcome.status == 0 && status(outcome) == "unchanged", "\(outcome.errors)")
            #expect((outcome.report["entities"] as? [String: Any])?.isEmpty == true, "\(outcome.report)")
        }
        #expect(try scene.contents == before)
        #expect(try scene.ledger == [["1", "succeeded"], ["2", "unchanged"], ["3", "unchanged"]])
        #expect(scene.folder.names.contains("unchanged"))
        let saved = try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("archive"))
        #expect(saved.count == 1 && saved[0].contains(".run1."), "\(saved)")
        let metrics = try String(contentsOfFile: scene.folder.file("m.prom"), encoding: .utf8)
        func time(_ name: String) -> Double? {
            metrics.split(separator: "\n").first { $0.hasPrefix("\(name){") }
                .flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
        }
        let loaded = try #require(time("sluice_last_load_timestamp_seconds"))
        #expect(try loaded < #require(time("sluice_last_success_timestamp_seconds")))
        let text = try Sluice.run(["run", scene.definition]).output
        #expect(text.contains("the store has this feed since run 1"), "\(text)")
        // Other bytes are loaded, and then they are the ones that are known.
        service.post("[\(Self.page(1...8))]")
        let other = try scene.run("--allow", "deletes=1")
        #expect(status(other) == "succeeded" && other.count("Item", "deleted") == 1, "\(other.errors)")
        #expect(try status(scene.run()) == "unchanged")
    }

    /// What would do, or tell, something else is done.
    @Test(arguments: [
        ["--force"], ["--full"], ["--commit", "batch"], ["--findings", "-", "--report", "r.json"],
    ]) func whatDoesMoreRuns(_ options: [String]) throws {
        let service = FaultyServer.shared.service(Self.page(1...9))
        let scene = try WebScene(service.member)
        #expect(try scene.run().status == 0)
        let outcome = try Sluice.run(["run", scene.definition] + options, folder: scene.folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.ledger == [["1", "succeeded"], ["2", "succeeded"]])
    }

    @Test func aDryRunSaysIt() throws {
        let service = FaultyServer.shared.service(Self.page(1...9))
        let scene = try WebScene(service.member)
        #expect(try status(scene.run("--dry-run")) == "succeeded")
        #expect(try scene.run().status == 0)
        #expect(try status(scene.run("--dry-run")) == "unchanged")
        #expect(try scene.ledger == [["1", "succeeded"]])
    }

    /// Another definition, a store that was written to, and findings that a run has to tell again.
    @Test func whatIsNotAsItWas() throws {
        let service = FaultyServer.shared.service(Self.page(1...9))
        let scene = try WebScene(service.member)
        #expect(try status(scene.run()) == "succeeded")
        try scene.define(service.member, entity: #", "where": { "id": [1, 2] }"#)
        #expect(try status(scene.run()) == "succeeded")
        #expect(try status(scene.run()) == "unchanged")
        let feed = try scene.folder.write("other.json", #"{"items": [{"id": 1, "name": "other"}]}"#)
        #expect(try scene.run("--feed", feed).status == 0)
        #expect(try status(scene.run()) == "succeeded")
        #expect(try Database(scene.store).rows("SELECT name FROM Item WHERE id = 1") == [["n1"]])
        // A run that has failed has left nothing.
        service.post(#"[{"body":"{\"items\":7}"}]"#)
        #expect(try scene.run().status == 65)
        service.post("[\(Self.page(1...9))]")
        #expect(try status(scene.run()) == "unchanged")
    }

    /// Items that the last run has loaded are known after nights on which nothing was, whoever has found that.
    @Test(arguments: [false, true]) func whatIsKnownStaysKnown(_ hasVersion: Bool) throws {
        let tag = hasVersion ? #","headers":[["ETag","\"a\""]]"# : ""
        let service = FaultyServer.shared.service(#"{"items":3000\#(tag)}"#)
        if hasVersion { service.post(#"[{"items":3000\#(tag)},{"status":304}]"#) }
        let scene = try WebScene(service.member)
        #expect(try status(scene.run()) == "succeeded")
        for _ in 1...2 { #expect(try status(scene.run()) == "unchanged") }
        service.post(#"[{"items":3001}]"#)
        let outcome = try scene.run()
        #expect(status(outcome) == "succeeded" && outcome.count("Item", "created") == 1)
        #expect((outcome.report["known"] as? Int).map { $0 > 2000 } == true, "\(outcome.report["known"] ?? "")")
    }

    /// An answer that leads to another page is told each night.
    @Test func pagesThatNobodyAsksForAreToldAgain() throws {
        let service = FaultyServer.shared.service(Self.page(1...9, #",\"next\":\"/2\""#))
        let scene = try WebScene(service.member)
        for _ in 1...2 {
            let outcome = try scene.run()
            #expect(status(outcome) == "succeeded")
            #expect((outcome.report["findings"] as? [String: Int])?["unmatched"] == 1)
        }
    }

    /// Pages are the same where each is.
    @Test func pagesAreTheSame() throws {
        let pages = [Self.page(1...3, #",\"next\":\"?2\""#), Self.page(4...5)]
        let service = FaultyServer.shared.service(pages)
        let scene = try WebScene("\(service.member), \"pages\": { \"next\": \"$.next\" }")
        #expect(try status(scene.run()) == "succeeded")
        service.post("[\(pages.joined(separator: ","))]")
        #expect(try status(scene.run()) == "unchanged")
        let others = [Self.page(1...3, #",\"next\":\"?2\""#), Self.page(4...6)]
        service.post("[\(others.joined(separator: ","))]")
        #expect(try status(scene.run()) == "succeeded")
        #expect(try scene.contents["Item"]?.count == 6)
    }

    /// Of several sources, all must be the same: the files, too.
    @Test func allSourcesCount() throws {
        let folder = TemporaryFolder()
        let service = FaultyServer.shared.service(Self.page(1...9))
        _ = try folder.write("feed.json", #"{"items": [{"id": 10, "name": "x"}]}"#)
        let definition = try folder.write(
            "p.jsonc",
            """
            { "sources": { "one": { \(service.member) }, "two": { "file": "feed.json" } },
              "store": { "sqlite": "s.sqlite" },
              "entities": { "Item": { "source": ["one", "two"], "records": "$.items[*]", "identifier": "id",
                "absent": "delete", "attributes": { "id": "integer", "name": "text" } } } }
            """)
        func run() throws -> String? { try status(Sluice.run(["run", definition, "--format", "json"])) }
        #expect(try [run(), run()] == ["succeeded", "unchanged"])
        _ = try folder.write("feed.json", #"{"items": [{"id": 10, "name": "y"}]}"#)
        #expect(try [run(), run()] == ["succeeded", "unchanged"])
        service.post("[\(Self.page(1...9, name: "m"))]")
        #expect(try [run(), run()] == ["succeeded", "unchanged"])
        #expect(try Database(folder.file("s.sqlite")).integer("SELECT count(*) FROM Item WHERE name LIKE 'm%'") == 9)
    }

    /// Records that waited for an object, which the run has made behind them, are loaded the next time.
    @Test func recordsThatWaitAreLoaded() throws {
        let body = #"{\"a\":[{\"id\":1,\"b\":7}],\"b\":[{\"id\":1,\"a\":9}]}"#
        let service = FaultyServer.shared.service(#"{"body":"\#(body)"}"#)
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { \(service.member) }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": {
                "A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { "b": { "to": "B", "missing": "reject" } } },
                "B": { "records": "$.b[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { "a": { "to": "C", "missing": "stub" } } },
                "C": { "records": "$.c[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        func run() throws -> String? { try status(Sluice.run(["run", definition, "--format", "json"])) }
        #expect(try [run(), run()] == ["succeeded", "succeeded"])
    }

    /// What is asked for each record, in one answer for each.
    @Test func partsAreTheSame() throws {
        let folder = TemporaryFolder()
        let parents = FaultyServer.shared.service(Self.page(1...2))
        let children = FaultyServer.shared.service(Self.page(5...6))
        for (keys, isKnown) in [("", true), (#", "pages": { "next": "$.next" }"#, false)] {
            let definition = try folder.write(
                "p.jsonc",
                """
                { "sources": { "one": { \(parents.member) },
                    "two": { "url": "\(children.url)?of={id}", "for": "Item"\(keys) } },
                  "store": { "sqlite": "s\(isKnown).sqlite" },
                  "entities": {
                    "Item": { "source": "one", "records": "$.items[*]", "identifier": "id",
                      "attributes": { "id": "integer", "name": "text" } },
                    "Part": { "source": "two", "records": "$.items[*]", "identifier": ["of", "id"],
                      "attributes": { "id": "integer", "of": { "type": "integer", "from": "$for.id" } } } } }
                """)
            func run() throws -> Sluice.Outcome { try Sluice.run(["run", definition, "--format", "json"]) }
            let first = try run()
            #expect(status(first) == "succeeded", "\(first.errors)")
            #expect(try status(run()) == (isKnown ? "unchanged" : "succeeded"))
        }
    }
}
