import Testing

@testable import Sluice
@testable import SluiceInit

/// Texts that are something else: of which type they are, or a comment that says what they may be.
@Suite struct DraftHintTests {
    /// One text among the numbers of records is named; of many, nobody knows what they are.
    @Test(arguments: [
        (1, #"numbers, but for "defekt": perhaps "decimal", with this as its "nullIf""#),
        (3, #"numbers, but for 3 texts, such as "defekt": perhaps "decimal", with these as its "nullIf""#),
        (9, "numbers and texts"),
    ])
    func textsAmongNumbersAreNamed(_ texts: Int, _ comment: String) throws {
        let text = try InitRun.Draft.text(
            of: list(40) { #"{"id": "a\#($0)", "level": \#($0 < texts ? "\"defekt\"" : "\($0).5")}"# })
        #expect(text.contains(comment), "\(text)")
    }

    /// The number of something counts it.
    @Test func numbersOfThingsAreCounts() throws {
        let rows = (0..<20).map { "s\($0),1\($0).\($0 % 7 + 1)" }
        let text = try InitRun.Draft.run(
            of: (["State,Number of drivers per mile"] + rows).joined(separator: "\n") + "\n", "feed.csv"
        ).text
        #expect(!text.contains("versions and codes"), "\(text)")
        #expect(!text.contains(#""Number of drivers per mile": "text""#), "\(text)")
    }

    /// A number with a zero before it is a code, and so are all beside it.
    @Test func codesAreNoNumbers() throws {
        let zips = list(400) {
            #"{"id": \#($0), "zip": "\#($0 == 7 ? "00918" : $0 == 9 ? "12345-6789" : "\(10_000 + $0)")"}"#
        }
        #expect(try !InitRun.Draft.text(of: zips).contains("nullIf"))
    }

    /// Likewise texts and fractions among many whole numbers, which no sample has, be these texts or not.
    @Test(arguments: ["\"", ""]) func aFewAmongManyAreCounted(_ mark: String) throws {
        let feed = list(4000) { row in
            let value = row % 1000 == 1 ? "\(mark)1.5\(mark)" : "\(mark)\(row % 997)\(mark)"
            let year = row % 1000 == 9 ? "\"c. 1850\"" : "\(mark)\(1900 + row % 99)\(mark)"
            return #"{"id": "a\#(row)", "v": \#(row % 900 == 20 ? "\"ca. \(row)\"" : value), "year": \#(year)}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        let texts = #"but for 5 texts, such as "ca. 1820", "ca. 20", "ca. 2720": perhaps "decimal", with these"#
        #expect(text.contains(#""v": "text",  // numbers, 4 of them with a fraction, "# + texts), "\(text)")
        let years = #"whole numbers, but for 4 texts, such as "c. 1850": perhaps "integer", with these"#
        #expect(text.contains(#""year": "text"  // "# + years), "\(text)")
    }

    private func table(_ header: String, _ row: (Int) -> String) throws -> String {
        let rows = [header] + (1...24).map(row)
        return try InitRun.Draft.text(of: rows.joined(separator: "\n") + "\n", "feed.csv")
    }

    @Test(arguments: [
        ("ja", "nein", "map"), ("Y", "N", "map"), ("yes", "no", "map"), ("red", "blue", ""),
    ]) func twoWordsMayBeABoolean(_ one: String, _ other: String, _ told: String) throws {
        let text = try table("id;aktiv") { "\($0);\($0 % 2 == 0 ? one : other)" }
        let comment =
            #"only "\#(one)" and "\#(other)": perhaps "boolean" with "map": { "\#(one)": "true", "\#(other)": "false" }"#
        #expect(text.contains(comment) == !told.isEmpty, "\(text)")
        #expect(text.contains(#""aktiv": "text""#), "\(text)")
    }

    @Test(arguments: [
        (
            "€ behind",
            #"numbers with "€": perhaps "decimal" with "match": "-?\\d(?:.*\\d)?", "decimalMark": ",""#
        ),
        ("%", #"numbers with "%": perhaps "decimal" with "match": "-?\\d(?:.*\\d)?""#),
        ("MB", #"numbers with "MB": perhaps "decimal" with "match": "-?\\d(?:.*\\d)?""#),
        ("minus", "numbers with a minus behind them, which no type takes"),
    ]) func amountsAreTold(_ kind: String, _ comment: String) throws {
        let text = try table("id;preis") { row in
            let value =
                ["€ behind": "\(row),50 €", "%": "\(row).5%", "MB": "\(row) MB", "minus": "\(row),10-"][kind] ?? ""
            return "\(row);\(value)"
        }
        #expect(text.contains(comment), "\(text)")
    }

    /// Of numbers with three digits behind a comma in each, no comment says that it stands before the fraction.
    @Test func aCommaBeforeThreeDigitsIsNotDecided() throws {
        let text = try table("id;menge") { $0 == 7 ? "7;defekt" : "\($0);\($0),\(100 + $0)" }
        let comment = #""decimal" with "decimalMark" or "thousands", as the comma is meant, with this as its "nullIf""#
        #expect(text.contains(comment), "\(text)")
    }

    @Test(arguments: ["12 A", "RE 500", "1.2.3", "0171-5"]) func codesAreNoAmounts(_ text: String) throws {
        #expect(AmountText(Array(text.utf8)) == nil || text == "12 A")
        let draft = try table("id;code") { "\($0);\($0 % 2 == 0 ? text : "7 B")" }
        #expect(!draft.contains("perhaps") && !draft.contains("minus"), "\(draft)")
    }

    @Test func daysWithPointsAreDates() throws {
        let long = try table("id;tag") { "\($0);\($0).11.2026" }
        #expect(long.contains(#""tag": { "type": "date", "format": "%d.%m.%Y" }"#), "\(long)")
        let short = try table("id;tag") { "\($0);\($0 < 10 ? "0" : "")\($0).11.26" }
        #expect(short.contains(#""tag": { "type": "date", "format": "%d.%m.%y" }"#), "\(short)")
        let version = try table("id;version") { "\($0);\($0 < 10 ? "0" : "")\($0).11.26" }
        #expect(version.contains(#""version": "text""#), "\(version)")
    }

    @Test func timesWithoutSeparatorsAreTimes() throws {
        let (text, report) = try InitRun.Draft.run(
            of: list(12) {
                #"{"id": \#($0), "dtstart": "20261120T0700\#(10 + $0)Z", "dtend": "20261120T0700\#(10 + $0)"}"#
            })
        #expect(
            text.contains(#""dtstart": { "type": "datetime", "format": "%Y%m%dT%H%M%S%z" }"#),
            "\(text)")
        #expect(
            text.contains(#""dtend": { "type": "datetime", "format": "%Y%m%dT%H%M%S", "timeZone": "UTC""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [12])
    }

    /// Times that only a format reads: it is named where all of them are written so.
    @Test(arguments: [
        (["13/11/2026 2:05 PM", "14/10/2026 12:05 AM"], #"with "format": "%d/%m/%Y %I:%M %p", and a "timeZone""#),
        (["11/13/2026 2:05 PM", "12/11/2026 3:05 AM"], #"with "format": "%m/%d/%Y %I:%M %p", and a "timeZone""#),
        (["11/12/2026 2:05 PM", "12/11/2026 3:05 AM"], "times, but is the day or the month first?"),
        (["01.11.26 08:15", "24.11.26 18:15"], #"with "format": "%d.%m.%y %H:%M", and a "timeZone""#),
        (["2026-11-01 08:15:00 UTC", "2026-11-03 08:15:01 UTC"], #""%Y-%m-%d %H:%M:%S UTC", and a "timeZone""#),
        (
            ["2026-11-01 08:15:00", "0000-00-00 00:00:00"],
            #""%Y-%m-%d %H:%M:%S", and a "timeZone", "nullIf": "0000-00-00 00:00:00""#
        ),
        (
            ["2026-12-01", "2026-12-03T17:00:00+01:00"],
            #"dates and times: perhaps "datetime" with "format": ["rfc3339", "%Y-%m-%d"], and a "timeZone""#
        ),
    ]) func timesThatAFormatReadsAreTold(_ times: [String], _ comment: String) throws {
        let text = try table("id;created") { "K\($0);\(times[$0 % times.count])" }
        #expect(text.contains(comment), "\(text)")
    }

    @Test func textsThatHoldJSONAreTold() throws {
        let text = try InitRun.Draft.text(
            of: list(12) {
                #"{"id": \#($0), "log": "{\"level\": \"error\", \"n\": \#($0)}\n", "tags": "[\"a\"]", "title": "[draft] x"}"#
            })
        #expect(text.components(separatedBy: "JSON in texts, into which paths do not look").count == 3, "\(text)")
    }

    /// What is said of totals in many rows is no sum of the others.
    @Test func totalsOfManyRowsAreRecords() throws {
        let text = try table("id;sex;value") { row in
            "\(row);\(["Total", "Male", "Female"][row % 3]);\(row == 7 ? "" : "\(row * 3)")"
        }
        #expect(!text.contains("seems to be a sum"), "\(text)")
    }

    @Test func aRowOfSumsIsTold() throws {
        let rows = (1...24).map { "\($0);N\($0);\($0)00,5" } + ["Summe;;30012,0"]
        let text = try InitRun.Draft.text(
            of: (["Nr;Name;Umsatz"] + rows).joined(separator: "\n") + "\n", "feed.csv")
        #expect(
            unfolded(text).contains(
                #"1 row is no record, as it seems ("Summe" in line 26): it has no "Name", unlike all other rows, and "where""#
            ),
            "\(text)")
    }
}
