import Testing

@testable import Sluice
@testable import SluiceInit

/// What messages and events are known by.
@Suite struct DraftEventTests {
    /// The offset of a message counts within its partition.
    @Test func aMessageIsKnownByItsOffset() throws {
        let offsets = [101, 201, 51]
        let rows = (0..<60).map { row in
            #"{"topic": "t", "partition": \#(row % 3), "offset": \#(offsets[row % 3] + row / 3), "timestamp": \#(1_763_622_000_000 + row * 1000), "value": {"source": {"txId": \#(900 + row)}}}"#
        }
        let text = try InitRun.Draft.text(of: rows.joined(separator: "\n") + "\n", "kafka.ndjson")
        #expect(text.contains(#""identifier": ["topic", "partition", "offset"]"#), "\(text)")
    }

    /// What is called as most of an event's members are is the event's own, and enough.
    @Test func theIdentifierOfTheEventIsEnough() throws {
        let feed = list(30) { row in
            #"{"user": {"principalId": "AID\#(row * 7919 % 1000)x\#(row)", "type": "u"}, "eventTime": "2026-11-20T07:00:\#(10 + row)Z","#
                + #""eventName": "Get\#(row % 3)", "requestID": "5CAC\#(row * 31)", "eventID": "01cf-\#(row * 17)"}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""identifier": "eventID""#), "\(text)")
        #expect(text.contains(#""requestID" is unique, too"#), "\(text)")
    }

    /// What was seen once today, by its address or its title, may be seen again.
    @Test func whatWasSeenIsKnownByItsTime() throws {
        let feed = list(20) { row in
            #"{"title": "Watched \#(row)", "titleUrl": "https://example.org/\#(row * 31)", "time": "2026-11-20T07:00:\#(10 + row).4\#(10 + row)Z"}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""identifier": ["titleUrl", "time"]"#), "\(text)")
        #expect(unfolded(text).contains("together they are unique, which may be by chance"), "\(text)")
    }

    /// Of pairs in lists that all have one name, the name identifies.
    @Test func pairsOfOneNameAreKnownByIt() throws {
        let feed = list(20) {
            #"{"id": "e\#($0)", "cookies": [{"name": "sid", "value": "72d\#($0 * 7)", "path": "/"}]}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""identifier": ["feed_id", "name"]"#), "\(text)")
    }
}
