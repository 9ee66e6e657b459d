import Testing

@testable import Sluice
@testable import SluiceInit

/// Objects in records that are records themselves, told in short.
@Suite("Excerpts of records")
struct DraftExcerptTests {
    /// Tickets, of which some are below others.
    ///
    /// - Parameter title: what the excerpt says of a ticket.
    private func tickets(title: (Int) -> String = { "Title \($0)" }) -> String {
        let all = list(60) { number in
            let children = number < 20 ? [number + 20, number + 40] : []
            let parent = number < 20 ? "null" : excerpt(number % 20, title)
            let below = children.map { excerpt($0, title) }.joined(separator: ",")
            return """
                {"id": \(number), "key": "T-\(number)", "title": "Title \(number)", "state": "open", "parent": \(parent),
                "children": [\(below)]}
                """
        }
        return "{\"tickets\": \(all)}"
    }

    private func excerpt(_ number: Int, _ title: (Int) -> String) -> String {
        #"{"id": \#(number), "key": "T-\#(number)", "title": "\#(title(number))"}"#
    }

    @Test func oneAboveAndThoseBelowAreReferences() throws {
        let (text, report) = try InitRun.Draft.run(of: tickets())
        #expect(report.entities.map(\.name) == ["Ticket"])
        #expect(text.contains(#""parent": { "to": "Ticket", "from": "parent.id", "onAbsent": "clear" }"#))
        #expect(text.contains(#""children": { "to": "Ticket", "from": "children[*].id", "many": true }"#))
        #expect(!text.contains("parent.title") && !text.contains("children[*].title"))
        #expect(report.entities.first?.counts.created == 60)
    }

    /// Numbers that are those of records by chance: what is beside them is not what the records say.
    @Test func whatSaysSomethingElseIsNone() throws {
        let (text, _) = try InitRun.Draft.run(of: tickets { "Group \($0)" })
        #expect(text.contains(#""parent": { "to": "Parent", "from": "parent.id", "onAbsent": "clear" }"#))
    }

    /// What is nowhere else is kept.
    @Test func whatHasMoreIsNone() throws {
        let feed = tickets().replacing(#""key": "T-"#, with: #""extra": 7, "key": "T-"#)
        let more = feed.replacing(#"{"id""#, with: #"{"seen": "x", "id""#)
        let (text, _) = try InitRun.Draft.run(
            of: more.replacing(#""parent": {"#, with: #""parent": {"only": "here", "#))
        #expect(text.contains("only"))
    }

    /// What names a record may be called otherwise where it is told in short: that is where the reference looks.
    @Test func whatNamesARecordMayBeCalledOtherwise() throws {
        let name = { (part: Int) in "pkg:\(part % 12)@\(part % 12 * 3)" }
        let parts = list(12) { #"{"bom-ref": "\#(name($0))", "name": "Part \#($0)"}"# }
        let uses = list(12) { #"{"ref": "\#(name($0))", "uses": ["\#(name($0 + 5))"]}"# }
        let faults = list(8) { #"{"id": "F-\#($0)", "hits": [{"ref": "\#(name($0))"}], "level": \#($0 % 3)}"# }
        let (text, report) = try InitRun.Draft.run(of: #"{"parts": \#(parts), "uses": \#(uses), "faults": \#(faults)}"#)
        #expect(text.contains(#""hits": { "to": "Part", "from": "hits[*].ref", "many": true }"#), "\(text)")
        let unresolved = report.entities.flatMap(\.counts.relationships).reduce(0) { $0 + $1.unresolved }
        #expect(unresolved == 0, "\(text)")
    }
}
