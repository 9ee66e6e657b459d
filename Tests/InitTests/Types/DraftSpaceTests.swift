import Testing

@testable import Sluice
@testable import SluiceInit

/// Numbers and dates with white space around them, and numbers with spaces between groups.
@Suite struct DraftSpaceTests {
    @Test(arguments: [
        (
            [" 1 675    ", " 12 301", "  726"],
            #"{ "type": "integer", "trim": true, "thousands": " " }"#
        ),
        (["1 675", "12 301", "726"], #"{ "type": "integer", "thousands": " " }"#),
        (
            ["1\u{a0}675", "12\u{202f}301", "\u{a0}726"],
            #"{ "type": "integer", "trim": true, "thousands": " " }"#
        ),
        (
            [" 9,7    ", "1 012,6", "3,5"],
            #"{ "type": "real", "trim": true, "decimalMark": ",", "thousands": " " }"#
        ),
        (["9.7", "1 012.6", "3.5"], #"{ "type": "real", "thousands": " " }"#),
        (["1.5 ", " 2.5", "3.25"], #"{ "type": "real", "trim": true }"#),
        ([" 5", "60 ", "-7"], #"{ "type": "integer", "trim": true }"#),
        (["2026-11-01 ", " 2026-11-02", "2026-11-05"], #"{ "type": "date", "trim": true }"#),
        ([" 5", "  ", "7"], #"{ "type": "integer", "trim": true, "nullIf": "" }  // "" in 1, taken for null"#),
    ])
    func spacesAreNoPartOfNumbersAndDates(_ values: [String], _ attribute: String) throws {
        let rows = ["id,v"] + zip(1..., values).map { #"k\#($0),"\#($1)""# }
        let (text, report) = try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""v": \#(attribute)"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [3])
    }

    /// A space behind each delimiter is no part of names and texts.
    @Test func spacesBehindDelimitersAreNoPartOfTexts() throws {
        let rows = ["id, name, city, age"] + (1...10).map { "\($0), Ada\($0), Berlin, 3\($0)" }
        let (text, report) = try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""names": ["id", "name", "city", "age"]"#), "\(text)")
        #expect(text.contains(#""name": { "type": "text", "trim": true }"#), "\(text)")
        #expect(text.contains(#""age": { "type": "integer", "trim": true }"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [10])
        let plain = ["id,a, b"] + (1...10).map { "\($0), x\($0),y" }
        let other = try InitRun.Draft.text(of: plain.joined(separator: "\n") + "\n", "feed.csv")
        #expect(!other.contains("names"), "\(other)")
    }

    /// Texts with white space, numbers of telephones and of companies, and groups of other sizes.
    @Test(arguments: [
        [" Ann", "Bob ", "Cy"], ["030 123 456", "030 123 457", "040 999 111"],
        ["552 100 554", "542 051 180", "775 670 417"],
        ["1 67", "12 301", "726"], ["1 6755", "12 301", "7"],
    ])
    func otherSpacesArePartsOfTexts(_ values: [String]) throws {
        let rows = ["id,v"] + zip(1..., values).map { #"k\#($0),"\#($1)""# }
        let text = try InitRun.Draft.text(of: rows.joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""v": "text""#), "\(text)")
    }

    /// A reference is compared as a number once its white space is cut.
    @Test func paddedNumbersRefer() throws {
        let shops = ["shop_id,town"] + (1...30).map { " \($0),t\($0)" }
        let sales = ["sale,shop_id"] + (1...90).map { "s\($0), \($0 % 30 + 1)" }
        let text = try FeedFolder().text(of: ["shops": shops, "sales": sales])
        #expect(text.contains(#""shop_id": { "type": "integer", "trim": true }"#), "\(text)")
        #expect(text.contains(#""shop": { "to": "Shop", "from": "shop_id", "trim": true }"#), "\(text)")
    }
}
