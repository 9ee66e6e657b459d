import Foundation
import TestSupport
import Testing

/// A source that gives only what is new, and a definition that takes something else of it than before: what the source
/// gave earlier is needed once more.
@Suite struct TakenPartsTests {
    private static let since = #""since": { "parameter": "s", "attribute": "Item.changed" }"#
    private static let items = """
        {"items":[{"id":1,"name":"x","parent":1,"kind":"a","changed":"2026-01-01T01:00:00Z","parts":[{"n":1}]},\
        {"id":2,"name":"y","parent":1,"kind":"b","changed":"2026-01-01T02:00:00Z","parts":[{"n":2}]}]}
        """
    private static let part =
        ##","Part": { "records": "$.items[*].parts[*]", "identifier": "n", "attributes": { "n": "integer" } }"##

    /// The definition with some texts replaced, so that each is there.
    private func change(_ scene: WebScene, _ texts: [(String, String)]) throws {
        var text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        for (old, new) in texts {
            #expect(text.contains(old))
            text = text.replacing(old, with: new)
        }
        _ = try scene.folder.write("items.jsonc", text)
    }

    /// What a report says of the source.
    private func main(_ outcome: Sluice.Outcome) -> [String: Any]? {
        (outcome.report["sources"] as? [String: [String: Any]])?["main"]
    }

