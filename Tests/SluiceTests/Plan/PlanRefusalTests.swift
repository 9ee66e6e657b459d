import Foundation
import Testing

@testable import Sluice
@testable import SluiceDefinition
@testable import SluiceReport

@Suite("What a plan refuses")
struct PlanRefusalTests {
    @Test("Each key of a definition is planned, or refused with a reason")
    func everyKeyIsDecided() {
        for (object, keys) in DefinitionKeys.all where !PlanKeys.beyond.contains(object) {
            let planned = PlanKeys.planned[object] ?? []
            let refused = PlanKeys.refused[object] ?? [:]
            #expect(Set(planned).union(refused.keys) == Set(keys), "\(object)")
            #expect(Set(planned).isDisjoint(with: refused.keys), "\(object)")
        }
        #expect(PlanKeys.refusal("entity", "planned one day") == "it is not planned")
    }

    /// Line by line as they are told.
    private func refusals(_ text: String) throws -> [String] {
        let definition = try PipelineDefinition.read(
            Array(text.utf8), file: "x.json", environment: [:], checks: DefinitionChecks())
        do throws(DefinitionProblems) {
            _ = try definition.plan(named: "duckdb")
            return []
        } catch {
            return error.failures.map { "\($0.kind.rawValue) \($0.description)" }
        }
    }

    /// A definition; what is given comes into the pipeline, the source, the entity, its attribute and its relationship.
    private func text(
        pipeline: String = "", source: String = "\"file\": \"x.ndjson\"", entity: String = "", attribute: String = "",
        relationship: String = ""
    ) -> String {
        """
        { "source": { \(source) }, "store": { "sqlite": "x.sqlite" }, \(pipeline) "entities": {
          "A": { "records": "$.a[*]", "identifier": "id", \(entity) "attributes": { "id": "text", "x": { \(attribute) "type": "text" } },
            "relationships": { "b": { \(relationship) "to": "B" } } },
          "B": { "records": "$.b[*]", "identifier": "id", "attributes": { "id": "text" },
            "relationships": { "a": { "to": "A", "missing": "reject" } } } } }
        """
    }

