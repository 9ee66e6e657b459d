import Testing

@testable import Sluice
@testable import SluiceInit

/// Feeds of people who tried the command for an hour.
@Suite struct DraftFirstHourTests {
    private func list(_ count: Int, _ record: (Int) -> String) -> String {
        "[" + (1...count).map(record).joined(separator: ",") + "]"
    }

    // MARK: Names and types

    /// GraphQL calls what is in each list `nodes`: the list itself says what it holds.
    @Test func nodesAreCalledAfterTheirList() throws {
        let nodes = list(3) { #"{"number":\#($0),"title":"t\#($0)"}"# }
        let text = try InitRun.Draft.text(of: #"{"data":{"repository":{"issues":{"nodes":\#(nodes)}}}}"#)
        #expect(text.contains(#""Issue": {"#) && text.contains("$.data.repository.issues.nodes[*]"), "\(text)")
        // Where nothing else says what they are, they are called so.
        #expect(try InitRun.Draft.text(of: #"{"nodes":\#(nodes)}"#).contains(#""Node": {"#))
    }

    @Test func aDayEndsAtTwentyFour() throws {
        let feed = list(3) { #"{"id":\#($0),"opens":"0\#($0):00","closes":"\#($0 == 2 ? "18:30" : "24:00")"}"# }
        let text = unfolded(try InitRun.Draft.text(of: feed))
        #expect(text.components(separatedBy: "times of day, or spans").count == 3, "\(text)")
    }

    // MARK: Identifiers

    @Test func theTimeOfAChangeIdentifiesNothing() throws {
        let feed = list(24) { number in
            let key = number % 6 == 0 ? "null" : "\"OPS-\(number)\""
            return #"{"key":\#(key),"title":"T \#(number % 5)","updated":"2026-11-20T10:\#(number + 10):11Z"}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(!text.contains(#""identifier": "updated""#), "\(text)")
    }

    @Test func aTimeOfDayNeedsTheRecordAround() throws {
        let feed = #"""
            [{"week":47,"shifts":[{"from":"08:00","who":"ann"},{"from":"16:00","who":"bob"}]},
             {"week":48,"shifts":[{"from":"07:00","who":"cyd"}]}]
            """#
        let text = try InitRun.Draft.text(of: feed)
        #expect(!text.contains(#""identifier": "from""#), "\(text)")
    }

    @Test func aStatusIsNoPartOfTheIdentifier() throws {
        let feed = list(31) { number in
            let (order, state) = number == 31 ? (7, "returned") : (number, ["paid", "shipped", "open"][number % 3])
            return #"{"order_number":"2026-\#(1000 + order)","total":\#(order % 4),"status":"\#(state)"}"#
        }
        let text = try InitRun.Draft.text(of: feed, "orders.json")
        #expect(text.contains(#""identifier": "order_number""#), "\(text)")
        #expect(unfolded(text).contains(#""order_number" is unique but for 1 of 31"#), "\(text)")
    }

    @Test func aNumberComesBeforeAnAddress() throws {
        let feed = list(3) { #"{"email":"\#($0)@x.org","customer_no":\#(100 + $0),"name":"N"}"# }
        let text = try InitRun.Draft.text(of: feed, "customers.json")
        #expect(text.contains(#""identifier": "customer_no""#), "\(text)")
    }

    @Test func itemsAreKnownByTheirGUID() throws {
        let feed = list(8) { number in
            let guid = ##"{"@isPermaLink":"false","#text":"g\##(number)"}"##
            return #"{"title":"T\#(number)","link":"http://x/\#(number)","guid":\#(guid)}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""identifier": "guid""#), "\(text)")
    }

    @Test func messagesAreKnownByWhatSendsThem() throws {
        let lines = (0..<20).map { number in
            #"{"topic":"home/r\#(number % 3)/temp","ts":\#(1_795_219_512 + number).5,"v":\#(20 + number)}"#
        }
        let text = try InitRun.Draft.text(of: lines.joined(separator: "\n") + "\n", "m.ndjson")
        #expect(text.contains(#""identifier": ["ts", "topic"]"#), "\(text)")
    }

    // MARK: Lists of records

    @Test func equalLinesOfAnInvoiceAreTwo() throws {
        let feed = #"""
            {"invoices":[{"number":"R-1","items":[{"text":"a","amount":"5.00"},{"text":"a","amount":"5.00"}]},
             {"number":"R-2","items":[{"text":"b","amount":"7.00"}]}]}
            """#
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(report.entities.map(\.counts.created) == [2, 3], "\(text)")
    }

    @Test func itIsSaidThatLinesStay() throws {
        let feed = #"""
            {"orders":[{"no":"A-1","lines":[{"sku":"X","qty":1},{"sku":"Y","qty":1}]},
             {"no":"A-2","lines":[{"sku":"X","qty":1}]}]}
            """#
        let text = try InitRun.Draft.text(of: feed)
        #expect(unfolded(text).contains(#"what Order no longer has stays: "absent": "delete" with "within": "order""#))
    }

    // MARK: Names, maps and types

    @Test func keysWithTheirNumbersAreNames() throws {
        let days = (10...28).map { #""2026-11-\#($0)":{"1. open":"1\#($0).50","4. close":"2\#($0).50"}"# }
        let text = try InitRun.Draft.text(of: "{\"Daily\":{" + days.joined(separator: ",") + "}}")
        #expect(text.contains(#""records": "$.Daily.*""#), "\(text)")
    }

    @Test func twoNumbersWithObjectsAlikeAreKeys() throws {
        let text = try InitRun.Draft.text(of: #"{"1001":{"name":"A","price":1.5},"1002":{"name":"B","price":2.5}}"#)
        #expect(text.contains(#""records": "$.*""#), "\(text)")
    }

    @Test func whatIsNoDateIsTold() throws {
        let feed = list(24) { number in
            let when = number == 7 ? "soon" : "2026-11-\(number < 10 ? "0" : "")\(number)"
            return #"{"id":\#(number),"when":"\#(when)"}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(unfolded(text).contains(#"dates, but for "soon": perhaps "date""#), "\(text)")
    }

    @Test func theTopOfATreeIsInItsEntity() throws {
        let feed = #"""
            {"root":{"id":1,"label":"a","children":[{"id":2,"label":"b","children":[]},
             {"id":3,"label":"c","children":[{"id":4,"label":"d","children":[]}]}]}}
            """#
        #expect(!(try InitRun.Draft.text(of: feed)).contains("in no entity"))
    }
}
