import Foundation
import TestSupport
import Testing

/// Other programs write to a store between the batches of a run.
@Suite struct BatchNeighbourTests {
    private let folder = TemporaryFolder()

    private func definition() throws -> String {
        try folder.write(
            "p.json",
            #"""
            { "source": { "command": ["sh", "feed.sh"], "format": "lines" }, "store": { "sqlite": "s.sqlite" },
              "commit": "batch", "batchSize": 20, "entities": {
                "Stop": { "records": "$", "where": { "stop": { "present": true } }, "identifier": "id",
                  "attributes": { "id": { "type": "text", "from": "stop" } } },
                "Trip": { "records": "$", "where": { "trip": { "present": true } }, "identifier": "id",
                  "attributes": { "id": { "type": "integer", "from": "trip" } },
                  "relationships": { "at": { "to": "Stop" } } } } }
            """#)
    }

    /// A stop is deleted between two batches, before a trip refers to it: a program that wants to write gets its turn
    /// at some time. The reference waits, or the run ends, and has it wait in the next one.
    @Test(arguments: [true, false]) func anObjectIsDeletedThatTheRunRefersTo(isReferredTo: Bool) throws {
        let definition = try definition()
        _ = try folder.write("one.ndjson", "{\"stop\":\"A\"}\n{\"stop\":\"B\"}\n")
        #expect(try Sluice.run(["run", definition, "--feed", folder.file("one.ndjson")]).status == 0)
        _ = try folder.write(
            "feed.sh",
            #"""
            for i in $(seq 100000); do echo "{\"stop\":\"X$i\"}"; done
            echo '{"trip":1,"at":"\#(isReferredTo ? "B" : "A")"}'
            for i in $(seq 100); do echo "{\"stop\":\"Y$i\"}"; done
            """#)
        let run = try RunningSluice(["run", definition])
        let isDeleted = run.waits { deletes("B") }
        let outcome = run.ended()
        let store = try Database(folder.file("s.sqlite"))
        // A run that had known the stop, and refers to it all the same, says so; else the reference waits.
        #expect(outcome.status == 0 || outcome.errors.contains("deleted objects"), "\(outcome.errors)")
        // Nor does a run that fails save a batch that refers to what is gone.
        #expect(try store.rows("PRAGMA foreign_key_check").isEmpty)
        #expect(outcome.status == 0 || outcome.status == 74 && isDeleted && isReferredTo)
        #expect(try Sluice.run(["run", definition]).status == 0)
        #expect(try store.rows("PRAGMA foreign_key_check").isEmpty)
        #expect(try store.rows("SELECT count(*) FROM sluice_unresolved") == [[isDeleted && isReferredTo ? "1" : "0"]])
    }

    /// Tries to delete a stop, once the run has saved something; false: another has the store.
    private func deletes(_ name: String) -> Bool {
        guard let store = try? Database(folder.file("s.sqlite"), patience: 0),
            let rows = try? store.rows("SELECT count(*) > 100 FROM Stop"), rows == [["1"]],
            (try? store.rows("PRAGMA foreign_keys = ON")) != nil
        else { return false }
        return (try? store.rows("DELETE FROM Stop WHERE id = '\(name)'")) != nil
    }
}
