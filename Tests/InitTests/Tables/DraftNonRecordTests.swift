import Testing

@testable import Sluice
@testable import SluiceInit

/// Sums and notes below and above the records of a table, padded with delimiters as spreadsheets write them.
@Suite struct DraftNonRecordTests {
    private func draft(_ rows: [String]) throws -> (text: String, created: [Int]) {
        let (text, report) = try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", "feed.csv")
        return (unfolded(text), report.entities.map(\.counts.created))
    }

    private func gauges(_ count: Int) -> [String] {
        ["Messstelle;Gewässer;Pegelstand;Einzugsgebiet"]
            + (1...count).map { "\(1000 + $0)-1;Bach \($0);\($0 % 90),\($0 % 10);\($0 * 3 % 997),10" }
    }

    private let notes = ["Summe;;;5.081,20", "Bemerkung: Angaben ungeprüft;;;", "* Perf: Sensor defekt;;;"]

    /// In few rows and in many, they are no records, and cost neither identifier nor numbers.
    @Test(arguments: [4, 12, 200]) func sumsAndNotesAreLeftOut(_ count: Int) throws {
        let (text, created) = try draft(gauges(count) + notes)
        #expect(created == [count] && text.contains(#""identifier": "Messstelle""#), "\(text)")
        #expect(text.contains(#""where": { "not": { "Gewässer": null, "Pegelstand": null } }"#), "\(text)")
        #expect(text.contains(/"Einzugsgebiet": .*"real", "decimalMark": ","/), "\(text)")
        for (line, note) in notes.enumerated() {
            #expect(text.contains("\"\(note.prefix { $0 != ";" })\" in line \(count + 2 + line)"), "\(text)")
        }
    }

    /// The draft holds for a night with more of them.
    @Test func moreOfThemAreLeftOutToo() throws {
        let folder = FeedFolder()
        try folder.write("feed.csv", (gauges(12) + notes).joined(separator: "\n") + "\n")
        let draft = try folder.draft(["feed.csv"])
        let more = gauges(14) + notes + ["Stand: 27.11.2026;;;", "Quelle: Amt;;;"]
        try folder.write("feed.csv", more.joined(separator: "\n") + "\n")
        let report = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
        #expect(report.entities.map(\.counts.created) == [14] && report.entities[0].counts.rejected == 0)
    }

    /// A record that lacks a part of what they lack stays; where one lacks all of it, a comment tells of each of them.
    @Test(arguments: [("1003-1;;1,5;", 12), ("1003-1;;;", 15)])
    func whatRecordsLackTooIsTold(_ row: String, _ count: Int) throws {
        var rows = gauges(12)
        rows[3] = row
        let (text, created) = try draft(rows + notes)
        #expect(created == [count], "\(text)")
        #expect(text.contains(#""where": { "not": {"#) == (count == 12), "\(text)")
        let condition = ##""where": { "Messstelle": { "not": ["Summe", "Bemerkung: Angaben ungeprüft", "* Perf: "##
        #expect(text.contains(condition) == (count == 15), "\(text)")
        #expect(text.contains(#""* Perf: Sensor defekt" in line 16"#), "\(text)")
    }

    /// A record that lacks all but its name is one.
    @Test(arguments: ["1099-1", "Perf", "Total Energies"]) func aRecordThatLacksTheRestIsOne(_ name: String) throws {
        let (text, created) = try draft(gauges(12) + ["\(name);;;"])
        #expect(created == [13], "\(text)")
    }

    @Test(arguments: [
        ("Summe", true), ("Total:", true), ("Gesamt (12)", true), ("Summe 2026", true), ("Average", true),
        ("MwSt 19%", true), ("Netto", true),
        ("Total Energies", false), ("Summer", false), ("Gesamtschule", false),
    ])
    func wordsForSums(_ text: String, _ isSum: Bool) { #expect(NonRecordText.isSum(text) == isSum) }

    /// A sum that lacks nothing is told of, in few rows, too.
    @Test func aFullSumOfFewRowsIsTold() throws {
        let (text, created) = try draft([
            "Kreis;2024;2025", "Marburg;12;.", "Lahn-Dill;8;11", "Kassel;20;19", "Hessen insgesamt;40;30",
        ])
        #expect(text.contains(#""where": { "Kreis": { "not": "Hessen insgesamt" } }"#) && created == [4], "\(text)")
    }

    @Test(arguments: [("Total", true), ("Hessen insgesamt", true), ("Total Energies", false), ("Gesamtschule", false)])
    func wordsForSumsOfRecords(_ text: String, _ isSum: Bool) { #expect(NonRecordText.saysSum(text) == isSum) }

    @Test(arguments: [
        ("Quelle: Amt", 2, true), ("* vorläufig", 2, true), ("1) estimated", 3, false), ("Stand 27.11.", 2, true),
        ("Perf: defekt", 2, false), ("Perf: defekt", 4, true), ("Bad Laasphe", 4, false),
        ("Alle Angaben sind noch ungeprüft", 3, true),
    ])
    func wordsForNotes(_ text: String, _ columns: Int, _ isNote: Bool) {
        #expect(NonRecordText.isNote(text, of: columns) == isNote)
    }
}
