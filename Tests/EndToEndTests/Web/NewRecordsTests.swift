import TestSupport
import Testing

/// A night that brings a record or two says little of the fields that they lack.
struct NewRecordsTests {
    private func page(_ items: String) -> String {
        #"[{"body":"{\"items\":[\#(items.replacing("\"", with: "\\\""))]}"}]"#
    }

    @Test func aFieldThatOneRecordLacksIsNotMissing() throws {
        let item = { (id: Int, name: String) in
            #"{"id":\#(id),"name":\#(name),"changed":"2026-01-01T00:00:0\#(id % 10)Z"}"#
        }
        let first = (1...30).map { $0 % 2 == 0 ? item($0, "\"n\"") : #"{"id":\#($0),"parent":1}"# }
        let service = FaultyServer.shared.service("{}")
        let scene = try WebScene(
            "\(service.member), \"since\": { \"parameter\": \"s\", \"attribute\": \"Item.changed\" }")
        let drift = { (items: [String]) in
            service.post(page(items.joined(separator: ",")))
            let outcome = try scene.run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            return (outcome.report["findings"] as? [String: Int])?["drift"]
        }
        #expect(try drift(first) == 0)
        // Without name, changed and parent.
        #expect(try drift([#"{"id":31}"#]) == 0)
        #expect(try drift([#"{"id":32}"#]) == 0)
        // Neither of twenty has any of them.
        #expect(try drift((33...60).map { #"{"id":\#($0)}"# }) == 3)
    }
}
