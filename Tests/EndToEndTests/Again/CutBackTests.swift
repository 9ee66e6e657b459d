import Foundation
import TestSupport
import Testing

/// A run that saves its batches, and would delete too many objects, keeps its batches and deletes nothing.
@Suite struct CutBackTests {
    @Test func reportsWhatItWouldHaveDeleted() throws {
        let scene = try Scene(.new)
        _ = try scene.folder.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "commit": "batch",
              "batchSize": 2, "limits": { "deletes": 1 },
              "entities": { "Item": { "records": "$[*]", "identifier": "id", "absent": "delete",
                                      "attributes": { "id": "integer", "name": "text" } } } }
            """)
        func night(_ feed: String) throws -> Sluice.Outcome {
            _ = try scene.folder.write("feed.json", feed)
            return try scene.run()
        }
        let all = (1...6).map { #"{"id": \#($0)}"# }.joined(separator: ",")
        #expect(try night("[\(all)]").status == 0)
        let cut = try night(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
        #expect(cut.status == 65)
        #expect(cut.output.contains("failed; nothing was changed after the last batch"), "\(cut.output)")
        #expect(cut.output.contains("To delete") && !cut.output.contains("Deleted"), "\(cut.output)")
        let names = try Database(scene.store).rows("SELECT id, name FROM Item WHERE name IS NOT NULL ORDER BY 1")
        #expect(names.map { $0.joined() } == ["1a", "2b"])
        #expect(try Database(scene.store).rows("SELECT count(*) FROM Item") == [["6"]])
        let runs = try Sluice.run(["runs", scene.definition])
        #expect(!runs.output.contains("Deleted"), "\(runs.output)")
    }
}
