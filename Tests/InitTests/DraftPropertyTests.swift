import Foundation
import SluiceDefinition
import SluiceRecords
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceInit

/// Whatever a feed holds: its draft is sound, and loads the feed without a reject.
@Suite struct DraftPropertyTests {
    private static let seeds = SeededRandom.seeds(0..<100)

    @Test(arguments: 0..<6)
    func everyDraftLoadsItsFeed(_ part: Int) throws {
        let folder = NSTemporaryDirectory() + "sluice-drafts-\(part)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for seed in DraftPropertyTests.seeds where seed % 6 == part {
            if let wrong = try check(seed, folder) { Issue.record("seed \(seed): \(wrong)") }
        }
    }

    /// Likewise where the same is in several files, which a pattern names.
    @Test(arguments: 0..<6)
    func everyDraftOfFilesLoadsThem(_ part: Int) throws {
        let folder = NSTemporaryDirectory() + "sluice-drafts-files-\(part)-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for seed in DraftPropertyTests.seeds where seed % 6 == part {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(seed)", withIntermediateDirectories: true)
            if let wrong = try check(seed, "\(folder)/\(seed)", copies: 2) { Issue.record("seed \(seed): \(wrong)") }
        }
    }

    /// What is wrong with the draft of a random feed.
    private func check(_ seed: Int, _ folder: String, copies: Int = 1) throws -> String? {
        var generator = RandomFeed(SeededRandom(seed))
        let (feed, ending) = generator.make()
        for copy in 0..<copies {
            try feed.write(toFile: "\(folder)/feed\(seed)-\(copy).\(ending)", atomically: false, encoding: .utf8)
        }
        let path = "\(folder)/feed\(seed)-\(copies == 1 ? "0" : "*").\(ending)"
        let draft: InitRun.Draft
        do {
            draft = try InitRun([path], output: "\(folder)/draft\(seed).jsonc").perform()
        } catch {
            // Nothing in it identifies anything, or there is nothing.
            return error.kind == .data && !error.message.isEmpty ? nil : "no draft: \(error.message)"
        }
        let hidden = draft.text.unicodeScalars.contains { $0.isHidden && $0 != "\n" && $0.value != 0x200D }
        if hidden { return "hidden characters in \(draft.text)" }
        try draft.text.write(toFile: draft.file, atomically: false, encoding: .utf8)
        let definition: PipelineDefinition
        do {
            definition = try draft.definition()
        } catch {
            return "\(error) in \(draft.text)\n\(feed.prefix(2000))"
        }
        var options = RunOptions()
        options.findings = "\(folder)/findings.ndjson"
        let report = PipelineRun(checked: definition, options: options).perform()
        let rejects = report.entities.reduce(0) { $0 + $1.counts.rejected }
        if report.outcome.status == .succeeded, rejects == 0 { return nil }
        let found = (try? String(contentsOfFile: "\(folder)/findings.ndjson", encoding: .utf8)) ?? ""
        return "\(report.outcome), \(rejects) rejects: \(found.prefix(600)) of \(draft.text)"
    }
}
