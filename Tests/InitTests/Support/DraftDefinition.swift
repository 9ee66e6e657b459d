import Foundation
import Testing

@testable import Sluice
@testable import SluiceDefinition
@testable import SluiceExtract
@testable import SluiceInit

/// A list of records, as a feed.
func list(_ count: Int, _ record: (Int) -> String) -> String {
    "[" + (0..<count).map(record).joined(separator: ",") + "]"
}

/// A draft whose comments are not folded: where that is done depends on the length of the feed's path.
func unfolded(_ text: String) -> String { text.replacing(#/\n *// /#, with: " ") }

/// A feed in a folder of its own.
enum DraftFeed {
    /// Makes something of a feed that was observed.
    static func observed<Made>(_ text: String, make: (SurveyedFeed) throws -> Made) throws -> Made {
        let file = NSTemporaryDirectory() + "sluice-init-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let feed = SurveyedFeed(
            file, in: FetchedArchives(RequestHeaders()), index: 0, copies: FeedCopies(copiesPipes: true))
        try feed.observe()
        return try make(feed)
    }
}

extension InitRun.Draft {
    /// Makes something of the draft of a feed, as long as the feed lies in a folder.
    static func of<Made>(
        _ feed: String, _ name: String = "feed.json", make: (InitRun.Draft) throws -> Made
    ) throws -> Made {
        let folder = NSTemporaryDirectory() + "sluice-init-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try feed.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        return try make(InitRun(["\(folder)/\(name)"], output: "\(folder)/draft.jsonc").perform())
    }

    /// The draft of a feed, which is sound.
    static func text(of feed: String, _ name: String = "feed.json") throws -> String {
        try of(feed, name) { draft in
            _ = try draft.definition()
            return draft.text
        }
    }

    /// The draft of a feed, and the report of its run, which succeeds.
    static func run(of feed: String, _ name: String = "feed.json") throws -> (text: String, report: RunReport) {
        try of(feed, name) { draft in
            let report = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
            #expect(report.outcome.status == .succeeded, "\(report.outcome) of \(draft.text)")
            return (draft.text, report)
        }
    }

    /// The definition that the text is.
    func definition() throws(DefinitionProblems) -> PipelineDefinition {
        try PipelineDefinition.read(Array(text.utf8), file: file, environment: [:], checks: .all)
    }
}
