import Foundation
import Testing

/// A feed says something else where a path looks for a list.
@Suite struct NoListTests {
    private func scene(_ relationships: String, _ attributes: String = "") throws -> LanguageScene {
        try LanguageScene(
            """
            { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer"\(attributes) },
                "relationships": { \(relationships) } } }
            """, #""limits": { "rejects": null }"#)
    }

    private let lists = #"[{"id": 1, "q": [1, 2], "p": [{"q": [2], "w": 5}]}, {"id": 2}]"#

    /// Its object keeps the links that it has.
    @Test(arguments: ["2", #""2""#, "true", "false", "1.5"])
    func isAReject(_ value: String) throws {
        let scene = try scene(#""q": { "to": "A", "many": true, "from": "q[*]" }"#)
        try scene.run(lists)
        let outcome = try scene.run("[{\"id\": 1, \"q\": \(value)}, {\"id\": 2}]")
        #expect(outcome.count("A", "rejected") == 1)
        let example = (outcome.report["examples"] as? [[String: Any]])?.first
        let fault = (example?["faults"] as? [[String: String]])?.first
        #expect(fault?["reason"]?.hasPrefix("a list expected, found ") == true, "\(example ?? [:])")
        #expect(try scene.lines("SELECT target FROM A_q ORDER BY position") == ["1", "2"])
    }

    /// What says that there is nothing takes the links away.
    @Test(arguments: ["null", "[]", "{}", #""""#])
    func nothingIsNoReject(_ value: String) throws {
        let scene = try scene(#""q": { "to": "A", "many": true, "from": "q[*]" }"#)
        try scene.run(lists)
        let outcome = try scene.run("[{\"id\": 1, \"q\": \(value)}, {\"id\": 2}]")
        #expect(outcome.count("A", "rejected") == 0)
        #expect(try scene.lines("SELECT count(*) FROM A_q") == ["0"])
    }

    /// In an element of another list, in links that have values of their own, in an attribute, and of several paths.
    @Test(arguments: [
        #""q": { "to": "A", "many": true, "from": "p[*].q[*]" }"#,
        #""q": { "to": "A", "many": true, "from": "p[*].q[*]", "with": { "w": { "type": "integer", "from": "^^w" } } }"#,
        #""q": { "to": "A", "many": true, "from": ["q[*]", "p[*].q[*]"] }"#,
        #""q": { "to": "A", "many": true, "from": "p[*].q[*]", "oneOrMany": false }"#,
    ])
    func isARejectWhereverItIs(_ relationship: String) throws {
        let scene = try scene(relationship)
        try scene.run(lists)
        let count = try scene.lines("SELECT count(*) FROM A_q")
        let outcome = try scene.run(#"[{"id": 1, "p": [{"q": [2], "w": 5}, {"q": 2, "w": 6}]}, {"id": 2}]"#)
        #expect(outcome.count("A", "rejected") == 1)
        #expect(try scene.lines("SELECT count(*) FROM A_q") == count)
    }

    @Test func listsThatAreAttributesToo() throws {
        let scene = try scene("", #", "n": { "type": "text", "many": true, "from": "q[*].n" }"#)
        try scene.run(#"[{"id": 1, "q": [{"n": "a"}]}]"#)
        let outcome = try scene.run(#"[{"id": 1, "q": "b"}]"#)
        #expect(outcome.count("A", "rejected") == 1)
        #expect(try scene.lines("SELECT n FROM A") == [#"["a"]"#])
    }

    /// `oneOrMany` takes what stands there by itself; a condition that looks in a list, and what chooses one element,
    /// find nothing.
    @Test func isNoRejectWhereItMayBe() throws {
        let scene = try LanguageScene(
            """
            { "A": { "records": "$[*]", "identifier": "id", "where": { "not": { "t[*]": "x" } },
                "attributes": { "id": "integer", "last": { "type": "text", "from": "t[-1]" } },
                "relationships": { "q": { "to": "A", "many": true, "from": "q", "oneOrMany": true },
                                   "r": { "to": "A", "many": true, "from": "*.*.id" } } } }
            """)
        let outcome = try scene.run(
            #"[{"id": 1, "q": 2, "t": "x"}, {"id": 2, "q": [1], "t": ["a"]}, {"id": 3, "t": ["x"]}]"#)
        #expect(outcome.count("A", "rejected") == 0)
        #expect(try scene.lines("SELECT id, last FROM A ORDER BY id") == ["1 ∅", "2 a"])
        #expect(try scene.lines("SELECT source, target FROM A_q ORDER BY 1") == ["1 2", "2 1"])
    }

    /// Of one object in place of a list, what the path leads to is the value, be it of a kind that no value has; where
    /// that is an object, and its siblings have the value, they are the members of a map.
    @Test(arguments: [
        (#"{"b": 2}"#, "2"), (#"{"b": [2]}"#, "rejected"), (#"{"b": []}"#, "rejected"),
        (#"{"b": {"x": 2}}"#, "rejected"), (#"{"b": {"x": 2}, "c": {"b": 2}}"#, "2"), (#"{"b": {"b": 2}}"#, "2"),
        (#"{"b": null}"#, ""), ("{}", ""), (#"[{"b": [2]}]"#, "rejected"), (#"{"b": 2, "c": {"b": 1}}"#, "2"),
    ])
    func whatIsOneKeepsWhatItIs(_ value: String, _ expected: String) throws {
        let scene = try scene(
            #""q": { "to": "A", "many": true, "from": "m[*].b", "oneOrMany": true }"#,
            #", "l": { "type": "text", "many": true, "from": "m[*].b" }"#)
        try scene.run(#"[{"id": 1, "m": {"b": 1}}, {"id": 2}]"#)
        let outcome = try scene.run("[{\"id\": 1, \"m\": \(value)}, {\"id\": 2}]")
        let isRejected = expected == "rejected"
        #expect(outcome.count("A", "rejected") == (isRejected ? 1 : 0))
        let links = isRejected ? ["1"] : expected.isEmpty ? [] : [expected]
        #expect(try scene.lines("SELECT target FROM A_q WHERE source = 1") == links)
        let list = "[" + links.map { "\"\($0)\"" }.joined() + "]"
        #expect(try scene.lines("SELECT coalesce(l, '[]') FROM A WHERE id = 1") == [list])
    }

    /// Lists that belong side by side, in one object in place of a list of them, are no elements of that list.
    @Test func whatIsOneHasNoListsSideBySide() throws {
        let scene = try LanguageScene(
            """
            { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "b": { "to": "B", "many": true, "missing": "stub", "identifier": [
                    { "from": "m[*].n", "oneOrMany": true }, { "from": "m[*].d", "oneOrMany": true, "default": 0 }] } } },
              "B": { "identifier": ["n", "d"], "attributes": { "n": "text", "d": "integer" } } }
            """, #""limits": { "rejects": null }"#)
        try scene.run(#"[{"id": 1, "m": {"n": "x", "d": 5}}, {"id": 2, "m": [{"n": "x"}]}]"#)
        let outcome = try scene.run(#"[{"id": 1, "m": {"n": ["y"], "d": [6]}}, {"id": 2, "m": {"n": "y", "d": 6}}]"#)
        #expect(outcome.count("A", "rejected") == 1)
        #expect(
            try scene.lines("SELECT source, n, d FROM A_b l JOIN B b ON b.objectID = l.target ORDER BY 1")
                == ["1 x 5", "2 y 6"])
    }

    /// The last of two members of one name counts.
    @Test func whatComesAgainCounts() throws {
        let scene = try scene(#""q": { "to": "A", "many": true, "from": "p[*].q[*]" }"#)
        let outcome = try scene.run(
            #"[{"id": 1, "p": [{"q": 1, "q": [1]}]}, {"id": 2, "p": [{"q": [1], "q": 1}]}]"#)
        #expect(outcome.count("A", "rejected") == 1)
        #expect(try scene.lines("SELECT source FROM A_q") == ["1"])
    }
}
