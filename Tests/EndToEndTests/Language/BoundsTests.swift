import Foundation
import Testing

/// Values outside of what their attribute may have: rejects, with reason and place.
@Suite struct BoundedValueTests {
    private let folder = TemporaryFolder()

    private func definition(_ price: String) throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": { "Item": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": { "type": "integer", "min": 1 }, "price": \(price) } } } }
            """)
    }

    @Test func rejects() throws {
        _ = try folder.write(
            "feed.json",
            #"[{"id":1,"price":"0.00"},{"id":2,"price":"100"},{"id":0,"price":"1"},{"id":4},{"id":5,"price":"9.99"}]"#)
        let file = try definition(#"{ "type": "decimal", "scale": 2, "min": 0, "max": "99.99" }"#)
        let outcome = try Sluice.run(["run", file, "--format", "json"])
        #expect(outcome.status == 0 && outcome.count("Item", "rejected") == 2, "\(outcome)")
        #expect(outcome.output.contains(#"at most \"99.99\" expected, found the string \"100\""#))
        #expect(try Database(folder.file("s.sqlite")).rows("SELECT id FROM Item ORDER BY id") == [["1"], ["4"], ["5"]])
        // Other bounds are another definition, and no other store.
        let wider = try definition(#"{ "type": "decimal", "scale": 2, "max": 100 }"#)
        let next = try Sluice.run(["run", wider, "--format", "json"])
        #expect(next.status == 0 && next.count("Item", "created") == 1 && next.count("Item", "unchanged") == 3)
    }

    @Test(arguments: [
        (#"{ "type": "real", "min": "x" }"#, #""min": real expected, found the string "x""#),
        (#"{ "type": "date", "max": "2020-02-30" }"#, "date expected"),
        (#"{ "type": "real", "min": 2, "max": 1 }"#, #"no value is between "min" and "max": the former is greater"#),
    ])
    func mistakes(price: String, message: String) throws {
        let outcome = try Sluice.run(["check", try definition(price)])
        #expect(outcome.status == 78 && outcome.errors.contains(message), "\(outcome)")
    }
}
