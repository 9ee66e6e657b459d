import Foundation
import Testing

/// Something else stands where the records of an entity should be: which they are, nobody knows, so none is absent.
@Suite struct HiddenRecordsTests {
    /// The parts of orders, with and without an entity around them.
    private func scene(within: Bool = false, orders: Bool = true, path: String = "items[*]") throws -> LanguageScene {
        let order = #""Order": { "records": "$.orders[*]", "identifier": "id", "attributes": { "id": "integer" } },"#
        let owner = String(repeating: "^", count: path.split(separator: ".").count + 1)
        let relationship =
            #""relationships": { "order": { "to": "Order", "from": "\#(owner).id", "onDelete": "cascade" } }"#
        return try LanguageScene(
            """
            { \(orders ? order : "")
              "Part": { "records": "$.orders[*].\(path)", "identifier": "k", "absent": "delete",
                \(within ? #""within": "order", "# : "")"attributes": { "k": "text" }\(orders ? ", " + relationship : "") } }
            """, #""limits": { "deletes": null, "rejects": null }"#)
    }

    private let first = #"{"orders": [{"id": 1, "items": [{"k": "a"}, {"k": "b"}]}, {"id": 2, "items": [{"k": "c"}]}]}"#

    private func parts(_ scene: LanguageScene) throws -> String {
        try scene.lines("SELECT k FROM Part ORDER BY k").joined()
    }

    @Test(arguments: [true, false], [#""a, b""#, "5", "true"])
    func nothingIsAbsent(within: Bool, value: String) throws {
        let rest = #"{"id": 3, "items": [{"k": "z"}]}"#
        for orders in within ? [true] : [true, false] {
            let scene = try scene(within: within, orders: orders)
            try scene.run(first)
            let night = try scene.run(#"{"orders": [{"id": 1, "items": \#(value)}, {"id": 2, "items": []}, \#(rest)]}"#)
            #expect((night.count("Part", "deleted"), night.count("Part", "keptAbsent")) == (0, 3))
            #expect(try parts(scene) == "abcz")
            // The next feed says it again.
            let next = try scene.run(
                #"{"orders": [{"id": 1, "items": [{"k": "b"}]}, {"id": 2, "items": []}, \#(rest)]}"#)
            #expect((next.count("Part", "deleted"), next.count("Part", "keptAbsent")) == (2, 0))
            #expect(try parts(scene) == "bz")
        }
    }

    /// What says that there is nothing, and what is left out, hides nothing; nor does what another path takes.
    @Test(arguments: [
        #"{"orders": [{"id": 1, "items": null}, {"id": 2}]}"#, #"{"orders": [{"id": 1, "items": ""}, {"id": 2}]}"#,
        #"{"orders": [{"id": 1, "items": []}, {"id": 2}]}"#, #"{"orders": [{"id": 1, "items": {}}, {"id": 2}]}"#,
        #"{"orders": [{"id": 1}, null, {"id": 2}]}"#, #"{"orders": [{"id": 1, "items": false}, {"id": 2}]}"#,
    ])
    func nothingHidesNothing(_ feed: String) throws {
        let scene = try scene(orders: false)
        try scene.run(first)
        let night = try scene.run(feed.replacing("{\"id\": 2}", with: #"{"id": 2, "items": [{"k": "c"}]}"#))
        #expect((night.count("Part", "deleted"), night.count("Part", "keptAbsent")) == (2, 0))
    }

    /// On the way to the records, too, where a list may stand in place of an object; what is beside them is no matter.
    @Test(arguments: [
        (#"{"id": 1, "box": "x"}"#, 2), (#"{"id": 1, "box": [{"items": [{"k": "a"}]}]}"#, 2),
        (#"{"id": 1, "box": {"items": 7}}"#, 2), (#"{"id": 1, "box": {"item": 7}, "items": 8}"#, 0),
        (#"{"id": 1, "box": {"items": [5, {"k": "a"}]}}"#, 1), (#""x""#, 2), ("5", 2), (#"[{"box": {}}]"#, 2),
        ("null", 0),
    ])
    func soItIsOnTheWay(_ order: String, _ kept: Int) throws {
        let scene = try scene(path: "box.items[*]")
        try scene.run(#"{"orders": [{"id": 1, "box": {"items": [{"k": "a"}, {"k": "b"}]}}]}"#)
        let night = try scene.run(#"{"orders": [\#(order), {"id": 3, "box": {"items": [{"k": "z"}]}}]}"#)
        #expect(night.count("Part", "keptAbsent") == kept && night.count("Part", "deleted") == (kept == 0 ? 2 : 0))
    }

    /// Whoever else takes elements of the list; and where its elements are the records, too, nothing is hidden.
    @Test(arguments: [
        (#""$.orders[*].box.items[*]""#, #""z": { "type": "text", "many": true, "from": "box[*].z" }"#, 2),
        (#""$.orders[*].box.items[*]""#, #""z": { "type": "text", "from": "box[0].z" }"#, 2),
        (#""$.orders[*].box.items[*]""#, #""z": { "type": "json", "from": "box" }"#, 2),
        (#"["$.orders[*].box.items[*]", "$.orders[*].box[*]"]"#, #""z": { "type": "text", "from": "z" }"#, 0),
    ])
    func listsThatOthersTake(_ records: String, _ attribute: String, _ kept: Int) throws {
        let scene = try LanguageScene(
            """
            { "Order": { "records": "$.orders[*]", "identifier": "id", "attributes": { "id": "integer", \(attribute) } },
              "Part": { "records": \(records), "identifier": "k", "absent": "delete", "attributes": { "k": "text" } } }
            """, #""limits": { "deletes": null, "rejects": null }"#)
        let first = kept == 0 ? #"[{"k": "a"}, {"k": "b"}]"# : #"{"items": [{"k": "a"}, {"k": "b"}]}"#
        try scene.run(#"{"orders": [{"id": 1, "box": \#(first)}]}"#)
        let night = try scene.run(
            #"{"orders": [{"id": 1, "box": [{"k": "q"}]}"#
                + (kept == 0 ? "]}" : #", {"id": 3, "box": {"items": [{"k": "z"}]}}]}"#))
        #expect(night.count("Part", "keptAbsent") == kept && night.count("Part", "deleted") == (kept == 0 ? 2 : 0))
    }

    /// An entity of which no feed has records has a path that leads nowhere, also in a document that is a list.
    @Test func aPathThatLeadsNowhereHidesNothing() throws {
        let scene = try LanguageScene(
            """
            { "Item": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "tag": { "to": "Tag", "missing": "stub" } } },
              "Tag": { "records": "$.none[*]", "identifier": "k", "orphans": "delete", "attributes": { "k": "text" } } }
            """, #""limits": { "deletes": null }"#)
        try scene.run(#"[{"id": 1, "tag": "a"}]"#)
        try scene.run(#"[{"id": 1, "tag": "b"}]"#)
        #expect(try scene.lines("SELECT k FROM Tag") == ["b"])
    }

    /// A night that knows most of its feed reads such an order again.
    @Test func itIsNeverKnown() throws {
        let scene = try scene(within: true)
        func feed(_ first: String, _ second: String) -> String {
            let rest = (3...60).map { #"{"id": \#($0), "items": [{"k": "k\#($0)"}]}"# }.joined(separator: ",\n")
            return "{\"orders\": [\(first),\n\(second),\n\(rest)]}"
        }
        let whole = #"{"id": 1, "items": [{"k": "a"}, {"k": "b"}]}"#
        try scene.run(feed(whole, #"{"id": 2, "items": [{"k": "c"}, {"k": "d"}]}"#))
        let hidden = #"{"id": 1, "items": "a, b"}"#
        for name in ["c", "d"] {
            let night = try scene.run(feed(hidden, #"{"id": 2, "items": [{"k": "\#(name)"}]}"#))
            #expect((night.count("Part", "deleted"), night.count("Part", "keptAbsent")) == (0, 3))
        }
        let last = try scene.run(feed(whole, #"{"id": 2, "items": [{"k": "c"}]}"#))
        #expect((last.count("Part", "deleted"), last.count("Part", "keptAbsent")) == (1, 0))
    }
}