    private func service() -> FaultyService {
        FaultyServer.shared.service(
            #"{"body":"\#(TakenPartsTests.items.replacing("\"", with: "\\\""))"}"#)
    }

    /// By table, the values of each row in the columns that another store has.
    private func values(_ store: String, columnsOf other: String) throws -> [String: [[String]]] {
        let (database, pattern) = (try Database(store), try Database(other))
        var values: [String: [[String]]] = [:]
        for table in try pattern.contents().keys {
            let columns = try pattern.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY name")
            let names = columns.map { "\"\($0[0])\"" }.joined(separator: ", ")
            values[table] = try database.rows("SELECT \(names) FROM \"\(table)\"").sorted {
                $0.description < $1.description
            }
        }
        return values
    }

    private static let asksAnew: [(String, String)] = [
        (#""changed": "datetime""#, #""changed": "datetime", "kind": "text""#),
        (#""name": "text""#, #""name": { "type": "text", "from": "kind" }"#),
        (#""name": "text""#, #""name": { "type": "text", "trim": true }"#),
        (#""name": "text""#, #""title": { "type": "text", "from": "name" }"#),
        (#""name": "text""#, #""name": { "type": "text", "from": "n.a" }"#),
        (#""name": "text""#, #""title": { "type": "text", "was": "name" }"#),
        (
            #""name": "text""#,
            #""name": { "type": "text", "from": "kind" }, "kind": { "type": "text", "from": "name" }"#
        ),
        (#""identifier": "id","#, #""identifier": "id", "edits": "keep","#),
        (#""where": { "kind": "a" }, "#, ""), (#""kind": "a""#, #""kind": ["a", "b"]"#),
        (#""parent": { "to": "Item" }"#, #""parent": { "to": "Item" }, "other": { "to": "Item", "from": "parent" }"#),
        (#""query": { "q": "1" }"#, #""query": { "q": "2" }"#), (#""q": "1""#, #""q": "1", "r": "1""#),
        (#"/more""#, #"/other""#),
        (#"} }"# + "\n    }\n  }", #"} }"# + "\n    }\n  \(part)}"),
    ]

    @Test(arguments: asksAnew) func moreIsTaken(_ old: String, _ new: String) throws {
        let service = service()
        let (more, other) = (service.file("more"), service.file("other"))
        let answer = #"[{"body":"\#(TakenPartsTests.items.replacing("\"", with: "\\\""))"}]"#
        more.post(answer)
        other.post(answer)
        let scene = try WebScene(
            #"\#(more.member), "query": { "q": "1" }, \#(TakenPartsTests.since)"#,
            entity: #", "where": { "kind": "a" }"#)
        try change(
            scene,
            [(#", "where": { "kind": "a" }"#, ""), (#""identifier""#, #""where": { "kind": "a" }, "identifier""#)])
        #expect(try scene.run().status == 0)
        let second = try scene.run()
        #expect(second.status == 0 && more.requests.last?.query == "q=1&s=2026-01-01T01%3A00%3A00Z", "\(second.errors)")
        try change(scene, [(old, new)])
        let shown = try Sluice.run(["run", scene.definition, "--dry-run"]).output
        #expect(shown.contains("asked for everything, as the definition takes something else: main"), "\(shown)")
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let asked = (old.hasPrefix("/") ? other : more).requests.map(\.query)
        #expect(asked.last?.contains("s=") == false, "\(asked)")
        let source = main(outcome)
        #expect(source?["anew"] as? Bool == true)
        // The store is that of a first import.
        let clean = TemporaryFolder()
        _ = try clean.write("items.jsonc", String(contentsOfFile: scene.definition, encoding: .utf8))
        #expect(try Sluice.run(["run", clean.file("items.jsonc")]).status == 0)
        // Where a record says nothing any more, what it said is kept.
        if !new.contains("n.a"), !new.contains("was") {
            let fresh = clean.file("store.sqlite")
            #expect(try values(scene.store, columnsOf: fresh) == values(fresh, columnsOf: fresh))
        }
        // Once.
        let next = try scene.run()
        #expect(next.status == 0, "\(next.errors)")
        #expect((old.hasPrefix("/") ? other : more).requests.last?.query.contains("s=2026") == true)
        let again = main(next)
        #expect(again?["anew"] == nil)
    }

    /// Versions before this one noted nothing of what is taken: then another definition counts, whatever differs.
    @Test func aReportThatSaysNothing() throws {
        let service = service()
        let more = service.file("more")
        more.post(#"[{"body":"\#(TakenPartsTests.items.replacing("\"", with: "\\\""))"}]"#)
        let scene = try WebScene(#"\#(more.member), "query": { "q": "1" }, \#(TakenPartsTests.since)"#)
        let forget = "UPDATE sluice_run SET report = json_remove(report, '$.sources.main.taken')"
        #expect(try scene.run().status == 0)
        try Database(scene.store).execute(forget)
        #expect(try scene.run().status == 0)
        #expect(more.requests.last?.query.contains("s=2026") == true, "\(more.requests.map(\.query))")
        try Database(scene.store).execute(forget)
        try change(scene, [(#""name": "text""#, #""name": { "type": "text", "from": "kind" }"#)])
        #expect(try scene.run().status == 0)
        #expect(more.requests.last?.query == "q=1", "\(more.requests.map(\.query))")
    }

    /// What the store makes of records makes no difference to what a service is asked for.
    @Test(arguments: [
        (#""name": "text""#, #""name": { "type": "text", "index": true }"#),
        (#""name": "text""#, #""title": { "type": "text", "from": "name", "was": "name" }"#),
        (#""name": "text""#, #""title": { "type": "text", "from": "name", "was": ["caption", "name"] }"#),
        (#""records": "$.items[*]""#, #""records": ["$.items[*]"]"#),
        (#""parent": { "to": "Item" }"#, #""up": { "to": ["Item"], "from": "parent", "was": "parent" }"#),
        (#""name": "text""#, #""name": { "from": "name", "type": "text" } // the same"# + "\n"),
        (#""identifier": "id""#, #""identifier": "id", "table": "thing", "absent": "mark", "duplicates": "first""#),
        (#""store":"#, #""limits": { "rejects": 5 }, "batchSize": 7, "store":"#),
        (#""since": {"#, #""retries": 2, "since": { "overlap": "0s","#),
    ])
    func asBefore(_ old: String, _ new: String) throws {
        let service = service()
        let scene = try WebScene("\(service.member), \(TakenPartsTests.since)")
        #expect(try scene.run().status == 0)
        try change(scene, [(old, new)])
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.requests.last?.query == "s=2026-01-01T02%3A00%3A00Z")
        #expect(main(outcome)?["anew"] == nil)
    }

    /// Entities are called otherwise, stand in another order, and trade what they take.
    @Test(arguments: [
        (["B: b", "A: a"], false), (["C: a", "B: b"], true), (["C was A: a", "B: b"], false), (["A: b", "B: a"], true),
        (["A: b", "B: b"], true),
    ])
    func namesOfEntities(_ entities: [String], _ isAnew: Bool) throws {
        let service = service()
        let folder = TemporaryFolder()
        func write(_ entities: [String]) throws -> String {
            let texts = entities.map { text in
                let (names, kind) = (text.split(separator: ":")[0], text.suffix(1))
                let words = names.split(separator: " ")
                let was = words.count > 1 ? "\"was\": \"\(words[2])\"," : ""
                return """
                    "\(words[0])": { \(was) "records": "$.items[*]", "where": { "kind": "\(kind)" }, "identifier": "id",
                      "attributes": { "id": "integer", "changed": "datetime" } }
                    """
            }
            return try folder.write(
                "p.jsonc",
                """
                { "source": { \(service.member),
                    "since": { "parameter": "s", "attribute": "\(entities[0].prefix(1)).changed" } },
                  "store": { "sqlite": "store.sqlite" }, "entities": { \(texts.joined(separator: ", ")) } }
                """)
        }
        #expect(try Sluice.run(["run", write(["A: a", "B: b"])]).status == 0)
        let outcome = try Sluice.run(["run", write(entities), "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let source = main(outcome)
        #expect((source?["anew"] as? Bool ?? false) == isAnew)
    }

    /// What failed, or read a saved feed, has not been given all that there is.
    @Test func onlyWhatWasAskedCounts() throws {
        let service = service()
        let scene = try WebScene("\(service.member), \(TakenPartsTests.since)")
        #expect(try scene.run().status == 0)
        try change(scene, [(#""name": "text""#, #""name": "text", "kind": "text""#)])
        service.post(#"[{"status":403}]"#)
        #expect(try scene.run().status == 77)
        let feed = try scene.folder.write("saved.json", TakenPartsTests.items)
        let replayed = try scene.run("--feed", feed)
        #expect(replayed.status == 0, "\(replayed.errors)")
        service.post("[\(#"{"body":"\#(TakenPartsTests.items.replacing("\"", with: "\\\""))"}"#)]")
        #expect(try scene.run().status == 0)
        #expect(service.requests.map(\.query) == [""])
    }

    /// A service that is asked for each record gives all only if all records come.
    @Test func whatIsAskedForEachRecord() throws {
        let (list, detail) = (service(), FaultyServer.shared.service(#"{"body":"{\"a\":1,\"b\":2}"}"#))
        let folder = TemporaryFolder()
        func write(_ more: String) throws -> String {
            try folder.write(
                "p.jsonc",
                """
                { "sources": { "list": { \(list.member), \(TakenPartsTests.since) },
                    "detail": { "url": "\(detail.url)?id={id}", "for": "Item" } },
                  "store": { "sqlite": "store.sqlite" },
                  "entities": {
                    "Item": { "source": "list", "records": "$.items[*]", "identifier": "id",
                      "attributes": { "id": "integer", "changed": "datetime" } },
                    "Detail": { "source": "detail", "records": "$", "identifier": "id",
                      "attributes": { "id": { "type": "integer", "from": "$for.id" }, "a": "integer"\(more) } } } }
                """)
        }
        #expect(try Sluice.run(["run", write("")]).status == 0)
        let outcome = try Sluice.run(["run", write(#", "b": "integer""#), "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(list.requests.last?.query == "")
        #expect(
            try Database(folder.file("store.sqlite")).rows("SELECT id, b FROM Detail ORDER BY 1") == [
                ["1", "2"], ["2", "2"],
            ])
        #expect(try Sluice.run(["run", folder.file("p.jsonc")]).status == 0)
        #expect(list.requests.last?.query == "s=2026-01-01T02%3A00%3A00Z")
    }

    /// The values of a record that are in the address, or in what the answers' records take, come from another path.
    @Test(arguments: [("key", true), ("other", false)]) func whatLeadsToAnAnswer(_ changed: String, _ isAnew: Bool)
        throws
    {
        let service = FaultyServer.shared.service(#"{"body":"{\"d\":[{\"n\":1,\"t\":\"2026-01-01T00:00:00Z\"}]}"}"#)
        let folder = TemporaryFolder()
        _ = try folder.write("list.json", #"[{"id": 1, "a": "x", "b": "y"}]"#)
        func write(_ key: String, _ other: String) throws -> String {
            try folder.write(
                "p.jsonc",
                """
                { "sources": { "list": { "file": "\(folder.file("list.json"))" },
                    "d": { "url": "\(service.url)", "query": { "k": "{key}" }, "for": "P",
                      "since": { "parameter": "s", "attribute": "D.t" } } },
                  "store": { "sqlite": "store.sqlite" },
                  "entities": {
                    "P": { "source": "list", "records": "$[*]", "identifier": "id",
                      "attributes": { "id": "integer", "key": { "type": "text", "from": "\(key)" },
                        "other": { "type": "text", "from": "\(other)" } } },
                    "D": { "source": "d", "records": "$.d[*]", "identifier": "n",
                      "attributes": { "n": "integer", "t": "datetime" },
                      "relationships": { "p": { "to": "P", "from": "$for.id" } } } } }
                """)
        }
        #expect(try Sluice.run(["run", write("a", "a")]).status == 0)
        let outcome = try Sluice.run(
            ["run", write(changed == "key" ? "b" : "a", changed == "key" ? "a" : "b"), "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.requests.last?.query == (isAnew ? "k=y" : "k=x&s=2026-01-01T00%3A00%3A00Z"))
    }

    // MARK: Files

    /// All of them together are another feed than night by night: it is said once, and not done.
    @Test func earlierFilesAreNotReadByThemselves() throws {
        let scene = try WebScene(#""file": "inbox/*.json", "new": true"#)
        let inbox = scene.folder.file("inbox")
        try FileManager.default.createDirectory(atPath: inbox, withIntermediateDirectories: true)
        for id in 1...3 {
            _ = try scene.folder.write("inbox/\(id).json", #"{"items": [{"id": \#(id), "name": "n", "kind": "k"}]}"#)
        }
        #expect(try scene.run().status == 0)
        #expect(try scene.run().report["status"] as? String == "unchanged")
        try change(scene, [(#""name": "text""#, #""name": "text", "kind": "text""#)])
        let saved = try scene.folder.write("saved.json", #"{"items": [{"id": 9}]}"#)
        #expect(try scene.run("--feed", saved).status == 0)
        func isOutdated(_ outcome: Sluice.Outcome) -> Bool {
            main(outcome)?["outdated"] as? Bool == true
        }
        let shown = try Sluice.run(["run", scene.definition, "--dry-run"]).output
        #expect(
            shown.contains("earlier files lack something, as the definition takes something else: main"), "\(shown)")
        _ = try scene.folder.write("inbox/4.json", #"{"items": [{"id": 4, "kind": "k"}]}"#)
        let outcome = try scene.run()
        #expect(outcome.count("Item", "records") == 1 && isOutdated(outcome), "\(outcome.errors)")
        #expect(try scene.run().report["status"] as? String == "unchanged")
        let full = try scene.run("--full")
        #expect(full.count("Item", "updated") == 3 && !isOutdated(full), "\(full.errors)")
        #expect(try Database(scene.store).rows("SELECT kind FROM Item WHERE id < 9") == [["k"], ["k"], ["k"], ["k"]])
        #expect(try scene.run().report["status"] as? String == "unchanged")
    }

    /// What changes the store without a record is done though there is no new file.
    @Test func theStoreFollowsItsDefinition() throws {
        let scene = try WebScene(#""file": "inbox/*.json", "new": true"#)
        try FileManager.default.createDirectory(
            atPath: scene.folder.file("inbox"), withIntermediateDirectories: true)
        _ = try scene.folder.write("inbox/1.json", #"{"items": [{"id": 1, "name": "n"}]}"#)
        #expect(try scene.run().status == 0)
        try change(scene, [(#""identifier": "id""#, #""identifier": "id", "table": "thing""#)])
        let outcome = try scene.run()
        #expect(outcome.report["status"] as? String == "succeeded", "\(outcome.errors)")
        #expect(outcome.count("Item", "records") == 0)
        #expect((outcome.report["findings"] as? [String: Int])?["unmatched"] == 0, "\(outcome.report)")
        #expect(try Database(scene.store).rows("SELECT name FROM thing") == [["n"]])
        #expect(try scene.run().report["status"] as? String == "unchanged")
    }
}
