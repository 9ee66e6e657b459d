import Foundation
import Testing

@testable import Sluice
@testable import SluiceDefinition
@testable import SluiceInit

/// Objects that their places in a record identify: other ones stand there when the list changes.
@Suite struct DraftPlaceTests {
    private let scratch = FeedFolder()

    private func feed(_ numbers: Range<Int>) -> String {
        let results = numbers.map {
            #"{"rule": "R\#($0 % 20)", "text": "m \#($0 % 7)", "spots": [{"uri": "lib/\#($0 * 7 % 11)", "line": \#($0 % 9)}]}"#
        }
        return #"{"runs": [{"tool": "T", "results": [\#(results.joined(separator: ","))]}]}"#
    }

    /// What a list no longer has leaves nothing behind, nor does what was in it.
    @Test func nothingStaysThatAListNoLongerHas() throws {
        try scratch.write("feed.json", feed(0..<300))
        let draft = try scratch.draft(["feed.json"])
        #expect(
            draft.text.contains(#""absent": "delete","#) && draft.text.contains(#""onDelete": "cascade""#),
            "\(draft.text)")
        let first = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
        #expect(first.outcome.status == .succeeded, "\(first.outcome)")
        try scratch.write("feed.json", feed(30..<300))
        let second = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
        #expect(second.outcome.status == .succeeded, "\(second.outcome) of \(draft.text)")
        let deleted = second.entities.map { $0.counts.deleted - $0.counts.created }
        #expect(deleted.contains(30), "\(deleted) of \(draft.text)")
    }

    /// Of a list that is in nothing, a comment says what a shorter feed leaves.
    @Test func aListInNothingIsTold() throws {
        let text = unfolded(try InitRun.Draft.text(of: list(40) { #"{"a": "\#($0 % 3)", "b": "\#($0 % 2)"}"# }))
        #expect(text.contains("where a feed is shorter than the one before"), "\(text)")
        #expect(!text.contains(#""absent": "delete","#), "\(text)")
    }

    /// The highest level of a tree is in an object that is known as the levels are.
    @Test func theTopOfATreeHasAParentToo() throws {
        let children = (0..<30).map {
            #"{"guid": "g\#($0)", "name": "n\#($0)", "children": [{"guid": "h\#($0)", "name": "m", "children": []}]}"#
        }
        let (text, report) = try InitRun.Draft.run(
            of:
                #"{"roots": {"bar": {"guid": "b1", "name": "Bar", "children": [\#(children.joined(separator: ","))]}, "other": {"guid": "b2", "name": "Other", "children": []}, "synced": {"guid": "b3", "name": "Mobile", "children": []}}}"#
        )
        #expect(text.contains(#""parent": { "to": ["Child", "Root"], "from": "^^.guid" }"#), "\(text)")
        #expect(report.entities.allSatisfy { $0.counts.rejected == 0 }, "\(text)")
    }

    /// The definition that was drafted of a feed lacks nothing of it.
    @Test func aDraftLacksNothingOfItsFeed() throws {
        try scratch.write("feed.json", list(20) { #"{"id": \#($0), "u": {"id": \#($0 % 3), "n": "a\#($0 % 3)"}}"# })
        let draft = try scratch.draft(["feed.json"])
        #expect(draft.text.contains(#""u": { "to": "U", "from": "u.id" }"#), "\(draft.text)")
        let run = InitRun([scratch.file("feed.json")], output: nil)
        #expect(try run.compare(with: draft.definition()).text == nil)
    }
}
