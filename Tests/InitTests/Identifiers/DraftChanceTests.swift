import Testing

@testable import Sluice
@testable import SluiceInit

/// What is unique by chance today, and no identifier.
@Suite struct DraftChanceTests {
    // MARK: Figures

    /// A text that a few rows share comes before a figure that no row shares.
    @Test(arguments: [" ", ""]) func figuresIdentifyOnlyWithAName(_ space: String) throws {
        let rows = (1...60).map { row in
            "District \(row > 57 ? row - 40 : row);\(space)\(1000 + row * row * 37);\(row % 9),5"
        }
        let table = (["District;Inhabitants;Area"] + rows).joined(separator: "\n") + "\n"
        let (text, report) = try InitRun.Draft.run(of: table, "feed.csv")
        #expect(text.contains(#""identifier": ["District", "Area"]"#), "\(text)")
        #expect(unfolded(text).contains(#""District" is unique but for 3 of 60"#), "\(text)")
        #expect(unfolded(text).contains(#""Area" tells these apart, which may be by chance"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [60])
    }

    /// Numbers that are as long as one another may well be those of the rows.
    @Test func numbersOfOneSizeIdentify() throws {
        let rows = (1...60).map { "Place \($0 > 57 ? $0 - 40 : $0),\(20000 + $0 * 7),\($0 % 9)" }
        let text = try InitRun.Draft.text(
            of: (["place,gemeinde,rank"] + rows).joined(separator: "\n") + "\n", "feed.csv")
        #expect(text.contains(#""identifier": "gemeinde""#), "\(text)")
    }

    // MARK: What is another's

    @Test func aLogIsNotIdentifiedByItsRule() throws {
        let events = (1...60).map { event in
            #"{"timestamp":"2026-03-24T14:\#(10 + event / 2):19.000\#(event)-0600","flow_id":\#(9_285_320 + event / 2),"#
                + #""src":"10.0.0.\#(event % 9)","alert":{"gid":1,"signature_id":\#(2_001_000 + event * 7),"severity":2}}"#
        }
        let (text, report) = try InitRun.Draft.run(of: events.joined(separator: "\n") + "\n", "eve.ndjson")
        #expect(text.contains(#""identifier": ["timestamp", "flow_id", "signature_id"]"#), "\(text)")
        #expect(unfolded(text).contains(#""signature_id" is that of "alert" in the record"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [60])
    }

    /// What says how something is now is known by it, whenever that was.
    @Test func theStateOfSomethingIsKnownByIt() throws {
        let states = list(40) { state in
            #"{"last_reported":"2026-03-24T14:\#(10 + state):00Z","bikes":\#(state % 5),"#
                + #""station":{"station_id":\#(7000 + state * 3),"name":"S\#(state)"}}"#
        }
        let text = try InitRun.Draft.text(of: states)
        #expect(text.contains(#""identifier": "station_id""#), "\(text)")
    }

    // MARK: Amounts

    @Test func anAmountIsNoPartOfAnIdentifier() throws {
        let carts = list(60) { cart in
            let lines = (0..<4).map { #"{"id":\#((cart * 5 + $0 * 11) % 97),"quantity":\#((cart + $0) % 5 + 1)}"# }
            let twice = cart == 9 ? [#"{"id":\#(cart * 5 % 97),"quantity":9}"#] : []
            return #"{"id":\#(cart),"products":[\#((lines + twice).joined(separator: ","))]}"#
        }
        let (text, report) = try InitRun.Draft.run(of: carts)
        #expect(text.contains(#""identifier": ["feed_id", "number"]"#), "\(text)")
        #expect(unfolded(text).contains(#""quantity" tells these apart, which may change"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [60, 241])
    }

    @Test func anAmountAloneIsNone() throws {
        let orders = list(30) { order in
            let lines = (0..<3).map { #"{"sku":"s\#((order * 7 + $0 % 2) % 11)","qty":\#($0 + 1)}"# }
            return #"{"id":\#(order),"lines":[\#(lines.joined(separator: ","))]}"#
        }
        let text = try InitRun.Draft.text(of: orders)
        #expect(text.contains(#""identifier": ["feed_id", "number"]"#), "\(text)")
        #expect(unfolded(text).contains(#"nothing but "qty", which may change, is unique in each record"#), "\(text)")
    }

    // MARK: Lists of values

    /// What lists have is found among the choices of others by their values alone: that identifies nothing.
    @Test func listsOfValuesReferByTheirNames() throws {
        let products = list(12) { product in
            let values = (0..<3).map { #""v\#(product)-\#($0)""# }
            let chosen = (0..<3).map { #"{"name":"Size","value":"v\#(product)-\#($0)","order":\#(product * 10 + $0)}"# }
            return
                #"{"id":"p\#(product)","options":[{"id":"o\#(product)","values":[\#(values.joined(separator: ","))]}],"#
                + #""variants":[{"id":"x\#(product)","chosen":[\#(chosen.joined(separator: ","))]}]}"#
        }
        let text = try InitRun.Draft.text(of: products)
        #expect(text.contains(#""values": "json""#), "\(text)")
    }
}
