import DefinitionSupport
import SluiceDefinition
import SluiceExtract
import Testing

@testable import Sluice

/// The digest of a definition changes with what has a say in what is loaded, and with nothing else.
struct DefinitionHashTests {
    private func hash(_ text: String, _ environment: [String: String] = [:]) throws -> String {
        let definition = try PipelineDefinition.understood(text, environment)
        return try definition.hash(formats: definition.sources.map { _ in .json })
    }

    private func pipeline(
        _ settings: String = "", source: String = #""file": "a.json""#, entity: String = ""
    ) -> String {
        """
        { \(settings) "source": { \(source) }, "store": { "sqlite": "s.sqlite" }, "entities": {
          "Stop": { \(entity) "records": "$.stops[*]", "identifier": "id",
            "attributes": { "id": "text", "name": "text" } } } }
        """
    }

    @Test(arguments: [
        #""$schema": "x","#, #""name": "x","#, #""batchSize": 1,"#, #""commit": "batch","#,
        #""archive": { "directory": "a" },"#, #""ledger": { "keep": 1 },"#, #""findings": "f","#, "// a comment\n",
    ])
    func isTheSameWith(_ settings: String) throws {
        #expect(try hash(pipeline(settings)) == hash(pipeline()))
    }

    @Test func whereTheFeedAndTheStoreAreDoesNotCount() throws {
        #expect(try hash(pipeline(source: #""file": "b/*.json""#)) == hash(pipeline()))
        let store = pipeline().replacing("s.sqlite", with: "t.sqlite")
        #expect(try hash(store) == hash(pipeline()))
    }

    @Test func theOrderOfKeysDoesNotCount() throws {
        let text = pipeline().replacing(
            #""records": "$.stops[*]", "identifier": "id","#, with: #""identifier": "id", "records": "$.stops[*]","#)
        #expect(text != pipeline())
        #expect(try hash(text) == hash(pipeline()))
    }

    @Test func allElseCounts() throws {
        let texts = [
            pipeline(), pipeline(#""limits": { "rejects": 1 },"#), pipeline(#""limits": { "deletes": null },"#),
            pipeline(source: #""file": "a.json", "maxText": 7"#), pipeline(source: #""file": "a.json", "maxDepth": 7"#),
            pipeline(entity: #""mode": "insert","#), pipeline(entity: #""where": { "a": 1 },"#),
            pipeline(entity: #""where": { "a": 1.0 },"#), pipeline(entity: #""where": { "a": "1" },"#),
            pipeline(entity: #""where": { "store": 1 },"#), pipeline(entity: #""where": { "name": 1 },"#),
        ]
        #expect(try Set(texts.map { try hash($0) }).count == texts.count)
        let definition = try PipelineDefinition.understood(pipeline())
        #expect(try definition.hash(formats: [.json]) != definition.hash(formats: [.lines]))
    }

    @Test func theOrderOfSourcesCounts() throws {
        let sources = [#""a": { "file": "a" }"#, #""b": { "file": "b" }"#]
        let texts = [sources, sources.reversed()].map { sources in
            """
            { "sources": { \(sources.joined(separator: ",")) }, "store": { "sqlite": "s" }, "entities": {
              "A": { "source": ["a", "b"], "records": "$", "identifier": "id", "attributes": { "id": "text" } } } }
            """
        }
        #expect(try hash(texts[0]) != hash(texts[1]))
    }

    @Test func variablesCountByTheirValues() throws {
        let text = pipeline(entity: #""where": { "a": "${A}" },"#)
        #expect(try hash(text, ["A": "1"]) == hash(pipeline(entity: #""where": { "a": "1" },"#)))
        #expect(try hash(text, ["A": "1"]) != hash(text, ["A": "2"]))
    }
}
