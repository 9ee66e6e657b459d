import DefinitionSupport
import Foundation
import Sluice
import SluiceExtract
import TestSupport
import Testing

@testable import SluiceDefinition

/// The reader of definitions with all others that have a say.
struct TogetherTests {
    @Test(arguments: [
        (
            #"{ "type": "text", "match": »"a(" }"#,
            "the pattern is wrong at its character 3: missing closing parenthesis"
        ),
        (#"{ "type": "date", "format": »"%d.%m." }"#, "the format %d.%m. has no year (%Y)"),
        (#"{ "type": "date", "format": »"unix" }"#, "the format unix is for the type datetime, not for date"),
        (
            #"{ "type": "datetime", "format": »"%Y-%m-%d" }"#,
            "the format %Y-%m-%d has no offset (%z): timeZone is needed beside it"
        ),
        (
            #"{ "type": "integer", "default": »"x" }"#,
            #"the value of "default" does not fit: integer expected, found the string "x""#
        ),
    ])
    func mistakesOfValuesAreFound(_ attribute: String, _ message: String) {
        let example = DefinitionCase.meaningless(Definition.attribute(attribute), message)
        let found = problems { () throws(DefinitionProblems) in
            _ = try PipelineDefinition.read(
                Array(example.text.utf8), file: "x.json", environment: [:], checks: .all)
        }
        #expect(found == example.expected)
    }

    @Test func pipelinesOfTheProjectAreRight() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let schema = try JSONTree.read(documentation("pipeline.schema.json"), file: "pipeline.schema.json").root
        let folder = root.appending(path: "Pipelines").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".json") }
        #expect(!names.isEmpty)
        for name in names {
            let file = folder + "/" + name
            let found = problems { () throws(DefinitionProblems) in
                _ = try PipelineDefinition.read(file: file, environment: [:], checks: .all)
            }
            #expect(found.isEmpty)
            let text = [UInt8](try Data(contentsOf: URL(filePath: file)))
            #expect(try Schema(schema).accepts(JSONTree.read(text, file: name).root), "\(name)")
        }
    }
}
