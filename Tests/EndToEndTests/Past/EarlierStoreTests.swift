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

    /// What was a stub is one, whatever its entity is called by now: its record completes it.
    @Test(arguments: ["Q", "R"]) func stubsAreStubs(_ later: String) throws {
        let folder = TemporaryFolder()
        func run(_ name: String, _ was: String, _ feed: String, _ store: String) throws {
            let definition = try folder.write(
                "p.json",
                """
                { "source": { "file": "f.json" }, "store": { "sqlite": "\(store)" }, "history": true,
                  "limits": { "records": 0, "deletes": null }, "entities": {
                    "P": { "records": "$.p[*]", "identifier": "id", "attributes": { "id": "integer" },
                      "relationships": { "q": { "to": "\(name)", "missing": "stub" } } },
                    "\(name)": { \(was) "records": "$.q[*]", "identifier": "k", "mode": "insert",
                      "attributes": { "k": "text", "n": "text" } } } }
                """)
            _ = try folder.write("f.json", feed)
            let outcome = try Sluice.run(["run", definition, "--quiet", "--force"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let stub = #"{ "p": [{ "id": 1, "q": "a" }], "q": [] }"#
        try run("Q", "", stub, "s.sqlite")
        try run(later, later == "Q" ? "" : #""was": "Q","#, stub, "s.sqlite")
        let output = folder.file("at.sqlite")
        #expect(try Sluice.run(["at", folder.file("p.json"), "1", "--output", output]).status == 0)
        try run("Q", "", #"{ "p": [{ "id": 1, "q": "a" }], "q": [{ "k": "a", "n": "full" }] }"#, "at.sqlite")
        #expect(try Database(output).rows("SELECT n FROM Q") == [["full"]])
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
