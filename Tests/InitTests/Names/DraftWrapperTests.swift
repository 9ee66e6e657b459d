import Testing

@testable import Sluice
@testable import SluiceInit

/// What exports of document stores say of the types of values gives no names.
@Suite struct DraftWrapperTests {
    @Test func typesOfDynamoGiveNoNames() throws {
        let rows = (0..<30).map { row in
            let note = row % 3 == 0 ? #"{"S": "leave it"}"# : #"{"NULL": true}"#
            let lines = (0...(row % 2)).map { #"{"M": {"sku": {"S": "A\#($0)"}, "qty": {"N": "\#($0 + 1)"}}}"# }
            return
                #"{"Item": {"pk": {"S": "USER#\#(row % 9)"}, "sk": {"S": "ORDER#\#(1000 + row)"}, "createdAt": {"N": "\#(1_763_622_000 + row * 100)"}, "#
                + #""tags": {"SS": ["a", "b"]}, "note": \#(note), "items": {"L": [\#(lines.joined(separator: ","))]}}}"#
        }
        let (text, report) = try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", "dynamo.ndjson")
        #expect(text.contains(#""identifier": ["pk", "sk"]"#), "\(text)")
        #expect(text.contains(#""tags": { "type": "json", "from": "Item.tags.SS" }"#), "\(text)")
        #expect(text.contains(#""note": { "type": "text", "from": "Item.note.S", "onAbsent": "null" }"#), "\(text)")
        #expect(text.contains(#""createdAt": { "type": "datetime", "from": "Item.createdAt.N", "format": "unix""#))
        #expect(text.contains(#""DynamoItem": {"#) && !text.contains("NULL\""), "\(text)")
        #expect(report.entities.map(\.counts.created) == [30, 45])
    }

    @Test func typesOfMongoGiveNoNames() throws {
        let users = list(20) {
            #"{"_id": {"$oid": "65a0000000000000000000\#(10 + $0)"}, "name": "n\#($0)", "lastLogin": {"$date": {"$numberLong": "\#(1_763_622_000_000 + $0)"}}}"#
        }
        let orders = list(20) {
            #"{"_id": {"$oid": "65b0000000000000000000\#(10 + $0)"}, "user_id": {"$oid": "65a0000000000000000000\#(10 + $0 * 7 % 20)"}}"#
        }
        let text = try InitRun.Draft.run(of: #"{"users": \#(users), "orders": \#(orders)}"#).text
        #expect(text.contains(#""user": { "to": "User", "from": "user_id['$oid']" }"#), "\(text)")
        #expect(
            text.contains(
                #""lastLogin": { "type": "datetime", "from": "lastLogin['$date']['$numberLong']", "format": "unix-ms""#),
            "\(text)")
    }
}
