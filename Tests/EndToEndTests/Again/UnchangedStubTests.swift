import Foundation
import TestSupport
import Testing

/// A feed that has not changed is read again where it would load more: what a record lacked has been made behind it.
@Suite struct UnchangedStubTests {
    private let folder = TemporaryFolder()

    private func statuses(_ count: Int) throws -> [String] {
        try (0..<count).map { _ in
            let outcome = try Sluice.run(["run", folder.file("p.json"), "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.report["status"] as? String ?? ""
        }
    }

    private func write(_ entities: String, _ feed: String) throws {
        _ = try folder.write(
            "p.json",
            #"""
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": { \#(entities) } }
            """#)
        _ = try folder.write("f.json", feed)
    }

    /// Of two relationships that describe a stub, the first one counts: a definition with the second one first is
    /// another one.
    @Test func theFirstDescriptionCounts() throws {
        let ways = ["x", "y"].map {
            #""\#($0)": { "to": "S", "from": "s", "missing": "stub", "stub": { "n": "\#($0)n" } }"#
        }
        let feed = #"[{ "id": 1, "s": "k", "xn": "of x", "yn": "of y" }]"#
        for (order, name) in [([0, 1], "of x"), ([0, 1], "of x"), ([1, 0], "of y")] {
            try write(
                #"""
                "R": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { \#(order.map { ways[$0] }.joined(separator: ", ")) } },
                "S": { "identifier": "k", "attributes": { "k": "text", "n": "text" } }
                """#, feed)
            _ = try statuses(1)
            #expect(try Database(folder.file("s.sqlite")).rows("SELECT n FROM S") == [[name]])
        }
    }

    @Test func aRejectMayHaveItsTargetNow() throws {
        try write(
            #"""
            "Order": { "records": "$.orders[*]", "identifier": "id", "attributes": { "id": "integer" },
              "relationships": { "customer": { "to": "Customer", "missing": "reject" } } },
            "Visit": { "records": "$.visits[*]", "identifier": "id", "attributes": { "id": "integer" },
              "relationships": { "customer": { "to": "Customer", "missing": "stub" } } },
            "Customer": { "identifier": "id", "attributes": { "id": "text" } }
            """#,
            #"{ "orders": [{ "id": 1, "customer": "C" }, { "id": 2, "customer": "D" }], "visits": [{ "id": 7, "customer": "C" }] }"#
        )
        #expect(try statuses(3) == ["succeeded", "succeeded", "unchanged"])
        #expect(try Database(folder.file("s.sqlite")).rows("SELECT id FROM \"Order\"") == [["1"]])
    }

    @Test func anUpdateMayHaveItsObjectNow() throws {
        try write(
            #"""
            "Price": { "records": "$.prices[*]", "identifier": "sku", "mode": "update",
              "attributes": { "sku": "text", "amount": "integer" } },
            "Sale": { "records": "$.sales[*]", "identifier": "id", "attributes": { "id": "integer" },
              "relationships": { "sku": { "to": "Price", "missing": "stub" } } }
            """#,
            #"{ "prices": [{ "sku": "A", "amount": 5 }], "sales": [{ "id": 1, "sku": "A" }] }"#)
        #expect(try statuses(3) == ["succeeded", "succeeded", "unchanged"])
        #expect(try Database(folder.file("s.sqlite")).rows("SELECT amount FROM Price") == [["5"]])
    }

    /// What stays out for good is not read again each night.
    @Test func aRejectWithoutATargetIsUnchanged() throws {
        try write(
            #"""
            "Order": { "records": "$.orders[*]", "identifier": "id", "attributes": { "id": "integer" },
              "relationships": { "customer": { "to": "Customer", "missing": "reject" } } },
            "Customer": { "records": "$.customers[*]", "identifier": "id", "attributes": { "id": "text" } }
            """#,
            #"{ "orders": [{ "id": 1, "customer": "C" }], "customers": [{ "id": "D" }] }"#)
        #expect(try statuses(2) == ["succeeded", "unchanged"])
    }
}
