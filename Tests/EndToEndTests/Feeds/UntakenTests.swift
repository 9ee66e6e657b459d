import Foundation
import TestSupport
import Testing

/// Elements that no entity takes, where several take some of them (`where`).
@Suite struct UntakenTests {
    private let folder = TemporaryFolder()

    private func define(_ more: String = "", stops: String = #""where": { "type": "stop" }"#) throws -> String {
        try folder.write(
            "kinds.jsonc",
            #"""
            { "name": "kinds", "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Stop": { "records": "$.objects[*]", "identifier": "id", "attributes": { "id": "integer" }, \#(stops) },
                "Route": { "records": "$.objects[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "where": { "type": ["route", "line"] } }\#(more) } }
            """#)
    }

    /// Objects of these kinds, three to each item where they are in groups.
    private func write(_ kinds: [String]) throws {
        let objects = kinds.enumerated().map { #"{"id": \#($0), "type": \#($1)}"# }
        _ = try folder.write("feed.json", #"{"objects": [\#(objects.joined(separator: ", "))]}"#)
    }

    private func run(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(["run", folder.file("kinds.jsonc"), "--format", "json"] + more)
    }

    /// How many elements of each kind the report has, and whether they are new.
    private func untaken(_ outcome: Sluice.Outcome, of entity: String = "Stop") -> [String: String] {
        let entities = outcome.report["entities"] as? [String: [String: Any]]
        let found = entities?[entity]?["untaken"] as? [String: [String: Any]] ?? [:]
        return found.mapValues { "\($0["records"] ?? 0)\($0["new"] as? Bool == true ? " new" : "")" }
    }

    private static let taken = Array(repeating: [#""stop""#, #""line""#, #""route""#], count: 20).flatMap { $0 }

    /// Whether all is read, or known by the night before; in batches of any size.
    @Test(arguments: [[], ["--batch-size", "1"], ["--force"], ["--dry-run"]]) func newKindsAreTold(_ more: [String])
        throws
    {
        _ = try define()
        try write(UntakenTests.taken)
        #expect(try untaken(run()) == [:])
        let kinds = UntakenTests.taken + [#""depot""#, #""it's""#, "7", "null", "true", "{}", #""depot""#]
        try write(kinds)
        let told = [
            "$.objects[?type == 'depot']": 2, #"$.objects[?type == "it's"]"#: 1, "$.objects[?type == 7]": 1,
            "$.objects[?type == null]": 1, "$.objects[?type == true]": 1, "$.objects[*]": 1,
        ]
        let night = try Sluice.run(["run", folder.file("kinds.jsonc"), "--format", "json"] + more)
        #expect(untaken(night) == told.mapValues { "\($0) new" }, "\(night.output)")
        #expect((night.report["findings"] as? [String: Int])?["drift"] == told.count)
        if more == ["--dry-run"] { return }
        // The next night knows them, byte for byte.
        try write(kinds + [#""stop""#])
        let next = try run()
        #expect(next.report["known"] as? Int ?? 0 > 0)
        #expect(untaken(next) == told.mapValues(String.init), "\(next.output)")
        try write(kinds + [#""stop""#, #""tram""#])
        let last = try Sluice.run(["run", folder.file("kinds.jsonc")])
        #expect(last.output.contains("New since run 3:\n1 kind of elements that no entity takes:"), "\(last.output)")
        #expect(last.output.contains("no entity takes 1 element $.objects[?type == 'tram']"), "\(last.output)")
    }

    /// What one entity leaves out is left out on purpose; and an entity may take all that others do not.
    @Test func whatIsLeftOutOnPurposeIsNotTold() throws {
        try write(UntakenTests.taken + [#""depot""#])
        _ = try define(
            #", "Other": { "records": "$.objects[*]", "identifier": "id", "attributes": { "id": "integer" } }"#)
        #expect(try untaken(run("--dry-run")) == [:])
        _ = try define(
            #", "Depot": { "records": "$.objects[*]", "identifier": "id", "attributes": { "id": "integer" },"#
                + #" "where": { "id": { ">": 50 } } }"#)
        #expect(try untaken(run("--dry-run")) == [:])
        _ = try define(stops: #""where": { "kind": "stop" }"#)
        #expect(try untaken(run("--dry-run")) == [:])
    }

    /// One entity takes values from around the elements, and behind them: its records come later than the others'.
    @Test(arguments: ["1", "7", "5000"]) func elementsThatWaitAreTold(_ batchSize: String) throws {
        _ = try folder.write(
            "kinds.jsonc",
            #"""
            { "name": "kinds", "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Stop": { "records": "$.groups[*].objects[*]", "identifier": "id", "where": { "type": "stop" },
                  "attributes": { "id": "integer" } },
                "Route": { "records": "$.groups[*].objects[*]", "identifier": "id", "where": { "type": "route" },
                  "attributes": { "id": "integer", "group": { "type": "text", "from": "^^.name" } } } } }
            """#)
        func group(_ name: String, _ kinds: [String], from first: Int) -> String {
            let objects = kinds.enumerated().map { #"{"id": \#(first + $0), "type": "\#($1)"}"# }
            return #"{"objects": [\#(objects.joined(separator: ", "))], "name": "\#(name)"}"#
        }
        let small = (0..<9).map { group("g\($0)", ["stop", $0 == 0 ? "depot" : "route"], from: 100 * $0) }
        for night in 0..<3 {
            let large = group("large \(night)", (0..<60).map { $0 % 2 == 0 ? "stop" : "route" }, from: 1000)
            _ = try folder.write("feed.json", #"{"groups": [\#((small + [large]).joined(separator: ", "))]}"#)
            let outcome = try run("--batch-size", batchSize)
            #expect(untaken(outcome) == ["$.groups[*].objects[?type == 'depot']": "1"], "\(night) \(outcome.output)")
        }
    }

    @Test func aCheckTellsThem() throws {
        let definition = try define()
        try write(UntakenTests.taken + [#""depot""#])
        let check = try Sluice.run(["check", definition, "--against", folder.file("feed.json")])
        #expect(check.output.contains("no entity takes 1 element $.objects[?type == 'depot']"), "\(check.output)")
    }
}
