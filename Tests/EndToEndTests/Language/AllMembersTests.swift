import Foundation
import Testing

/// Entities whose columns are what records have.
@Suite struct AllMembersTests {
    private func scene(_ more: String = "", source: String = #"{ "file": "feed.json" }"#) throws -> LanguageScene {
        try LanguageScene(
            """
            { "Stop": {
                "records": "$", "where": { "kind": "stop" }, "identifier": "id",
                "attributes": { "*": "*", "opened": { "type": "date", "from": "o" } },
                "relationships": { "parent": { "to": "Stop" } }\(more) } }
            """, #""limits": { "rejects": null }"#, source: source.replacing(" }", with: #", "format": "lines" }"#))
    }

    private static let feed = """
        {"kind":"stop","id":1,"name":"A","lat":52.5,"ok":true,"o":"2020-01-02","in":{"a":1}}
        {"kind":"line","id":"x","name":[],"length":1}
        {"kind":"stop","id":2,"name":7,"lat":13,"ok":null,"parent":1,"big":12345678901234567890,"none":null}
        """

    private func columns(_ scene: LanguageScene) throws -> String {
        try scene.lines("SELECT name || ':' || type FROM pragma_table_info('Stop')").joined(separator: " ")
    }

    private static let found =
        "objectID:INTEGER opened:TEXT kind:TEXT id:INTEGER name:TEXT lat:REAL ok:INTEGER o:TEXT big:TEXT none:TEXT parent:INTEGER"

    @Test func theFirstRunFindsThem() throws {
        let scene = try scene()
        let outcome = try scene.run(AllMembersTests.feed)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try columns(scene) == AllMembersTests.found)
        #expect(
            try scene.lines("SELECT id, name, lat, ok, big, parent FROM Stop ORDER BY id") == [
                "1 A 52.5 1 ∅ ∅", "2 7 13.0 ∅ 12345678901234567890 1",
            ])
        // Later ones are held to it.
        let later = try scene.run(#"{"kind":"stop","id":"3","lat":"x"}"# + "\n" + #"{"kind":"stop","id":1,"new":5}"#)
        #expect(later.count("Stop", "rejected") == 1)
        #expect(later.count("Stop", "updated") == 0 && later.count("Stop", "unchanged") == 1)
        #expect(try columns(scene) == AllMembersTests.found)
        #expect("\(later.report["examples"] ?? "")".contains("new"))
    }

