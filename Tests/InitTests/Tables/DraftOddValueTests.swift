import Testing

@testable import Sluice
@testable import SluiceInit

/// One odd value in a table of few rows: what it may cost.
@Suite struct DraftOddValueTests {
    private func draft(_ rows: [String]) throws -> String {
        unfolded(try InitRun.Draft.text(of: rows.joined(separator: "\n") + "\n", "feed.csv"))
    }

    private func gauges(_ odd: String, _ units: String = ";;cm;m³/s") -> [String] {
        ["Messstelle;Gewässer;Pegelstand;Abfluss", units, "0041-2;Lahn;123,5;1.045,70"]
            + (2...9).map { "004\($0)-\($0 * 3 % 7);Bach \($0);\($0 * 7),5;\($0),25" } + ["0050-3;Perf;\(odd);\(odd)"]
    }

    /// A word for no value costs neither the row of units, nor the numbers, nor the identifier.
    @Test(arguments: ["-", "--", "–", "k.A.", "n/a", "NA", "null", ".", "?", "x", "keine Angabe", "#NV", "n.c."])
    func aWordForNoValueCostsNothing(_ word: String) throws {
        let text = try draft(gauges(word))
        #expect(text.contains(#""skip": ";;cm;m³/s""#) && text.contains(#""identifier": "Messstelle""#), "\(text)")
        let real = #""type": "real", "decimalMark": ",""#
        #expect(text.contains(#""Pegelstand": { \#(real), "nullIf": "\#(word)" }"#), "\(text)")
        #expect(text.contains(#""Abfluss": { \#(real), "thousands": ".", "nullIf": "\#(word)" }"#), "\(text)")
        #expect(text.contains(#""\#(word)" in 1, taken for null"#), "\(text)")
    }

    /// Any other word costs the numbers of its column, and a comment names it.
    @Test func anotherWordIsTold() throws {
        let text = try draft(gauges("defekt"))
        #expect(text.contains(#""skip": ";;cm;m³/s""#) && text.contains(#""identifier": "Messstelle""#), "\(text)")
        #expect(text.contains(#"numbers, but for "defekt" in line 12"#), "\(text)")
    }

    /// A first record with a word among numbers is no row of units.
    @Test func aFirstRecordWithAWordIsNoUnits() throws {
        let text = try draft(gauges("1,5", "0040-1;Ohm;defekt;3,5"))
        #expect(!text.contains("skip"), "\(text)")
        let units = try draft(gauges("1,5", "Nr.;Name;cm;m³/s"))
        #expect(units.contains(#""skip": "Nr.;Name;cm;m³/s""#), "\(units)")
    }

    /// Neither do few rows make a number with a word an identifier.
    @Test func aNumberWithAWordIdentifiesNothing() throws {
        let text = try draft(["Pegel;Name"] + (1...6).map { "\($0 == 4 ? "gestört" : "\($0 * 7),5");Ort \($0)" })
        #expect(text.contains(#""identifier": "Name""#), "\(text)")
    }

    /// Three digits behind each point may be a group, in a table with semicolons.
    @Test(arguments: [("6.391", true), ("6.39", false)]) func groupsAreAskedFor(_ cell: String, _ isAsked: Bool) throws
    {
        let text = try draft(["Land;2024", "Hessen;\(cell)", "Bayern;13.369", "Berlin;3.755"])
        #expect(text.contains("does the point stand before the fraction, or between groups") == isAsked, "\(text)")
    }

    /// A day above 12 tells the order of days and months in other columns, too.
    @Test(arguments: [("31/12/2026", "%d/%m/%Y"), ("12/31/2026", "%m/%d/%Y"), ("02/03/2026", nil)])
    func theOrderOfADateIsThatOfOthers(_ end: String, _ format: String?) throws {
        let text = try draft([
            "code;debut;fin", "A10;01/02/2014;\(end)", "B05;01/01/2014;01/01/2026", "C02;01/01/2014;TBD",
        ])
        let written =
            format.map { #""debut": { "type": "date", "format": "\#($0)" }"# } ?? "is the day or the month first?"
        #expect(text.contains(written), "\(text)")
        if format != nil { #expect(text.contains(#""nullIf": "TBD""#), "\(text)") }
    }

    /// In a reference, such a word refers to nothing, be the others texts or numbers.
    @Test func aWordInAReferenceIsNull() throws {
        let text = try draft(["id;name;oberpunkt", "A1;Wurzel;-", "A2;Links;A1", "A3;Rechts;A1", "A4;Blatt;A2"])
        #expect(text.contains(#""oberpunkt": { "to": "Feed", "nullIf": "-" }"#), "\(text)")
        #expect(text.contains(#"all 3 found in Feed.id; by its values alone; "-" taken for null"#), "\(text)")
        let codes = try draft(["id;name;oberpunkt", "A1;Wurzel;NC", "A2;Links;A1", "A3;Rechts;A1", "A4;Blatt;A2"])
        #expect(!codes.contains("nullIf"), "\(codes)")
        let people = [#"1, "team_id": 71"#, #"2, "team_id": "n/a""#, #"3, "team_id": 72"#].map { #"{"id": \#($0)}"# }
        let feed = #"{"teams": [{"id": 71}, {"id": 72}], "people": [\#(people.joined(separator: ", "))]}"#
        let (json, report) = try InitRun.Draft.run(of: feed)
        #expect(json.contains(#""team": { "to": "Team", "from": "team_id", "nullIf": "n/a" }"#), "\(json)")
        #expect(report.found.missingTargets.isEmpty)
    }

    /// Beside two words for what is so, and what is not, a third for neither.
    @Test func aWordBesideBooleansIsTold() throws {
        let text = try draft(["id;aktiv", "1;ja", "2;nein", "3;-", "4;ja"])
        let map = #""map": { "ja": "true", "nein": "false" }, "nullIf": "-""#
        #expect(text.contains("perhaps \"boolean\" with \(map)"), "\(text)")
    }

    /// In JSON, such a word stands among numbers or booleans.
    @Test func aWordAmongNumbersOfJSON() throws {
        let feed = list(6) { number in
            let (level, on) = (number == 3 ? #""-""# : "\(number).5", number == 2 ? #""n/a""# : "\(number > 3)")
            return #"{"id": \#(number), "level": \#(level), "on": \#(on)}"#
        }
        let text = unfolded(try InitRun.Draft.run(of: feed).text)
        #expect(text.contains(#""level": { "type": "real", "nullIf": "-" }"#), "\(text)")
        #expect(text.contains(#""on": { "type": "boolean", "nullIf": "n/a" }"#), "\(text)")
        // What is in half of the records says something.
        let half = try InitRun.Draft.text(of: list(6) { #"{"id": \#($0), "level": \#($0 % 2 == 0 ? #""x""# : "1")}"# })
        #expect(half.contains(#""level": "text""#), "\(half)")
    }
}
