import Foundation
import TestSupport
import Testing

/// From which value on a source is asked for what is new: what it has given in runs that succeeded, and nothing else.
@Suite struct SinceMarkTests {
    private static let since = #""since": { "parameter": "s", "attribute": "Item.changed" }"#
    private static let paged = #""pages": { "cursor": "$.next", "parameter": "c" }, "# + since

    private func item(_ id: Int, _ hour: Int, _ more: String = "") -> String {
        #"{"id":\#(id),"changed":"2026-01-01T\#(hour < 10 ? "0" : "")\#(hour):00:00Z"\#(more)}"#
    }

    private func page(_ items: [String], _ next: String? = nil) -> String {
        let text = #"{"items":[\#(items.joined(separator: ","))]\#(next.map { #","next":"\#($0)""# } ?? "")}"#
        return #"{"body":"\#(text.replacing("\"", with: "\\\""))"}"#
    }

    private func mark(_ outcome: Sluice.Outcome, _ source: String = "main") -> String? {
        outcome.mark(source)?.replacing(".000000Z", with: "Z")
    }

    private func ids(_ scene: WebScene) throws -> [String] {
        try Database(scene.store).rows("SELECT id FROM Item ORDER BY id").map { $0[0] }
    }

    /// What a run has saved that did not come to its end says nothing of what came before it.
    @Test(arguments: [false, true]) func savedBatchesMoveNothing(_ isLater: Bool) throws {
        let service = FaultyServer.shared.service([page([])])
        let scene = try WebScene(
            "\(service.member), \(SinceMarkTests.paged)", settings: #""commit": "batch", "batchSize": 1,"#)
        if isLater {
            service.post("[\(page([item(1, 1), item(2, 2)]))]")
            #expect(try mark(scene.run()) == "2026-01-01T02:00:00Z")
        }
        // The newest come first, and the third page never.
        service.post("[\(page([item(9, 20), item(8, 19)], "a")),\(page([item(7, 18)], "b")),{\"status\":403}]")
        let failed = try scene.run()
        #expect(failed.status == 77, "\(failed.errors)")
        #expect(try ids(scene).contains("9"))
        service.post("[\(page([item(9, 20), item(8, 19)], "a")),\(page([item(7, 18), item(6, 17)]))]")
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            service.requests.map(\.query)
                == (isLater ? ["s=2026-01-01T02%3A00%3A00Z", "s=2026-01-01T02%3A00%3A00Z&c=a"] : ["", "c=a"]))
        #expect(try ids(scene) == (isLater ? ["1", "2"] : []) + ["6", "7", "8", "9"])
        #expect(mark(outcome) == "2026-01-01T20:00:00Z")
    }

