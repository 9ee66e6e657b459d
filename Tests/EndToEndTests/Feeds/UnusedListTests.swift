import Foundation
import TestSupport
import Testing

/// Lists at the top of documents of which no entity has records.
@Suite struct UnusedListTests {
    private let scratch = TemporaryFolder()

    private func define(_ sources: String = #""source": { "file": "f.json" }"#, _ more: String = "") throws {
        _ = try scratch.write(
            "p.jsonc",
            """
            { \(sources), "store": { "sqlite": "s.sqlite" }, "limits": { "records": null }, "entities": {
              "Item": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" }\(more) } } }
            """)
    }

    private func list(_ name: String, _ night: Int) -> String {
        "\"\(name)\":[\((0..<9).map { #"{"id":\#($0),"size":\#($0 * night)}"# }.joined(separator: ","))]"
    }

    private func feed(_ lists: [String], _ night: Int, name: String = "f.json") throws {
        let others = [#""empty":[],"box":[1,2],"note":"n","more":{"a":[1]}"#]
        let members = (["items"] + lists).map { list($0, night) } + others
        _ = try scratch.write(name, "{\(members.joined(separator: ","))}")
    }

    /// By path: whether it is new.
    private func unused(_ arguments: String..., source: String = "main") throws -> [String: Bool?] {
        let outcome = try Sluice.run(["run", scratch.file("p.jsonc"), "--format", "json"] + arguments)
        #expect(outcome.status == 0, "\(outcome)")
        let sources = outcome.report["sources"] as? [String: [String: Any]]
        let lists = sources?[source]?["unused"] as? [String: [String: Bool]]
        return (lists ?? [:]).mapValues { $0["new"] }
    }

    @Test func aNewListIsTold() throws {
        try define()
        try feed(["plants"], 1)
        #expect(try unused() == ["$.plants": nil])
        try feed(["plants"], 2)
        #expect(try unused() == ["$.plants": false])
        try feed(["plants", "moons of x"], 3)
        let text = try Sluice.run(["run", scratch.file("p.jsonc"), "--dry-run"]).output
        let told = "1 list at the top of the feed of which no entity has records:\n  main: $['moons of x']"
        #expect(text.contains("New since run 2:\n\(told)"), "\(text)")
        #expect(try unused() == ["$.plants": false, "$['moons of x']": true])
        // What is as it was is no news, read in full or not.
        try feed(["plants", "moons of x"], 4)
        #expect(try unused("--force") == ["$.plants": false, "$['moons of x']": false])
        let again = try Sluice.run(["runs", scratch.file("p.jsonc"), "--run", "4", "--format", "json"])
        #expect(again.output.contains(#""$.plants": { "new": false }"#), "\(again.output)")
    }

    /// Lines have no lists of their own: what is in each of them is a record's.
    @Test func linesHaveNone() throws {
        _ = try scratch.write("f.ndjson", "{\(list("items", 1)),\(list("plants", 1))}\n")
        try define(#""source": { "file": "f.ndjson" }"#)
        let outcome = try Sluice.run(["run", scratch.file("p.jsonc"), "--format", "json"])
        let source = (outcome.report["sources"] as? [String: [String: Any]])?["main"]
        #expect(source != nil && source?["unused"] == nil, "\(outcome)")
    }

    /// Two sources of one feed, of which each entity takes its own.
    @Test func whatAnotherSourceTakesIsUsed() throws {
        try feed(["plants", "rocks"], 1)
        let sources = #""sources": { "a": { "file": "f.json" }, "b": { "file": "f.json" } }"#
        try define(
            sources,
            """
            , "source": "a" }, "Plant": { "source": "b", "records": "$.plants[*]", "identifier": "id",
            "attributes": { "id": "integer" }
            """)
        #expect(try unused(source: "a") == ["$.rocks": nil])
        #expect(try unused("--force", source: "b") == ["$.rocks": false])
    }

    /// Of files that come one by one, those that were read still have what they had.
    @Test func whatEarlierFilesHadIsNotNew() throws {
        try define(#""source": { "file": "n-*.json", "new": true }"#)
        try feed(["plants"], 1, name: "n-1.json")
        #expect(try unused() == ["$.plants": nil])
        try feed([], 2, name: "n-2.json")
        #expect(try unused() == ["$.plants": false])
        try feed(["plants"], 3, name: "n-3.json")
        #expect(try unused() == ["$.plants": false])
    }
}
