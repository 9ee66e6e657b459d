import Foundation
import TestSupport
import Testing

/// What is to come again of other entities than that of the value: the service is asked from where it was.
@Suite struct HeldMarkTests {
    private let scratch = TemporaryFolder()

    private func order(_ id: Int, _ changed: Int, _ items: String) -> String {
        #"{"id": \#(id), "u": \#(changed), "items": \#(items)}"#
    }

    private func body(_ text: String) -> String { #"{"body": "\#(text.replacing("\"", with: "\\\""))"}"# }

    private func run(_ orders: FaultyService, _ products: FaultyService, _ more: String) throws -> Sluice.Outcome {
        let definition = try scratch.write(
            "p.jsonc",
            """
            { "sources": {
                "o": { "url": "\(orders.url)", "since": { "parameter": "since", "attribute": "O.u" } },
                "p": { "url": "\(products.url)" } },
              "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": 5, "deletes": null },
              "entities": {
                "O": { "source": "o", "records": "$.orders[*]", "identifier": "id",
                  "attributes": { "id": "integer", "u": "integer" } },
                "T": { "source": "o", "records": "$.orders[*].items[*]", "identifier": ["o", "n"]\(more),
                  "attributes": { "n": "integer" },
                  "relationships": { "o": { "to": "O", "from": "^^.id" }, "product": { "to": "P", "missing": "reject" } } },
                "P": { "source": "p", "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        let outcome = try Sluice.run(["run", definition, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    private func items() throws -> [[String]] {
        try Database(scratch.file("s.sqlite")).rows("SELECT o_id, n FROM T ORDER BY 1, 2")
    }

    @Test func aRejectOfAnotherEntityHoldsTheMark() throws {
        let orders = FaultyServer.shared.service(
            body("{\"orders\": [\(order(1, 1, #"[{"n": 0, "product": 1}, {"n": 1, "product": 9}]"#))]}"))
        let products = FaultyServer.shared.service(body(#"[{"id": 1}]"#), body(#"[{"id": 1}, {"id": 9}]"#))
        #expect(try run(orders, products, "").mark("o") == nil)
        #expect(try items() == [["1", "0"]])
        #expect(try run(orders, products, "").mark("o") == "1")
        #expect(try items() == [["1", "0"], ["1", "1"]])
    }

    /// The list of one order cannot be read: what another one has lost is kept, and told again.
    @Test func whatIsKeptAsNobodyKnowsHoldsTheMark() throws {
        let list = #"[{"n": 0, "product": 1}, {"n": 1, "product": 1}]"#
        let orders = FaultyServer.shared.service(body("{\"orders\": [\(order(1, 1, list)), \(order(2, 2, list))]}"))
        let products = FaultyServer.shared.service(body(#"[{"id": 1}]"#))
        let within = #", "absent": "delete", "within": "o""#
        #expect(try run(orders, products, within).mark("o") == "2")
        let bad = body("{\"orders\": [\(order(1, 3, "\"a, b\"")), \(order(2, 4, "[]"))]}")
        orders.post("[\(bad)]")
        let outcome = try run(orders, products, within)
        #expect(outcome.mark("o") == "2" && outcome.count("T", "keptAbsent") == 4, "\(outcome.report)")
        let good = body("{\"orders\": [\(order(1, 3, #"[{"n": 7, "product": 1}]"#)), \(order(2, 4, "[]"))]}")
        orders.post("[\(good)]")
        #expect(try run(orders, products, within).mark("o") == "4")
        #expect(try items() == [["1", "7"]])
    }
}
