import Foundation
import Testing

/// A dry run of a run that saves its batches says what that run would say, also where it fails in the end.
@Suite struct DryBatchTests {
    /// Deletions follow the last batch: a run that exceeds a limit then has made none.
    @Test(arguments: [#""deletes": 0"#, #""records": 2"#, #""unresolved": 0"#]) func countsAreThoseOfTheRun(
        limit: String
    ) throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "commit": "batch",
              "limits": { "deletes": null, \(limit) },
              "entities": { "A": { "records": "$[*]", "identifier": "id", "absent": "delete",
                "attributes": { "id": "integer" }, "relationships": { "up": { "to": "A" } } } } }
            """.replacing(#""deletes": null, "deletes": 0"#, with: #""deletes": 0"#))
        _ = try folder.write("feed.json", #"[{"id": 1}, {"id": 2}]"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        _ = try folder.write("feed.json", #"[{"id": 3, "up": 9}]"#)
        func counts(_ more: String...) throws -> [String] {
            let outcome = try Sluice.run(["run", definition, "--report", folder.file("r.json")] + more)
            #expect(outcome.status == 65, "\(outcome.errors)")
            let report = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder.file("r.json"))))
            let entities = (report as? [String: Any])?["entities"] as? [String: [String: Any]]
            return ["created", "updated", "unchanged", "deleted", "absent"].map { "\(entities?["A"]?[$0] ?? "-")" }
        }
        #expect(try counts("--dry-run") == counts())
    }
}
