import Foundation
import Testing

/// To-many relationships whose links have values of their own, or are lists.
@Suite struct LinkTests {
    private static let entities = """
        { "Work": { "records": "$.works[*]", "identifier": "id", "attributes": { "id": "integer" },
            "relationships": { "people": { "to": "Person", "many": true, "from": "people[*].person.id", "with": {
                "role": "role", "order": { "type": "integer", "from": "n", "min": 1 },
                "share": { "type": "real" }, "place": { "type": "integer", "from": "~" },
                "title": { "type": "text", "from": "^^.title" }, "feed": { "type": "text", "from": "$.name" },
                "kind": { "type": "text", "value": "x" }, "whole": { "type": "json", "from": "more" } } } } },
          "Person": { "records": "$.persons[*]", "identifier": "id", "attributes": { "id": "text" } } }
        """
    private static let select = """
        SELECT w.id || p.id, l.role, l."order", share, place, l.title, feed, kind, whole, l.position
        FROM Work_people l JOIN Work w ON w.objectID = l.source JOIN Person p ON p.objectID = l.target ORDER BY 1, 10
        """

    private func feed(_ works: String, persons: String = #"{"id": "a"}, {"id": "b"}"#) -> String {
        #"{"name": "f", "works": [\#(works)], "persons": [\#(persons)]}"#
    }

