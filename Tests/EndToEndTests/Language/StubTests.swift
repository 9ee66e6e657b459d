import Foundation
import Testing

/// Objects that are known only because something refers to them.
@Suite struct StubTests {
    private static let entities = """
        { "Tag": { "identifier": "name", "attributes": { "name": "text" }, "orphans": "delete" },
          "Post": {
            "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" }, "absent": "delete",
            "relationships": { "tags": { "to": "Tag", "from": "tags[*]", "many": true, "missing": "stub" } } } }
        """

    /// An entity without records is made of stubs alone; what nothing refers to any more goes.
    @Test func anEntityOfStubs() throws {
        let scene = try LanguageScene(Self.entities, #""limits": { "deletes": null }"#)
        let first = try scene.run(
            #"{"posts": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": ["b", "c"]}, {"id": 3, "tags": ["d"]}]}"#)
        #expect(first.status == 0, "\(first.errors)")
        #expect((first.count("Tag", "stubs"), first.count("Tag", "records")) == (4, 0))
        let next = try scene.run(#"{"posts": [{"id": 1, "tags": ["a"]}, {"id": 2, "tags": ["c", "e"]}]}"#)
        #expect((next.count("Tag", "stubs"), next.count("Tag", "deleted")) == (1, 2))
        #expect(try scene.lines("SELECT name FROM Tag ORDER BY 1") == ["a", "c", "e"])
        #expect(try scene.lines("SELECT count(*) FROM sluice_stub") == ["3"])
        try scene.run(#"{"posts": [{"id": 1, "tags": ["b"]}]}"#)
        #expect(try scene.lines("SELECT name FROM Tag") == ["b"])
    }

    /// What a record has completed stays, and what another pipeline refers to.
    @Test func whatIsNoOrphan() throws {
        let scene = try LanguageScene(
            """
            { "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "integer", "name": "text" },
                          "orphans": "delete" },
              "Post": { "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" },
                        "relationships": { "by": { "to": "Person", "missing": "stub" } } } }
            """, #""limits": { "deletes": null, "records": null }"#)
        try scene.run(#"{"posts": [{"id": 1, "by": 1}, {"id": 2, "by": 2}, {"id": 3, "by": 3}]}"#)
        let other = try scene.other(
            #"{ "Star": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": { "who": { "to": "Person" } } }, "Person": { "records": "$.none[*]", "identifier": "id", "attributes": { "id": "integer" } } }"#,
            #"[{"id": 1, "who": 2}]"#)
        #expect(other.status == 0, "\(other.errors)\(other.output)")
        let outcome = try scene.run(
            #"{"posts": [{"id": 1, "by": null}, {"id": 2, "by": null}, {"id": 3, "by": null}], "people": [{"id": 1, "name": "x"}]}"#
        )
        #expect(outcome.count("Person", "deleted") == 1)
        #expect(try scene.lines("SELECT id FROM Person ORDER BY 1") == ["1", "2"])
        #expect(try scene.lines("SELECT count(*) FROM Star WHERE who IS NOT NULL") == ["1"])
    }

    /// A stub whose own record the feed has, and that was rejected, is in the feed: it stays, like any other object.
    @Test func aRejectedRecordKeepsItsStub() throws {
        let scene = try LanguageScene(
            """
            { "Person": { "records": "$.people[*]", "identifier": "id",
                          "attributes": { "id": "integer", "born": "date" }, "orphans": "delete" },
              "Post": { "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" },
                        "relationships": { "by": { "to": "Person", "missing": "stub" } } } }
            """, #""limits": { "deletes": null, "records": null, "rejects": null }"#)
        try scene.run(#"{"posts": [{"id": 1, "by": 1}, {"id": 2, "by": 2}]}"#)
        let outcome = try scene.run(
            #"{"posts": [{"id": 1, "by": null}, {"id": 2, "by": null}], "people": [{"id": 1, "born": "soon"}]}"#)
        #expect((outcome.count("Person", "rejected"), outcome.count("Person", "deleted")) == (1, 1))
        #expect(try scene.lines("SELECT id FROM Person") == ["1"])
        try scene.run(#"{"posts": [], "people": []}"#)
        #expect(try scene.lines("SELECT count(*) FROM Person") == ["0"])
    }

    /// A reject without an identifier that can be read may be of any object: none is absent, nor is a stub an orphan.
    @Test(arguments: ["delete", "mark"]) func aRejectThatNamesNoObjectHidesWhatIsAbsent(absent: String) throws {
        let scene = try LanguageScene(
            """
            { "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "integer" },
                          "absent": "\(absent)", "orphans": "delete" },
              "Post": { "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" },
                        "absent": "\(absent)", "relationships": { "by": { "to": "Person", "missing": "stub" } } } }
            """, #""limits": { "deletes": null, "records": null, "rejects": null }"#)
        try scene.run(#"{"posts": [{"id": 1, "by": 3}, {"id": 2}], "people": [{"id": 1}, {"id": 2}]}"#)
        let hidden = try scene.run(#"{"posts": [{"id": 1, "by": null}], "people": [{"id": "x"}, {"id": 2}]}"#)
        #expect((hidden.count("Person", "deleted"), hidden.count("Person", "keptAbsent")) == (0, 1))
        #expect((hidden.count("Post", "deleted"), hidden.count("Post", "keptAbsent")) == (1, 0))
        let next = try scene.run(#"{"posts": [{"id": 1}], "people": [{"id": 2}]}"#)
        #expect((next.count("Person", "deleted"), next.count("Person", "keptAbsent")) == (2, 0))
        // What is marked is not absent anew.
        let again = try scene.run(#"{"posts": [{"id": 1}], "people": [{"id": null}, {"id": 2}]}"#)
        #expect((again.count("Person", "deleted"), again.count("Person", "keptAbsent")) == (0, 0))
    }

    // MARK: What references say of stubs

    private static let described = """
        { "Tag": { "identifier": "name", "attributes": { "name": "text", "label": "text", "size": "integer" } },
          "Person": { "records": "$.people[*]", "identifier": "id",
            "attributes": { "id": "integer", "name": "text", "url": "text" } },
          "Post": { "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" },
            "relationships": {
              "by": { "to": "Person", "from": "by.id", "missing": "stub",
                "stub": { "name": "by.name", "url": { "from": "by.url", "trim": true } } },
              "tags": { "to": "Tag", "from": "tags[*].name", "many": true, "missing": "stub",
                "stub": { "label": "label", "size": { "from": ["^^.size", "size"], "default": 0 } } } } },
          "Note": { "records": "$.notes[*]", "identifier": "id", "attributes": { "id": "integer" },
            "relationships": { "by": { "to": "Person", "missing": "stub", "from": "who",
              "stub": { "name": "name" } } } } }
        """
    private static let people = "SELECT id, name, url FROM Person ORDER BY id"
    private static let tags = "SELECT name, label, size FROM Tag ORDER BY name"

    /// The first reference in the feed that says anything counts, however the records are cut into batches.
    @Test(arguments: [1, 2, 1000]) func referencesSayMoreOfStubs(batchSize: Int) throws {
        let scene = try LanguageScene(
            Self.described, #""limits": { "records": null }, "batchSize": \#(batchSize)"#)
        let outcome = try scene.run(
            """
            {"notes": [{"id": 1, "who": 3, "name": "c"}, {"id": 2, "who": 1, "name": "z"}, {"id": 3, "who": 4}],
             "posts": [{"id": 1, "by": {"id": 1}, "tags": [{"name": "t"}, {"name": "u", "label": "U", "size": 2}]},
               {"id": 2, "by": {"id": 1, "name": "a", "url": " h "}, "tags": [{"label": "x"}, {"name": "t", "label": "T"}]},
               {"id": 3, "by": {"id": 2, "name": "no"}, "size": 9, "tags": [{"name": "t", "label": "V"}]}],
             "people": [{"id": 2, "name": "b"}]}
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect((outcome.count("Person", "stubs"), outcome.count("Tag", "stubs")) == (3, 2))
        #expect(try scene.lines(Self.people) == ["1 z ∅", "2 b ∅", "3 c ∅", "4 ∅ ∅"])
        #expect(try scene.lines(Self.tags) == ["t ∅ 0", "u U 2"])
    }

    /// What a program has changed of a stub stays, and the report says where references contradict it, or would let it
    /// go.
    @Test(arguments: ["keep", "replace"]) func editsOfStubs(edits: String) throws {
        let scene = try LanguageScene(
            """
            { "Person": { "records": "$.people[*]", "identifier": "id", "edits": "\(edits)", "orphans": "delete",
                "attributes": { "id": "integer", "name": "text" } },
              "Post": { "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "by": { "to": "Person", "from": "by.id", "missing": "stub",
                  "stub": { "name": "by.name" } } } } }
            """, #""limits": { "records": null, "deletes": null }"#)
        func post(_ by: String) -> String { #"{"posts": [{"id": 1, "by": \#(by)}]}"# }
        try scene.run(post(#"{"id": 1, "name": "a"}"#))
        // As `SluiceStore` notes it.
        _ = try scene.rows(
            """
            CREATE TABLE IF NOT EXISTS sluice_edit (entity TEXT NOT NULL, objectID INTEGER NOT NULL,
              attribute TEXT NOT NULL, base ANY, imported ANY, PRIMARY KEY (entity, objectID, attribute)
            ) STRICT, WITHOUT ROWID
            """)
        for change in [
            "INSERT INTO sluice_edit SELECT 'Person', objectID, 'name', name, name FROM Person",
            "UPDATE Person SET name = 'edited'",
        ] { _ = try scene.rows(change) }
        let other = try scene.run(post(#"{"id": 1, "name": "b"}"#))
        #expect(other.count("Person", "conflicts") == (edits == "keep" ? 1 : 0), "\(other.errors)")
        #expect(try scene.lines("SELECT name FROM Person") == [edits == "keep" ? "edited" : "b"])
        let left = try scene.run(post(#"{"id": null}"#))
        #expect(left.count("Person", "conflicts") == (edits == "keep" ? 1 : 0), "\(left.errors)")
        #expect(try scene.lines("SELECT name FROM Person") == (edits == "keep" ? ["edited"] : []))
    }

    /// A later run that names a stub otherwise changes it, until its record comes.
    @Test func aLaterRunSaysOtherwise() throws {
        let hook = #""after": { "succeeded": { "run": ["sh", "-c", "echo {entity} >> told"], "per": "entity" } }"#
        let scene = try LanguageScene(Self.described, #""limits": { "records": null }, "changes": 9, \#(hook)"#)
        /// The entities of which the run may have changed an object.
        func told() throws -> [String] {
            defer { try? FileManager.default.removeItem(atPath: scene.file("told")) }
            let text = (try? String(contentsOfFile: scene.file("told"), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }
        func post(_ by: String) -> String { #"{"posts": [{"id": 1, "by": \#(by)}]}"# }
        func changed() throws -> [String] {
            try scene.lines(
                "SELECT kind FROM sluice_changed WHERE entity = 'Person' AND run = (SELECT max(run) FROM sluice_run)")
        }
        try scene.run(post(#"{"id": 1, "name": "a", "url": "u"}"#))
        #expect(try told() == ["Person", "Post"])
        let other = try scene.run(post(#"{"id": 1, "name": "b"}"#))
        #expect(try scene.lines(Self.people) == ["1 b u"])
        #expect(try changed() == ["updated"])
        #expect(try told() == ["Person"])
        #expect(other.count("Person", "changedStubs") == 1 && other.count("Person", "updated") == 0)
        let same = try scene.run(post(#"{"id": 1, "name": "b", "url": null}"#))
        #expect(try told() == [] && same.count("Person", "changedStubs") == 0)
        #expect(try scene.lines(Self.people) == ["1 b u"])
        #expect(try changed() == [])
        try scene.run(#"{"people": [{"id": 1, "name": "real"}], "posts": [{"id": 1, "by": {"id": 1, "name": "x"}}]}"#)
        #expect(try scene.lines(Self.people) == ["1 real u"])
        try scene.run(post(#"{"id": 1, "name": "y"}"#))
        #expect(try scene.lines(Self.people) == ["1 real u"])
    }

    /// Many copies and records in another order: the first place in the feed counts.
    @Test func theOrderOfLoadingDoesNotMatter() throws {
        let scene = try LanguageScene(
            """
            { "Author": { "identifier": "id", "attributes": { "id": "integer", "name": "text" } },
              "Book": { "records": "$.books[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": {
                "next": { "to": "Book", "missing": "reject" },
                "by": { "to": "Author", "from": "by", "missing": "stub", "stub": { "name": "name" } } } },
              "Page": { "records": "$.pages[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": {
                "by": { "to": "Author", "missing": "stub", "stub": { "name": "name" } } } } }
            """, #""limits": { "records": null, "rejects": null }"#)
        let books = (0..<40).map { #"{"id": \#($0), "next": \#(($0 * 7) % 40), "by": \#($0 % 5), "name": "b\#($0)"}"# }
        let pages = (0..<40).map { #"{"id": \#($0 % 20), "by": \#($0 % 7), "name": "p\#($0)"}"# }
        let feed =
            #"{"books": [{"id": 99, "next": 98, "by": 0, "name": "rejected"}, \#(books.joined(separator: ", "))], "pages": [\#(pages.joined(separator: ", "))]}"#
        let expected = ["0 b0", "1 b1", "2 b2", "3 b3", "4 b4", "5 p5", "6 p6"]
        for size in ["1", "3", "1000"] {
            try scene.run(feed, "--batch-size", size)
            #expect(try scene.lines("SELECT id, name FROM Author ORDER BY id") == expected)
        }
        let other = #"{"pages": [\#(pages.reversed().joined(separator: ", "))], "books": []}"#
        try scene.run(other)
        #expect(
            try scene.lines("SELECT id, name FROM Author ORDER BY id") == [
                "0 p35", "1 p36", "2 p37", "3 p38", "4 p39", "5 p33", "6 p34",
            ])
    }

    @Test(arguments: [
        (#""stub": { "name": "name" }"#, #""stub" needs "missing": "stub""#),
        (#""missing": "stub", "stub": { "nam": "name" }"#, #"there is no attribute of "Person" "nam""#),
        (#""missing": "stub", "stub": { "id": "name" }"#, "the reference itself says what identifies its target"),
        (#""missing": "stub", "stub": {}"#, "it cannot be empty"),
        (#""missing": "stub", "many": true, "split": ",", "stub": { "name": "name" }"#, #"not with "split""#),
        (#""missing": "stub", "many": true, "from": "a[*].id", "stub": { "name": "b[*]" }"#, "a link has one of each"),
    ]) func whatIsNotSaidOfStubs(keys: String, message: String) throws {
        let scene = try LanguageScene(
            """
            { "Person": { "identifier": "id", "attributes": { "id": "integer", "name": "text" } },
              "Post": { "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "x": { "to": "Person", "missing": "stub" }, "by": { "to": "Person", \(keys) } } } }
            """)
        let outcome = try scene.check()
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
