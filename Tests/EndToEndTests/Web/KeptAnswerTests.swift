import Foundation
import TestSupport
import Testing

/// Answers of a service that are kept for another run: by one that has died, and for the next night.
@Suite struct KeptAnswerTests {
    private static let issues = IssueScene.issues((0..<12).map { 1 + $0 % 4 })

    private func scene(_ more: String = #", "resume": "6h""#, comments: String = "") throws -> IssueScene {
        try IssueScene(
            issues: IssueScene.cursor + more + #", "retries": 0"#,
            comments: IssueScene.cursor + more + #", "retries": 0"# + comments)
    }

    /// The files of answers beside the store.
    private func files(_ scene: IssueScene) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("")).filter { $0.contains(".answers-") }
    }

    /// What was answered with content more than once.
    private func repeated(_ scene: IssueScene) throws -> [String] {
        let answered = try scene.service.requests.filter { $0.status == 200 }.map(\.path)
        return Set(answered).filter { path in answered.count { $0 == path } > 1 }.sorted()
    }

    /// The service breaks down after so many requests, on pages of the list and among the comments; then it is back.
    @Test(arguments: [1, 3, 6, 7, 11, 20, 23], [1, 4])
    func aRunGoesOnWhereOneHasFailed(_ lives: Int, _ requests: Int) throws {
        let scene = try scene(comments: #", "requests": \#(requests)"#)
        try scene.service.offer(KeptAnswerTests.issues, #", "lives": \#(lives)"#)
        let failed = try scene.run()
        #expect(failed.status == 69 && !FileManager.default.fileExists(atPath: scene.store))
        let before = try scene.service.requests.filter { $0.status == 200 }.map(\.path)
        #expect(before.count == lives)
        for file in try files(scene) {
            let attributes = try FileManager.default.attributesOfItem(atPath: scene.folder.file(file))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        // A dry run takes them, and leaves them.
        try scene.service.offer(KeptAnswerTests.issues)
        #expect(try scene.run("--dry-run").count("Issue", "created") == 12)
        let first = try scene.service.requests.map(\.path)
        // Where several are on their way, the end of the run may be quicker than what has been sent.
        #expect(Set(first).intersection(before).count < requests)
        try scene.service.offer(KeptAnswerTests.issues)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.service.requests.map(\.path).sorted() == first.sorted())
        #expect(try scene.comments == IssueScene.comments(of: KeptAnswerTests.issues))
        #expect(try files(scene) == [])
    }

    /// Killed again and again, it ends all the same, and asks again only for what was on its way.
    @Test(arguments: [1, 3])
    func killedRunsLeaveWhatHasCome(_ requests: Int) throws {
        let scene = try scene(comments: #", "requests": \#(requests)"#)
        try scene.service.offer(KeptAnswerTests.issues, #", "delays": [0.1]"#)
        var random = SeededRandom(requests)
        var kills = 0
        while true {
            let wanted = try scene.service.requests.count + Int.random(in: 1...4, using: &random)
            let run = try RunningSluice(["run", scene.definition])
            if kills < 6 {
                _ = run.waits { ((try? scene.service.requests.count) ?? 0) >= wanted }
                run.signal(SIGKILL)
            }
            if run.ended().status == 0 { break }
            kills += 1
        }
        #expect(kills > 0)
        #expect(try scene.comments == IssueScene.comments(of: KeptAnswerTests.issues))
        #expect(try repeated(scene).count <= kills * requests)
        #expect(try files(scene) == [])
    }

    @Test func answersAreGoodForAWhile() throws {
        let scene = try scene(#", "resume": "1s""#)
        try scene.service.offer(KeptAnswerTests.issues, #", "lives": 12"#)
        #expect(try scene.run().status == 69)
        Thread.sleep(forTimeInterval: 2.1)
        try scene.service.offer(KeptAnswerTests.issues)
        #expect(try scene.run().status == 0)
        #expect(try scene.service.requests.count == 6 + 18)
    }

    /// What is damaged is asked for again; so is all with --force.
    @Test(arguments: ["cut", "flip", "empty", "open", "force"])
    func whatIsDamagedIsAskedForAgain(_ damage: String) throws {
        let scene = try scene()
        try scene.service.offer(KeptAnswerTests.issues, #", "lives": 15"#)
        #expect(try scene.run().status == 69)
        for file in try files(scene) {
            let path = scene.folder.file(file)
            var data = try Data(contentsOf: URL(filePath: path))
            switch damage {
            case "cut": data = data.prefix(data.count * 2 / 3)
            case "flip": data[data.count / 2] ^= 1
            case "empty": data = Data()
            default: break
            }
            try data.write(to: URL(filePath: path))
            if damage == "open" {
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            }
        }
        try scene.service.offer(KeptAnswerTests.issues)
        let outcome = try scene.run(damage == "force" ? ["--force"] : [])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.comments == IssueScene.comments(of: KeptAnswerTests.issues))
        let count = try scene.service.requests.count
        let isAll = ["empty", "open", "force"].contains(damage)
        #expect(isAll ? count == 24 : count > 9 && count < 24, "\(count)")
    }

    /// What the service has said wrongly is not taken again: neither where it was no feed, nor where a limit was
    /// exceeded.
    @Test func whatWasWrongIsNotKept() throws {
        let scene = try scene()
        var flawed = KeptAnswerTests.issues
        flawed[5].comments[0].updated = "never"
        try scene.service.offer(flawed)
        #expect(try scene.run().status == 65)
        #expect(try files(scene) == [])
        try scene.service.offer(KeptAnswerTests.issues)
        #expect(try scene.run().status == 0)
        #expect(try scene.comments == IssueScene.comments(of: KeptAnswerTests.issues))
    }

    /// What is no use is given up: a run that fails at once where it goes on begins anew the next time.
    @Test func whatLeadsNowhereIsGivenUp() throws {
        let scene = try scene()
        try scene.service.offer(KeptAnswerTests.issues, #", "lives": 8"#)
        #expect(try scene.run().status == 69)
        try scene.service.offer(KeptAnswerTests.issues, #", "lives": 0"#)
        #expect(try scene.run().status == 69)
        try scene.service.offer(KeptAnswerTests.issues)
        #expect(try scene.run().status == 0)
        #expect(try scene.service.requests.filter { $0.path.hasPrefix("/issues/") }.count == 18)
    }

    /// A night on which one of many has changed transfers that one.
    @Test(arguments: [1, 4])
    func theServiceIsAskedWhetherAnswersHold(_ requests: Int) throws {
        let scene = try scene(#", "cache": "10 MB", "resume": "1h""#, comments: #", "requests": \#(requests)"#)
        var issues = KeptAnswerTests.issues
        try scene.service.offer(issues, #", "tags": true"#)
        #expect(try scene.run().status == 0)
        issues[3].comments[1].text = "changed"
        try scene.service.offer(issues, #", "tags": true"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Comment", "updated") == 1 && outcome.count("Comment", "unchanged") == 29)
        #expect(try scene.comments == IssueScene.comments(of: issues))
        let asked = try scene.service.requests
        #expect(asked.filter { $0.status == 200 }.map(\.path) == ["/issues/4/comments"])
        #expect(asked.filter { $0.status == 304 }.count == 23)
        #expect(try files(scene).count == 2)
        // A run that breaks off on such a night goes on, too.
        issues[5].comments[0].text = "changed"
        // The connection is cut when what others have been sent has come.
        try scene.service.offer(issues, #", "tags": true, "lives": 14, "pause": 1"#)
        #expect(try scene.run().status == 69)
        let before = Set(try scene.service.requests.filter { $0.status != 0 }.map(\.path))
        #expect(before.count == 14)
        try scene.service.offer(issues, #", "tags": true"#)
        #expect(try scene.run().count("Comment", "updated") == 1)
        #expect(try before.isDisjoint(with: scene.service.requests.map(\.path)))
        #expect(try scene.comments == IssueScene.comments(of: issues))
    }

    /// As long as the service says that answers are good, it is not asked; what must not be kept is not.
    @Test func whatTheServiceSaysOfKeepingHolds() throws {
        let scene = try scene(#", "cache": 1000000"#)
        try scene.service.offer(KeptAnswerTests.issues, #", "control": "private, max-age=3600""#)
        #expect(try scene.run().status == 0)
        try scene.service.offer(KeptAnswerTests.issues)
        #expect(try scene.run().count("Comment", "unchanged") == 30)
        #expect(try scene.service.requests.isEmpty)
        #expect(try scene.run("--force").status == 0)
        #expect(try scene.service.requests.count == 24)
        for control in ["no-store, max-age=3600", "no-cache, max-age=3600", "max-age=0"] {
            try scene.service.offer(KeptAnswerTests.issues, #", "tags": true, "control": "\#(control)""#)
            #expect(try scene.run("--force").status == 0)
            try scene.service.offer(KeptAnswerTests.issues, #", "tags": true"#)
            #expect(try scene.run().status == 0)
            let statuses = Set(try scene.service.requests.map(\.status))
            #expect(statuses == (control.contains("no-store") ? [200] : [304]))
        }
    }

    /// A definition that does not want them any more has none left.
    @Test func whatIsNotWantedIsDeleted() throws {
        let scene = try scene(#", "cache": "1 MB""#)
        try scene.service.offer(KeptAnswerTests.issues, #", "tags": true"#)
        #expect(try scene.run().status == 0)
        #expect(try files(scene).count == 2)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write("issues.jsonc", text.replacing(#", "cache": "1 MB""#, with: ""))
        #expect(try scene.run().status == 0)
        #expect(try files(scene) == [])
    }

    // MARK: Pages of different times

    /// What a service answers, see `mixed`.
    private static func steps(_ pages: [(isFirst: Bool, items: String)?]) -> String {
        pages.map { page in
            guard let page else { return #"{"status":503}"# }
            let body = #"{"items":[\#(page.items)]}"#.replacing("\"", with: "\\\"")
            let link = page.isFirst ? #",["Link","<?p=2>; rel=\"next\""]"# : ""
            return
                #"{"body":"\#(body)","headers":[["Cache-Control","max-age=3600"],["Age","\#(page.isFirst ? 0 : 3600)"]\#(link)]}"#
        }.joined(separator: ",")
    }

    /// The first page is good for an hour; the second has been in a proxy for as long, and is asked for again.
    ///
    /// - Parameter pages: with nil, the service breaks down.
    private func mixed(
        _ keys: String, entity: String, settings: String = "", _ pages: [(isFirst: Bool, items: String)?]
    ) throws -> WebScene {
        let service = FaultyServer.shared.service(KeptAnswerTests.steps(pages))
        return try WebScene(
            #"\#(service.member), "pages": { "link": "next" }, "cache": "1 MB"\#(keys)"#,
            settings: #""limits": { "deletes": null },"# + settings, entity: entity)
    }

    /// What has moved from the second page to the first is on neither.
    @Test func whatHasMovedIsNotAbsent() throws {
        let scene = try mixed(
            "", entity: #", "absent": "delete""#,
            [(true, #"{"id":1},{"id":2}"#), (false, #"{"id":3},{"id":4}"#), (false, #"{"id":4},{"id":5}"#)])
        #expect(try scene.run().count("Item", "created") == 4)
        let night = try scene.run()
        #expect(night.status == 0 && night.count("Item", "created") == 1, "\(night.errors)")
        #expect((night.count("Item", "deleted"), night.count("Item", "keptAbsent")) == (0, 1))
        #expect(try Database(scene.store).rows("SELECT count(*) FROM Item") == [["5"]])
    }

    /// A run that dies leaves what it took from the cache, which is no younger for that; nor is it in a replay.
    @Test func aRunThatGoesOnKnowsWhatIsOfTheCache() throws {
        let scene = try mixed(
            #", "resume": "1h", "retries": 0"#, entity: #", "absent": "delete""#,
            settings: #""archive": { "directory": "saved" },"#,
            [
                (true, #"{"id":1},{"id":2}"#), (false, #"{"id":3},{"id":4}"#), nil,
                (false, #"{"id":4},{"id":5}"#),
            ])
        #expect(try scene.run().count("Item", "created") == 4)
        #expect(try scene.run().status == 69)
        let night = try scene.run()
        #expect(night.status == 0 && night.count("Item", "created") == 1, "\(night.errors)")
        #expect((night.count("Item", "deleted"), night.count("Item", "keptAbsent")) == (0, 1))
        let replay = try Sluice.run(["replay", scene.definition, "--run", "3", "--format", "json"])
        #expect(replay.status == 0 && replay.count("Item", "deleted") == 0, "\(replay.errors)")
        #expect(try Database(scene.store).rows("SELECT count(*) FROM Item") == [["5"]])
    }

    /// Nobody asks for what belongs to a record that is on none of the pages.
    @Test(arguments: ["", #", "within": "item""#]) func whatBelongsToWhatHasMovedIsNotAbsent(_ within: String) throws {
        let scene = try mixed(
            "", entity: #", "absent": "delete""#,
            [(true, #"{"id":1},{"id":2}"#), (false, #"{"id":3},{"id":4}"#), (false, #"{"id":4},{"id":5}"#)])
        let parts = FaultyServer.shared.service("{}")
        for item in 1...5 {
            let part = { (part: Int) in #"{"body": "{\"parts\": [{\"id\": \#(part)}]}"}"# }
            parts.file("\(item)").post("[\(part(item * 10)), \(part(item == 3 ? 30 : item * 10 + 1))]")
        }
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let source = try #require(text.firstMatch(of: /"source": (\{.*\}),/))
        let entity = #"""
            "Part": {
              "source": "parts", "records": "$.parts[*]", "identifier": "id", "attributes": { "id": "integer" },
              "relationships": { "item": { "to": "Item", "from": "$for.id" } }, "absent": "delete"\#(within)
            },
            "Item": { "source": "items",
            """#
        _ = try scene.folder.write(
            "items.jsonc",
            text.replacing(
                source.0,
                with: #"""
                    "sources": {
                      "items": \#(source.1), "parts": { "url": "\#(parts.url)/{id}", "for": "Item" }
                    },
                    """#
            ).replacing(#""Item": {"#, with: entity))
        #expect(try scene.run().count("Part", "created") == 4)
        let night = try scene.run()
        #expect(night.status == 0 && night.count("Part", "created") == 4, "\(night.errors)")
        let kept = try Database(scene.store).rows("SELECT id FROM Part ORDER BY id").map { $0[0] }
        let known = within.isEmpty ? ["10", "11", "20", "21", "30", "40", "41", "50"] : ["11", "21", "30", "41", "50"]
        #expect(kept == known)
    }

    /// Nor is it where the pages are of what a service is asked for each record, though `within` names that.
    @Test func whatHasMovedBetweenPagesOfARecordIsNotAbsent() throws {
        let parts = FaultyServer.shared.service("{}")
        parts.file("1").post(
            "[\(KeptAnswerTests.steps([(true, "{\"id\":1},{\"id\":2}"), (false, "{\"id\":3},{\"id\":4}"), (false, "{\"id\":4}")]))]"
        )
        let folder = TemporaryFolder()
        _ = try folder.write("list.json", #"[{"id": 1}]"#)
        let definition = try folder.write(
            "parts.jsonc",
            #"""
            { "sources": {
                "list": { "file": "list.json" },
                "parts": { "url": "\#(parts.url)/{id}", "for": "Item", "pages": { "link": "next" }, "cache": "1 MB" } },
              "store": { "sqlite": "store.sqlite" }, "limits": { "deletes": null },
              "entities": {
                "Item": { "source": "list", "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } },
                "Part": { "source": "parts", "records": "$.items[*]", "identifier": "id",
                  "attributes": { "id": "integer" }, "absent": "delete", "within": "item",
                  "relationships": { "item": { "to": "Item", "from": "$for.id" } } } } }
            """#)
        #expect(try Sluice.run(["run", definition, "--format", "json"]).count("Part", "created") == 4)
        let night = try Sluice.run(["run", definition, "--format", "json"])
        #expect(night.status == 0, "\(night.errors)")
        #expect((night.count("Part", "deleted"), night.count("Part", "keptAbsent")) == (0, 1), "\(night.output)")
    }
}
