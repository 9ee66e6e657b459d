import Testing

@testable import Sluice
@testable import SluiceInit

/// Records that lack what identifies all others, or have what another one has: flaws of the feed, and no reason to
/// identify the rest by a place, a title or a time of change.
@Suite struct DraftFlawTests {
    /// Books with copies in them. One has no number, and another one has the number of the first.
    private func books(_ count: Int, lacking: Int?, twice: Int?) -> String {
        let books = list(count) { book in
            let number = book == twice ? 0 : book
            let isbn = book == lacking ? "" : #""isbn13": "978\#(1_000_000_000 + number * 7919)", "#
            let copies = (0..<book % 3).map { #"{"shelf": "s\#($0)", "status": "st\#(book % 2)"}"# }
            return
                #"{\#(isbn)"title": "Book \#(book)", "updated_at": "2026-11-\#(10 + book % 20)T00:00:0\#(book % 10)Z","#
                + #" "copies": [\#(copies.joined(separator: ", "))]}"#
        }
        return #"{"books": \#(books)}"#
    }

    @Test(arguments: [(243, 31, nil), (31, 4, nil), (200, nil, 77), (243, 31, 77)] as [(Int, Int?, Int?)])
    func hardlyAFlawedRecordDerailsAnIdentifier(_ count: Int, _ lacking: Int?, _ twice: Int?) throws {
        let (draft, report) = try InitRun.Draft.run(of: books(count, lacking: lacking, twice: twice))
        let text = unfolded(draft)
        #expect(text.contains(#""identifier": "isbn13""#), "\(text)")
        let condition = #""where": { "isbn13": { "present": true, "not": null } }"#
        #expect(text.contains(condition) == (lacking != nil), "\(text)")
        if lacking != nil {
            #expect(text.contains(#"1 of \#(count) records has no "isbn13", which identifies"#), "\(text)")
        }
        let flaws = text.contains(#""isbn13" is unique but for 1 of \#(count)"#)
        #expect(flaws == (twice != nil), "\(text)")
        let inner = #""where": { "$.books[*].isbn13": { "present": true, "not": null } }"#
        #expect(text.contains(inner) == (lacking != nil), "\(text)")
        let created = count - (lacking == nil ? 0 : 1) - (twice == nil ? 0 : 1)
        #expect(report.entities.first?.counts.created == created, "\(text)")
        #expect(report.entities.allSatisfy { $0.counts.rejected == 0 }, "\(text)")
    }

    /// As a league has matches: one has no number, and two have that of another one.
    @Test func whatIsCalledAfterTheRecordMayBeThereTwice() throws {
        let matches = list(31) { match in
            let number = match == 4 ? "" : #""matchId": \#(5000 + (match > 28 ? match - 20 : match)), "#
            return #"{\#(number)"status": "s\#(match % 3)", "goals": [{"player": \#(match % 5)}]}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"matches": \#(matches)}"#)
        #expect(text.contains(#""identifier": "matchId""#), "\(text)")
        #expect(text.contains(#""matchId" is unique but for 2 of 31"#), "\(text)")
        #expect(!text.contains(#""matchId" lacks in"#), "\(text)")
        #expect(report.entities.first?.counts.created == 28, "\(text)")
    }

    /// Of more records that lack it, it identifies nothing.
    @Test func whatSeveralRecordsLackIdentifiesNothing() throws {
        let text = try InitRun.Draft.text(
            of: list(60) {
                #"{"title": "Book \#($0)"\#($0 % 20 == 3 ? "" : #", "isbn13": "978\#(1_000_000_000 + $0)""#)}"#
            })
        #expect(!text.contains(#""identifier": "isbn13""#), "\(text)")
    }

    /// Readings of meters, two in a row of days, a row twice, and one below that lacks its day.
    @Test(arguments: [false, true])
    func aRowBelowATableDerailsNoPair(_ hasFlaws: Bool) throws {
        var rows = (1...120).map { row in
            let day = "\(10 + row % 19).0\(row % 2 + 8).2026"
            return "Z0\(1000 + row % 60);\(day);\(row * 7919 % 90000),\(10 + row % 90);R\(row % 3)"
        }
        if hasFlaws { rows += [rows[5], rows[6].dropLast(2) + "R9"] }
        let table = ["Meter number;Read;Used;Reason"] + rows + ["Rest;;568674,34;"]
        let (draft, report) = try InitRun.Draft.run(of: table.joined(separator: "\n") + "\n", "readings.csv")
        let text = unfolded(draft)
        #expect(text.contains(#""identifier": ["Meter number", "Read"]"#), "\(text)")
        #expect(text.contains(#""Read": { "present": true, "not": null }"#), "\(text)")
        #expect(text.contains("unique but for 2 of \(rows.count + 1)") == hasFlaws, "\(text)")
        #expect(report.entities.map(\.counts.created) == [120], "\(text)")
    }
}
