import SluiceDefinition
import SluiceReport
import Testing

@testable import Sluice

/// References into other stores, which a model does not know, are in the picture of a definition.
@Suite struct AcrossDiagramTests {
    @Test func referencesIntoOtherStores() throws {
        let text = """
            { "name": "notes", "store": { "sqlite": "s.sqlite" }, "entities": { "Note": { "identifier": "id",
              "attributes": { "id": "integer" }, "relationships": {
                "stop": { "to": "Stop", "across": true, "identifier": { "id": "text" } },
                "call": { "to": "Call", "across": true, "identifier": { "trip": "text", "at": "integer" } } } } } }
            """
        let definition = try PipelineDefinition.read(
            Array(text.utf8), file: "p.jsonc", environment: [:], checks: .all)
        let mermaid = definition.diagram.text(.mermaid)
        #expect(mermaid.contains("        text stop \"Stop in another store\"\n"), "\(mermaid)")
        #expect(mermaid.contains("        Call call \"in another store\"\n"))
        let dbml = definition.diagram.text(.dbml)
        #expect(dbml.contains("stop refers to Stop of another store. call refers to Call of another store."), "\(dbml)")
        let drawing = definition.diagram.text(.svg)
        #expect(drawing.matches(of: /⇢ (Stop|Call)/).count == 2)
    }
}
