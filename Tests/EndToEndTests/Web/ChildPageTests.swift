import Foundation
import TestSupport
import Testing

/// What is asked for each record of another source comes in pages, several of them beside each other, and is linked to
/// that record.
@Suite struct ChildPageTests {
    private static let styles = [
        ("cursor", #"{ "cursor": "$.next", "parameter": "after" }"#), ("number", #"{ "number": "page" }"#),
        ("link", #"{ "link": "next" }"#),
    ]

    /// Issues with no comment, one page, several, and pages that are full.
    private static let issues = IssueScene.issues([3, 0, 1, 5, 2, 4])

    @Test(arguments: 0..<3, [1, 4])
    func childrenComeInPages(_ style: Int, _ requests: Int) throws {
        let (name, pages) = ChildPageTests.styles[style]
        let scene = try IssueScene(
            issues: #", "pages": \#(pages)"#, comments: #", "pages": \#(pages), "requests": \#(requests)"#)
        try scene.service.offer(ChildPageTests.issues, #", "style": "\#(name)""#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.comments == IssueScene.comments(of: ChildPageTests.issues))
        // Nothing is asked for twice, and nothing behind the end, which an empty page is where pages are counted.
        let asked = try scene.asked
        #expect(Set(asked).count == asked.count)
        #expect(asked.count == (name == "number" ? 3 + 1 + 2 + 4 + 2 + 3 : 2 + 1 + 1 + 3 + 1 + 2))
        #expect(outcome.count("Issue", "created") == 6 && outcome.count("Comment", "created") == 15)
        let again = try scene.run()
        #expect(again.count("Comment", "unchanged") == 15 && again.status == 0)
    }

    /// However answers come, objects and findings are as if one had been asked for after the other.
    @Test func theOrderIsThatOfTheRecords() throws {
        let issues = IssueScene.issues((0..<24).map { $0 % 5 })
        var stores: [[[String]]] = []
        var findings: [[String]] = []
        for requests in [1, 8] {
            let scene = try IssueScene(
                issues: IssueScene.cursor, comments: IssueScene.cursor + #", "requests": \#(requests)"#,
                settings: #", "limits": { "rejects": null }"#,
                comment: #", "where": { "text": { "not": "comment 3 of 4" } }"#)
            var flawed = issues
            for index in flawed.indices where !flawed[index].comments.isEmpty && index % 3 == 0 {
                flawed[index].comments[0].updated = "2026-99"
            }
            try scene.service.offer(flawed, #", "delays": [0.03, 0, 0.05, 0.01, 0, 0, 0.04]"#)
            let outcome = try scene.run("--batch-size", "3", "--findings", scene.folder.file("f.ndjson"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            stores.append(try Database(scene.store).rows("SELECT * FROM Comment ORDER BY objectID"))
            let lines = try String(contentsOfFile: scene.folder.file("f.ndjson"), encoding: .utf8)
            findings.append(lines.replacing(scene.service.url, with: "").split(separator: "\n").map(String.init))
        }
        #expect(stores[0] == stores[1] && stores[0].count > 20)
        #expect(findings[0].count > 5)
        for (one, other) in zip(findings[0], findings[1]) { #expect(one == other) }
        // A place names what was asked for.
        #expect(findings[0].contains { $0.contains(#""file": "/issues/4/comments (page 1)""#) }, "\(findings[0])")
    }

    /// The service answers no request of comments before four of them are waiting.
    @Test func requestsAreMadeBesideEachOther() throws {
        let scene = try IssueScene(comments: #", "requests": 4"#)
        let issues = IssueScene.issues([Int](repeating: 1, count: 12))
        try scene.service.offer(issues, #", "style": "single", "gather": 4, "delays": [0.02]"#)
        #expect(try scene.run().status == 0)
        #expect(try scene.comments == IssueScene.comments(of: issues))
        #expect(try scene.service.counts["most"] == 4)
    }

    /// Tokens end after some requests: each is asked for once, however many wait for it.
    @Test func aTokenIsForAll() throws {
        let scene = try IssueScene(comments: #", "requests": 6"#)
        let issues = IssueScene.issues([Int](repeating: 1, count: 40))
        let auth =
            #""auth": { "oauth2": { "tokenUrl": "\#(scene.service.url)/token", "clientId": "a", "clientSecret": "b" } }"#
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
            .replacing(#"/issues""#, with: #"/issues", \#(auth)"#)
            .replacing(#""for": "Issue""#, with: #""for": "Issue", \#(auth)"#)
        _ = try scene.folder.write("issues.jsonc", text)
        try scene.service.offer(issues, #", "style": "single", "uses": 10"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.comments == IssueScene.comments(of: issues))
        // One for the issues, and four for the comments; one more where the last one ends with the last of them.
        let tokens = try #require(try scene.service.counts["tokens"])
        #expect((5...6).contains(tokens), "\(tokens)")
    }

    /// What the service says of waiting holds for all requests: nobody asks a service that is silent until then.
    @Test func whatTheServiceSaysOfWaitingHoldsForAll() throws {
        let scene = try IssueScene(comments: #", "requests": 8, "retries": 2"#)
        let issues = IssueScene.issues([Int](repeating: 1, count: 60))
        try scene.service.offer(issues, #", "style": "single", "burst": { "allow": 25, "seconds": 0.9 }"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.comments == IssueScene.comments(of: issues))
        // Those that were on their way when it began.
        let refused = try scene.service.requests.filter { $0.status == 429 }.count
        #expect((1...16).contains(refused), "\(refused)")
    }

    /// Each issue is asked for what is newer than the comments that the store has of it.
    @Test func whatIsNewIsAskedForByRecord() throws {
        let scene = try IssueScene(
            issues: IssueScene.cursor,
            comments: #", "since": { "parameter": "since", "attribute": "Comment.updated", "overlap": "1h" }, "#
                + #""pages": { "cursor": "$.next", "parameter": "after" }, "requests": 3"#)
        var issues = IssueScene.issues([3, 0, 2])
        try scene.service.offer(issues)
        #expect(try scene.run().status == 0)
        #expect(try scene.asked.allSatisfy { !$0.contains("since") })
        issues[0].comments.append(.init(id: 9, updated: IssueScene.time(2), text: "new"))
        issues.append(contentsOf: IssueScene.issues([1], first: 4, day: 2))
        try scene.service.offer(issues, #", "size": 10"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            Set(try scene.asked.map { $0.replacing("%3A", with: ":") }) == [
                "/issues/1/comments?since=2026-11-01T01:00:00Z", "/issues/2/comments",
                "/issues/3/comments?since=2026-11-01T00:00:00Z", "/issues/4/comments",
            ])
        #expect(try scene.comments == IssueScene.comments(of: issues))
        #expect(outcome.count("Comment", "created") == 2 && outcome.count("Comment", "unchanged") == 4)
    }

    /// The archive has what records take of their issues; a file that somebody names has not.
    @Test func aReplayKnowsTheIssues() throws {
        let scene = try IssueScene(
            comments: #", "pages": { "link": "next" }"#, settings: #", "archive": { "directory": "a" }"#)
        try scene.service.offer(ChildPageTests.issues, #", "style": "link", "size": 100"#)
        #expect(try scene.run().status == 0)
        let other = scene.folder.file("t.sqlite")
        let replayed = try Sluice.run(["replay", scene.definition, "--run", "1", "--store", other])
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(try IssueScene.comments(in: other) == IssueScene.comments(of: ChildPageTests.issues))
        let list = try scene.folder.write("list.json", #"{"comments": []}"#)
        for words in [
            ["run", scene.definition, "--feed", "comments=\(list)"],
            ["replay", scene.definition, "issues=\(list)", "comments=\(list)"],
        ] {
            let refused = try Sluice.run(words)
            #expect(refused.status == 64)
            #expect(refused.errors.contains("take $for.number, which only a run knows"), "\(refused.errors)")
        }
    }

    /// Rejects show what they have taken, and are replayed with it.
    @Test func rejectsKeepTheirIssue() throws {
        let scene = try IssueScene(settings: #", "limits": { "rejects": null }"#)
        var issues = IssueScene.issues([2, 2])
        issues[1].comments[1].updated = "never"
        try scene.service.offer(issues, #", "style": "single""#)
        let path = scene.folder.file("f.ndjson")
        #expect(try scene.run("--findings", path).count("Comment", "rejected") == 1)
        let findings = try String(contentsOfFile: path, encoding: .utf8)
        #expect(findings.contains(#""context": { "$for.number": 2 }"#), "\(findings)")
        let mended = try scene.folder.write("m.ndjson", findings.replacing("never", with: IssueScene.time(1, hour: 1)))
        let outcome = try Sluice.run(["replay", scene.definition, "--rejects", mended])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.comments == IssueScene.comments(of: IssueScene.issues([2, 2])))
    }

    @Test(arguments: [1, 5])
    func aLaterPageThatFailsEndsTheRun(_ requests: Int) throws {
        let scene = try IssueScene(
            issues: IssueScene.cursor, comments: IssueScene.cursor + #", "requests": \#(requests), "retries": 1"#)
        try scene.service.offer(
            ChildPageTests.issues, #", "size": 2, "fails": { "/issues/4/comments?after=2": 500 }"#)
        let outcome = try scene.run()
        #expect(outcome.status == 69)
        let words = #"/issues/4/comments (page 2) answered with status 500: {"message": "no"} (tried 2 times)"#
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: scene.store))
        try scene.service.offer(ChildPageTests.issues, #", "size": 2, "fails": { "/issues/3/comments": 403 }"#)
        #expect(try scene.run().status == 77)
    }

    /// A page that is asked for beforehand, and that nobody needs, may fail: so many pages before it held no record
    /// that none is followed any more. One that is named behind fewer is needed.
    @Test(arguments: [1, 3], [(11, 0), (10, 69), (1, 69)] as [(Int, Int32)])
    func aPageThatNobodyNeedsMayFail(_ requests: Int, _ end: (after: Int, status: Int32)) throws {
        let scene = try IssueScene(
            issues: IssueScene.cursor, comments: IssueScene.cursor + #", "requests": \#(requests), "retries": 0"#,
            settings: #", "limits": { "records": null }"#)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "issues.jsonc", text.replacing(#""$.comments[*]""#, with: #""$.comments[*].parts[*]""#))
        let fails = (1...3).map { #""/issues/\#($0)/comments?after=\#(end.after)": 500"# }.joined(separator: ", ")
        try scene.service.offer(
            IssueScene.issues([Int](repeating: 14, count: 3)), #", "size": 1, "fails": { \#(fails) }"#)
        let outcome = try scene.run()
        #expect(outcome.status == end.status, "\(outcome.errors)")
        guard end.status == 0 else { return }
        #expect(try Set(scene.asked.filter { !$0.contains("after") }).count == 3)
    }

    /// Of each issue there are as many as its pages promise.
    @Test func whatIsPromisedIsOfEachIssue() throws {
        let scene = try IssueScene(
            issues: IssueScene.cursor,
            comments: #", "pages": { "cursor": "$.next", "parameter": "after", "total": "$.total" }"#)
        try scene.service.offer(ChildPageTests.issues)
        #expect(try scene.run().status == 0)
        try scene.service.offer(ChildPageTests.issues, #", "total": 5"#)
        let outcome = try scene.run()
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "/issues/1/comments) has 5 records, as its pages say at `$.total`, but only 3 came"),
            "\(outcome.errors)")
    }
}
