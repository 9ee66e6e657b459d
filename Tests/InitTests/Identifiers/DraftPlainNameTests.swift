import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit

/// What a record calls its own identifier, beside keys, times and prices that are unique, too.
@Suite struct DraftPlainNameTests {
    @Test func theIdComesBeforeAKeyOfAnotherName() throws {
        let incidents = list(30) {
            #"{"incident_number": \#(1234 + $0), "incident_key": "\#($0 * 104_729)k", "title": "T\#($0)", "id": "Q\#($0 * 7919)"}"#
        }
        let text = try InitRun.Draft.text(of: #"{"incidents": \#(incidents)}"#)
        #expect(text.contains(#""identifier": "id""#), "\(text)")
    }

    /// As MediaWiki has them, in one word.
    @Test func identifiersInOneWord() throws {
        let pages = (0..<30).map { row in
            let revision = #"{"revid": \#(1_000_000_000 + row * 7919), "user": "U\#(row)", "comment": "c \#(row)"}"#
            return
                #""\#(10_000 + row * 97)": {"pageid": \#(10_000 + row * 97), "title": "T \#(row)", "touched": "2026-11-\#(row % 20 + 10)T05:\#(10 + row):00Z", "revisions": [\#(revision)]}"#
        }
        let text = try InitRun.Draft.text(of: #"{"query": {"pages": {\#(pages.joined(separator: ","))}}}"#)
        #expect(text.contains(#""identifier": "pageid""#) && text.contains(#""identifier": "revid""#), "\(text)")
    }

    /// Two customers may live in one town, though none of these do.
    @Test(arguments: [("Debitor", "PLZ"), ("customer", "zip"), ("partner", "billing_zip_code")], [12, 80])
    func postalCodesIdentifyNobody(names: (number: String, code: String), count: Int) throws {
        let rows = (0..<count).map { (row: Int) -> String in
            let (number, code) = (1_000_100_000 + row * 13, 10_000 + row * 397)
            return "\(number);Kunde \(row % 9);\(code);Köln"
        }
        let text = try InitRun.Draft.text(
            of: "\(names.number);Name;\(names.code);Ort\n" + rows.joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""identifier": "\#(names.number)""#), "\(text)")
    }

    /// Prices that are all as long are no times by which anything is known.
    @Test func pricesOfOneLengthIdentifyNothing() throws {
        let lines = list(50) { row in
            let prices = (1...4).map { #""\#(10_000 + (row * 7919 + $0 * 104_729) % 90_000).\#(10_000_000 + row)""# }
            return "[\(1_790_000_000_000 + row * 3_600_000), \(prices.joined(separator: ", ")), \(row * 7 % 50)]"
        }
        let text = try InitRun.Draft.text(of: lines)
        #expect(text.contains(#""identifier": "column0""#), "\(text)")
    }

    /// When a bus is at a stop is known of no other bus by chance only.
    @Test func aTimeInAListNeedsItsRecord() throws {
        let trips = list(40) { row in
            let stops = (1...3).map { stop in
                let at = 1_790_000_000 + row * 600 + stop * 120
                return #"{"stopSequence": \#(stop), "stopId": "S\#((row + stop) % 9)", "arrival": {"time": "\#(at)"}}"#
            }
            let updates = stops.joined(separator: ",")
            return #"{"id": "\#(row + 1)", "trip": {"tripId": "T\#(row)"}, "updates": [\#(updates)]}"#
        }
        let text = try InitRun.Draft.text(of: #"{"trips": \#(trips)}"#)
        #expect(text.contains(#""identifier": ["trip_id", "stopSequence"]"#), "\(text)")
    }

    /// ServiceNow says each value twice: as it is, and as people read it.
    @Test func aValueIsCalledAsItsObject() throws {
        let result = list(30) { row in
            let id = "6f\(1_000_000 + row * 7919)"
            return
                #"{"sys_id": {"display_value": "\#(id)", "value": "\#(id)"}, "state": {"display_value": "Open", "value": "\#(row % 3)"}}"#
        }
        let text = try InitRun.Draft.text(of: #"{"result": \#(result)}"#)
        #expect(text.contains(#""identifier": "sys_id_value""#), "\(text)")
    }

    /// Of what there is once today, its kind is no identifier where something else is.
    @Test func aKindIsNoIdentifier() throws {
        let records = (0..<30).map { row in
            #"{"type": "RECORD", "stream": "users", "record": {"id": \#(row), "name": "N\#(row)"}}"#
        }
        let schema = #"{"type": "SCHEMA", "stream": "users", "schema": {"properties": {}}, "key": ["id"]}"#
        let text = try InitRun.Draft.text(of: ([schema] + records).joined(separator: "\n") + "\n", "tap.ndjson")
        #expect(!text.contains(#""identifier": "type""#), "\(text)")
    }
}
