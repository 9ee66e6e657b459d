import Foundation
import SluiceRecords
import Testing

@testable import SluiceDefinition

struct DefinitionFileTests {
    @Test func readsAFile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "transit.json").path
        let text = """
            {
              "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" },
              "entities": { "A": { "records": "$", "identifier": "id", "attributes": { "id": "text" } } }
            }
            """
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let definition = try PipelineDefinition.read(file: file, environment: [:])
        #expect(definition.name == "transit")
        #expect(definition.file == file)
        #expect(definition.store == folder.path + "/store.sqlite")
    }

    @Test(arguments: [
        ("/nowhere/x.json", "the definition /nowhere/x.json does not exist"), ("/", "the definition / is a directory"),
        ("/dev/null/x", "the definition /dev/null/x does not exist"),
    ])
    func missingIsMissing(_ file: String, _ message: String) throws {
        let problems = try #require(throws: DefinitionProblems.self) {
            try PipelineDefinition.read(file: file, environment: [:])
        }
        #expect(problems.failures == [Failure(.missing, message)])
        #expect(problems.kind == .missing)
    }

    @Test func emptyFileIsWrong() throws {
        let problems = try #require(throws: DefinitionProblems.self) {
            try PipelineDefinition.read(file: "/dev/null", environment: [:])
        }
        #expect(problems.description == "/dev/null:1:1: the text is empty")
        #expect(problems.kind == .definition)
    }
}
