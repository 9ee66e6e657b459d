import Foundation
import TestSupport
import Testing

/// A replay of a feed that is older than what the store holds is said to be one.
@Suite struct OlderReplayTests {
    private let folder = TemporaryFolder()

    @Test func newerFeedsAreNamed() throws {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "archive": { "directory": "a" },
              "entities": { "E": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", "n": "integer" } } } }
            """)
        for text in [#"[{"id": 1, "n": 1}]"#, #"[{"id": 1, "n": 2}]"#, #"[{"id": "x"}]"#] {
            _ = try folder.write("f.json", text)
            _ = try Sluice.run(["run", definition])
        }
        _ = try FileManager.default.copyItem(atPath: folder.file("s.sqlite"), toPath: folder.file("copy.sqlite"))
        let older = try Sluice.run(["replay", definition, "--run", "1"])
        #expect(
            older.status == 0 && older.errors.contains("the store holds the feed of run 2, and that of run 1 is older"))
        // Then the store holds that feed, and what failed has loaded none.
        for run in ["1", "2", "3"] {
            let outcome = try Sluice.run(["replay", definition, "--run", run])
            #expect(outcome.status == (run == "3" ? 65 : 0), "\(outcome.errors)")
            #expect(!outcome.errors.contains("older"), "\(outcome.errors)")
        }
        let copy = folder.file("copy.sqlite")
        let again = try Sluice.run(["replay", definition, "--run", "2", "--store", copy])
        #expect(again.status == 0 && !again.errors.contains("older"))
        let elsewhere = try Sluice.run(["replay", definition, "--run", "1", "--store", copy])
        #expect(elsewhere.status == 0 && elsewhere.errors.contains("of run 2"), "\(elsewhere.errors)")
    }
}
