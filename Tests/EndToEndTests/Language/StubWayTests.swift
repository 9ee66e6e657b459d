import Foundation
import TestSupport
import Testing

/// Stubs of references that are looked for in several ways.
@Suite struct StubWayTests {
    private let folder = TemporaryFolder()

    /// Each reference that finds no object makes a stub of its first way, whatever stubs others make: so the order of
    /// records and the size of batches make no difference.
    @Test(arguments: ["1", "2", "5000"], [false, true]) func stubsDoNotDependOnTheOrder(
        _ batchSize: String, _ isReversed: Bool
    ) throws {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "entities": {
                "C": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" }, "relationships": {
                  "one": { "missing": "stub", "to": [{ "B": "id", "from": "x" }, { "B": "id", "from": "y" }] },
                  "other": { "missing": "stub", "to": "B", "from": "z" } } },
                "B": { "identifier": "id", "attributes": { "id": "text" } } } }
            """)
        let records = [
            #"{"id":"c1","x":"X","y":"Y"}"#, #"{"id":"c2","x":"Y"}"#, #"{"id":"c3","y":"X"}"#,
            #"{"id":"c4","x":"W","y":"Z"}"#, #"{"id":"c5","z":"Z"}"#,
        ]
        let feed = isReversed ? records.reversed() : records
        _ = try folder.write("feed.json", "[\(feed.joined(separator: ","))]")
        let outcome = try Sluice.run(["run", definition, "--batch-size", batchSize, "--format", "json"])
        #expect(outcome.status == 0 && outcome.count("B", "stubs") == 4, "\(outcome.output) \(outcome.errors)")
        let rows = try Database(folder.file("s.sqlite")).rows(
            "SELECT C.id, coalesce(B.id, '') FROM C LEFT JOIN B ON B.objectID = C.one ORDER BY 1")
        #expect(rows == [["c1", "X"], ["c2", "Y"], ["c3", "X"], ["c4", "W"], ["c5", ""]])
    }
}
