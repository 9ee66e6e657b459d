import Foundation
import SluiceDefinition
import SluiceExtract
import SluiceRecords
import Testing

@testable import Sluice

@Suite("Definitions in code")
struct CodeDefinitionTests {
    private let members: JSONValue = [
        "source": ["file": "feed.json"], "store": ["sqlite": "store.sqlite"], "batchSize": 7,
        "entities": [
            "Stop": [
                "records": "$.stops[*]", "identifier": "id", "where": ["kind": [1, 2.5, true, nil, "x"]],
                "attributes": ["id": "text", "name": ["type": "text", "required": true]],
                "relationships": ["parent": ["to": "Stop", "from": "parent.id"]],
            ]
        ],
    ]

    @Test("They are what the same text is")
    func equalsText() throws {
        let made = try PipelineDefinition(named: "stops", members)
        let read = try PipelineDefinition.read(
            Array(members.json.utf8), file: "stops.json", environment: [:], checks: .all)
        #expect(try made.hash(formats: [.json]) == read.hash(formats: [.json]))
        #expect(made.name == "stops")
        #expect(made.store == "store.sqlite")
        #expect(made.batchSize == 7)
        #expect("\(made.model)" == "\(read.model)")
    }

    @Test("A mistake is told with the keys that lead to it")
    func mistakes() throws {
        let wrong: JSONValue = [
            "source": ["file": "feed.json"], "store": ["sqlite": "store.sqlite"],
            "entities": [
                "Stop": [
                    "records": ["$.stops[*]", "$[nonsense"], "identifier": "id",
                    "attributes": ["id": "texts", "when": ["type": "date", "format": "%Q"]],
                ]
            ],
        ]
        #expect {
            _ = try PipelineDefinition(named: "stops", wrong)
        } throws: { error in
            let lines = (error as? DefinitionProblems)?.description.split(separator: "\n").map(String.init) ?? []
            return lines.count == 3 && lines[0].hasPrefix("stops: entities.Stop.records[1]: ")
                && lines[1].hasPrefix("stops: entities.Stop.attributes.id: ")
                && lines[2].hasPrefix("stops: entities.Stop.attributes.when.format: ")
        }
    }

    @Test("Variables are replaced, and one that is not set is refused by the run")
    func variables() throws {
        var members: [JSONValue.Member] = []
        if case .object(let all) = self.members { members = all.filter { $0.key != "store" } }
        let text = JSONValue.object(members + [.init("store", ["sqlite": "${HERE}/x"])])
        #expect(try PipelineDefinition(named: "stops", text, environment: ["HERE": "there"]).store == "there/x")
        let unset = try PipelineDefinition(named: "stops", text)
        #expect {
            _ = try PipelineRun(unset)
        } throws: { error in
            (error as? DefinitionProblems)?.description.hasPrefix("stops: store.sqlite: ") == true
        }
    }

    @Test("Values are JSON")
    func json() throws {
        let value: JSONValue = ["a": [1, -2.5, nil, true, "x\"\u{1}ä"], "b": .real(.infinity), "a": .object([])]
        #expect(value.json == #"{"a":[1,-2.5,null,true,"x\"\u0001ä"],"b":null,"a":{}}"#)
    }
}
