import Testing

@testable import Sluice
@testable import SluiceInit

/// Cells and rows of a table that are unlike all others: the comment says which, and in which line.
@Suite struct DraftFlawRowTests {
    private func draft(_ rows: [String]) throws -> String {
        unfolded(try InitRun.Draft.text(of: rows.joined(separator: "\n") + "\n", "feed.csv"))
    }

    /// One word among many rows, which no sample has.
    @Test(arguments: [
        ("1.5", #"numbers, but for "defekt" in line 1,502: perhaps "decimal", with this as its "nullIf""#),
        ("15", #"whole numbers, but for "defekt" in line 1,502: perhaps "integer", with this as its "nullIf""#),
        ("2026-01-05", #"dates, but for "defekt" in line 1,502: perhaps "date", with this as its "nullIf""#),
        ("4,5", #"perhaps "decimal" with "decimalMark": ",", with this as its "nullIf""#),
        ("1.234,5", #"perhaps "decimal" with "decimalMark": "," and "thousands": ".", with this as its "nullIf""#),
    ])
    func aWordAmongOtherTextsIsTold(_ cell: String, _ comment: String) throws {
        let rows = (1...4000).map { "\($0);\($0 == 1500 ? " defekt" : cell.replacing("5", with: "\($0 % 4 + 5)"))" }
        let text = try draft(["id;v", ""] + rows)
        #expect(text.contains(comment.replacing("\"defekt", with: "\" defekt")), "\(text)")
    }

    /// Where many are of another kind, they are no flaws; what says that there is no value is none either.
    @Test func textsOfManyKindsAreNoFlaws() throws {
        let many = try draft(["id,v"] + (1...300).map { "\($0),\($0 % 7 == 0 ? "a\($0)" : "\($0)")" })
        #expect(!many.contains("but for"), "\(many)")
        let missing = try draft(["id,v"] + (1...300).map { "\($0),\($0 % 3 == 0 ? "NA" : $0 == 7 ? "weg" : "\($0)")" })
        #expect(missing.contains(#"but for "weg" in line 8: perhaps "integer""#), "\(missing)")
    }

    @Test func severalWordsAreCounted() throws {
        let text = try draft(["id,v"] + (1...300).map { "\($0),\($0 % 100 == 0 ? "a\($0)" : "\($0)")" })
        let texts = #"whole numbers, but for 3 texts, such as "a100" in line 101, "a200", "a300""#
        #expect(text.contains(texts + #": perhaps "integer", with these"#), "\(text)")
    }

    /// A few numbers with a fraction among whole ones are no flaws: as whole ones, they would be lost.
    @Test(arguments: ["1.5", "1,5"]) func fractionsAmongWholeNumbersAreNumbers(_ fraction: String) throws {
        let rows = (1...4000).map { row in
            "\(row);\(row % 1000 == 1 ? fraction : row % 900 == 2 ? "ca. \(row)" : "\(row % 97)")"
        }
        let text = try draft(["id;v"] + rows)
        let texts = #"but for 5 texts, such as "ca. 2" in line 3, "ca. 902", "ca. 1802""#
        let type = fraction == "1.5" ? #"perhaps "decimal", with"# : #"perhaps "decimal" with "decimalMark": ",", with"#
        #expect(text.contains("numbers, 4 of them with a fraction, \(texts): \(type)"), "\(text)")
    }

    /// Rows that lack most of what the others have, and may be records, as many as may be there.
    @Test(arguments: [1, 3, 4]) func thinRowsAreTold(_ notes: Int) throws {
        let rows = (1...20).map { "0\($0),Station \($0),\($0)" } + (1...notes).map { "Depot \($0),," }
        let text = try draft(["nr,name,level"] + rows)
        let one = #"the row in line 22 ("Depot 1") lacks most of what the others have: perhaps a sum, or a note"#
        let several = #"3 rows, the first of them in line 22 ("Depot 1"), lack most of what the others have"#
        #expect(text.contains(one) == (notes == 1) && text.contains(several) == (notes == 3), "\(text)")
        #expect(text.contains(#"which "where": { "name": { "not": null } } leaves out"#) == (notes < 4), "\(text)")
    }

    /// Marks between groups in a few numbers are no flaws, but marks.
    @Test(arguments: [
        ("1.045,70", #""decimal" with "decimalMark": "," and "thousands": ".""#),
        ("defekt", #"perhaps "decimal" with "decimalMark": ",", with this as its "nullIf""#),
    ])
    func groupsInAFewNumbersAreTold(_ odd: String, _ remedy: String) throws {
        let text = try draft(["id;v"] + (1...12).map { "\($0);\($0 == 5 ? odd : "12\($0)5,5")" })
        #expect(text.contains(remedy), "\(text)")
        #expect(text.contains("nullIf") == odd.contains("d"), "\(text)")
    }

    /// In which file of a pattern it is, its line is counted there.
    @Test func linesAreThoseOfTheirFile() throws {
        let folder = FeedFolder()
        for file in 1...3 {
            let rows = (1...20).map { "\(file * 100 + $0),\(file == 2 && $0 == 7 ? "kaputt" : "\($0)")" }
            try folder.write("days/d\(file).csv", (["id,v"] + rows).joined(separator: "\n") + "\n")
        }
        let text = unfolded(try folder.draft(["days/*.csv"]).text)
        #expect(text.contains(#"but for "kaputt" in line 8 of "#) && text.contains("d2.csv: perhaps"), "\(text)")
    }
}
