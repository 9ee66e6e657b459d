import Testing

@testable import Sluice
@testable import SluiceInit

/// What records a run of a draft would lose, the draft says, or has identified by something else.
@Suite struct DraftLossTests {
    /// A feed that has two records twice, with other parts.
    private func feed(part: (_ record: Int, _ part: Int) -> String) -> String {
        let records = list(120) { number in
            let id = number < 2 ? number + 2 : number
            let parts = list(3) { part(number, $0) }
            return #"{"id": "r\#(id)x", "note": "n\#(number)", "parts": \#(parts)}"#
        }
        return #"{"orders": \#(records)}"#
    }

    @Test func whatWouldBeLostIsTold() throws {
        let text = unfolded(
            try InitRun.Draft.text(of: feed { #"{"nr": \#($1), "size": \#(($0 * 7 + $1 * 3) % 11)}"# }))
        #expect(text.contains(#""identifier": ["order_id", "nr"]"#), "\(text)")
        #expect(
            text.contains("6 of 360 records would be lost: they agree in all of the identifier, and differ"), "\(text)")
        #expect(text.contains("2 of 120 records would be lost"), "\(text)")
    }

    /// Parts that say the same are one, and nothing is lost.
    @Test func whatIsTheSameIsNotLost() throws {
        let text = try InitRun.Draft.text(of: feed { #"{"nr": \#($1), "size": \#($1 * 3 + $0 * 0)}"# })
        #expect(!text.contains("of 360 records would be lost"), "\(text)")
    }

    @Test func whatIdentifiesAloneIsTaken() throws {
        let (text, report) = try InitRun.Draft.run(
            of: feed { #"{"nr": \#($1), "label": "part \#($1) of the record \#($0)", "size": \#(($0 + $1) % 11)}"# })
        #expect(text.contains(#""identifier": "label""#) && !text.contains("of 360 records would"), "\(text)")
        #expect(report.entities.map(\.counts.created).contains(360), "\(text)")
    }

    /// What is in records that are in such records is lost with these.
    @Test func whatIsInPartsIsTold() throws {
        let text = unfolded(
            try InitRun.Draft.text(
                of: feed { record, part in
                    let values = list(2) { #"{"key": "k\#($0)", "count": \#((record * 5 + part + $0) % 13)}"# }
                    return #"{"nr": \#(part), "values": \#(values)}"#
                }))
        #expect(text.contains(#""part_nr", "key"]"#), "\(text)")
        #expect(text.contains("12 of 720 records would be lost"), "\(text)")
    }

    /// Of many objects, a sample tells.
    @Test func ofManyObjectsASampleTells() {
        let entity = DraftEntity(feed: 0, steps: [], nodes: [0], records: 0, owner: nil)
        let log = ObjectLog(entity)
        for number in Int64(0)..<600_000 {
            log.add(ValueFingerprint.of(number), 1)
            if number % 10 == 0 { for content in UInt64(2)...3 { log.add(ValueFingerprint.of(number), content) } }
        }
        let words = (log.figures ?? "").split(separator: " ")
        let lost = words.dropFirst().first.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        #expect(words.first == "about" && abs(lost - 120_000) < 6_000, "\(words)")
    }
}
