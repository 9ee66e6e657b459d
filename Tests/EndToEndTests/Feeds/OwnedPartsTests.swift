import Foundation
import TestSupport
import Testing

/// Feeds that do not give all that there is, whose records say all that belongs to them: what an order that comes has
/// no longer is gone, and what belongs to others stays.
@Suite struct OwnedPartsTests {
    private let folder = TemporaryFolder()

    /// By order: its items.
    private typealias Orders = [Int: [Int: Int]]

    /// - Parameters:
    ///   - records: where items are.
    ///   - order: what they refer by.
    private func definition(
        records: String = "$.orders[*].items[*]", order: String = #""from": "^^.id""#, others: String = ""
    ) throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "in/*.json", "new": true }, "store": { "sqlite": "p.sqlite" },
              "limits": { "deletes": null, "records": null }, "archive": { "directory": "saved" },
              "entities": {
                "Order": { "records": ["$.orders[*]"\(others)], "identifier": "id", "attributes": { "id": "integer" } },
                "Item": { "records": "\(records)", "identifier": ["order", "line"], "absent": "delete",
                  "within": "order", "attributes": { "line": "integer", "amount": "integer" },
                  "relationships": { "order": { "to": "Order", \(order), "missing": "stub" } } } } }
            """)
    }

    private func drop(_ night: Int, _ orders: Orders, _ form: (Int, [Int: Int]) -> String) throws {
        let texts = orders.sorted { $0.key < $1.key }.map { form($0.key, $0.value) }
        _ = try folder.write("in/\(night).json", #"{ "orders": [\#(texts.joined(separator: ","))] }"#)
    }

    private static func nested(_ id: Int, _ items: [Int: Int]) -> String {
        let parts = items.sorted { $0.key < $1.key }.map {
            #"{ "line": \#($0.key), "amount": \#($0.value), "oid": \#(id) }"#
        }
        return #"{ "id": \#(id), "items": [\#(parts.joined(separator: ","))] }"#
    }

    private var stored: Orders { get throws { try stored(in: folder.file("p.sqlite")) } }

    private func stored(in store: String) throws -> Orders {
        let rows = try Database(store).rows(
            #"SELECT o.id, i.line, i.amount FROM Item i JOIN "Order" o ON o.objectID = i."order""#)
        return rows.reduce(into: [:]) { orders, row in
            orders[Int(row[0]) ?? -1, default: [:]][Int(row[1]) ?? -1] = Int(row[2])
        }
    }

    @Test(arguments: 0..<4, [1, 1000])
    func eachOrderThatComesIsWhole(_ seed: Int, _ batch: Int) throws {
        var random = SeededRandom(seed)
        let definition = try definition()
        var all: Orders = [:]
        for night in 0..<7 {
            var coming: Orders = [:]
            for _ in 0..<random.below(6) {
                let lines = (0..<random.below(5)).map { _ in (random.below(6), random.below(3)) }
                coming[random.below(9)] = Dictionary(lines) { $1 }
            }
            try drop(night, coming, OwnedPartsTests.nested)
            all.merge(coming) { $1 }
            let before = folder.file("before.sqlite")
            if night > 0 {
                try? FileManager.default.removeItem(atPath: before)
                _ = try Database(folder.file("p.sqlite")).rows("VACUUM INTO '\(before)'")
            }
            let dry = try Sluice.run(["run", definition, "--dry-run", "--format", "json", "--batch-size", "\(batch)"])
            let outcome = try Sluice.run(["run", definition, "--format", "json", "--batch-size", "\(batch)"])
            #expect(outcome.status == 0 && dry.status == 0, "\(outcome.errors)\(dry.errors)")
            #expect(outcome.count("Item", "deleted") == dry.count("Item", "deleted"))
            #expect(try stored == all.filter { !$0.value.isEmpty }, "seed \(seed), night \(night)")
            // On the store of before, the replay deletes what the run has deleted.
            guard night > 0, outcome.report["status"] as? String == "succeeded",
                let run = outcome.report["run"] as? Int
            else { continue }
            let replay = try Sluice.run(["replay", definition, "--run", "\(run)", "--store", before])
            #expect(replay.status == 0, "\(replay.errors)")
            #expect(try stored(in: before) == stored, "seed \(seed), night \(night)")
        }
        // All files together hold what was there once: nothing is absent from them.
        #expect(try Sluice.run(["run", definition, "--full"]).status == 0)
    }

    /// What does not say that it is whole stays: items beside the orders, those that only name an order, and orders
    /// that come without items elsewhere.
    @Test(arguments: ["beside", "named", "elsewhere"])
    func whatMayBeAPartStays(_ way: String) throws {
        let definition =
            switch way {
            case "beside": try definition(records: "$.items[*]", order: #""from": "oid""#)
            case "named": try definition(order: #""from": "oid""#)
            default: try definition(others: #", "$.short[*]""#)
            }
        func form(_ id: Int, _ items: [Int: Int]) -> String {
            way == "beside" ? #"{ "id": \#(id) }"# : OwnedPartsTests.nested(id, items)
        }
        try drop(0, [1: [1: 10, 2: 20]], form)
        let items = #""items": [{ "line": 1, "amount": 10, "oid": 1 }, { "line": 2, "amount": 20, "oid": 1 }]"#
        if way == "beside" { _ = try folder.write("in/0.json", #"{ "orders": [{ "id": 1 }], \#(items) }"#) }
        #expect(try Sluice.run(["run", definition]).status == 0)
        #expect(try stored == [1: [1: 10, 2: 20]])
        let rest =
            way == "elsewhere" ? #""orders": [], "short": [{ "id": 1 }]"# : #""orders": [{ "id": 1, "items": [] }]"#
        _ = try folder.write("in/1.json", "{ \(rest) }")
        let outcome = try Sluice.run(["run", definition, "--format", "json"])
        #expect(outcome.status == 0 && outcome.count("Item", "deleted") == 0, "\(outcome.errors)")
        #expect(try stored == [1: [1: 10, 2: 20]])
    }
}
