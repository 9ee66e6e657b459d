import Foundation
import TestSupport
import Testing

/// Values and lists where the definition looks for what is in an object.
@Suite struct ShapeTests {
    private let folder = TemporaryFolder()

    private func define(_ more: String = "") throws {
        _ = try folder.write(
            "people.jsonc",
            #"""
            { "name": "people", "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Person": { "records": "$.people[*]", "identifier": "id", "where": { "kind": "p" }\#(more),
                  "attributes": { "id": "integer", "city": { "type": "text", "from": "address.city" } },
                  "relationships": { "friends": { "to": "Person", "many": true, "from": "friends[*].id" } } },
                "Order": { "records": "$.people[*].account.orders[*]", "identifier": "no",
                  "attributes": { "no": "text" } } } }
            """#)
    }

    /// Records with these members, which count where the kind is not another.
    private func write(_ members: [String], others: Int = 20) throws {
        let all = members + Array(repeating: #""kind": "p""#, count: others)
        let records = all.enumerated().map { #"{"id": \#($0), \#($1)}"# }
        _ = try folder.write("feed.json", #"{"people": [\#(records.joined(separator: ",\n"))]}"#)
    }

    private func run(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(["run", folder.file("people.jsonc"), "--format", "json"] + more)
    }

    private func drift(_ outcome: Sluice.Outcome) -> Set<String> {
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        return Set(
            examples.filter { $0["kind"] as? String == "drift" && $0["reason"] as? String != "missing" }.map {
                finding in
                ["entity", "reason", "field", "sought", "records", "new"].compactMap { finding[$0] }
                    .map { "\($0)" }.joined(separator: " ")
            })
    }

    private static let shapes = [
        #""kind": "p", "address": "Oslo", "friends": [1, {"id": 3}], "account": {"orders": 5}"#,
        #""kind": "p", "address": ["Oslo"], "account": 7"#,
        #""kind": "p", "address": {"city": "Oslo", "zip": 1}, "account": ["x"]"#,
        #""kind": "other", "address": "Bergen""#,
        #""kind": "p", "address": "", "friends": [null], "account": null"#,
        #""kind": "p", "address": [], "friends": [], "account": {"orders": []}"#,
    ]

    /// Whether all is read, or known by the night before; in batches of any size.
    @Test(arguments: [[], ["--batch-size", "1"], ["--force"]]) func valuesInPlaceOfObjectsAreTold(_ more: [String])
        throws
    {
        try define()
        try write([])
        #expect(try drift(run()) == [])
        try write(ShapeTests.shapes)
        let told: Set = [
            "Person shape address address.city 2", "Person shape friends[*] friends[*].id 1",
            "Person shape account account.orders[*] 2", "Person shape account.orders account.orders[*] 1",
            "Person unknown address.zip 1",
        ]
        let night = try Sluice.run(["run", folder.file("people.jsonc"), "--format", "json"] + more)
        #expect(night.status == 0, "\(night.errors)")
        #expect(drift(night) == Set(told.map { $0 + " 1" }), "\(night.output)")
        try write(ShapeTests.shapes, others: 21)
        let next = try run()
        #expect(drift(next) == Set(told.map { $0 + " 0" }), "\(next.output)")
        try write(ShapeTests.shapes + [#""kind": "p", "kind": "p", "address": true"#])
        let text = try Sluice.run(["run", folder.file("people.jsonc"), "--force"]).output
        #expect(text.contains("4 fields with values or lists where the definition looks into objects"), "\(text)")
        #expect(text.contains("1 field that the definition does not use"), "\(text)")
    }

    /// Whoever wants to look first has a limit.
    @Test(arguments: [("shape", "4", "3"), ("type", "1", "0")])
    func limitsEndTheRun(_ limit: String, _ found: String, _ less: String) throws {
        try define()
        try write([#""kind": "p", "address": {"city": "Oslo"}"#])
        #expect(try run().status == 0)
        try write(ShapeTests.shapes + [#""kind": "p", "address": {"city": 5}"#])
        let failed = try run("--allow", "\(limit)=\(less)")
        #expect(failed.status == 65 && failed.errors.contains("there \(found == "1" ? "is" : "are") \(found)"))
        #expect(try run("--allow", "\(limit)=\(found)").status == 0)
    }

    @Test func theTextSaysWhatIsSought() throws {
        try define()
        try write(ShapeTests.shapes)
        let text = try Sluice.run(["run", folder.file("people.jsonc")]).output.replacing(/\s+/, with: " ")
        #expect(
            text.contains(
                "2 records of Person have a value or a list as address, in which the definition looks for address.city"),
            "\(text)")
        let check = try Sluice.run(["check", folder.file("people.jsonc"), "--against", folder.file("feed.json")])
        #expect(
            check.output.replacing(/\s+/, with: " ").contains(
                "as friends[*], in which the definition looks for friends[*].id"),
            "\(check.output)")
    }

    /// Whoever knows of it says so.
    @Test func ignoredShapesAreNotTold() throws {
        try define(#", "ignore": ["address", "friends[*]", "account"]"#)
        try write(ShapeTests.shapes)
        #expect(try drift(run()) == [])
    }
}
