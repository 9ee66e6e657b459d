import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// Objects in maps, values in objects that say their type, and lists in lists.
@Suite struct DraftMapTests {
    /// Objects that share most of their members stay objects, whatever only some of them have.
    @Test(arguments: [#""admin": true"#, #""nick": "x""#, #""phones": ["1"]"#])
    func aMemberThatFewHaveTakesNoMapApart(_ member: String) throws {
        let people = (0..<100).map { number in
            #""u\#(number)": {"name": "N\#(number)", "city": "C\#(number % 9)", "mail": "m\#(number)@x.org"\#(number % 3 == 0 ? ", \(member)" : "")}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"people": {\#(people.joined(separator: ","))}}"#)
        #expect(text.contains(#""records": "$.people.*","#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [100], "\(text)")
    }

    /// What only says of which type a value is names nothing.
    @Test func wrappedValuesAreCalledAsWhatIsAroundThem() throws {
        let feed = list(30) { number in
            #"{"_id": {"$oid": "65\#(number * 7919 + 100000)"}, "total": {"$numberDecimal": "\#(number * 13).50"}, "seq": {"$numberLong": "\#(number + 10)"}}"#
        }
        let (text, _) = try InitRun.Draft.run(of: feed)
        #expect(text.contains(#""identifier": "_id""#), "\(text)")
        #expect(text.contains(#""total": { "type": "decimal", "from": "total['$numberDecimal']""#), "\(text)")
        #expect(text.contains(#""seq": { "type": "integer", "from": "seq['$numberLong']""#), "\(text)")
        let items = list(30) {
            #"{"Item": {"pk": {"S": "u\#($0)"}, "amount": {"N": "\#($0).5"}, "on": {"BOOL": \#($0 % 2 == 0)}}}"#
        }
        let table = try InitRun.Draft.run(of: items).text
        for name in ["pk", "amount", "on"] { #expect(table.contains("\"\(name)\": {"), "\(table)") }
    }

    /// Where keys are all that objects say, they are a set of what they name.
    @Test func keysOfFlagsAreASet() throws {
        let names = (0..<150).map { "u\($0 * 7919)x" }
        let users = names.enumerated().map { index, name in
            let others = (0..<index % 4).map { "\"\(names[(index * 7 + $0 * 31) % 150])\": true" }.joined(
                separator: ",")
            return #""\#(name)": {"name": "n\#(index)", "followers": {\#(others)}}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"users": {\#(users.joined(separator: ","))}}"#)
        #expect(text.contains(#""records": "$.users.*.followers.*""#), "\(text)")
        #expect(text.contains(#""to": "User", "from": "~""#) && report.entities.count == 2, "\(text)")
    }

    // MARK: Objects in records

    /// Owners that are gone have no identifier: the others are known by theirs, and are one entity here and there.
    @Test func fewObjectsWithoutAnIdentifierAreLeftOut() throws {
        func owner(_ number: Int) -> String {
            let user = number * 7 % 40
            return
                #"{"account_id": \#(900 + user), "type": "here", "display_name": "u\#(user)", "link": "https://s.o/u/\#(user)"}"#
        }
        let feed = list(500) { number in
            let own = number % 25 == 0 ? #"{"type": "gone", "display_name": "user\#(number)"}"# : owner(number)
            return
                #"{"question_id": \#(7000 + number), "title": "t\#(number)", "owner": \#(own), "answers": [{"answer_id": \#(9000 + number), "owner": \#(owner(number + 3))}]}"#
        }
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(unfolded(text).contains(#"20 of 500 at $[*].owner have no "account_id""#), "\(text)")
        #expect(text.contains(#""where": { "account_id": { "present": true, "not": null } }"#), "\(text)")
        #expect(report.entities.allSatisfy { $0.counts.rejected == 0 } && report.entities.count == 3, "\(text)")
    }

    /// Numbers that begin with a time are records, as charts have them; coordinates are none.
    @Test func listsThatBeginWithATimeAreRecords() throws {
        let lines = (0..<200).map { "[\(1_760_000_000_000 + $0 * 3_600_000), \($0).5]" }.joined(separator: ",")
        for feed in [#"{"prices": [\#(lines)]}"#, "[\(lines)]"] {
            let (text, report) = try InitRun.Draft.run(of: feed)
            #expect(text.contains(#""identifier": "column0""#) && text.contains(#""format": "unix-ms""#), "\(text)")
            #expect(report.entities.map(\.counts.created) == [200], "\(text)")
        }
        let points = (0..<200).map { "[\($0).25, \($0).5]" }.joined(separator: ",")
        #expect(throws: Failure.self) { try InitRun.Draft.text(of: #"{"prices": [\#(points)]}"#) }
    }

    /// A list that is called as lists of anything are is called after what has it, and after itself.
    @Test func aListOfAnythingIsCalledAfterBoth() throws {
        let results = (0..<50).map { #"{"guid": "g\#($0 * 7919)", "rule": "R\#($0 % 9)"}"# }.joined(separator: ",")
        let text = try InitRun.Draft.text(
            of: #"{"runs": [{"tool": "T", "results": [\#(results)]}, {"tool": "U", "results": []}]}"#)
        #expect(text.contains(#""RunResult": {"#), "\(text)")
    }
}
