import Foundation
import Testing

/// Names of files that are no text: they are refused, and never taken for other ones.
@Suite struct OddNameTests {
    private let folder = TemporaryFolder()

    private func definition(file: String = "feed.json", store: String = "s.sqlite") throws -> String {
        _ = try folder.write("feed.json", "[{\"id\": 1}]")
        return try folder.write(
            "p.json",
            """
            { "source": { "file": "\(file)" }, "store": { "sqlite": "\(store)" },
              "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
    }

    /// What a shell runs before the command, whose words are `$@`.
    private func shell(_ script: String) -> [String] { ["/bin/sh", "-c", "cd '\(folder.path)'; \(script)", "sh"] }

    @Test func patternsDoNotPassThemOver() throws {
        let path = try definition(file: "feeds/*.json")
        let files = try Sluice.run(
            ["run", path],
            through: shell(
                "mkdir feeds; cp feed.json feeds/a.json; cp feed.json feeds/\"$(printf 'b\\377.json')\"; exec \"$@\""))
        #expect(files.status == 66)
        #expect(files.errors.contains("feeds/b\\xff.json matches"), "\(files.errors)")
        #expect(files.errors.contains("its name is not UTF-8"))
        #expect(!folder.names.contains("s.sqlite"))
    }

    @Test func variablesDoNotNameOtherFiles() throws {
        let path = try definition(store: "${NAME:-s}.sqlite")
        let outcome = try Sluice.run(["run", path], through: shell("export NAME=\"$(printf 's\\377')\"; exec \"$@\""))
        #expect(outcome.status == 78)
        #expect(
            outcome.errors.contains("the environment variable NAME holds bytes that are not UTF-8"), "\(outcome.errors)"
        )
        #expect(outcome.errors.contains("p.json:1:"))
        #expect(folder.names == ["feed.json", "p.json"])
        // One that nothing uses does no harm.
        let other = try Sluice.run(["run", path], through: shell("export OTHER=\"$(printf '\\377')\"; exec \"$@\""))
        #expect(other.status == 0, "\(other.errors)")
    }

    @Test func argumentsDoNotNameOtherFiles() throws {
        let path = try definition()
        let outcome = try Sluice.run(
            ["run", path], through: shell("exec \"$@\" --store \"$(printf 's\\377.sqlite')\""))
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("is not UTF-8"), "\(outcome.errors)")
        #expect(folder.names == ["feed.json", "p.json"])
    }
}
