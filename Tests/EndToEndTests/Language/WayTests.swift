import Foundation
import Testing

/// References by another key than the identifier, and in a second way where the first finds nothing.
@Suite struct WayTests {
    private static func entities(_ airport: String, _ more: String = "") -> String {
        """
        { "Airport": {
            "records": "$.airports[*]", "identifier": "id"\(more),
            "attributes": { "id": "integer", "iata": "text", "name": "text" } },
          "Route": {
            "records": "$.routes[*]", "identifier": "no", "attributes": { "no": "integer" },
            "relationships": { "airport": { \(airport) } } } }
        """
    }

    private static let ways = #""to": [{ "Airport": "id", "from": "src_id" }, { "Airport": "iata", "from": "src" }]"#
    private static let query = "SELECT r.no, a.id FROM Route r LEFT JOIN Airport a ON a.objectID = r.airport ORDER BY 1"
    private static let airports =
        #""airports": [{"id": 1, "iata": "BER"}, {"id": 2, "iata": "TXL"}, {"id": 3, "iata": "XXX"}, {"id": 4, "iata": "XXX"}]"#

    @Test func byAnotherAttribute() throws {
        let scene = try LanguageScene(Self.entities(#""to": "Airport", "by": "iata", "from": "src""#))
        let routes = #""routes": [{"no": 1, "src": "TXL"}, {"no": 2, "src": "XXX"}, {"no": 3, "src": "?"}, {"no": 4}]"#
        let outcome = try scene.run("{\(routes), \(Self.airports)}", "--findings", scene.file("f.ndjson"))
        #expect(outcome.status == 0)
        #expect(try scene.lines(Self.query) == ["1 2", "2 ∅", "3 ∅", "4 ∅"])
        let findings = try String(contentsOfFile: scene.file("f.ndjson"), encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("unresolved") }
        #expect(findings.count == 2)
        #expect(findings[0].contains(#""value": "XXX", "ambiguous": true"#))
        #expect(findings[1].contains(#""value": "?", "at""#))

        #expect(try scene.lines("SELECT name FROM sqlite_schema WHERE name = 'Airport(iata)'") == ["Airport(iata)"])
        // The next night, nothing is new.
        let next = try scene.run("{\(routes), \(Self.airports)}")
        #expect(next.count("Route", "unchanged") == 4)
        #expect(try scene.lines(Self.query) == ["1 2", "2 ∅", "3 ∅", "4 ∅"])
    }

    /// What is there twice does not lack.
    @Test func severalTargetsAreToldFromNone() throws {
        let scene = try LanguageScene(Self.entities(#""to": "Airport", "by": "iata", "from": "src""#))
        let told = { (routes: [String]) in
            let list = routes.enumerated().map { #"{"no": \#($0), "src": "\#($1)"}"# }.joined(separator: ", ")
            try scene.write("feed.json", #"{"routes": [\#(list)], \#(Self.airports)}"#)
            return try Sluice.run(["run", scene.file("p.jsonc"), "--dry-run"]).output.replacing(/\s+/, with: " ")
        }
        let twice = try told(["XXX", "XXX"])
        #expect(twice.contains(#"2 of 2; there are several Airport "XXX", first at"#), "\(twice)")
        let others = try told(["XXX", "XXX", "?", "?"])
        #expect(others.contains(#"there are several Airport "XXX"; most lack "?" (2)"#), "\(others)")
    }

    @Test func whereTheFirstWayFindsNothing() throws {
        let scene = try LanguageScene(Self.entities(Self.ways))
        let routes = """
            "routes": [{"no": 1, "src_id": 2, "src": "BER"}, {"no": 2, "src_id": 99, "src": "BER"},
              {"no": 3, "src_id": null, "src": "BER"}, {"no": 4, "src": "QQQ"}, {"no": 5, "src_id": 98},
              {"no": 6, "src_id": null, "src": null}]
            """
        for _ in 0..<2 {
            let outcome = try scene.run("{\(routes), \(Self.airports)}")
            #expect(try scene.lines(Self.query) == ["1 2", "2 1", "3 1", "4 ∅", "5 ∅", "6 ∅"])
            let counts = (outcome.report["findings"] as? [String: Int])?["unresolved"]
            #expect(counts == 2)
        }
        #expect(try scene.lines("SELECT value FROM sluice_unresolved ORDER BY objectID") == ["\"QQQ\"", "98"])
    }

    /// What waits is linked by a later run, whose feed holds the target only: when it comes, when its value changes,
    /// and when it is the only one left that has it.
    @Test func whatWaitsIsLinkedLater() throws {
        let scene = try LanguageScene(Self.entities(Self.ways), #""limits": { "deletes": null, "records": null }"#)
        try scene.run(
            #"{"routes": [{"no": 1, "src": "MUC"}, {"no": 2, "src_id": 7}, {"no": 3, "src": "XXX"}], \#(Self.airports)}"#
        )
        #expect(try scene.lines(Self.query) == ["1 ∅", "2 ∅", "3 ∅"])
        let outcome = try scene.run(
            #"{"routes": [], "airports": [{"id": 2, "iata": "MUC"}, {"id": 7}, {"id": 4, "iata": "YYY"}]}"#)
        #expect(outcome.status == 0)
        #expect(try scene.lines(Self.query) == ["1 2", "2 7", "3 3"])
        #expect(try scene.lines("SELECT count(*) FROM sluice_unresolved") == ["0"])
    }

    /// A reference stays with its object until a record says it anew.
    @Test func aValueThatMovesToAnotherObject() throws {
        let scene = try LanguageScene(
            Self.entities(#""to": "Airport", "by": "iata", "from": "src""#), #""limits": { "records": null }"#)
        try scene.run(#"{"routes": [{"no": 1, "src": "TXL"}, {"no": 2, "src": "TXL"}], \#(Self.airports)}"#)
        try scene.run(
            #"{"routes": [{"no": 2, "src": "TXL"}], "airports": [{"id": 2, "iata": "OLD"}, {"id": 9, "iata": "TXL"}]}"#)
        #expect(try scene.lines(Self.query) == ["1 2", "2 9"])
    }

    /// A target that goes is waited for by what it was found by.
    @Test func aTargetThatGoesAndComesBack() throws {
        let scene = try LanguageScene(
            Self.entities(Self.ways, #", "absent": "delete""#), #""limits": { "deletes": null, "records": null }"#)
        try scene.run(#"{"routes": [{"no": 1, "src": "TXL"}], \#(Self.airports)}"#)
        try scene.run(#"{"airports": [{"id": 1, "iata": "BER"}]}"#)
        #expect(try scene.lines(Self.query) == ["1 ∅"])
        try scene.run(#"{"airports": [{"id": 1, "iata": "BER"}, {"id": 70, "iata": "TXL"}]}"#)
        #expect(try scene.lines(Self.query) == ["1 70"])
    }

    @Test func stubsComeOfTheIdentifierWhereNoWayLeadsAnywhere() throws {
        let scene = try LanguageScene(Self.entities(Self.ways + #", "missing": "stub""#))
        let outcome = try scene.run(
            #"{"routes": [{"no": 1, "src_id": 99, "src": "BER"}, {"no": 2, "src_id": 98, "src": "?"}, {"no": 3, "src": "?"}], \#(Self.airports)}"#
        )
        #expect(try scene.lines(Self.query) == ["1 1", "2 98", "3 ∅"])
        #expect(outcome.count("Airport", "stubs") == 1)
    }

    /// Element by element, to several entities.
    @Test func listsOfReferences() throws {
        let scene = try LanguageScene(
            """
            { "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "integer", "mail": "text" } },
              "Group": { "records": "$.groups[*]", "identifier": "id", "attributes": { "id": "integer", "code": "text" } },
              "Paper": { "records": "$.papers[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": {
                "authors": { "many": true, "to": [
                  { "Person": "id", "from": "authors[*].id" }, { "Person": "mail", "from": "authors[*].mail" },
                  { "Group": "code", "from": "authors[*].code" }] } } } }
            """)
        try scene.run(
            """
            { "people": [{"id": 1, "mail": "a@x"}, {"id": 2, "mail": "b@x"}], "groups": [{"id": 1, "code": "g"}],
              "papers": [{"id": 5, "authors": [{"mail": "b@x"}, {"code": "g"}, {"id": 1}, {"id": 9, "mail": "a@x"}, {}]}] }
            """)
        #expect(
            try scene.lines("SELECT target, target_entity, position FROM Paper_authors ORDER BY position") == [
                "2 Person 0", "1 Group 1", "1 Person 2",
            ])
    }

    /// A target that is deleted, found by one way, has no value for the other: what waits waits for none there.
    @Test func nothingIsNoEmptyText() throws {
        let scene = try LanguageScene(
            """
            { "A": { "records": "$.a[*]", "identifier": "id", "absent": "delete",
                     "attributes": { "id": "integer", "k": "text" } },
              "C": { "records": "$.c[*]", "identifier": "id", "attributes": { "id": "integer" },
                     "relationships": { "w": { "to": [{ "A": "k", "from": "w1" }, { "A": "id", "from": "w2" }] } } } }
            """, #""limits": { "deletes": null, "records": null }"#)
        try scene.run(#"{"a": [{"id": 4}, {"id": 5, "k": "x"}], "c": [{"id": 1, "w2": 4}]}"#)
        try scene.run(#"{"a": [{"id": 5, "k": "x"}], "c": []}"#)
        try scene.run(#"{"a": [{"id": 5, "k": "x"}, {"id": 9, "k": ""}], "c": []}"#)
        #expect(try scene.lines("SELECT w FROM C") == ["∅"])
        try scene.run(#"{"a": [{"id": 4}, {"id": 5, "k": "x"}], "c": []}"#)
        #expect(try scene.lines("SELECT a.id FROM C JOIN A a ON a.objectID = C.w") == ["4"])
    }
}
