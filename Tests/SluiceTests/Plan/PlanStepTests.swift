import SluiceDefinition
import Testing

@testable import Sluice

@Suite("The steps of a plan")
struct PlanStepTests {
    /// A runner drops what nobody reads any more.
    @Test(
        "What a step reads is the same in each dialect, whatever entities are called",
        arguments: ["A", "'", "\\", "`", "\"", "\\'"])
    func reads(name: String) throws {
        let definition = try PipelineDefinition(
            named: "steps",
            [
                "source": ["file": "feed.json"], "store": ["sqlite": "x.sqlite"],
                "entities": [
                    name: [
                        "records": "$", "identifier": "id", "attributes": ["id": "text"],
                        "relationships": ["'": ["to": .text(name), "many": true]],
                    ],
                    "B": [
                        "records": "$", "identifier": "id", "attributes": ["id": "text"],
                        "relationships": ["\\": ["to": [.text(name), "B"]]],
                    ],
                ],
            ])
        func reads(_ dialect: String) throws -> [[String]] {
            let steps = try definition.plan(named: dialect).split(separator: "\n").dropFirst()
            return steps.map { step in
                let parts = step.components(separatedBy: "], \"writes\": ")
                return parts[0].components(separatedBy: "\"reads\": [")[1].components(separatedBy: "\", \"").sorted()
            }
        }
        #expect(try reads("spark") == reads("duckdb"))
        #expect(try reads("spark").filter { $0 != [""] }.count > 20)
    }
}
