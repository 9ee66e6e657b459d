import Foundation
import TestSupport
import Testing

/// `missing: reject` on real runs: who needs whom, whatever the order, and what the findings say of it.
@Suite struct NeededTargetsTests {
    private let scratch = TemporaryFolder()

    private static let definition = """
        { "source": { "file": "a.ndjson" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
          "entities": {
            "Person": {
              "records": "$", "where": { "kind": "person" }, "identifier": "id",
              "attributes": { "id": "integer", "name": "text" },
              "relationships": { "boss": { "to": "Person", "missing": "reject" } }
            },
            "Membership": {
              "records": "$", "where": { "kind": "membership" }, "identifier": "id", "attributes": { "id": "text" },
              "relationships": { "members": { "to": "Person", "many": true, "from": "members[*]", "missing": "reject" } }
            } } }
        """

    /// 1 and 2 need each other; 4 needs 3, which needs 9, which is missing; so `b` goes, which needs 4.
    private static let records = [
        #"{"kind": "person", "id": 1, "boss": 2}"#, #"{"kind": "person", "id": 2, "boss": 1}"#,
        #"{"kind": "person", "id": 3, "boss": 9}"#, #"{"kind": "person", "id": 4, "boss": 3}"#,
        #"{"kind": "person", "id": 5, "boss": null}"#, #"{"kind": "person", "id": 6, "boss": 6}"#,
        #"{"kind": "membership", "id": "a", "members": [1, 5, 6]}"#,
        #"{"kind": "membership", "id": "b", "members": [4, 5]}"#, #"{"kind": "membership", "id": "c", "members": []}"#,
    ]

    private func run(_ records: [String], batchSize: Int) throws -> Sluice.Outcome {
        _ = try scratch.write("p.jsonc", NeededTargetsTests.definition)
        _ = try scratch.write("a.ndjson", records.joined(separator: "\n"))
        return try Sluice.run(
            ["run", scratch.file("p.jsonc"), "--format", "json", "--batch-size", "\(batchSize)"])
    }

    @Test(arguments: SeededRandom.seeds(0..<6)) func onlyRecordsWithTheirTargetsAreLoaded(seed: Int) throws {
        var random = SeededRandom(seed)
        let outcome = try run(NeededTargetsTests.records.shuffled(using: &random), batchSize: [1, 2, 100][seed % 3])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let store = try Database(scratch.file("s.sqlite"))
        #expect(try store.rows("SELECT id FROM Person ORDER BY id") == [["1"], ["2"], ["5"], ["6"]])
        #expect(try store.rows("SELECT id FROM Membership ORDER BY id") == [["a"], ["c"]])
        #expect(try store.rows("SELECT count(*) FROM Membership_members") == [["3"]])
        #expect(try store.rows("SELECT count(*) FROM sluice_unresolved") == [["0"]])
        #expect(outcome.count("Person", "rejected") == 2)
        #expect(outcome.count("Membership", "rejected") == 1)
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let faults = examples.compactMap { ($0["faults"] as? [[String: String]])?.first?["reason"] }
        #expect(
            faults.sorted() == ["no Person 3 exists", "no Person 4 exists", "no Person 9 exists"])
        #expect(examples.filter { $0["kind"] as? String == "reject" }.allSatisfy { $0["record"] != nil })
    }

    /// What an earlier run brought stays as it was where a record is rejected.
    @Test func aRejectedRecordChangesNothing() throws {
        _ = try run([#"{"kind": "person", "id": 1, "name": "one"}"#], batchSize: 10)
        let outcome = try run([#"{"kind": "person", "id": 1, "name": "uno", "boss": 7}"#], batchSize: 10)
        #expect(outcome.count("Person", "rejected") == 1)
        let store = try Database(scratch.file("s.sqlite"))
        #expect(try store.rows("SELECT name, boss FROM Person") == [["one", "∅"]])
        // A person is told what else the definition may say.
        let words = ["run", scratch.file("p.jsonc"), "--store", scratch.file("t.sqlite")]
        let shown = try Sluice.run(words).output.replacing("\n    ", with: " ")
        #expect(shown.contains(/no Person 7 exists, where "missing": "null" would let the reference wait, and "stub"/))
    }
}
