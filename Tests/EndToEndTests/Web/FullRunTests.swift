import Foundation
import TestSupport
import Testing

/// Nights that ask for what is new, and now and then one that asks for everything, and finds out what has gone.
@Suite struct FullRunTests {
    private static let since = #", "since": { "parameter": "since", "attribute": "Issue.updated" }"#

    private func scene(_ absent: String, comment: String = "") throws -> IssueScene {
        let scene = try IssueScene(issues: IssueScene.cursor + FullRunTests.since, comment: comment)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "issues.jsonc",
            text.replacing(#""identifier": "number","#, with: #""identifier": "number", "absent": "\#(absent)","#))
        return scene
    }

    private func issues(_ scene: IssueScene) throws -> [String] {
        try Database(scene.store).rows("SELECT number FROM Issue ORDER BY number").map { $0[0] }
    }

    @Test func whatHasGoneIsFoundByAFullRun() throws {
        let scene = try scene("delete")
        var issues = IssueScene.issues((0..<8).map { _ in 0 })
        try scene.service.offer(issues, #", "size": 3"#)
        #expect(try scene.run().status == 0)
        issues.remove(at: 2)
        issues[4].updated = IssueScene.time(2)
        try scene.service.offer(issues, #", "size": 3"#)
        // What has not changed has not gone.
        let outcome = try scene.run()
        #expect(outcome.status == 0 && outcome.count("Issue", "deleted") == 0, "\(outcome.errors)")
        #expect(outcome.report["full"] == nil)
        let before = try scene.service.requests.count
        #expect(try scene.service.requests[0].path.contains("since="))
        // One of eight is more than a tenth.
        let full = try scene.run("--full", "--dry-run")
        #expect(full.status == 65 && full.report["full"] as? Bool == true)
        #expect(full.errors.contains("deletes"), "\(full.errors)")
        #expect(try scene.service.requests.dropFirst(before).allSatisfy { !$0.path.contains("since=") })
        #expect(try self.issues(scene).count == 8)
        #expect(try scene.run("--full").status == 65)
        #expect(try scene.run("--full", "--allow", "deletes=0").status == 65)
        let allowed = try scene.run("--full", "--allow", "deletes=1", "--allow", "rejects=2%")
        #expect(allowed.status == 0 && allowed.count("Issue", "deleted") == 1, "\(allowed.errors)")
        #expect(allowed.report["allowed"] as? [String: String] == ["deletes": "1", "rejects": "2%"])
        #expect(try self.issues(scene) == ["1", "2", "4", "5", "6", "7", "8"])
        let ledger = try Database(scene.store).rows("SELECT report FROM sluice_run ORDER BY run DESC LIMIT 1")[0][0]
        #expect(ledger.contains(#""allowed": { "deletes": "1", "rejects": "2%" }"#))
        #expect(try scene.run().status == 0)
    }

    /// An object that is marked comes back by a night that asks for what is new.
    @Test func marksAreClearedOnAnyNight() throws {
        let scene = try scene("mark")
        var issues = IssueScene.issues((0..<3).map { _ in 0 })
        try scene.service.offer(issues, #", "size": 9"#)
        #expect(try scene.run().status == 0)
        let gone = issues.remove(at: 1)
        try scene.service.offer(issues, #", "size": 9"#)
        let full = try scene.run("--full", "--allow", "deletes=100%")
        #expect(full.count("Issue", "deleted") == 1, "\(full.errors)")
        let marked = "SELECT number FROM Issue WHERE deleted_at IS NOT NULL"
        #expect(try Database(scene.store).rows(marked) == [["2"]])
        issues.append(.init(number: gone.number, updated: IssueScene.time(3), comments: []))
        try scene.service.offer(issues, #", "size": 9"#)
        #expect(try scene.run().status == 0)
        #expect(try Database(scene.store).rows(marked).isEmpty)
    }

    /// Comments are asked for of the issues that have changed: those of others have not gone; of these, all have come.
    @Test(arguments: [false, true])
    func whatBelongsToRecordsHasNotGone(_ isWithin: Bool) throws {
        let scene = try scene(
            "keep",
            comment: #", "absent": "delete", "limits": { "deletes": null }"# + (isWithin ? #", "within": "issue""# : "")
        )
        var issues = IssueScene.issues([2, 2, 3])
        try scene.service.offer(issues, #", "style": "single""#)
        #expect(try scene.run().status == 0)
        issues[0].comments.removeLast()
        issues[2].comments.removeLast()
        issues[2].updated = IssueScene.time(2)
        try scene.service.offer(issues, #", "style": "single""#)
        let outcome = try scene.run()
        // The second is as new as the store's newest was.
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Comment", "deleted") == (isWithin ? 2 : 0))
        let full = try scene.run("--full")
        #expect(full.status == 0, "\(full.errors)")
        #expect(try scene.comments == IssueScene.comments(of: issues))
    }

    @Test(arguments: ["record=7", "deletes", "deletes=", "deletes=-1", "deletes=101%", "=", "rejects=many"])
    func aLimitIsANumberOrAShare(_ text: String) throws {
        let outcome = try Sluice.run(["run", "p.jsonc", "--allow", text])
        #expect(outcome.status == 64 && outcome.errors.contains("--allow \(text): "), "\(outcome.errors)")
    }

    /// A feed that has become short, and has lost a field, is loaded once, and is the measure from then on.
    @Test(arguments: [("records", "0"), ("records", "10%")]) func aShortFeedIsAllowedOnce(limit: String, amount: String)
        throws
    {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "p.sqlite" }, "limits": { "records": "50%" },
              "entities": { "Item": { "records": "$[*]", "identifier": "id", "limits": { "records": "60%" },
                "attributes": { "id": "integer", "name": "text" } } } }
            """)
        func offer(_ count: Int, name: String) throws {
            let items = (0..<count).map { #"{"id": \#($0), "\#(name)": "n"}"# }
            _ = try folder.write("feed.json", "[\(items.joined(separator: ", "))]")
        }
        try offer(40, name: "name")
        #expect(try Sluice.run(["run", definition]).status == 0)
        try offer(4, name: "other")
        let failed = try Sluice.run(["run", definition])
        #expect(failed.status == 65 && failed.errors.contains("records") && failed.errors.contains("missing"))
        #expect(try Sluice.run(["run", definition, "--allow", "\(limit)=\(amount)"]).status == 65)
        let words = ["run", definition, "--format", "json", "--allow", "\(limit)=\(amount)", "--allow", "missing=1"]
        let allowed = try Sluice.run(words)
        #expect(allowed.status == 0, "\(allowed.errors)")
        #expect(allowed.report["allowed"] as? [String: String] == [limit: amount, "missing": "1"])
        try offer(3, name: "other")
        #expect(try Sluice.run(["run", definition]).status == 0)
        let share = try Sluice.run(["run", definition, "--allow", "missing=5%"])
        #expect(share.status == 64 && share.errors.contains("a whole number, as in"), "\(share.errors)")
    }
}