    @Test("Keys, each with its place")
    func keys() throws {
        #expect(try refusals(text()) == [])
        let found = try refusals(
            text(
                pipeline: "\"commit\": \"batch\", \"views\": true, \"archive\": { \"directory\": \"a\" },",
                entity: "\"deleteWhere\": { \"x\": 1 }, \"was\": \"C\",", attribute: "\"was\": \"y\",",
                relationship: "\"was\": \"c\","))
        #expect(
            found == [
                "78 x.json:1:72: a plan does not do \"commit\": \"batch\": a version is whole or is not there",
                "78 x.json:1:91: a plan does not do \"views\": a plan makes no views",
                "78 x.json:1:106: a plan does not do \"archive\": a plan saves no feeds",
                "78 x.json:2:51: a plan does not do \"deleteWhere\": records that say that their object is gone are not planned",
                "78 x.json:2:78: a plan does not do \"was\": a plan renames nothing",
                "78 x.json:2:127: a plan does not do \"was\": a plan renames nothing",
                "78 x.json:3:31: a plan does not do \"was\": a plan renames nothing",
            ])
        #expect(try refusals(text(source: "\"url\": \"https://example.org\"")).count == 1)
        #expect(
            try refusals(text(source: "\"file\": \"-\"")) == [
                "78 x.json:1:15: a plan does not do standard input: feeds are files that all workers see"
            ])
        #expect(try refusals(text(pipeline: "\"limits\": { \"missing\": 3 },")).count == 1)
        #expect(try refusals(text(pipeline: "\"limits\": { \"missing\": null },")) == [])
    }

    @Test("Relationships that a plan cannot follow")
    func relationships() throws {
        let cycle = try refusals(text(relationship: "\"missing\": \"reject\","))
        #expect(cycle.count == 1)
        #expect(cycle[0].hasPrefix("78 x.json:3:31: a plan does not do \"missing\": \"reject\" in a cycle"))
        let cascade = text(entity: "\"absent\": \"delete\",", relationship: "\"onDelete\": \"cascade\",")
        #expect(try refusals(cascade) == [])
        let back = cascade.replacing("\"missing\": \"reject\"", with: "\"onDelete\": \"cascade\"")
        #expect(try refusals(back).map { $0.contains("\"onDelete\": \"cascade\" in a cycle") } == [true])
        #expect(try refusals(text(relationship: "\"by\": \"id\",")).count == 1)
        let ways = text().replacing("\"to\": \"B\"", with: "\"to\": [{ \"B\": \"id\", \"from\": \"x\" }]")
        #expect(try refusals(ways).map { $0.contains("ways in \"to\"") } == [true])
        let list = text().replacing(
            "\"to\": \"B\"", with: "\"to\": \"B\", \"many\": true, \"from\": \"l[*].b\", \"with\": { \"n\": \"n\" }")
        #expect(try refusals(list).map { $0.contains("\"with\"") } == [true])
        let search = text(entity: "\"absent\": \"delete\",").replacing("\"to\": \"B\"", with: "\"to\": [\"B\", \"A\"]")
        #expect(try refusals(search) == [])
        let typed = search.replacing(
            "\"attributes\": { \"id\": \"text\" },\n", with: "\"attributes\": { \"id\": \"integer\" },\n")
        #expect(try refusals(typed).map { $0.contains("a search in entities") } == [true])
    }

    @Test("Names that are one to an engine; none of ours")
    func names() throws {
        for name in ["_LINE", "b.impossible", "objectid_", "a0", "findings"] {
            #expect(try refusals(text().replacing("\"x\": {", with: "\"\(name)\": {")) == [])
        }
        let entities = text().replacing("\"A\"", with: "\"E\"").replacing("\"B\"", with: "\"e\"").replacing(
            "\"id\",  \"attributes\"", with: "\"id\", \"table\": \"other\", \"attributes\"")
        #expect(try refusals(entities).map { $0.contains("the entity \"e\": another one") } == [true])
    }

    @Test("All that is refused at once, and each cycle once")
    func together() throws {
        let found = try refusals(
            text(
                pipeline: "\"views\": true, \"limits\": { \"missing\": 3 },", entity: "\"was\": \"C\",",
                relationship: "\"missing\": \"reject\", \"was\": \"c\","
            ).replacing("{ \"a\": {", with: "{ \"self\": { \"to\": \"B\", \"missing\": \"reject\" }, \"a\": {"))
        let told = ["\"views\"", "the limit \"missing\"", "\"was\"", "in a cycle", "\"was\"", "in a cycle"]
        #expect(found.count == told.count && zip(found, told).allSatisfy { $0.contains($1) }, "\(found)")
    }

    /// Three entities are like a base, whose keys stand at one place.
    private let alike = """
        { "source": { "file": "x.ndjson" }, "store": { "sqlite": "x.sqlite" },
          "bases": { "C": { "records": "$", "identifier": "id", "deleteWhere": { "x": 1 },
            "attributes": { "id": "text", "x": { "type": "text", "was": "y" } },
            "relationships": { "r": { "to": "A", "by": "x" }, "l": { "to": "A", "many": true, "from": "l[*].a", "with": { "n": "n" } } } } },
          "entities": { "A": { "like": "C", "views" }, "B": { "like": "C" }, "D": { "like": "C" } } }
        """

    @Test("What entities have in common is told once")
    func inCommon() throws {
        let found = try refusals(alike.replacing(", \"views\"", with: ""))
        let told = ["2:57: a plan does not do \"deleteWhere\"", "3:58: a plan does not do \"was\""]
        let more = ["4:42: a plan does not do \"by\"", "4:105: a plan does not do \"with\""]
        #expect(
            found.count == 4 && zip(found, told + more).allSatisfy { $0.hasPrefix("78 x.json:\($1)") }, "\(found)")
    }

    @Test("Beside all members, what else is refused")
    func openness() throws {
        let file = NSTemporaryDirectory() + "sluice-\(UUID().uuidString).jsonc"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let open = alike.replacing("\"views\"", with: "\"attributes\": { \"*\": \"*\" }, \"except\": \"z\"").replacing(
            "\"D\": { ", with: "\"D\": { \"attributes\": { \"*\": \"*\" }, ")
        try open.write(toFile: file, atomically: true, encoding: .utf8)
        do throws(DefinitionProblems) {
            try PipelineDefinition.requirePlannable(file: file)
            Issue.record("it is planned")
        } catch {
            let keys = error.failures.map { $0.description.split(separator: "\"")[1] }
            #expect(keys == ["deleteWhere", "was", "by", "with", "*", "except", "*"], "\(error)")
        }
        try alike.replacing(", \"views\"", with: "").write(toFile: file, atomically: true, encoding: .utf8)
        try PipelineDefinition.requirePlannable(file: file)
    }
}