    @Test func linksHaveValuesOfTheirOwn() throws {
        let scene = try LanguageScene(LinkTests.entities)
        let outcome = try scene.run(
            feed(
                """
                {"id": 1, "title": "T", "people": [
                    {"person": {"id": "a"}, "role": "author", "n": "1", "share": 0.1, "more": {"z": 1, "y": [2]}},
                    {"role": "of nobody"}, {"n": 2, "person": {"id": "b"}, "role": null},
                    {"person": {"id": "a"}, "role": "editor"}]},
                {"id": 2, "people": []}
                """))
        #expect(outcome.status == 0)
        #expect(
            try scene.lines(LinkTests.select) == [
                #"1a author 1 0.1 0 T f x {"y":[2],"z":1} 0"#, "1b ∅ 2 ∅ 2 T f x ∅ 1",
            ])
    }

    /// What a link has is part of its object: another value updates it, and the same one does not.
    @Test func aChangedValueUpdatesTheObject() throws {
        let scene = try LanguageScene(LinkTests.entities)
        func people(_ roles: [String]) -> String {
            let links = zip(["a", "b"], roles).map { #"{"person": {"id": "\#($0)"}, "role": "\#($1)", "share": 0}"# }
            return feed(#"{"id": 1, "people": [\#(links.joined(separator: ", "))]}, {"id": 2, "people": []}"#)
        }
        let roles = "SELECT role FROM Work_people ORDER BY position"
        try scene.run(people(["x", "y"]))
        var outcome = try scene.run(people(["x", "y"]))
        #expect(outcome.count("Work", "unchanged") == 2)
        outcome = try scene.run(people(["x", "z"]))
        #expect(outcome.count("Work", "updated") == 1 && outcome.count("Work", "unchanged") == 1)
        #expect(try scene.lines(roles) == ["x", "z"])
        outcome = try scene.run(people(["w"]))
        #expect(outcome.count("Work", "updated") == 1)
        #expect(try scene.lines(roles) == ["w"])
        outcome = try scene.run(people(["w", "z"]))
        #expect(outcome.count("Work", "updated") == 1)
        #expect(try scene.lines(roles) == ["w", "z"])
    }

    /// A link that waits for its target keeps what it has, when the target comes and when it goes.
    @Test(arguments: [false, true]) func whatWaitsKeepsItsValues(isSet: Bool) throws {
        let scene = try LanguageScene(
            """
            { "Work": { "records": "$.works[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "people": { "to": "Person", "many": true, "from": "people[*].id", "set": \(isSet),
                  "with": { "role": "role", "r\\"n": { "type": "real", "from": "n" }, "raw": { "type": "bytes" } } } } },
              "Person": { "records": "$.persons[*]", "identifier": "id", "absent": "delete",
                "attributes": { "id": "text" } } }
            """, #""limits": { "records": null, "deletes": null }"#)
        let work = """
            {"id": 1, "people": [{"id": "a", "role": "q \\"u\\\\ \\u0000ü\\n😀", "n": 0.1, "raw": "AP8="}, {"id": "c"}, {"id": "b", "n": 1e300}]}
            """
        let select = """
            SELECT id, hex(role), "r""n", hex(raw), position FROM Work_people JOIN Person ON objectID = target
            ORDER BY position
            """
        try scene.run(#"{"works": [\#(work)], "persons": [{"id": "c"}]}"#)
        #expect(try scene.lines(select) == ["c  ∅  1"])
        let text = #"SELECT "with" FROM sluice_unresolved ORDER BY position"#
        #expect(try scene.lines(text)[0].contains(#""r\"n": 0.1, "raw": "00ff" }"#))
        // Without a record of the work, since its source says nothing of it now.
        var outcome = try scene.run(#"{"works": [], "persons": [{"id": "a"}, {"id": "b"}]}"#)
        let both = [
            "a 7120227520 00C3BC0AF09F9880 0.1 00FF 0".replacing("7520 00", with: "755C2000"), "b  1.0e+300  2",
        ]
        #expect(outcome.status == 0)
        #expect(try scene.lines(select) == both)
        outcome = try scene.run(#"{"works": [], "persons": [{"id": "b"}]}"#)
        #expect(try scene.lines(select) == [both[1]])
        try scene.run(#"{"works": [], "persons": [{"id": "a"}, {"id": "b"}]}"#)
        #expect(try scene.lines(select) == both)
        outcome = try scene.run(#"{"works": [\#(work)], "persons": [{"id": "a"}, {"id": "b"}]}"#)
        #expect(outcome.count("Work", "unchanged") == 1)
        // A value that changes while the link waits counts from then on.
        let changed = work.replacing("0.1", with: "0.25")
        try scene.run(#"{"works": [\#(work)], "persons": [{"id": "b"}]}"#)
        try scene.run(#"{"works": [\#(changed)], "persons": [{"id": "b"}]}"#)
        try scene.run(#"{"works": [], "persons": [{"id": "a"}, {"id": "b"}]}"#)
        #expect(try scene.lines(select)[0].contains(" 0.25 "))
    }

    /// A list repeats its targets, each at its own place.
    @Test func listsMayRepeatTheirTargets() throws {
        let scene = try LanguageScene(
            """
            { "Trip": { "records": "$.trips[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "stops": { "to": "Stop", "many": true, "from": "stops[*].id", "set": false,
                  "with": { "at": "at" } },
                  "plain": { "to": "Stop", "many": true, "from": "stops[*].id", "set": false },
                  "any": { "to": ["Stop", "Trip"], "many": true, "from": "stops[*].id", "set": false } } },
              "Stop": { "records": "$.stops[*]", "identifier": "id", "attributes": { "id": "text" } } }
            """, #""limits": { "records": null }"#)
        let stops = #""stops": [{"id": "a"}, {"id": "b"}]"#
        func trip(_ ids: String) -> String {
            let calls = ids.enumerated().map { #"{"id": "\#($1)", "at": "\#($0)"}"# }.joined(separator: ", ")
            return #"{"trips": [{"id": 1, "stops": [\#(calls)]}], \#(stops)}"#
        }
        func path(_ table: String) throws -> String {
            try scene.lines("SELECT id FROM Trip_\(table) JOIN Stop ON objectID = target ORDER BY position").joined()
        }
        for ids in ["abab", "aabb", "bb", "b", "babab"] {
            let outcome = try scene.run(trip(ids))
            #expect(outcome.count("Trip", ids == "abab" ? "created" : "updated") == 1)
            for table in ["stops", "plain", "any"] { #expect(try path(table) == ids) }
            #expect(
                try scene.lines("SELECT at FROM Trip_stops ORDER BY position").joined()
                    == "\("01234".prefix(ids.count))")
            #expect(try scene.run(trip(ids)).count("Trip", "unchanged") == 1)
        }
        // What is missing waits at each of its places.
        try scene.run(trip("cacb"))
        #expect(try path("plain") == "ab")
        try scene.run(#"{"trips": [], "stops": [{"id": "c"}]}"#)
        for table in ["stops", "plain", "any"] { #expect(try path(table) == "cacb") }
    }

    @Test func aValueThatDoesNotFitIsAReject() throws {
        let scene = try LanguageScene(
            """
            { "Work": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": {
                "next": { "to": "Work", "many": true, "from": "next[*].id",
                  "with": { "n": { "type": "integer", "max": 5 }, "role": { "type": "text", "required": true } } } } } }
            """, #""limits": { "rejects": null }"#)
        let outcome = try scene.run(
            """
            [{"id": 1, "next": [{"id": 2, "n": 6, "role": ""}]}, {"id": 2, "next": [{"id": 1}]},
             {"id": 3, "next": [{"id": 3, "role": "r"}]}]
            """)
        #expect(outcome.count("Work", "rejected") == 2)
        #expect(outcome.output.contains("\"next.n\"") && outcome.output.contains("\"next.role\""))
    }

    @Test(arguments: [
        (#""from": "a", "with": { "r": "r" }"#, #""with" needs "many": true"#),
        (#""from": "a", "set": false"#, #""set" needs "many": true"#),
        (#""many": true, "from": "a", "split": ",", "with": { "r": "r" }"#, #"not with "split""#),
        (#""many": true, "from": "a", "oneOrMany": true, "with": { "r": "r" }"#, #"not with "oneOrMany""#),
        (#""many": true, "from": "a[*].id", "with": { "r": "b[*]" }"#, "a link has one of each"),
        (#""many": true, "from": "a[*].id", "with": { "Target": "b" }"#, "needs for itself"),
        (#""many": true, "from": "a[*].id", "with": { "r": "b", "R": "c" }"#, "is taken by"),
        (#""many": true, "from": "a[*].id", "with": { "r": "date" }"#, #""date" is a type: say { "type": "date" }"#),
        (#""many": true, "from": "a[*].id", "with": { "r": { "type": "text", "index": true } }"#, "unknown key"),
        (#""many": true, "from": "a[*].id", "with": {}"#, "cannot be empty"),
        (#""many": true, "from": ["a[*].id", "b[*].id"], "with": { "r": "r" }"#, "have none in common"),
        (#""many": true, "from": "a[*].id", "with": "-""#, #""with" is what "join" puts between values"#),
    ]) func whatLinksCannotHaveIsRefused(keys: String, message: String) throws {
        let scene = try LanguageScene(
            """
            { "Work": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "next": { "to": "Work", \(keys) } } } }
            """)
        let outcome = try scene.check()
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    // MARK: Stores of before

    private let folder = TemporaryFolder()

    private func run(_ keys: String, command: String = "run", of pipeline: String = "p") throws -> Sluice.Outcome {
        _ = try folder.write(
            "feed.json", #"[{"id": 1, "next": [{"id": 1, "r": "x", "n": 5}, {"id": 2, "r": "y"}]}, {"id": 2}]"#)
        let definition = try folder.write(
            "\(pipeline).jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "views": true, "entities": {
                "Work": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": {
                  "next": { "to": "Work", "many": true, "from": "next[*].id"\(keys.isEmpty ? "" : ", " + keys) } } } } }
            """)
        return try Sluice.run([command, definition, "--format", "json"] + (command == "run" ? ["--force"] : []))
    }

    private func rows(_ sql: String) throws -> [String] {
        try Database(folder.file("s.sqlite")).rows(sql).map { $0.joined(separator: " ") }
    }

    @Test func aStoreGetsTheColumnsThatItLacks() throws {
        #expect(try run("").status == 0)
        let check = try Sluice.run(["check", folder.file("p.jsonc")])
        #expect(check.status == 0)
        let plan = try run(#""with": { "r": "r" }"#, command: "check")
        #expect((plan.output + plan.errors).contains("the column Work_next.r is added"), "\(plan.output)\(plan.errors)")
        var outcome = try run(#""with": { "r": "r" }"#)
        #expect(outcome.count("Work", "updated") == 1)
        #expect(try rows("SELECT r FROM Work_next ORDER BY position") == ["x", "y"])
        outcome = try run(#""with": { "n": { "type": "integer" } }"#)
        #expect(outcome.count("Work", "updated") == 1)
        #expect(try rows("SELECT r, n FROM Work_next ORDER BY position") == ["x 5", "y ∅"])
        outcome = try run("")
        #expect(outcome.count("Work", "unchanged") == 2)
        #expect(try rows("SELECT r, n FROM Work_next ORDER BY position") == ["x 5", "y ∅"])
        #expect(try rows(#"SELECT "next" FROM Work_view ORDER BY id"#) == ["[1,2]", "[]"])
    }

    @Test func aStoreOfAnotherKindIsRefused() throws {
        #expect(try run(#""with": { "r": "r", "n": { "type": "integer" } }"#).status == 0)
        let before = try rows("SELECT * FROM Work_next")
        for (keys, message) in [
            (#""set": false"#, "the links of the relationship Work.next are sets in the store"),
            (#""with": { "r": { "type": "integer" } }"#, "have r as text in the store"),
            (#""with": { "R": "r" }"#, "makes it R, text"),
        ] {
            for (command, pipeline) in [("run", "p"), ("check", "p"), ("run", "other")] {
                let outcome = try run(keys, command: command, of: pipeline)
                #expect(outcome.status == 78 && outcome.errors.contains(message), "\(outcome.errors)")
            }
        }
        #expect(try rows("SELECT * FROM Work_next") == before)
        // Without a word of the store on it, the table itself tells.
        _ = try Database(folder.file("s.sqlite")).rows("DELETE FROM sluice_model")
        let outcome = try run(#""set": false, "with": { "r": "r", "n": { "type": "integer" } }"#)
        #expect(outcome.status == 78 && outcome.errors.contains("holds sets of links"), "\(outcome.errors)")
        let other = try run(#""with": { "r": { "type": "integer" }, "n": { "type": "integer" } }"#)
        #expect(other.status == 78 && other.errors.contains("has the column r as TEXT"), "\(other.errors)")
    }

    @Test func whatLinksHaveIsShown() throws {
        let preview = try run(#""with": { "r": "r" }"#, command: "preview")
        #expect(preview.output.contains(#""with": { "r": "x" }"#), "\(preview.output)\(preview.errors)")
        #expect(try run(#""set": false, "with": { "r": "r" }"#).status == 0)
        #expect(try rows(#"SELECT "next" FROM Work_view ORDER BY id"#) == ["[1,2]", "[]"])
    }

    /// A list without its `[*]` rejects every record, and says so first, whatever else one record has.
    @Test func aListWithoutItsElementsIsTold() throws {
        let scene = try LanguageScene(
            """
            { "Tag": { "records": "$.tags[*]", "identifier": "id", "attributes": { "id": "integer", "size": "integer" } },
              "Post": { "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "tags": { "to": "Tag", "many": true } } } }
            """)
        let posts = (0..<9).map { #"{"id": \#($0), "tags": [1]}"# }.joined(separator: ", ")
        let feed =
            #"{"tags": [{"id": 1}, {"id": 2, "size": "large"}, {"id": 3, "size": "small"}], "posts": [\#(posts)]}"#
        try scene.write("feed.json", feed)
        let outcome = try Sluice.run(["run", scene.file("p.jsonc")])
        #expect(outcome.status == 65)
        let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let rejects = words.components(separatedBy: "rejected records: ").last ?? ""
        let reason = #"with "many": true, a path that ends in [*] takes its elements"#
        #expect(rejects.contains(reason), "\(outcome.output)")
        let places = ["Post 0", "Tag 2", "Post 1"].map { rejects.range(of: $0)?.lowerBound ?? rejects.endIndex }
        #expect(places == places.sorted() && places[1] < rejects.endIndex, "\(outcome.output)")
    }
}
