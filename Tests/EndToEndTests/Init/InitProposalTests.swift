import Foundation
import Testing

/// What the comments of a draft propose: who does it has the values that the feed says.
@Suite struct InitProposalTests {
    private let folder = TemporaryFolder()

    /// Writes a table of amounts with the number of the row in each; a last one may stand behind a line.
    private func write(_ amount: String) throws {
        let kinds = amount.split(separator: "|").map(String.init)
        let rows = (1...8).map { "A\($0);\(kinds[0].replacing("#", with: "\($0)"))" }
        let last = kinds.dropFirst().map { "A9;\($0)" }
        _ = try folder.write("p.csv", (["ref;sum"] + rows + last).joined(separator: "\n") + "\n")
    }

    /// Amounts, and what the first two of them are.
    @Test(arguments: [
        ("# 20#,50 €", ["1201.5", "2202.5"]), ("#\u{a0}20#,50 €", ["1201.5", "2202.5"]),
        ("#\u{202f}20#,50 €", ["1201.5", "2202.5"]), ("#'20#.50 CHF", ["1201.5", "2202.5"]),
        ("-#’20#.50 CHF", ["-1201.5", "-2202.5"]), ("#.20#,50 €", ["1201.5", "2202.5"]),
        ("$#,20#.50", ["1201.5", "2202.5"]), ("# 20# €", ["1201", "2202"]),
        ("#.20#.000 €", ["1201000", "2202000"]), ("EUR #,5", ["1.5", "2.5"]),
        ("# %", ["1", "2"]), ("#,5 €|1 200,50 €", ["1.5", "2.5"]),
        ("#.250 €|9,50 €", ["1250", "2250"]),
    ])
    func amountsAreReadAsTheyAre(_ amount: String, _ values: [String]) throws {
        try write(amount)
        let draft = try Sluice.run(["init", folder.file("p.csv")])
        let proposed = draft.output.firstMatch(of: #/"sum": .*perhaps ("decimal") with (".*)/#)
        let keys = try #require(proposed, "\(draft)").2
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "p.csv", "delimiter": ";" }, "store": { "sqlite": "p.sqlite" }, "entities": { "P": {
              "records": "$", "identifier": "ref", "attributes": { "ref": "text",
                "sum": { "type": "decimal", \(keys) } } } } }
            """)
        let outcome = try Sluice.run(["run", definition, "--format", "json"])
        #expect(outcome.status == 0 && outcome.count("P", "rejected") == 0, "\(keys) \(outcome)")
        let found = try Database(folder.file("p.sqlite")).rows("SELECT sum FROM P ORDER BY ref LIMIT 2").map { $0[0] }
        #expect(found.map { Double($0) } == values.map { Double($0) }, "\(keys)")
    }

    /// Where nothing says what a mark is, or numbers have several ways of writing, no definition is proposed.
    @Test(arguments: [
        ("#.250 €", #""decimalMark" or "thousands", as the point is meant"#),
        ("#,250 €", #""decimalMark" or "thousands", as the comma is meant"#),
        ("#.250,5 €|9,250.5 €", "with other marks in some than in others"),
        ("- #,5 €", "with a minus apart from them"),
    ])
    func whatMayBeOtherwiseIsNotProposed(_ amount: String, _ comment: String) throws {
        try write(amount)
        let draft = try Sluice.run(["init", folder.file("p.csv")])
        #expect(draft.output.contains(comment) && !draft.output.contains(#""thousands": "#), "\(draft)")
        #expect(!draft.output.contains(#""decimalMark": "#), "\(draft)")
    }

    /// Times, of which one row has the last one, and the first of them as it is stored.
    @Test(arguments: [
        ("1#/11/2026 2:05 PM", "2026-11-11T14:05:00.000000Z"), ("11/1#/2026 12:05 AM", "2026-11-11T00:05:00.000000Z"),
        ("1#.11.26 08:15", "2026-11-11T08:15:00.000000Z"), ("2026-11-1# 08:15:00 UTC", "2026-11-11T08:15:00.000000Z"),
        ("2026-11-1# 08:15:00|0000-00-00 00:00:00", "2026-11-11T08:15:00.000000Z"),
        ("2026-11-1#|2026-11-01T08:15:00+01:00", "2026-11-11T00:00:00.000000Z"),
    ])
    func timesAreReadAsTheyAre(_ time: String, _ value: String) throws {
        try write(time)
        let draft = try Sluice.run(["init", folder.file("p.csv")])
        let proposed = draft.output.firstMatch(of: #/"sum": .*perhaps "datetime" with (.*), and a "timeZone"(.*)/#)
        let keys = try #require(proposed, "\(draft)").output
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "p.csv", "delimiter": ";" }, "store": { "sqlite": "p.sqlite" }, "entities": { "P": {
              "records": "$", "identifier": "ref", "attributes": { "ref": "text",
                "sum": { "type": "datetime", \(keys.1), "timeZone": "UTC"\(keys.2) } } } } }
            """)
        let outcome = try Sluice.run(["run", definition, "--format", "json"])
        #expect(outcome.status == 0 && outcome.count("P", "rejected") == 0, "\(keys) \(outcome)")
        let found = try Database(folder.file("p.sqlite")).rows("SELECT sum FROM P ORDER BY ref LIMIT 1")
        #expect(found == [[value]], "\(keys)")
    }

    /// A relationship that leads to a new kind of objects, too, is shown with that.
    @Test func whatLeadsToANewEntityIsLacking() throws {
        func objects(_ kind: String, _ member: String) -> String {
            (0..<9).map { number in
                let owner =
                    #"{"type": "owner", "id": "o--\#(kind)\#(number)", "pet_ref": "\#(kind)--\#(number)", "zip": 1}"#
                return
                    #"{"type": "\#(kind)", "id": "\#(kind)--\#(number)", "\#(member)": "v\#(number)", "a": 1}, \#(owner)"#
            }.joined(separator: ", ")
        }
        func feed(_ kinds: [String: String]) -> String {
            let all = kinds.sorted { $0.key < $1.key }.map { objects($0.key, $0.value) }
            return #"{"objects": [\#(all.joined(separator: ", "))]}"#
        }
        let file = try folder.write("f.json", feed(["cat": "lives", "dog": "bark"]))
        let definition = folder.file("p.jsonc")
        #expect(try Sluice.run(["init", file, "--output", definition]).status == 0)
        _ = try folder.write("f.json", feed(["bird": "song", "cat": "lives", "dog": "bark"]))
        let added = try Sluice.run(["init", file, "--add", definition])
        #expect(added.output.contains(#""Bird": {"#), "\(added)")
        #expect(added.output.contains(#"{ "to": ["Bird", "Cat", "Dog"], "from": "pet_ref""#), "\(added)")
    }
}
