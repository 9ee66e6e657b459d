import Foundation
import Testing

/// Identifiers that hold a relationship.
@Suite struct IdentifyingReferenceTests {
    private static let entities = """
        { "Performance": { "records": "$.performances[*]", "identifier": "id", "attributes": { "id": "integer", "at": "text" } },
          "Price": {
            "records": "$.performances[*].prices[*]", "identifier": ["performance", "category"],
            "attributes": { "category": "text", "amount": "integer" },
            "relationships": { "performance": { "to": "Performance", "from": "^^.id" } } },
          "Discount": {
            "records": "$.discounts[*]", "identifier": "price",
            "attributes": { "percent": "integer" },
            "relationships": { "price": { "to": "Price", "identifier": ["on", "category"] } } } }
        """

    private static let query = """
        SELECT p.performance_id, p.category, p.amount, f.at FROM Price p
        LEFT JOIN Performance f ON f.objectID = p.performance ORDER BY 1, 2
        """

    @Test func theTargetIsPartOfTheIdentifier() throws {
        let scene = try LanguageScene(Self.entities, #""views": true"#)
        let outcome = try scene.run(
            """
            { "discounts": [{"on": 2, "category": "a", "percent": 10}, {"on": 3, "category": "z", "percent": 5}],
              "performances": [
                {"prices": [{"category": "a", "amount": 10}, {"category": "b", "amount": 20}], "id": 1, "at": "mon"},
                {"id": 2, "at": "tue", "prices": [{"category": "a", "amount": 30}, {"category": "a", "amount": 30}]}] }
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.lines(Self.query) == ["1 a 10 mon", "1 b 20 mon", "2 a 30 tue"])
        #expect(
            try scene.lines(
                "SELECT price_performance_id, price_category, percent, price IS NULL FROM Discount ORDER BY 1")
                == ["2 a 10 0", "3 z 5 1"])
        #expect(
            try scene.lines("SELECT price_performance_id, price_category FROM Discount_view ORDER BY 1") == [
                "2 a", "3 z",
            ])
        // The same objects again, whose order and values are others.
        let next = try scene.run(
            #"{ "performances": [{"id": 2, "at": "tue", "prices": [{"category": "a", "amount": 31}]}, {"id": 1, "at": "mon", "prices": [{"category": "b", "amount": 20}]}] }"#
        )
        #expect((next.count("Price", "updated"), next.count("Price", "unchanged")) == (1, 1))
        #expect(try scene.lines(Self.query) == ["1 a 10 mon", "1 b 20 mon", "2 a 31 tue"])
    }

    /// An object is known by what it refers to, whether that is there or not; and it is nothing without.
    @Test func targetsThatAreNotThere() throws {
        let entities = """
            { "Line": { "records": "$.lines[*]", "identifier": "id", "attributes": { "id": "text" } },
              "Stop": { "records": "$.stops[*]", "identifier": ["line", "no"], "attributes": { "no": "integer" },
                        "relationships": { "line": { "to": "Line" } } } }
            """
        let scene = try LanguageScene(entities, #""limits": { "rejects": 1, "records": null }"#)
        let feed = #"{"stops": [{"line": "U8", "no": 1}, {"line": null, "no": 1}], "lines": []}"#
        try scene.run(feed)
        #expect(try scene.lines("SELECT line_id, no, line FROM Stop") == ["U8 1 ∅"])
        let outcome = try scene.run(#"{"lines": [{"id": "U8"}], "stops": [{"line": "U8", "no": 1}]}"#)
        #expect((outcome.count("Stop", "created"), outcome.count("Stop", "updated")) == (0, 1))
        #expect(try scene.lines("SELECT s.line_id, l.id FROM Stop s JOIN Line l ON l.objectID = s.line") == ["U8 U8"])
    }

    /// The column of a reference has its name from the relationship and from the target's attribute: both may get
    /// another one at once.
    @Test func bothNamesAreOthers() throws {
        func entities(_ line: String, _ id: String, _ wasLine: String = "", _ wasID: String = "") -> String {
            """
            { "Line": { "records": "$.lines[*]", "identifier": ["\(id)", "d"],
                "attributes": { "\(id)": { "type": "text", "from": "id"\(wasID) }, "d": "integer" } },
              "Stop": { "records": "$.stops[*]", "identifier": ["\(line)", "no"], "attributes": { "no": "integer", "v": "integer" },
                "relationships": { "\(line)": { "to": "Line", "identifier": ["line", "d"]\(wasLine) } } } }
            """
        }
        let folder = TemporaryFolder()
        for (entities, value) in [
            (entities("line", "id"), 1), (entities("route", "key", #", "was": "line""#, #", "was": "id""#), 2),
        ] {
            let definition = try folder.write(
                "p.jsonc",
                #"{ "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "entities": \#(entities) }"#)
            _ = try folder.write(
                "f.json",
                #"{ "lines": [{ "id": "x", "d": 1 }], "stops": [{ "line": "x", "d": 1, "no": 7, "v": \#(value) }] }"#)
            let outcome = try Sluice.run(["run", definition, "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try Database(folder.file("s.sqlite")).rows("SELECT route_key, no, v FROM Stop") == [["x", "7", "2"]])
    }
}
