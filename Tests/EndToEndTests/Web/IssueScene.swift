import Foundation
import TestSupport
import Testing

/// A pipeline of a service's issues and their comments, which do not name their issues.
struct IssueScene {
    let service: IssueService
    let folder = TemporaryFolder()
    let definition: String
    var store: String { folder.file("s.sqlite") }
    private let environment = ["SLUICE_TEST_BACKOFF": "0.002"]

    /// The member of a source that comes in pages by a cursor.
    static let cursor = #", "pages": { "cursor": "$.next", "parameter": "after" }"#

    /// - Parameters:
    ///   - issues: more members of the source of issues, with a comma before each.
    ///   - comments: likewise of that of comments.
    ///   - settings: likewise of the pipeline.
    init(
        issues: String = "", comments: String = "", settings: String = "",
        comment: String = "", store: String = #"{ "sqlite": "s.sqlite" }"#
    ) throws {
        service = try IssueService()
        definition = try folder.write(
            "issues.jsonc",
            """
            {
              "sources": {
                "issues": { "url": "\(service.url)/issues"\(issues) },
                "comments": { "url": "\(service.url)/issues/{number}/comments", "for": "Issue"\(comments) }
              },
              "store": \(store)\(settings),
              "entities": {
                "Issue": {
                  "source": "issues", "records": "$.issues[*]", "identifier": "number",
                  "attributes": {
                    "number": "integer", "updated": "datetime",
                    "value": { "type": "integer", "from": "number" }, "target": { "type": "integer", "from": "number" } }
                },
                "Comment": {
                  "source": "comments", "records": "$.comments[*]", "identifier": "id",
                  "attributes": { "id": "integer", "updated": "datetime", "text": "text" },
                  "relationships": { "issue": { "to": "Issue", "from": "$for.number" } }\(comment)
                }
              }
            }
            """)
    }

    func run(_ more: String...) throws -> Sluice.Outcome { try run(more) }

    func run(_ more: [String]) throws -> Sluice.Outcome {
        try Sluice.run(["run", definition, "--format", "json"] + more, environment: environment)
    }

    /// Comments with the numbers of their issues, as the store has them.
    var comments: [String] { get throws { try IssueScene.comments(in: store) } }

    static func comments(in store: String) throws -> [String] {
        try Database(store).rows(
            "SELECT id, number, Comment.updated, text FROM Comment JOIN Issue ON Issue.objectID = issue ORDER BY id"
        ).map { $0.joined(separator: " ").replacing(".000000Z", with: "Z") }
    }

    /// What the store should have of some issues.
    static func comments(of issues: [IssueService.Issue]) -> [String] {
        issues.flatMap { issue in issue.comments.map { ($0, issue.number) } }.sorted { $0.0.id < $1.0.id }.map {
            "\($0.id) \($1) \($0.updated) \($0.text)"
        }
    }

    /// Issues with so many comments each.
    static func issues(_ counts: [Int], first: Int = 1, day: Int = 1) -> [IssueService.Issue] {
        counts.enumerated().map { index, count in
            let number = first + index
            let comments = (0..<count).map { place in
                IssueService.Comment(
                    id: number * 1000 + place, updated: time(day, hour: place), text: "comment \(place) of \(number)")
            }
            return IssueService.Issue(number: number, updated: time(day), comments: comments)
        }
    }

    static func time(_ day: Int, hour: Int = 0) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "2026-11-\(two(day))T\(two(hour)):00:00Z"
    }

    /// What the service was asked for, but for its list of issues.
    var asked: [String] { get throws { try service.requests.map(\.path).filter { $0.contains("/comments") } } }
}
