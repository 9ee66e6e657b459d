import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit

/// Numbers in texts whose digits or points say that they are not what they look like.
@Suite struct DraftDigitTests {
    private func draft(_ rows: [String]) throws -> String {
        try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", "feed.csv").text
    }

    /// Where other columns have a comma before the fraction, three digits behind each point are thousands.
    @Test func aPointBesideCommasStandsBetweenGroups() throws {
        let text = try draft(["name;price;pieces", "a;1.234,50;1.234", "b;99,00;2.500", "c;10,00;10.000"])
        #expect(
            text.contains(
                #""pieces": { "type": "integer", "decimalMark": ",", "thousands": "." }"#), "\(text)")
    }

    /// Where they have a point before the fraction, too, nobody knows; where none has a comma, it is a fraction.
    @Test func aPointIsAFractionUnlessACommaIs() throws {
        let mixed = try draft(["name;price;pieces;size", "a;1.234,50;1.234;0.5", "b;99,00;2.500;1.25"])
        #expect(
            mixed.contains(#""pieces": "text",  // numbers, but does the point"#),
            "\(mixed)")
        let plain = try draft(["name;pieces", "a;1.234", "b;2.500"])
        #expect(plain.contains(#""pieces": "real""#), "\(plain)")
        // No group stands behind a zero.
        let zero = try draft(["name;price;share", "a;1,5;0.234", "b;2,5;0.125"])
        #expect(zero.contains(#""share": "real""#), "\(zero)")
    }

    /// Digits that `real` would lose are kept in tables as elsewhere.
    @Test func longDecimalsOfTablesAreDecimal() throws {
        let rows = (100..<140).map {
            "\($0),90071992547409\($0).13,0.3000000000000000\($0 % 9),0.00000000000000000\($0)"
        }
        let text = try draft(["n,amount,sum,part"] + rows)
        #expect(text.contains(#""amount": "decimal""#), "\(text)")
        #expect(text.contains(#""sum": "real""#), "\(text)")
        #expect(text.contains(#""part": "real""#), "\(text)")
    }

    /// `1.1` and `1.10` are two versions: as numbers, they would be one.
    @Test func textsThatAreOneNumberAreTexts() throws {
        func feed(_ name: String) -> String {
            list(60) { #"{"id": "d\#($0)", "\#(name)": "\#(1 + $0 / 20).\#($0 % 20)"}"# }
        }
        let (text, _) = try InitRun.Draft.run(of: feed("firmware"))
        #expect(
            text.contains(#""firmware": "text"  // numbers, as texts, of which"#),
            "\(text)")
        // What was measured is a number all the same.
        let price = try InitRun.Draft.text(of: feed("price"))
        #expect(price.contains(#""price": "decimal""#), "\(price)")
        let rows = (0..<60).map { "d\($0),\(1 + $0 / 20).\($0 % 20)" }
        let table = try draft(["id,firmware"] + rows)
        #expect(table.contains(#"are one number: perhaps "text""#), "\(table)")
    }
}
