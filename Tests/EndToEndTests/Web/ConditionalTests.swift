import Foundation
import TestSupport
import Testing

/// What has not changed is not downloaded again, and what has is.
struct ConditionalTests {
    /// A service that has a version, and says so if that is known.
    private static func version(_ tag: String, items: Int, first: Int = 0) -> String {
        #"""
        {"unless":["if-none-match","\"\#(tag)\""],"items":\#(items),"first":\#(first),"headers":[["ETag","\"\#(tag)\""]],
         "else":{"status":304}}
        """#
    }

    @Test func secondRunDownloadsNothing() throws {
        let service = FaultyServer.shared.service(Self.version("a", items: 50))
        let scene = try WebScene(service.member)
        #expect(try scene.run().status == 0)
        let before = try Database(scene.store).snapshot()
        let second = try scene.run()
        #expect(second.status == 0)
        #expect(second.report["status"] as? String == "unchanged")
        #expect(service.requests.map { $0.headers["if-none-match"] } == [nil, "\"a\""])
        #expect(try Database(scene.store).snapshot() == before)
        #expect(try scene.ledger == [["1", "succeeded"], ["2", "unchanged"]])

        service.post("[\(Self.version("b", items: 60))]")
        let third = try scene.run()
        #expect(third.status == 0 && third.count("Item", "created") == 10)
        #expect(try scene.run().report["status"] as? String == "unchanged")
    }

    @Test func dateIsAVersion() throws {
        let date = "Sun, 01 Nov 2026 10:00:00 GMT"
        let service = FaultyServer.shared.service(
            #"""
            {"unless":["if-modified-since","\#(date)"],"items":9,"headers":[["Last-Modified","\#(date)"]],
             "else":{"status":304}}
            """#)
        let scene = try WebScene(service.member)
        #expect(try scene.run().status == 0)
        #expect(try scene.run().report["status"] as? String == "unchanged")
    }

    /// Only a run whose data were saved knows a version.
    @Test(arguments: ["run", "batch"])
    func failedRunKnowsNothing(_ commit: String) throws {
        let service = FaultyServer.shared.service(Self.version("a", items: 50))
        let scene = try WebScene(
            "\(service.member), \"retries\": 0", settings: #""commit": "\#(commit)", "batchSize": 7,"#)
        #expect(try scene.run().status == 0)
        service.post(#"[{"items":90,"cut":1500,"headers":[["ETag","\"b\""]]}]"#)
        #expect(try scene.run().status == 69)
        // What was known before holds as long as the store is as it was.
        service.post("[\(Self.version("a", items: 50))]")
        let third = try scene.run()
        #expect(third.report["status"] as? String == (commit == "run" ? "unchanged" : "succeeded"))
        #expect(try scene.contents["Item"]?.count == 50)
    }

    /// Another definition makes something else of the same feed, and another feed makes another store.
    @Test func versionBelongsToTheDefinitionAndTheStore() throws {
        let service = FaultyServer.shared.service(Self.version("a", items: 50))
        let scene = try WebScene(service.member)
        #expect(try scene.run().status == 0)
        try scene.define(service.member, entity: #", "where": { "id": [1, 2] }"#)
        let second = try scene.run()
        #expect(second.report["status"] as? String == "succeeded" && second.count("Item", "records") == 2)
        try scene.define("\(service.member), \"query\": { \"a\": \"b\" }", entity: #", "where": { "id": [1, 2] }"#)
        #expect(try scene.run().report["status"] as? String == "succeeded")
        #expect(try scene.run().report["status"] as? String == "unchanged")
        // Credentials are no part of it.
        try scene.define(
            #"\#(service.member), "query": { "a": "b" }, "auth": { "bearer": "x" }"#,
            entity: #", "where": { "id": [1, 2] }"#)
        #expect(try scene.run().report["status"] as? String == "unchanged")
        let feed = try scene.folder.write("other.json", #"{"items": [{"id": 1, "name": "other"}]}"#)
        #expect(try scene.run("--feed", feed).status == 0)
        #expect(try scene.run().report["status"] as? String == "succeeded")
    }

    /// If one feed of several is new, all are read: `absent` would take the others' objects for gone.
    @Test func oneNewFeedIsEnough() throws {
        let services = [Self.version("a", items: 10), Self.version("b", items: 10, first: 10)].map {
            FaultyServer.shared.service($0)
        }
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "sources": { "one": { \(services[0].member) }, "two": { \(services[1].member) } },
              "store": { "sqlite": "s.sqlite" },
              "entities": { "Item": { "source": ["one", "two"], "records": "$.items[*]", "identifier": "id",
                "absent": "delete", "attributes": { "id": "integer", "name": "text" } } } }
            """)
        func run() throws -> Sluice.Outcome { try Sluice.run(["run", definition, "--format", "json"]) }
        #expect(try run().status == 0)
        #expect(try run().report["status"] as? String == "unchanged")
        for index in [0, 1] {
            services[index].post("[\(Self.version("c", items: 11, first: index * 10 - index))]")
            let asked = services[1 - index].requests.count
            let outcome = try run()
            // One of its objects is in both, so all is read again: from what has been asked for after all.
            #expect(services[1 - index].requests.count == asked + 2)
            #expect(outcome.report["status"] as? String == "succeeded", "\(outcome.errors)")
            #expect(try Database(folder.file("s.sqlite")).integer("SELECT count(*) FROM Item") == 20)
            #expect(try run().report["status"] as? String == "unchanged")
        }
    }

    // MARK: since

    private func items(_ times: String...) -> String {
        let list = times.enumerated().map { #"{\"id\":\#($0),\"name\":\"\#($1)\",\"changed\":\"\#($1)\"}"# }
        return #"{"body":"{\"items\":[\#(list.joined(separator: ","))]}"}"#
    }

    @Test(arguments: [
        ("", "2026-03-04T05:06:07.5Z"), (#", "overlap": "10m""#, "2026-03-04T04:56:07Z"),
        (#", "overlap": "10m", "format": "unix""#, "1772600167"), (#", "format": "unix-ms""#, "1772600767500"),
    ])
    func highestValueIsSent(_ more: String, _ expected: String) throws {
        // As texts, a fraction would come before none.
        let service = FaultyServer.shared.service(
            items(
                "2026-03-04T05:06:07Z", "2026-03-04T06:06:07.5+01:00", "2026-03-04T05:06:07.25Z", "1999-01-01T00:00:00Z"
            ))
        let scene = try WebScene(
            #"\#(service.member), "since": { "parameter": "since", "attribute": "Item.changed"\#(more) }"#)
        #expect(try scene.run().status == 0)
        service.post(#"[{"body":"{\"items\":[]}"}]"#)
        #expect(try scene.run().status == 0)
        #expect(service.requests.map(\.query) == ["since=\(expected.replacing(":", with: "%3A"))"])
        #expect(try scene.contents["Item"]?.count == 4)
    }

    @Test(arguments: [("id", "", "3"), ("id", #", "overlap": 2"#, "1"), ("name", "", "2026-03-04T05%3A06%3A07Z")])
    func numbersAndTextsAreSent(_ attribute: String, _ more: String, _ expected: String) throws {
        let service = FaultyServer.shared.service(items("2024", "2025", "2026-03-04T05:06:07Z", "2000"))
        let scene = try WebScene(
            #"\#(service.member), "since": { "parameter": "s", "attribute": "Item.\#(attribute)"\#(more) }"#)
        scene.environment["X"] = "1"
        // The times are no times: they stay out of it.
        try scene.define(
            #"\#(service.member), "since": { "parameter": "s", "attribute": "Item.\#(attribute)"\#(more) }"#,
            settings: #""limits": { "rejects": null },"#)
        service.post(
            #"[{"body":"{\"items\":[{\"id\":1,\"name\":\"2025\"},{\"id\":3,\"name\":\"2026-03-04T05:06:07Z\"}]}"}]"#)
        #expect(try scene.run().status == 0)
        service.post(#"[{"body":"{\"items\":[]}"}]"#)
        #expect(try scene.run().status == 0)
        #expect(service.requests.map(\.query) == ["s=\(expected)"])
    }

    /// Services that are asked by an expression, or by a body, take the value there: SOQL, JQL, GraphQL.
    @Test(arguments: [
        (
            #""body": { "query": "q", "variables": { "since": null, "n": 1 } }"#,
            #""parameter": "$.variables.since", "attribute": "Item.changed""#,
            #"{"query":"q","variables":{"since":"2026-03-04T05:06:07Z","n":1}}"#, ""
        ),
        (
            #""body": { "a": {} }"#, #""parameter": "$.a.b", "attribute": "Item.id", "overlap": 1"#,
            #"{"a":{"b":0}}"#, ""
        ),
        (
            #""body": { "q": "all" }"#,
            #""parameter": "$.q", "attribute": "Item.id", "text": "id > {since} or {since}""#,
            #"{"q":"id > 1 or 1"}"#, ""
        ),
        (
            #""query": { "q": "SELECT all", "n": "5" }"#,
            #""parameter": "q", "attribute": "Item.changed", "text": "SELECT new > '{since}'""#, "",
            "n=5&q=SELECT%20new%20%3E%20%272026-03-04T05%3A06%3A07Z%27"
        ),
    ])
    func valuesStandInExpressions(_ asked: String, _ since: String, _ body: String, _ query: String) throws {
        let service = FaultyServer.shared.service(items("1999-01-01T00:00:00Z", "2026-03-04T05:06:07Z"))
        let scene = try WebScene("\(service.member), \(asked), \"since\": { \(since) }")
        #expect(try scene.run().status == 0)
        service.post(#"[{"body":"{\"items\":[]}"}]"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.requests.map { $0.body.filter { $0 != " " } } == [body.filter { $0 != " " }])
        #expect(service.requests.map(\.query) == [query])
    }

    @Test(arguments: [
        (#""parameter": "$.a", "attribute": "Item.id""#, #""$.a" is a path into "body", and the source has none"#),
        (#""parameter": "$.a[0]", "attribute": "Item.id""#, "must be the name of a parameter, or a path of names"),
        (#""parameter": "q", "attribute": "Item.id", "text": "id > 5""#, #""text" must have {since} where"#),
    ])
    func whatTakesNoValueIsRefused(_ since: String, _ message: String) throws {
        let scene = try WebScene("\"url\": \"http://localhost/x\", \"since\": { \(since) }")
        let outcome = try scene.run()
        #expect(outcome.status == 78)
        #expect(outcome.errors.replacing(/\s+/, with: " ").contains(message), "\(outcome.errors)")
    }

    /// Nothing new may be nothing at all, where a feed is a sequence of values.
    @Test func emptySequenceIsNothingNew() throws {
        let service = FaultyServer.shared.service(#"{"body":"{\"id\":1}\n{\"id\":7}\n"}"#)
        let source = #"\#(service.member), "format": "lines", "since": { "parameter": "s", "attribute": "Item.id" }"#
        let scene = try WebScene(source, records: "$")
        #expect(try scene.run().status == 0)
        service.post(#"[{"body":"","headers":[["Content-Type","application/x-ndjson"]]}]"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(service.requests.map(\.query) == ["s=7"])
    }
}
