import Foundation
import TestSupport
import Testing

/// What is posted for each record of another source: values stand in texts of the body.
@Suite struct BodyParentTests {
    private static let query =
        "query($id: ID!, $after: String) { node(id: $id) { comments(after: $after) { nodes { id } } } }"

    private func scene(_ service: FaultyService, _ more: String = "") throws -> LanguageScene {
        let scene = try LanguageScene(
            """
            { "Issue": { "source": "issues", "records": "$[*]", "identifier": "number",
                "attributes": { "number": "integer", "node": "text", "is open": "boolean" } },
              "Comment": { "source": "comments", "records": "$.comments.nodes[*]", "identifier": "id",
                "attributes": { "id": "integer" },
                "relationships": { "issue": { "to": "Issue", "from": "$for.number" } } } }
            """, #""limits": { "rejects": null }"#, source: "{}")
        let body = """
            { "query": "\(BodyParentTests.query)", "pattern": "a{2,3}",
              "variables": { "id": "{node}", "after": null },
              "list": ["{number}", "{is open}", "issue {number} is {node}: {is open}"] }
            """
        let comments = """
            { "url": "\(service.url)", "for": "Issue", "retries": 0, "body": \(body),
              "pages": { "cursor": "$.comments.end", "parameter": "$.variables.after" }\(more) }
            """
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        try scene.write(
            "p.jsonc",
            text.replacing(
                #""source": {}"#, with: #""sources": { "issues": { "file": "feed.json" }, "comments": \#(comments) }"#))
        return scene
    }

    private static let issues = #"""
        [ {"number": 7, "node": "I_\"1\u00e9", "is open": true}, {"number": 8, "node": null, "is open": true},
          {"number": 9, "node": "I_2", "is open": false}, {"number": 10, "node": "I_3"} ]
        """#

    private func answer(_ comments: [String], end: String?) -> String {
        let nodes = comments.map { #"{\"id\": \#($0)}"# }.joined(separator: ", ")
        let end = end.map { #"\"\#($0)\""# } ?? "null"
        return #"{"body": "{\"comments\": {\"nodes\": [\#(nodes)], \"end\": \#(end)}}"}"#
    }

    private func service() -> FaultyService {
        FaultyServer.shared.service(
            answer(["1", "2"], end: "c1"), answer(["3"], end: nil), answer(["4", #"\"x\""#], end: nil))
    }

    private func run(_ scene: LanguageScene, _ more: String...) throws -> Sluice.Outcome {
        try scene.write("feed.json", BodyParentTests.issues)
        return try Sluice.run(["run", scene.file("p.jsonc"), "--format", "json"] + more)
    }

    @Test func valuesStandInTheBody() throws {
        let service = service()
        let scene = try scene(service)
        let outcome = try run(scene, "--findings", scene.file("f.ndjson"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let found = try scene.lines(
            "SELECT c.id, i.number FROM Comment c JOIN Issue i ON i.objectID = c.issue ORDER BY 1")
        #expect(found == ["1 7", "2 7", "3 7", "4 9"])
        let bodies = try service.requests.map { request in
            try #require(JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
        }
        func expected(_ node: String, _ after: String?, _ list: [Any]) -> NSDictionary {
            [
                "query": BodyParentTests.query, "pattern": "a{2,3}",
                "variables": ["id": node, "after": after as Any? ?? NSNull()] as [String: Any], "list": list,
            ]
        }
        let first: [Any] = [7, true, "issue 7 is I_\"1é: true"]
        #expect(bodies.count == 3)
        #expect(
            bodies.map { $0 as NSDictionary } == [
                expected("I_\"1é", nil, first), expected("I_\"1é", "c1", first),
                expected("I_2", nil, [9, false, "issue 9 is I_2: false"]),
            ])
        // A place names what was posted.
        let findings = try String(contentsOfFile: scene.file("f.ndjson"), encoding: .utf8)
        let name =
            ##" $.variables.id=\"I_2\", $.list[0]=9, $.list[1]=false, $.list[2]=\"issue 9 is I_2: false\" (page 1)""##
        #expect(findings.contains(name), "\(findings)")
    }

    /// Records that differ only in what is posted for them are asked for each, and a run that goes on knows which.
    @Test func answersAreKeptByWhatWasPosted() throws {
        let service = service()
        let scene = try scene(service, #", "cache": "1 MiB""#)
        #expect(try run(scene).status == 0)
        #expect(try run(scene, "--force").count("Comment", "created") == 0)
        #expect(try scene.lines("SELECT count(*) FROM Comment") == ["4"])
    }

    @Test func whatIsNoAttributeIsAMistake() throws {
        let scene = try scene(service())
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        try scene.write("p.jsonc", text.replacing("{node}", with: "{nod}"))
        let outcome = try scene.check()
        #expect(outcome.status == 78)
        #expect(
            outcome.errors.contains(#"there is no attribute of "Issue" "nod": did you mean "node"?"#),
            "\(outcome.errors)")
    }
}
