import Testing

@testable import Sluice
@testable import SluiceInit

/// Readings are known by what was read, and when: their values come again.
@Suite struct DraftReadingTests {
    /// In texts as in numbers, a value that is unique with the device today is another one's tomorrow.
    @Test(arguments: ["text", "integer"]) func theTimeComesBeforeTheValue(_ kind: String) throws {
        let feed = list(40) { row in
            let value = 180 + row / 4 * 3 + row % 4
            let text = kind == "text" ? #""\#(value / 10).\#(value % 10)""# : "\(value)"
            return #"{"device": "d\#(row % 4)", "level": \#(text), "ts": \#(1_763_622_000 + row / 4 * 60)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(text.contains(#""identifier": ["device", "ts"]"#), "\(text)")
        #expect(text.contains("together they are unique, which may be by chance"), "\(text)")
        #expect(report.entities.map(\.counts.created) == [40])
    }

    /// Prometheus has a time and a text in lists; the next series may have the same values.
    @Test func inListsTheTimeIdentifiesWithTheRecord() throws {
        let series = list(3) { host in
            let values = (0..<20).map { #"[\#(1_763_622_000 + $0 * 15), "\#(40 + host).\#(100 + $0 * 17)"]"# }
            return #"{"metric": {"instance": "w\#(host):9100"}, "values": [\#(values.joined(separator: ","))]}"#
        }
        let text = try InitRun.Draft.run(of: #"{"data": {"result": \#(series)}}"#).text
        #expect(text.contains(#""identifier": ["feed_instance", "column0"]"#), "\(text)")
    }

    /// What numbers the parts of something is not measured.
    @Test func numbersOfPartsStay() throws {
        let rows = (0..<40).map {
            "51000\($0 / 2);\($0 % 2 * 10 + 10);\(1000 + $0 * 131 % 977),\(10 + $0)-;\(1 + $0 / 4).11.2026"
        }
        let text = try InitRun.Draft.text(
            of: (["Belegnr.;Pos.;Betrag;Datum"] + rows).joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""identifier": ["Belegnr.", "Pos."]"#), "\(text)")
    }

    /// What is taken though it was measured, or is 0 or 1, may be unique by chance.
    @Test func aFlagIsUniqueByChance() throws {
        let rows = (0..<60).map { "\($0 * 37 % 900 + 100),5;RE-0\(500 + $0 / 2);\($0 % 2)" }
        let text = try InitRun.Draft.text(
            of: (["Umsatz (netto);Belegfeld;Fest"] + rows).joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""identifier": ["Belegfeld", "Fest"]"#), "\(text)")
        #expect(text.contains("together they are unique, which may be by chance"), "\(text)")
    }
}
