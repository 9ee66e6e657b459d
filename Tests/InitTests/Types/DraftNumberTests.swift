import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// What `init` makes of the numbers in tables: the less a name says of them, the less they are.
@Suite struct DraftNumberTests {
    private let scratch = FeedFolder()

    private func draft(_ rows: [String]) throws -> (text: String, created: [Int]) {
        let (text, report) = try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", "feed.csv")
        return (text, report.entities.map(\.counts.created))
    }

    // MARK: Types

    /// Years have four digits, too, and some of them could be times of day.
    @Test(arguments: [("arrival_date_year", 2015), ("time", 2000), ("time", 1940), ("arrival", 1830)])
    func yearsAreNoTimesOfDay(_ name: String, _ first: Int) throws {
        let (text, _) = try draft(["id,\(name)"] + (0..<12).map { "\($0),\(first + $0)" })
        #expect(text.contains(#""\#(name)": "integer""#), "\(text)")
    }

    @Test func timesOfDayAreNoYears() throws {
        let (text, _) = try draft(["id,dep_time"] + (0..<12).map { "\($0),\($0 + 10)\($0 * 4 + 10)" })
        #expect(text.contains(#""dep_time": { "type": "duration", "format": "hhmm""#), "\(text)")
    }

    /// `4,6` may be two numbers: where others have a point, or most have no comma, nobody knows.
    @Test(arguments: [["1", "2", "4,6", "6", "20,22"], ["1,5", "2,5", "4,6", "6,1", "20,22"]])
    func aCommaBetweenTwoNumbersIsNoFraction(_ values: [String]) throws {
        let rows = values.enumerated().map { #"r\#($0),0.\#($0 + 3)75,"\#($1)""# }
        let (text, _) = try draft(["name,age,source"] + rows)
        #expect(
            text.contains(#""source": "text"  // numbers, but is the comma before"#),
            "\(text)")
    }

    /// What is called as numbers of something are is none where it has a fraction.
    @Test func numbersWithAFractionNumberNothing() throws {
        let rows = (1..<60).map { "\($0),\(40 + $0 % 9).5,\(50 - $0 % 7).5,\($0 * 4).5,3.\($0)" }
        let (text, _) = try draft(["id,yes,no,parent_emp,version"] + rows)
        for name in ["yes", "no", "parent_emp"] {
            #expect(text.contains(#""\#(name)": "real""#), "\(text)")
        }
        // `3.1` and `3.10` are two.
        #expect(text.contains(#""version": "text""#), "\(text)")
    }

    // MARK: Identifiers

    /// A text that is unique comes before what was counted or measured.
    @Test(arguments: ["0.2542,0.1121", "211,600"]) func measuresComeAfterNames(_ first: String) throws {
        let others = first.contains(".") ? ["0.3310,0.1121", "0.2222,0.5407"] : ["110,550", "145,610"]
        let rows = (0..<3).flatMap { row in
            (["Canada,\(first)"] + others.enumerated().map { "Land \($0.offset),\($0.element)" }).map { cells in
                "\(row)\(cells.replacing(",", with: ",\(row + 1)"))"
            }
        }
        let (text, _) = try draft(["country,invest,pop"] + rows)
        #expect(text.contains(#""identifier": "country""#), "\(text)")
    }

    /// Prices with a comma are measures, too.
    @Test func pricesComeAfterAPair() throws {
        let rows = (0..<50).map { row in #"2024-01-\#(row % 20 + 10),S\#(row / 20),"\#(row % 9),\#(row + 10)""# }
        let (text, _) = try draft(["date,shop,eur"] + rows)
        #expect(text.contains(#""identifier": ["date", "shop"]"#) && text.contains(#""decimalMark": ",""#), "\(text)")
    }

    /// Where all columns together are unique, four of them may be so, too: the first ones come before statistics.
    @Test func statisticsBelongToNoIdentifier() throws {
        var rows: [String] = []
        for player in 0..<60 {
            for year in 2000..<2004 {
                for stint in 1...(1 + (player + year) % 2) {
                    for place in ["LF", "CF", "RF"].prefix(1 + (player * year) % 3) {
                        let counts = (0..<7).map { String((player * 7 + year * 3 + stint + $0 * player) % 3) }
                        let team = "\(["BAL", "NYA"][player % 2]),\(["AL", "NL"][year % 2])"
                        rows.append("p\(player),\(year),\(stint),\(team),\(place),\(counts.joined(separator: ","))")
                    }
                }
            }
        }
        let (text, created) = try draft(["playerID,yearID,stint,teamID,lgID,POS,G,GS,PO,A,E,DP,TP"] + rows)
        #expect(text.contains(#""identifier": ["playerID", "yearID", "stint", "POS"]"#), "\(text)")
        #expect(created == [rows.count])
    }

    /// One record that is there twice does not make a score a part of what identifies the others.
    @Test func aScoreDoesNotIdentifyForOneRecord() throws {
        let rows = (0..<300).map { "2024-\(10 + $0 % 3)-\(10 + $0 % 19),T\($0 % 23),U\($0 % 19),\($0 % 4),\($0 % 3)" }
        let again = rows[40].split(separator: ",").prefix(3).joined(separator: ",") + ",9,9"
        let (text, created) = try draft(["date,home,away,hs,as"] + rows + [again])
        #expect(text.contains(#""identifier": ["date", "home"]"#), "\(text)")
        #expect(text.contains("are unique but for 1 of 301") && created == [300], "\(text)")
    }

    /// Of observations, many say the same.
    @Test func observationsAreNoCopies() throws {
        let rows = (0..<500).map { "\($0 * $0 % 7 / 5),\($0 % 2),\($0 % 11 / 10)" }
        let (text, created) = try draft(["age65,amnesia,fracture"] + rows)
        #expect(text.contains(#""identifier": "line""#) && created == [500], "\(text)")
        #expect(unfolded(text).contains("where they are copies, all attributes together are the identifier"), "\(text)")
    }

    @Test func oneLongTextHidesNoIdentifier() throws {
        let long = String(repeating: "z", count: 300)
        let (text, _) = try draft(["key,n"] + (0..<60).map { "k\(1000 + $0 * 37 % 997),\($0 % 5)" } + ["\(long),3"])
        #expect(text.contains(#""identifier": "key""#), "\(text)")
    }

    // MARK: References

    /// That a measure is called as a word of its table is no reason to refer to that by it.
    @Test func measuresReferToNoRows() throws {
        let rows = (1...100).map { "\($0),\($0 * $0 % 97 + 1),D" }
        let text = try scratch.text(of: ["penny_ages": ["rownames,age,mint"] + rows])
        #expect(text.contains(#""age": "integer""#), "\(text)")
        let tree = try scratch.text(of: ["parts": ["id,parent_id"] + (1...40).map { "\($0),\($0 / 2 + 1)" }])
        #expect(tree.contains(#""parent": { "to": "Part", "from": "parent_id" }"#), "\(tree)")
    }

    /// One of them is named in the singular, and so many of them in the plural.
    @Test func countsReferToNoRows() throws {
        let matches = (1...60).map { "\(100 + $0),\($0 % 20 + 1),\($0 * 7 % 20 + 1),\($0 * $0 % 19 + 1)" }
        let text = try scratch.text(of: [
            "teams": ["id,name"] + (1...20).map { "\($0),Team \($0)" },
            "matches": ["id,home_team,away_team,all_teams"] + matches,
        ])
        #expect(text.contains(#""home_team": { "to": "Team" }"#), "\(text)")
        #expect(text.contains(#""away_team": { "to": "Team" }"#), "\(text)")
        #expect(text.contains(#""all_teams": "integer""#), "\(text)")
    }

    /// What attributes are called in many tables is the name of no reference.
    @Test func positionsReferToNothing() throws {
        let types = (1..<15).map { "t\($0),Type \($0),\($0)" }
        let packs = (0..<74).map { "p\($0 + 10),Pack \($0),\($0 % 11 + 1)" }
        let text = try scratch.text(of: [
            "types": ["code,name,position"] + types, "packs": ["code,name,position"] + packs,
        ])
        #expect(!text.contains(#""to""#), "\(text)")
    }

    /// A cell may have several identifiers, with something between them.
    @Test(arguments: [" ", ";"]) func cellsHoldSeveralIdentifiers(_ separator: String) throws {
        let people = ["bickelb", "nicholsj", "dryerms", "dahlo", "comrieb", "corbettg", "siewierska", "stassenl"]
        let chapters = (1..<60).map { row in
            let first = people[row % 8]
            return "\(row),Ch\(row),\(row % 3 == 0 ? first + separator + people[(row + 3) % 8] : first)"
        }
        let text = try scratch.text(of: [
            "contributors": ["ID,Name"] + people.map { "\($0),N \($0)" },
            "chapters": ["ID,Name,Contributor_ID"] + chapters,
        ])
        #expect(
            text.contains(
                #""Contributor": { "to": "Contributor", "from": "Contributor_ID", "split": "\#(separator)", "many": true }"#
            ),
            "\(text)")
    }

    /// Tables of one key say something of the same things, and refer to what the key is made of.
    @Test func tablesOfOneKeyDoNotReferToEachOther() throws {
        let countries = (10..<50).map { "c\($0),Name \($0)" }
        let table = { (years: Range<Int>) in
            ["geo,time,value"] + (10..<50).flatMap { geo in years.map { "c\(geo),\($0),\(geo * $0 % 89).5" } }
        }
        let text = try scratch.text(of: [
            "country": ["country,name"] + countries, "life": table(1990..<2015), "income": table(1985..<2020),
        ])
        #expect(text.components(separatedBy: #""to": "Country""#).count == 3, "\(text)")
        #expect(text.components(separatedBy: #""to""#).count == 3, "\(text)")
    }
}