    /// A record that lacks its target comes again, as the target may; so does a record with the copy that counts.
    @Test(arguments: ["missing", "first", "reject", "last"]) func refusedRecordsHoldTheMark(_ rule: String) throws {
        let isMissing = rule == "missing"
        let lacking = [item(1, 1), item(2, 5, #","parent":9"#), item(3, 6)]
        let records = isMissing ? lacking : [item(1, 1), item(1, 5, #","name":"x""#)]
        let service = FaultyServer.shared.service(page(records))
        let scene = try WebScene(
            "\(service.member), \(SinceMarkTests.since)", settings: #""limits": { "rejects": 5 },"#,
            entity: isMissing ? "" : #", "duplicates": "\#(rule)""#)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        if isMissing {
            let parent = text.replacing(#""to": "Item""#, with: #""to": "Item", "missing": "reject""#)
            _ = try scene.folder.write("items.jsonc", parent)
        }
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(mark(outcome) == (rule == "last" ? "2026-01-01T05:00:00Z" : nil))
        if isMissing {
            service.post("[\(page(records + [item(9, 7)]))]")
            let later = try scene.run()
            #expect(try ids(scene) == ["1", "2", "3", "9"] && mark(later) == "2026-01-01T07:00:00Z", "\(later.errors)")
        }
    }

    /// Each source has given what it has given, though the objects are of one entity.
    @Test func sourcesHaveMarksOfTheirOwn() throws {
        let (one, other) = (
            FaultyServer.shared.service(page([item(1, 9)])), FaultyServer.shared.service(page([item(2, 3)]))
        )
        let folder = TemporaryFolder()
        func write(_ sources: [(String, FaultyService)]) throws -> String {
            let texts = sources.map { #""\#($0.0)": { \#($0.1.member), \#(SinceMarkTests.since) }"# }
            return try folder.write(
                "p.jsonc",
                """
                { "sources": { \(texts.joined(separator: ", ")) }, "store": { "sqlite": "p.sqlite" },
                  "entities": { "Item": { "source": [\(sources.map { "\"\($0.0)\"" }.joined(separator: ", "))],
                    "records": "$.items[*]", "identifier": "id",
                    "attributes": { "id": "integer", "changed": "datetime" } } } }
                """)
        }
        #expect(try Sluice.run(["run", write([("one", one)])]).status == 0)
        let definition = try write([("one", one), ("other", other)])
        let outcome = try Sluice.run(["run", definition, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(one.requests.map(\.query).last == "s=2026-01-01T09%3A00%3A00Z")
        #expect(other.requests.map(\.query) == [""])
        #expect(mark(outcome, "one") == "2026-01-01T09:00:00Z" && mark(outcome, "other") == "2026-01-01T03:00:00Z")
        // Another pipeline of the same store has read nothing.
        _ = try folder.write("q.jsonc", String(contentsOfFile: definition, encoding: .utf8))
        #expect(try Sluice.run(["run", folder.file("q.jsonc")]).status == 0)
        #expect(one.requests.map(\.query).last == "" && other.requests.map(\.query).last == "")
        #expect(try Sluice.run(["run", definition]).status == 0)
        #expect(other.requests.map(\.query).last == "s=2026-01-01T03%3A00%3A00Z")
    }

    /// What has changed on a page that was kept is asked for again, and nothing is absent meanwhile.
    @Test func keptAnswersMoveNoFurtherThanTheyReach() throws {
        let service = FaultyServer.shared.service(page([item(1, 1), item(2, 2)]))
        let scene = try WebScene("\(service.member), \(SinceMarkTests.paged), \"resume\": \"6h\"")
        #expect(try mark(scene.run()) == "2026-01-01T02:00:00Z")
        service.post("[\(page([item(1, 5)], "a")),{\"status\":500}]")
        #expect(try scene.run().status == 69)
        // Meanwhile, 1 changed again, at 9.
        service.post("[\(page([item(2, 11)]))]")
        let resumed = try scene.run()
        #expect(
            resumed.status == 0 && service.requests.map(\.query) == ["s=2026-01-01T02%3A00%3A00Z&c=a"],
            "\(resumed.errors)")
        #expect(mark(resumed) == "2026-01-01T05:00:00Z")
        service.post("[\(page([item(1, 9), item(2, 11)]))]")
        #expect(try mark(scene.run()) == "2026-01-01T11:00:00Z")
        #expect(service.requests.map(\.query) == ["s=2026-01-01T05%3A00%3A00Z"])
    }

    /// A list that has moved by one between the answers of a run that died and those of the next one, long after it;
    /// one that goes on at once is as a run that takes its time.
    @Test(arguments: [true, false]) func nothingIsAbsentFromAnswersOfTwoRuns(_ isLong: Bool) throws {
        let service = FaultyServer.shared.service(page([1, 2, 3, 4].map { item($0, 1) }))
        let scene = try WebScene(
            "\(service.member), \"pages\": { \"number\": \"p\" }, \"resume\": \"6h\"",
            settings: #""limits": { "deletes": null },"#, entity: #", "absent": "delete""#)
        if isLong { scene.environment["SLUICE_TEST_PAUSE"] = "-1" }
        service.post("[\(page([1, 2, 3, 4].map { item($0, 1) })),\(page([]))]")
        #expect(try scene.run().status == 0)
        service.post("[\(page([item(1, 1), item(2, 1)])),{\"status\":500}]")
        #expect(try scene.run().status == 69)
        // 1 has gone: 3 is on the first page now.
        service.post("[\(page([item(4, 1)])),\(page([]))]")
        let resumed = try scene.run()
        #expect(resumed.status == 0 && resumed.count("Item", "deleted") == (isLong ? 0 : 1), "\(resumed.errors)")
        #expect(try ids(scene) == (isLong ? ["1", "2", "3", "4"] : ["1", "2", "4"]))
        service.post("[\(page([item(2, 1), item(3, 1)])),\(page([item(4, 1)])),\(page([]))]")
        #expect(try scene.run().count("Item", "deleted") == 1)
        #expect(try ids(scene) == ["2", "3", "4"])
    }

    /// A record of the year 9999 does not keep all others away.
    @Test func timesToComeDoNotCount() throws {
        let service = FaultyServer.shared.service(page([item(1, 3), #"{"id":2,"changed":"9999-12-31T00:00:00Z"}"#]))
        let scene = try WebScene("\(service.member), \(SinceMarkTests.since)")
        #expect(try mark(scene.run()) == "2026-01-01T03:00:00Z")
        #expect(try scene.run().status == 0)
        #expect(service.requests.last?.query == "s=2026-01-01T03%3A00%3A00Z")
        // One that asks for everything leaves the mark where it is.
        #expect(try mark(scene.run("--full")) == "2026-01-01T03:00:00Z")
        #expect(service.requests.last?.query == "")
    }

    /// Nor does what was read in the service's place: from a file, or as the definition said before.
    @Test func savedFeedsMoveNothing() throws {
        let service = FaultyServer.shared.service(page([item(1, 3)]))
        let scene = try WebScene("\(service.member), \(SinceMarkTests.paged)")
        let saved = try scene.folder.write("saved.json", #"{"items":[\#(item(9, 20))]}"#)
        #expect(try mark(scene.run("--feed", saved)) == nil)
        #expect(try Sluice.run(["replay", scene.definition, saved, "--quiet"]).status == 0)
        let asked = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let source = "\(service.member), \(SinceMarkTests.paged)"
        _ = try scene.folder.write("items.jsonc", asked.replacing(source, with: #""file": "saved.json""#))
        #expect(try scene.run().status == 0)
        _ = try scene.folder.write("items.jsonc", asked)
        #expect(try mark(scene.run()) == "2026-01-01T03:00:00Z")
        #expect(service.requests.map(\.query) == [""])
        #expect(try mark(scene.run("--feed", saved)) == "2026-01-01T03:00:00Z")
        #expect(try mark(scene.run("--force")) == "2026-01-01T03:00:00Z")
        #expect(service.requests.last?.query == "s=2026-01-01T03%3A00%3A00Z")
    }

    /// A service that is asked for each record: what counts is what the store has of it, unless something else than the
    /// service has brought that.
    @Test(arguments: ["nothing", "rejects", "feed"]) func eachRecordIsAskedFromWhatItHas(_ between: String) throws {
        let service = FaultyServer.shared.service("{}")
        let (late, early) = ("9999-12-31T00:00:00Z", "2026-01-05T00:00:00Z")
        let body = #"[{"id": 1, "updated": "\#(early)"}, {"id": 2, "updated": "\#(late)"}]"#
        service.file("7").post("[{\"body\": \"\(body.replacing("\"", with: "\\\""))\"}]")
        let folder = TemporaryFolder()
        _ = try folder.write("issues.json", #"[{"id": 7}]"#)
        let since = #""since": { "parameter": "s", "attribute": "Comment.updated" }"#
        let definition = try folder.write(
            "p.jsonc",
            """
            { "sources": { "issues": { "file": "issues.json" },
                "comments": { "url": "\(service.url)/{id}", "for": "Issue", \(since), "retries": 0 } },
              "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Issue": { "source": "issues", "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } },
                "Comment": { "source": "comments", "records": "$[*]", "identifier": "id",
                  "attributes": { "id": "integer", "updated": "datetime" },
                  "relationships": { "issue": { "to": "Issue", "from": "issue" } } } } }
            """.replacing(#""from": "issue""#, with: #""from": "$for.id""#))
        func run(_ words: [String]) throws {
            let outcome = try Sluice.run(words + [definition, "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try run(["run"])
        if between == "rejects" {
            let reject =
                #"{"kind":"reject","entity":"Issue","identifier":8,"faults":[],"at":{"source":"issues","record":0},"record":{"id":8}}"#
            let path = try folder.write("mended.ndjson", reject)
            #expect(try Sluice.run(["replay", definition, "--rejects", path, "--quiet"]).status == 0)
        } else if between == "feed" {
            let path = try folder.write("other.json", #"[{"id": 7}]"#)
            #expect(try Sluice.run(["run", definition, "--feed", "issues=" + path, "--force", "--quiet"]).status == 0)
        }
        try run(["run", "--force"])
        let wanted = between == "rejects" ? "" : "s=2026-01-05T00%3A00%3A00Z"
        #expect(service.file("7").requests.last?.query == wanted)
    }

    /// Of a store that is not there, or lacks what is new in the definition.
    @Test func whatIsFetchedAsksAsARunDoes() throws {
        let service = FaultyServer.shared.service(page([item(1, 3)]))
        let scene = try WebScene(
            "\(service.member), \(SinceMarkTests.since)", settings: #""archive": { "directory": "saved" },"#)
        let fetched = try Sluice.run(["fetch", scene.definition])
        #expect(fetched.status == 0 && service.requests.last?.query == "", "\(fetched.errors)")
        #expect(try scene.run().status == 0)
        #expect(try Sluice.run(["fetch", scene.definition]).status == 0)
        #expect(service.requests.last?.query == "s=2026-01-01T03%3A00%3A00Z")
    }
}

/// What a night says that asks for what is new, and gets nothing.
@Suite struct QuietNightTests {
    private func scene(_ service: FaultyService, _ settings: String = "") throws -> WebScene {
        try WebScene(
            #"\#(service.member), "since": { "parameter": "s", "attribute": "Item.changed" }"#, settings: settings)
    }

    /// An empty list is nothing new; no list is something to look at.
    @Test(arguments: [
        (#"{"items":[]}"#, 0), (#"{"items":"x"}"#, 1), (#"{"items":null,"message":"x"}"#, 1), (#"{"objects":[]}"#, 1),
        (#"{"message":""}"#, 1), ("{}", 1),
    ])
    func anEmptyListIsNoFinding(_ answer: String, _ count: Int) throws {
        let text = #"{"items":[{"id":1,"name":"x","parent":1,"changed":"2026-01-01T00:00:00Z"}]}"#
        let service = FaultyServer.shared.service(#"{"body":"\#(text.replacing("\"", with: "\\\""))"}"#)
        let scene = try scene(service)
        #expect(try scene.run().status == 0)
        service.post(#"[{"body":"\#(answer.replacing("\"", with: "\\\""))"}]"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect((outcome.report["findings"] as? [String: Int])?["unmatched"] == count, "\(outcome.report)")
    }

    /// A message in place of the list is no answer: that of a service that is being maintained, or asked too often.
    @Test func aMessageInPlaceOfTheListFails() throws {
        let text = #"{"items":[{"id":1,"name":"x","parent":1,"changed":"2026-01-01T00:00:00Z"}]}"#
        let service = FaultyServer.shared.service(#"{"body":"\#(text.replacing("\"", with: "\\\""))"}"#)
        for settings in ["", #""limits": { "records": 0 },"#] {
            let scene = try scene(service, settings)
            service.post(#"[{"body":"\#(text.replacing("\"", with: "\\\""))"}]"#)
            #expect(try scene.run().status == 0)
            service.post(#"[{"body":"{\"message\":\"back at six\"}"}]"#)
            let outcome = try scene.run()
            #expect(outcome.status == (settings.isEmpty ? 65 : 0), "\(outcome.errors)")
            #expect(outcome.errors.contains("\"back at six\" (`message`)") == settings.isEmpty, "\(outcome.errors)")
        }
    }

    /// What is on other pages is not read, and nothing else would say so.
    @Test(arguments: [
        (#""paging":{"next":{"after":"100"}}"#, "$.paging.next.after"), (#""paging":null"#, nil),
    ])
    func aPageThatNobodyAsksFor(_ members: String, _ path: String?) throws {
        let text = #"{\#(members),"items":[{"id":1,"name":"x","parent":1,"next":"/2"}]}"#
        let service = FaultyServer.shared.service(#"{"body":"\#(text.replacing("\"", with: "\\\""))"}"#)
        let scene = try WebScene(service.member)
        let shown = try Sluice.run(["run", scene.definition]).output.replacing(/\s+/, with: " ")
        #expect(shown.contains("names another page at $.paging.next.after") == (path != nil), "\(shown)")
        let outcome = try scene.run("--force")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let found = examples.filter { $0["reason"] as? String == "pages" }
        #expect(found.map { $0["path"] as? String } == [path].filter { $0 != nil })
    }

    /// So it is with what an answer says of the number of records.
    @Test(arguments: [(#""total_items":7"#, "$.total_items"), (#""total":2,"limit":2"#, nil), (#""total":9"#, nil)])
    func moreRecordsThanCame(_ members: String, _ path: String?) throws {
        let text = #"{\#(members),"items":[{"id":1,"name":"x","parent":1},{"id":2,"name":"y","parent":1}]}"#
        let service = FaultyServer.shared.service(#"{"body":"\#(text.replacing("\"", with: "\\\""))"}"#)
        let outcome = try WebScene(service.member).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let found = examples.filter { $0["reason"] as? String == "pages.count" }
        #expect(found.map { $0["path"] as? String } == [path].filter { $0 != nil })
    }

    /// A share of the last run says nothing of a night; a number does.
    @Test(arguments: [("\"90%\"", 0), ("5", 65)]) func sharesAreOfWholeFeeds(_ records: String, _ status: Int32) throws
    {
        let item = { (id: Int) in #"{\"id\":\#(id),\"name\":\"x\",\"changed\":\"2026-01-01T00:00:00Z\"}"# }
        let feed = { (ids: Range<Int>) in #"{"body":"{\"items\":[\#(ids.map(item).joined(separator: ","))]}"}"# }
        let service = FaultyServer.shared.service(feed(0..<30))
        let scene = try scene(service, #""limits": { "records": \#(records), "missing": null },"#)
        #expect(try scene.run().status == 0)
        service.post("[\(feed(0..<1))]")
        let outcome = try scene.run()
        #expect(outcome.status == status, "\(outcome.errors)")
    }
}
