import Testing

@testable import SluiceInit

/// Amounts of money, which are exact, and what is written like numbers.
@Suite struct DraftMoneyTests {
    private func cents(_ row: Int) -> String { "\(row * 7 % 90).\(10 + row * 13 % 90)" }

    @Test func pricesAreDecimals() throws {
        let text = try InitRun.Draft.text(
            of: list(30) { row in
                #"{"id": \#(row), "unit_price": \#(row).5, "net_amount": \#(cents(row)), "priceEUR": "\#(cents(row))", "#
                    + #""rating": \#(row % 5).25, "rain_amount": \#(row % 9).5, "price_rate": 1e-\#(row % 3 + 1)}"#
            })
        for name in ["unit_price", "net_amount", "priceEUR"] {
            #expect(text.contains(#""\#(name)": "decimal""#), "\(name) of \(text)")
        }
        for name in ["rating", "rain_amount", "price_rate"] {
            #expect(text.contains(#""\#(name)": "real""#), "\(name) of \(text)")
        }
    }

    @Test func pricesOfTablesAreDecimals() throws {
        let rows = (0..<30).map { "\($0);\(cents($0).replacing(".", with: ","));\($0 % 9),5" }
        let text = try InitRun.Draft.text(of: (["id;Einzelpreis;Länge"] + rows).joined(separator: "\n"), "a.csv")
        #expect(text.contains(#""Einzelpreis": { "type": "decimal", "decimalMark": "," }"#), "\(text)")
        #expect(text.contains(#""Länge": { "type": "real", "decimalMark": "," }"#), "\(text)")
    }

    /// `1.1` and `1.10` are two levels, and no word beside them makes numbers of both.
    @Test(arguments: ["a.csv", "a.json"])
    func twoTextsThatAreOneNumberStayTexts(_ name: String) throws {
        let values = ["1.1", "1.10", "1.2", "2.0", "n/a", "1.15", "3.1"]
        let text =
            name == "a.csv"
            ? try InitRun.Draft.text(
                of: (["id,level"] + (0..<35).map { "\($0),\(values[$0 % 7])" }).joined(separator: "\n"), name)
            : try InitRun.Draft.text(of: list(35) { #"{"id": \#($0), "level": "\#(values[$0 % 7])"}"# }, name)
        #expect(text.contains(#""level": "text""#) && !text.contains("nullIf"), "\(text)")
    }

    /// The code of a transponder has digits alone; those with a zero in front are no flaws.
    @Test func zerosInFrontAreNoFlaws() throws {
        let text = try InitRun.Draft.text(
            of: list(40) { #"{"id": "a\#($0)", "squawk": "\#($0 == 7 ? "0306" : "\(1000 + $0 * 97)")"}"# })
        #expect(text.contains(#""squawk": "text""#) && !text.contains("nullIf"), "\(text)")
    }

    /// As services of .NET and SAP write moments.
    @Test func momentsInParenthesesAreTimes() throws {
        let (text, report) = try InitRun.Draft.run(
            of: list(9) { #"{"id": "a\#($0)", "made": "/Date(176290560\#($0)000\#($0 % 2 == 0 ? "+0000" : ""))/"}"# })
        #expect(
            text.contains(#""made": { "type": "datetime", "match": "-?\\d+", "format": "unix-ms" }"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [9], "\(text)")
    }

    @Test func timesOfMailNameTheirFormat() throws {
        let text = try InitRun.Draft.text(
            of: list(9) { #"{"id": "a\#($0)", "sent": "Fri, 0\#($0 + 1) Oct 2025 08:53:20 +0000"}"# })
        #expect(text.contains(#"perhaps "datetime" with "format": "%a, %d %b %Y %H:%M:%S %z""#), "\(text)")
    }

    /// Nobody knows the type of what has no value yet.
    @Test func whatIsAlwaysNullIsTold() throws {
        let text = try InitRun.Draft.text(
            of: list(9) { #"{"id": "a\#($0)", "gone": null, "note": "", "tags": [], "more": {}}"# })
        #expect(text.contains(#""gone": "text",  // always null: the type is a guess"#), "\(text)")
        #expect(text.contains(#""note": "text",  // always empty: the type is a guess"#), "\(text)")
        #expect(text.contains(#""tags": "json",  // always empty"#), "\(text)")
        #expect(text.contains(#""more": "json"  // always empty"#), "\(text)")
    }
}
