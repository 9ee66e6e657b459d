import Testing

@testable import Sluice
@testable import SluiceInit

/// Numbers in texts, which identify nothing, and records that are sums of others.
@Suite struct DraftSumTests {
    /// Numbers with marks are counted, be they called as the records are.
    @Test func numbersWithMarksIdentifyNothing() throws {
        let births = list(20) {
            #"{"births": "\#($0 + 1),\#(100 + $0 * 7)", "region": "R\#($0 % 5)", "year": \#(2020 + $0 / 5)}"#
        }
        let text = try InitRun.Draft.text(of: births, "births.json")
        #expect(text.contains(#""identifier": ["region", "year"]"#), "\(text)")
        let staff = list(8) { #"{"salary": "\#(30 + $0),\#(100 + $0 * 7)", "name": "N\#($0)"}"# }
        let named = try InitRun.Draft.text(of: staff, "staff.json")
        #expect(named.contains(#""identifier": "name""#), "\(named)")
    }

    /// What is called as identifiers are stays one.
    @Test func aNumberOfTheRecordIdentifies() throws {
        let text = try InitRun.Draft.text(
            of: list(12) { #"{"code": "\#($0 + 1),\#(100 + $0)", "name": "N\#($0 % 3)"}"# })
        #expect(text.contains(#""identifier": "code""#), "\(text)")
    }

    @Test(arguments: [true, false])
    func recordsThatAreSumsAreTold(_ areSeveral: Bool) throws {
        let regions = ["North", "South", "East", "West", "Centre", "Total"]
        let rows = list(areSeveral ? 12 : 6) {
            #"{"region": "\#(regions[$0 % 6])", \#(areSeveral ? "\"year\": \(2024 + $0 / 6), " : "")"votes": \#($0 * 37)}"#
        }
        let text = unfolded(try InitRun.Draft.text(of: rows, "votes.json"))
        let told = areSeveral ? #"records with "Total" seem to be sums"# : #"a record with "Total" seems to be a sum"#
        #expect(text.contains(told), "\(text)")
        #expect(text.contains(#""where": { "region": { "not": "Total" } }"#), "\(text)")
    }

    /// A company may be called so.
    @Test func aWordAmongNamesIsNoSum() throws {
        let text = try InitRun.Draft.text(
            of: list(8) { #"{"id": \#($0), "name": "\#($0 == 3 ? "Total" : "N\($0)")", "town": "T\#($0 % 3)"}"# })
        #expect(!text.contains("to be a sum"), "\(text)")
    }

    /// One letter behind one number is that of a terminal.
    @Test func aNumberWithALetterInAllRecordsIsNoAmount() throws {
        let text = try InitRun.Draft.text(of: list(12) { #"{"id": \#($0), "terminal": "2E"}"# })
        #expect(!text.contains("numbers with"), "\(text)")
    }

    /// Where amounts show which mark is which, the comment says it.
    @Test(arguments: [
        ("$1,234.50", #""thousands": ",""#), ("4,50 €", #""decimalMark": ",""#),
        ("1.234,50 €", #""decimalMark": ",", "thousands": ".""#), ("$1,234", #""decimalMark" or "thousands""#),
    ])
    func marksOfAmountsAreTold(_ amount: String, _ keys: String) throws {
        let text = unfolded(
            try InitRun.Draft.text(
                of: list(12) { number in
                    #"{"id": \#(number), "price": "\#(amount.replacingOccurrences(of: "4", with: "\(number % 9 + 1)"))"}"#
                }))
        #expect(text.contains(keys), "\(text)")
    }

    /// What is unique and was measured is told where the place of records identifies them.
    @Test func amountsThatMayBeUniqueAreTold() throws {
        let rows = list(30) {
            #"{"day": "2026-11-\#(10 + $0 % 9)", "text": "T\#($0 % 2)", "amount": \#($0).25, "balance": \#($0 * 7).5}"#
        }
        let text = unfolded(try InitRun.Draft.text(of: #"{"transactions": \#(rows)}"#))
        #expect(
            text.contains(#"nothing in the records is unique but what was measured or counted ("amount")"#), "\(text)")
    }

    /// An amount identifies nothing, even where nothing else does.
    @Test func anAmountAloneIdentifiesNothing() throws {
        let dishes = list(15) {
            #"{"dish": "D\#($0 % 4)", "price": "\#(2 + $0),\#(10 + $0) €", "veg": \#($0 % 2 == 0)}"#
        }
        let text = unfolded(try InitRun.Draft.text(of: #"{"menu": \#(dishes)}"#))
        #expect(text.contains(#"nothing but "price", which may change, is unique"#), "\(text)")
        #expect(text.contains(#""identifier": "number""#), "\(text)")
    }

    /// A text comes before two numbers that were counted.
    @Test func countsIdentifyNothing() throws {
        let questions = list(18) {
            #"{"question": "Q\#($0 * 7)?", "options": {"yes": \#($0 * 37 % 50 + 3), "no": \#($0 * 29 % 50 + 2)}, "closes": "2026-12-\#(10 + $0)"}"#
        }
        let text = try InitRun.Draft.text(of: questions)
        #expect(text.contains(#""identifier": "question""#), "\(text)")
    }

    /// So is a record of a map whose key says so.
    @Test func aKeyThatSaysSumIsTold() throws {
        let states = ["Berlin", "Bayern", "Hessen", "Total"].enumerated().map {
            #""\#($1)": {"cases": \#($0 * 37 + 9), "deaths": \#($0)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: #"{"data": {\#(states.joined(separator: ","))}}"#)
        let condition = #""where": { "not": { "~": "Total" } }"#
        #expect(unfolded(text).contains("seems to be a sum: \(condition) leaves it out"), "\(text)")
        #expect(report.entities.map(\.counts.created) == [4])
    }

    /// Neither with what else is there, nor is an age in a text a code.
    @Test func whatPeopleCountIsNoPartOfAnIdentifier() throws {
        let days = (23..<28).map { day in
            #""2026-11-\#(day)": \#(list(4) { #"{"dish": "D\#($0 % 2)", "price": "\#(day + $0),50 €"}"# })"#
        }
        let menu = try InitRun.Draft.text(of: "{\(days.joined(separator: ", "))}")
        #expect(menu.contains(#""identifier": ["group", "number"]"#), "\(menu)")
        let people = list(20) { #"{"name": "N\#($0)", "age": "\#(20 + $0)", "joined": "\#(1 + $0)/11/2026"}"# }
        let text = try InitRun.Draft.text(of: people)
        #expect(text.contains(#""identifier": "name""#), "\(text)")
    }

    /// In a table, what else all rows have goes along.
    @Test func anAmountOfATableIsNotAlone() throws {
        let rows = (1..<30).map {
            "0\(1 + $0 % 3).11.2026;\($0 == 9 ? "" : "Firma")\($0 == 9 ? "" : "\($0 % 2)");\($0),25\n"
        }
        let text = try InitRun.Draft.text(of: "Tag;Von;Betrag\n" + rows.joined(), "konto.csv")
        #expect(text.contains(#""identifier": ["Tag", "Betrag"]"#), "\(text)")
    }

    /// A sum below each part, which is called after that, and one of all.
    @Test(arguments: ["Summe #", "# gesamt"]) func sumsOfPartsAreNoRecords(_ sum: String) throws {
        var rows = ["Region;Filiale;Umsatz;Kunden"]
        for (index, region) in ["Nord", "Süd", "West", "Ost"].enumerated() {
            rows += (1...8).map { "\(region);\(region.prefix(1))\($0);\(($0 * 13 + index * 7) % 97),5;\($0 % 7)" }
            rows.append("\(sum.replacing("#", with: region));;\(400 + index),0;40")
        }
        rows.append("Gesamtsumme;;4200,0;240")
        let (text, report) = try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""where": { "Filiale": { "not": null } }"#), "\(text)")
        #expect(text.contains(#""identifier": "Filiale""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [32], "\(text)")
    }
}
