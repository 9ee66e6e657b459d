import Foundation
import TestSupport
import Testing

/// A trigger of somebody else that keeps rows as they are: a run would say that it has written what it has not.
@Suite struct IgnoringTriggerTests {
    private let folder = TemporaryFolder()

    private func definition() throws -> String {
        try folder.write(
            "p.json",
            #"""
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "deletes": null },
              "entities": { "Stop": { "records": "$[*]", "identifier": "id", "absent": "delete",
                "attributes": { "id": "text", "name": "text" },
                "relationships": { "near": { "to": "Stop", "many": true, "from": "near[*]" } } } } }
            """#)
    }

    @Test(arguments: ["UPDATE", "DELETE", "INSERT"], ["Stop", "Stop_near"])
    func aTriggerThatIgnoresIsRefused(_ event: String, _ table: String) throws {
        let definition = try definition()
        _ = try folder.write("f.json", #"[{"id":"A","name":"one","near":["A"]}]"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let store = try Database(folder.file("s.sqlite"))
        _ = try store.rows("CREATE TRIGGER guard BEFORE \(event) ON \(table) BEGIN SELECT raise ( Ignore ); END")
        _ = try folder.write("f.json", #"[{"id":"B","name":"two"}]"#)
        for words in [["check"], ["run"], ["run", "--dry-run"]] {
            let outcome = try Sluice.run([words[0], definition] + words.dropFirst())
            #expect(outcome.status == 78, "\(words): \(outcome.errors)")
            #expect(
                (outcome.errors + outcome.output).contains("the trigger guard of the table \(table)"),
                "\(outcome.errors)")
        }
        #expect(try store.rows("SELECT id FROM Stop") == [["A"]])
    }

    /// One that refuses says so, and others do no harm.
    @Test func otherTriggersMayBeThere() throws {
        let definition = try definition()
        _ = try folder.write("f.json", #"[{"id":"A","name":"one"}]"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let store = try Database(folder.file("s.sqlite"))
        _ = try store.rows("CREATE TABLE other (a)")
        _ = try store.rows("CREATE TRIGGER a BEFORE INSERT ON other BEGIN SELECT RAISE(IGNORE); END")
        _ = try store.rows("CREATE TRIGGER b BEFORE UPDATE ON Stop BEGIN INSERT INTO other VALUES ('ignore'); END")
        _ = try folder.write("f.json", #"[{"id":"A","name":"two"}]"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        #expect(try store.rows("SELECT name FROM Stop") == [["two"]])
    }
}