    /// Numbers in tables, as programs write them, are those that the type takes.
    @Test func numbersOfTablesAreNumbers() throws {
        let scene = try LanguageScene(
            #"{ "Row": { "records": "$", "identifier": "id", "attributes": "*" } }"#, "",
            source: #"{ "file": "feed.json", "format": "csv" }"#)
        let outcome = try scene.run("id,v,tel\n1,.5,+49\n2,4.6e-05,+33\n3,+5,+1\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.lines("SELECT v, tel FROM Row ORDER BY id") == ["0.5 +49", "4.6e-05 +33", "5.0 +1"])
    }

    @Test func newOnesAreAdded() throws {
        let scene = try scene(#", "drift": "add", "except": ["o", "in", "none"]"#)
        let first = try scene.run(AllMembersTests.feed)
        #expect(!"\(first.report["examples"] ?? "")".contains("drift"), "\(first.report)")
        let added = try scene.run(#"{"kind":"stop","id":1,"new":5,"name":"B"}"# + "\n" + #"{"kind":"line","no":1}"#)
        #expect(added.status == 0, "\(added.errors)")
        #expect(
            try columns(scene) == AllMembersTests.found.replacing(" o:TEXT", with: "").replacing("none:TEXT ", with: "")
                + " new:INTEGER")
        #expect(try scene.lines("SELECT id, name, new FROM Stop ORDER BY id") == ["1 B 5", "2 7 ∅"])
    }

    /// What paths lead through to records is a member as others in those records where it is a scalar.
    @Test(arguments: [("null", "∅"), ("\"none\"", "none")])
    func whatLeadsToRecordsIsAMemberToo(_ value: String, _ expected: String) throws {
        let scene = try LanguageScene(
            #"{ "Item": { "records": ["$", "$.items.*"], "identifier": "id", "attributes": { "id": "integer", "*": "*" } } }"#
        )
        let outcome = try scene.run("{\"id\": 1, \"name\": \"A\", \"items\": \(value)}")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.lines("SELECT id, name, items FROM Item") == ["1 A \(expected)"])
    }

    /// Where it is none, it is no column.
    @Test func whatHoldsRecordsIsNone() throws {
        let scene = try LanguageScene(
            #"{ "Item": { "records": ["$", "$.items.*"], "identifier": "id", "attributes": { "id": "integer", "*": "*" } } }"#
        )
        let outcome = try scene.run(#"{"id": 1, "name": "A", "items": {"x": {"id": 2, "name": "B", "items": "none"}}}"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.lines("SELECT name FROM pragma_table_info('Item')") == ["objectID", "id", "name"])
    }

    @Test func tablesHaveTypesToo() throws {
        let scene = try LanguageScene(
            #"{ "Row": { "records": "$", "identifier": "id", "attributes": "*" } }"#, source: #"{ "file": "feed.csv" }"#
        )
        try scene.write("feed.csv", "id,zip,height,flag,note\n1,01234,2.5,true,\n2,99999,3,false,x\n")
        let outcome = try scene.run()
        try #require(outcome.status == 0, "\(outcome.errors)")
        let types = try scene.lines("SELECT name || ':' || type FROM pragma_table_info('Row')").joined(separator: " ")
        #expect(types == "objectID:INTEGER id:INTEGER zip:TEXT height:REAL flag:INTEGER note:TEXT")
    }

    /// Whole numbers of a table are what they are, however long: real numbers would make one of several.
    @Test func longNumbersOfTables() throws {
        let scene = try LanguageScene(
            #"{ "Row": { "records": "$", "identifier": "id", "attributes": "*" } }"#, source: #"{ "file": "feed.csv" }"#
        )
        try scene.write(
            "feed.csv",
            "id,snow,part\n18446744073709551614,1234567890123456789,0.5\n18446744073709551615,-9223372036854775808,99999999999999999999\n"
        )
        let outcome = try scene.run()
        try #require(outcome.status == 0, "\(outcome.errors)")
        let types = try scene.lines("SELECT name || ':' || type FROM pragma_table_info('Row')").joined(separator: " ")
        #expect(types == "objectID:INTEGER id:TEXT snow:INTEGER part:TEXT")
        #expect(
            try scene.lines("SELECT id, snow FROM Row ORDER BY id") == [
                "18446744073709551614 1234567890123456789", "18446744073709551615 -9223372036854775808",
            ])
    }

    /// The columns of what identifies an object are no members, be they called so in the feed or stored by a run
    /// before.
    @Test func identifyingRelationshipsAreNoMembers() throws {
        let scene = try LanguageScene(
            """
            { "Stop": { "records": "$.stops[*]", "identifier": "id", "attributes": "*" },
              "Call": { "records": "$.calls[*]", "identifier": ["stop", "nr"], "attributes": "*",
                "relationships": { "stop": { "to": "Stop", "from": "stop_id" } } } }
            """)
        let feed = #"{"stops": [{"id": 1, "name": "A"}], "calls": [{"stop_id": 1, "nr": 2, "note": "x"}]}"#
        for run in 0..<2 {
            let outcome = try scene.run(feed)
            #expect(outcome.status == 0, "run \(run): \(outcome.errors)")
        }
        #expect(
            try scene.lines("SELECT name FROM pragma_table_info('Call')") == [
                "objectID", "nr", "note", "stop_id", "stop",
            ])
    }

    /// Names that look alike are not the same.
    @Test func entitiesThatLookAlikeHaveTheirOwnMembers() throws {
        let scene = try LanguageScene(
            """
            { "\u{e9}": { "records": "$.a[*]", "identifier": "id", "attributes": "*" },
              "e\u{301}": { "records": "$.b[*]", "identifier": "id", "attributes": "*" } }
            """)
        let feed = #"{"a": [{"id": 1, "n": true}], "b": [{"id": "x", "n": "text", "m": 1}]}"#
        for run in 0..<2 {
            let outcome = try scene.run(feed)
            #expect(outcome.status == 0, "run \(run): \(outcome.errors)")
        }
    }

    /// What conditions look for at any level is a member all the same.
    @Test(arguments: ["kind", "..kind", "@.*", "in.*"]) func conditionsHideNoMembers(path: String) throws {
        let scene = try LanguageScene(
            """
            { "Stop": { "records": "$[*]", "where": { "any": [{ "\(path)": "stop" }, { "id": { "present": true } }] },
              "identifier": "id", "attributes": "*" } }
            """)
        let outcome = try scene.run(#"[{"id": 1, "kind": "stop", "n": 5, "in": {"kind": "x"}}]"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            Set(try scene.lines("SELECT name FROM pragma_table_info('Stop')")) == ["objectID", "id", "kind", "n"])
    }

    /// A feed may call its members what no column can be called: they are told, and the others have their columns.
    @Test func namesThatNoColumnCanHaveAreTold() throws {
        let scene = try LanguageScene(
            """
            { "A": { "records": "$[*]", "identifier": "id", "attributes": "*", "drift": "add",
                "relationships": { "of": { "to": ["A", "B"], "entity": "kind" } } },
              "B": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } }
            """, #""limits": { "rejects": null }"#)
        func columns() throws -> Set<String> { Set(try scene.lines("SELECT name FROM pragma_table_info('A')")) }
        func told(_ outcome: Sluice.Outcome) -> Set<String> {
            let examples = outcome.report["examples"] as? [[String: Any]] ?? []
            return Set(examples.compactMap { $0["entity"] as? String == "A" ? $0["field"] as? String : nil })
        }
        let first = try scene.run(
            #"[{"ID": 7, "id": 1, "name": "a", "objectid": 1, "": 2, "sqlite_x": 3, "OF_entity": 4, "a\u0000": 5}]"#)
        #expect(first.status == 0, "\(first.errors)")
        #expect(try columns() == ["objectID", "id", "name", "of", "of_entity"])
        #expect(told(first).isSuperset(of: ["ID", "objectid", "['']", "sqlite_x", "OF_entity"]), "\(told(first))")
        // A later night.
        let later = try scene.run(#"[{"id": 1, "name": "a"}, {"id": 2, "Name": "b", "new": 1}]"#)
        #expect(later.status == 0, "\(later.errors)")
        #expect(told(later).contains("Name"), "\(told(later))")
        #expect(try columns() == ["objectID", "id", "name", "of", "of_entity", "new"])
        #expect(try scene.check().status == 0)
    }

    /// A name of any length that a name can sensibly have.
    @Test(arguments: [128, 129, 255, 1024]) func longNamesHaveColumns(length: Int) throws {
        let scene = try LanguageScene(#"{ "A": { "records": "$[*]", "identifier": "id", "attributes": "*" } }"#)
        let name = String(repeating: "x", count: length)
        #expect(try scene.run(#"[{"id": 1, "\#(name)": 5}]"#).status == 0)
        #expect(try scene.lines("SELECT \(name) FROM A") == ["5"])
    }

    @Test func theFeedMustBeThere() throws {
        let scene = try scene()
        let checked = try scene.check()
        #expect(checked.status == 78)
        #expect(checked.errors.contains("p.jsonc:4:21: the attributes of \"Stop\" are those of its first feed"))
        try scene.write("other.json", AllMembersTests.feed)
        #expect(try scene.run(nil, "--feed", scene.file("other.json")).status == 0)
        #expect(try scene.check().status == 0)
        let piped = try LanguageScene(
            #"{ "Row": { "records": "$", "identifier": "id", "attributes": "*" } }"#, source: #"{ "file": "-" }"#)
        #expect(try piped.check().errors.contains("- cannot be read twice, as it must be the first time"))
    }
}
