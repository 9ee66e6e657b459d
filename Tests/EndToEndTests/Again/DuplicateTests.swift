import Foundation
import Testing

/// Records with one identifier: the same feed says the same of them every night, and changes nothing the second time.
@Suite struct DuplicateTests {
    private static func definition(_ entity: String) -> String {
        """
        {
          "source": { "file": "feed.json" },
          "store": { "sqlite": "store.sqlite" },
          "limits": { "deletes": null, "records": 0 },
          "after": { "succeeded": { "run": ["sh", "-c", "echo $SLUICE_ENTITY >> told"], "per": "entity" } },
          "entities": {
            "Item": {
              "records": "$[*]", "identifier": "id",
              "attributes": { "id": "integer", "n": "text", "m": "text" },
              "relationships": { "parent": { "to": "Item" }, "tags": { "to": "Item", "many": true, "from": "tags[*]" } }\(entity)
            }
          }
        }
        """
    }

    private struct Night: Equatable {
        var created = 0
        var updated = 0
        var unchanged = 0
        var deleted = 0
        var identical = 0
        var conflicting = 0
        /// Whether commands for entities that changed were started.
        var hasChanged = false
    }

    /// A person looks for the first copy by its line, as for the later one; findings that are written have its byte.
    @Test(arguments: ["feed.json", "feed.json.gz"]) func theFirstCopyHasItsLine(name: String) throws {
        let folder = TemporaryFolder()
        let text = DuplicateTests.definition("").replacing("\"feed.json\"", with: "\"\(name)\"")
        let definition = try folder.write("items.jsonc", text)
        let feed = try folder.write(
            "feed.json", "[\n  { \"id\": 1, \"n\": \"a\" },\n  { \"id\": 2 },\n  { \"id\": 1, \"n\": \"b\" } ]")
        if name.hasSuffix(".gz") { _ = try Shell.output(["gzip", feed]) }
        let outcome = try Sluice.run(["run", definition, "--findings", folder.file("findings")])
        let output = outcome.output.replacing(/\n +/, with: " ")
        #expect(
            output.contains(/feed\.json\S*:4:3: Item 1 stands in the feed again \(first at 2:3\)/),
            "\(output)")
        let findings = try String(contentsOfFile: folder.file("findings"), encoding: .utf8)
        #expect(
            findings.contains(#""first": { "source": "main", "record": 0, "offset": 4, "line": 2, "column": 3"#),
            "\(findings)")
    }

    private func nights(_ feeds: [String], _ entity: String = "") throws -> [Night] {
        let folder = TemporaryFolder()
        let definition = try folder.write("items.jsonc", DuplicateTests.definition(entity))
        return try feeds.map { feed in
            try folder.remove("told")
            _ = try folder.write("feed.json", feed)
            let outcome = try Sluice.run(["run", definition, "--force", "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let copies = outcome.counts("Item")["duplicates"] as? [String: Int] ?? [:]
            func count(_ key: String) -> Int { outcome.count("Item", key) ?? -1 }
            return Night(
                created: count("created"), updated: count("updated"), unchanged: count("unchanged"),
                deleted: count("deleted"), identical: copies["identical"] ?? -1,
                conflicting: copies["conflicting"] ?? -1, hasChanged: folder.names.contains("told"))
        }
    }

    /// Lists of as many references, which are looked for by an attribute, are compared value by value.
    @Test(arguments: ["last", "first"]) func listsOfSearchedReferences(duplicates: String) throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "entities": {
                "Item": { "records": "$.items[*]", "identifier": "id", "duplicates": "\(duplicates)",
                  "attributes": { "id": "integer" },
                  "relationships": { "tags": { "to": "Tag", "by": "code", "from": "tags[*]", "many": true } } },
                "Tag": { "records": "$.tags[*]", "identifier": "id", "attributes": { "id": "integer", "code": "text" } } } }
            """)
        func copies(_ first: String, _ second: String) throws -> [String: Int]? {
            _ = try folder.write(
                "feed.json",
                """
                { "tags": [{"id": 1, "code": "a"}, {"id": 2, "code": "b"}, {"id": 3, "code": "c"}],
                  "items": [{"id": 1, "tags": \(first)}, {"id": 1, "tags": \(second)}] }
                """)
            let outcome = try Sluice.run(["run", definition, "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.counts("Item")["duplicates"] as? [String: Int]
        }
        let (same, other) = (["identical": 1, "conflicting": 0], ["identical": 0, "conflicting": 1])
        #expect(try copies(#"["a", "b"]"#, #"["a", "b"]"#) == same)
        #expect(try copies(#"["a", "b"]"#, #"["a", "c"]"#) == other)
        #expect(try copies(#"["c", "b"]"#, #"["b", "c"]"#) == other)
    }

    @Test func theSameFeedChangesNothing() throws {
        let feed = #"[{"id":1,"n":"a"},{"id":1,"n":"b"}]"#
        #expect(
            try nights([feed, feed, feed]) == [
                Night(created: 1, conflicting: 1, hasChanged: true), Night(unchanged: 1, conflicting: 1),
                Night(unchanged: 1, conflicting: 1),
            ])
    }

    /// Also where the copies differ in what they refer to, and targets come and go between them.
    @Test func referencesThatReturn() throws {
        let feed = """
            [{"id":2},{"id":1,"parent":2,"tags":[2,9]},{"id":1,"parent":3,"tags":[3,2]},{"id":1,"parent":2,"tags":[2,9]},
             {"id":3}]
            """
        #expect(
            try nights([feed, feed]) == [
                Night(created: 3, conflicting: 2, hasChanged: true), Night(unchanged: 3, conflicting: 2),
            ])
    }

    /// A later copy that restores what the first one changed leaves the object as it was.
    @Test func aChangeThatIsTakenBack() throws {
        let before = #"[{"id":1,"n":"a"}]"#
        let feed = #"[{"id":1,"n":"b"},{"id":1,"n":"a"}]"#
        #expect(
            try nights([before, feed]) == [
                Night(created: 1, hasChanged: true), Night(unchanged: 1, conflicting: 1),
            ])
    }

    /// What only the store knows makes no copy conflict, or not conflict.
    @Test(arguments: ["[]", #"[{"id":1,"n":"x","m":"y","parent":1,"tags":[1]}]"#, #"[{"id":1,"m":"b"}]"#])
    func conflictsDependOnTheFeedAlone(before: String) throws {
        let feed = """
            [{"id":1,"n":"a"},{"id":1,"m":"b"},{"id":1,"m":"b","parent":null},{"id":1,"parent":1},{"id":1,"tags":[]},
             {"id":1,"n":"a","tags":[1]}]
            """
        let nights = try nights([before, feed, feed])
        #expect(nights[1].conflicting == 3 && nights[1].identical == 2)
        #expect(nights[2] == Night(unchanged: 1, identical: 2, conflicting: 3))
    }

    /// Links are compared with their positions, those whose targets are missing, too.
    @Test(arguments: [2, 99])
    func aLinkThatMoves(target: Int) throws {
        let feed = """
            [{"id":1},{"id":2},{"id":3,"tags":[1,1,\(target)]},{"id":3,"tags":[1,\(target)]},{"id":3,"tags":[1,\(target)]}]
            """
        let nights = try nights([feed, feed])
        #expect(nights[0] == Night(created: 3, identical: 1, conflicting: 1, hasChanged: true))
        #expect(nights[1] == Night(unchanged: 3, identical: 1, conflicting: 1))
    }

    /// Whether there was anything to delete makes no difference to what later copies are.
    @Test(arguments: ["last", "first"])
    func whatIsGoneBeforeItIsThere(duplicates: String) throws {
        let feed = #"[{"id":1,"n":"gone"},{"id":1,"n":"gone"},{"id":1,"n":"a"},{"id":1,"n":"a"}]"#
        let entity = ", \"deleteWhere\": { \"n\": \"gone\" }, \"duplicates\": \"\(duplicates)\""
        let nights = try nights([feed, feed, #"[{"id":1,"n":"a"}]"#, feed], entity)
        if duplicates == "last" {
            #expect(nights[0] == Night(created: 1, identical: 2, conflicting: 1, hasChanged: true))
            #expect(nights[1] == Night(unchanged: 1, identical: 2, conflicting: 1))
            #expect(nights[3] == nights[1])
        } else {
            #expect(nights[0] == Night(unchanged: 1, identical: 1, conflicting: 2))
            #expect(nights[1] == nights[0])
            #expect(nights[2] == Night(created: 1, hasChanged: true))
            #expect(nights[3] == Night(updated: 1, deleted: 1, identical: 1, conflicting: 2, hasChanged: true))
        }
    }

    /// What is made and deleted in one run was never there; what is marked stays as it was marked.
    @Test func recordsThatSayThatTheirObjectIsGone() throws {
        let feed = #"[{"id":1,"n":"a"},{"id":1,"n":"gone"},{"id":2,"n":"gone"}]"#
        let gone = ", \"deleteWhere\": { \"n\": \"gone\" }"
        #expect(
            try nights([feed, feed], gone) == [
                Night(unchanged: 2, conflicting: 1), Night(unchanged: 2, conflicting: 1),
            ])
        #expect(
            try nights([feed, feed], gone + ", \"absent\": \"mark\"") == [
                Night(created: 1, unchanged: 1, deleted: 1, conflicting: 1, hasChanged: true),
                Night(unchanged: 2, conflicting: 1),
            ])
    }
}
