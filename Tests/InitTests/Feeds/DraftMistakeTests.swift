import SluiceRecords
import Testing

@testable import Sluice
@testable import SluiceInit

/// What is no feed, or none that anybody would draft of.
@Suite struct DraftMistakeTests {
    private static let definition = """
        // A pipeline.
        { "source": { "file": "a.json" }, "store": { "sqlite": "a.sqlite" },
          "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
        """

    /// A definition that is given in the place of its feed is told to be one, whatever its file is called.
    @Test(arguments: ["a.jsonc", "a.json"]) func aDefinitionIsNoFeed(name: String) throws {
        let failure = try #require(throws: Failure.self) {
            try InitRun.Draft.text(of: DraftMistakeTests.definition, name)
        }
        #expect(failure.message.contains("is a definition, not a feed: sluice run "), "\(failure)")
    }

    /// Records that are called as parts of a definition are records.
    @Test func recordsMayBeCalledEntities() throws {
        let text = try InitRun.Draft.text(
            of: #"{"source": "crm", "entities": "# + list(5) { #"{"id": \#($0), "name": "n\#($0)"}"# } + "}")
        #expect(text.contains("$.entities[*]"), "\(text)")
    }

    @Test func whatAPageOfALoginIs() throws {
        let failure = try #require(throws: Failure.self) {
            try InitRun.Draft.text(of: "<html>Login</html>", "h.json")
        }
        #expect(failure.message.contains("seems to be HTML or XML"), "\(failure)")
    }
}
