import Foundation
import TestSupport
import Testing

/// A store as it was that is not finished is not there; one that takes the place of the present one is loaded again.
struct EarlierStoreTests {
    /// Nothing is known of what waited then: the feed of that run says it again.
    @Test func whatWaitedWaitsAgain() throws {
        let folder = TemporaryFolder()
        let feeds = [#"[{"id": 1, "up": 9}]"#, #"[{"id": 1}, {"id": 2}]"#]
        let definition = try folder.write(
            "p.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "history": true,
              "entities": { "Item": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer" }, "relationships": { "up": { "to": "Item" } } } } }
            """)
        for feed in feeds {
            _ = try folder.write("f.json", feed)
            #expect(try Sluice.run(["run", definition]).status == 0)
        }
        let output = folder.file("old.sqlite")
        #expect(try Sluice.run(["at", definition, "1", "--output", output]).status == 0)
        _ = try folder.write("f.json", feeds[0])
        for status in ["succeeded", "unchanged"] {
            let outcome = try Sluice.run(["run", definition, "--store", output, "--format", "json"])
            #expect(outcome.report["status"] as? String == status, "\(outcome.errors)")
        }
        _ = try folder.write("f.json", #"[{"id": 9}]"#)
        #expect(try Sluice.run(["run", definition, "--store", output]).status == 0)
        let linked = "SELECT count(*) FROM Item i JOIN Item u ON u.objectID = i.up WHERE i.id = 1 AND u.id = 9"
        #expect(try Database(output).integer(linked) == 1)
    }

    @Test(arguments: [SIGTERM, SIGINT]) func aSignalLeavesNothing(_ signal: Int32) throws {
        let folder = TemporaryFolder()
        let records = (0..<60_000).map { "{\"id\": \($0), \"name\": \"\(String(repeating: "x", count: 200))\"}" }
        _ = try folder.write("f.json", "[\(records.joined(separator: ",\n"))]")
        let definition = try folder.write(
            "p.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "history": true,
              "entities": { "Item": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "name": "text" } } } }
            """)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let output = folder.file("old.sqlite")
        let run = try RunningSluice(["at", definition, "1", "--output", output])
        let begun = run.waits { FileManager.default.fileExists(atPath: output + ".sluice-new") }
        run.signal(signal)
        let outcome = run.ended()
        // A machine that is quick enough has finished.
        guard begun, outcome.status != 0 else { return }
        #expect(outcome.status == 128 + signal, "\(outcome.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("old") }
        #expect(left.isEmpty, "\(left)")
        #expect(try Sluice.run(["at", definition, "1", "--output", output]).status == 0)
    }
}
