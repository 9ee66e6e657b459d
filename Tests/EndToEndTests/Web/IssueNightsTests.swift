import Foundation
import TestSupport
import Testing

/// Ten nights with a service of issues and comments as services are: pages, tokens that end, 429 in bursts, ETags, and
/// runs that are killed. The store is right each morning, nothing is asked for twice, and the definition is short.
@Suite struct IssueNightsTests {
    private let folder = TemporaryFolder()
    private let service: IssueService
    private let definition: String

    /// How many requests are made beside each other.
    private static let requests = 4

    init() throws {
        service = try IssueService()
        definition = try folder.write("issues.jsonc", IssueNightsTests.definition(service.url))
    }

    private static func definition(_ url: String) -> String {
        """
        {
          "sources": {
            "issues": {
              "url": "\(url)/issues",
              "auth": { "oauth2": { "tokenUrl": "\(url)/token", "clientId": "sluice", "clientSecret": "secret" } },
              "pages": { "cursor": "$.next", "parameter": "after", "total": "$.total" },
              "resume": "6h", "cache": "10 MB"
            },
            "comments": {
              "url": "\(url)/issues/{number}/comments", "for": "Issue",
              "auth": { "oauth2": { "tokenUrl": "\(url)/token", "clientId": "sluice", "clientSecret": "secret" } },
              "pages": { "cursor": "$.next", "parameter": "after", "total": "$.total" },
              "resume": "6h", "cache": "10 MB", "requests": \(requests)
            }
          },
          "store": { "sqlite": "issues.sqlite" },
          "limits": { "deletes": null },
          "entities": {
            "Issue": {
              "source": "issues", "records": "$.issues[*]", "identifier": "number", "absent": "delete",
              "attributes": { "number": "integer", "updated": "datetime" }
            },
            "Comment": {
              "source": "comments", "records": "$.comments[*]", "identifier": "id", "absent": "delete",
              "attributes": { "id": "integer", "updated": "datetime", "text": "text" },
              "relationships": { "issue": { "to": "Issue", "from": "$for.number", "onDelete": "cascade" } }
            }
          }
        }
        """
    }

    /// What a night changes: comments come, change and go, issues come and go.
    private func change(_ issues: inout [IssueService.Issue], night: Int, _ random: inout SeededRandom) {
        for index in issues.indices where Int.random(in: 0..<8, using: &random) == 0 {
            let id = night * 100_000 + issues[index].number
            issues[index].comments.append(
                .init(id: id, updated: IssueScene.time(night), text: "night \(night)"))
        }
        for index in issues.indices where Int.random(in: 0..<10, using: &random) == 0 {
            guard !issues[index].comments.isEmpty else { continue }
            issues[index].comments[0].text += "!"
            if issues[index].comments.count > 2 { issues[index].comments.remove(at: 1) }
        }
        if night % 3 == 0 { issues.remove(at: Int.random(in: 0..<issues.count, using: &random)) }
        issues += IssueScene.issues([Int.random(in: 0..<4, using: &random)], first: 1000 + night, day: night)
    }

    private func comments() throws -> [String] {
        try IssueScene.comments(in: folder.file("issues.sqlite"))
    }

    @Test func tenNights() throws {
        #expect(IssueNightsTests.definition("").split(separator: "\n").count <= 50)
        var random = SeededRandom(43)
        var issues = IssueScene.issues((0..<30).map { $0 % 6 })
        var kills = 0
        for night in 1...10 {
            if night > 1 { change(&issues, night: night, &random) }
            try service.offer(
                issues,
                #", "size": 3, "uses": 17, "tags": true, "delays": [0.01, 0.03], "burst": { "allow": 40, "seconds": 0.3 }"#
            )
            var killed = 0
            while true {
                let wanted = try service.requests.count + Int.random(in: 3...15, using: &random)
                let run = try RunningSluice(["run", definition], environment: ["SLUICE_TEST_BACKOFF": "0.05"])
                if killed < night % 3 {
                    _ = run.waits { ((try? service.requests.count) ?? 0) >= wanted }
                    run.signal(SIGKILL)
                }
                let outcome = run.ended()
                if outcome.status == 0 { break }
                try #require(killed < night % 3, "night \(night): \(outcome.errors)")
                killed += 1
            }
            kills += killed
            #expect(try comments() == IssueScene.comments(of: issues), "night \(night)")
            try check(night, killed)
        }
        #expect(kills > 2)
    }

    /// Of what was answered, nothing was so twice but what was on its way when a run was killed; and a night transfers
    /// what has changed.
    private func check(_ night: Int, _ killed: Int) throws {
        let answered = try service.requests.filter { [200, 304].contains($0.status) }
        let repeated = answered.count - Set(answered.map(\.path)).count
        #expect(repeated <= killed * (IssueNightsTests.requests + 1), "night \(night)")
        guard night > 1 else { return }
        let transferred = answered.count { $0.status == 200 }
        #expect(transferred < answered.count / 2, "night \(night): \(transferred) of \(answered.count)")
    }
}
