import SluiceDefinition
import Testing

@testable import Sluice
@testable import SluicePlan

/// Which tables the stages of a plan read, of a definition with all that makes a difference to that.
@Suite struct PlanReadingTests {
    @Test("A stage needs no stage of which it reads nothing")
    func needs() throws {
        let definition = try PipelineDefinition.read(
            Array(Self.definition.utf8), file: "plan.json", environment: [:])
        let plan = SetPlan(definition.model, .duckdb)
        _ = plan.steps(limits: [])
        for stage in PlanStage.allCases where stage != .limits {
            let unread = stage.needs.subtracting(plan.writer.read[stage, default: []])
            #expect(unread.isEmpty, "\(stage)")
        }
    }

    private static let definition = """
        {
          "name": "plan", "source": {"file": "feed.json"}, "store": {"sqlite": "x.sqlite"},
          "entities": {
            "Place": {
              "records": "$.places[*]", "identifier": "id", "attributes": {"id": "text", "name": "text"},
              "absent": "delete", "orphans": "delete"
            },
            "Region": {
              "records": "$.regions[*]", "identifier": "id", "attributes": {"id": "text"}, "absent": "mark",
              "orphans": "delete", "mode": "insert"
            },
            "Visit": {
              "records": "$.visits[*]", "identifier": "id", "attributes": {"id": "text"}, "absent": "mark",
              "within": "place",
              "relationships": {"place": {"to": "Place", "onDelete": "cascade"}}
            },
            "Tour": {
              "records": "$.tours[*]", "identifier": "id", "attributes": {"id": "text"},
              "relationships": {
                "places": {"to": "Place", "many": true, "missing": "stub"},
                "region": {"to": "Region", "missing": "stub"}
              }
            },
            "Stop": {
              "records": "$.stops[*]", "identifier": "id", "attributes": {"id": "text"}, "duplicates": "reject",
              "relationships": {
                "place": {"to": "Place", "missing": "reject"},
                "next": {"to": "Stop"}, "tour": {"to": "Tour"}, "regions": {"to": "Region", "many": true}
              }
            },
            "Note": {
              "records": "$.notes[*]", "identifier": "id", "attributes": {"id": "text"}, "mode": "update",
              "relationships": {"stop": {"to": "Stop", "missing": "reject"}}
            },
            "Detail": {
              "records": "$.details[*]", "identifier": "id", "attributes": {"id": "text"}, "mode": "update"
            }
          }
        }
        """
}
