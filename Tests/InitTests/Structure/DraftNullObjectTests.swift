import SluiceInit
import Testing

/// A path into null finds nothing, and what is absent stays: a draft clears what an object of a record had.
@Suite struct DraftNullObjectTests {
    private func issues(_ none: String) -> String {
        let all = (1...12).map { number in
            let assignee = number % 3 == 0 ? none : #"{"id": \#(number % 2), "login": "u\#(number % 2)"}"#
            let due = number % 4 == 0 ? none : #"{"on": "2026-12-0\#(number % 9 + 1)", "by": {"hand": \#(number)}}"#
            return #"{"id": \#(number), "assignee": \#(assignee), "due": \#(due)}"#
        }
        return "[\(all.joined(separator: ","))]"
    }

    @Test(arguments: ["null", "\"\""]) func whatIsInThemIsCleared(none: String) throws {
        let (text, report) = try InitRun.Draft.run(of: issues(none))
        #expect(text.contains(#""from": "assignee.id", "onAbsent": "clear" }"#), "\(text)")
        #expect(text.contains(#""from": "due.on", "onAbsent": "null" }"#), "\(text)")
        #expect(text.contains(#""from": "due.by.hand", "onAbsent": "null" }"#), "\(text)")
        #expect(report.entities.allSatisfy { $0.counts.rejected == 0 })
        // The objects themselves have what they have.
        #expect(text.contains(#""login": "text""#) || !text.contains(#""login": { "type": "text", "onAbsent""#))
    }

    @Test func whatIsAlwaysThereNeedsNothing() throws {
        let (text, _) = try InitRun.Draft.run(of: issues("{\"id\": 9, \"login\": \"u9\"}"))
        #expect(!text.contains(#""from": "assignee.id", "onAbsent""#), "\(text)")
    }
}
