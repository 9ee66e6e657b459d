import Extract
import Records
import Testing

/// Fields of records that the definition does not use, or that are repeated; slots that no record fills.
@Suite struct DriftTests {
    private func drift(
        _ feed: [UInt8], _ entities: [Entity], sizes: [Int] = [.max], options: FeedOptions = .lines
    ) throws -> FeedDrift {
        let model = Model(entities: entities)
        let reader = FeedReader(model: model, source: 0, options: options)
        var batch = RecordBatch(model: model)
        _ = try reader.read(ChunkedBytes(feed, sizes: sizes), named: "feed", into: &batch) { full in
            full.reset()
            return full
        }
        return reader.drift
    }

    private func lines(_ drift: FeedDrift) -> [String] {
        drift.fields.map { field in
            let repeated = field.isRepeated ? " repeated" : ""
            return "\(field.entity) \(field.path) \(field.records) @\(field.first.position.offset)\(repeated)"
        }.sorted()
    }

    private func lines(_ feed: String, _ entities: Entity...) throws -> [String] {
        lines(try drift(Array(feed.utf8), entities))
    }

    @Test func onlyTheTopmostFieldIsNamed() throws {
        let item = entity("Item", "$.items[*]", slots: ["id", "at.city", "parts[*].id many"])
        let feed = """
            {"items": [
              {"id": 1, "extra": {"deep": [{"x": 1}]}, "at": {"zip": 1, "city": "c"}},
              {"at": {"zip": 2}, "parts": [{"id": 1, "n": 1}, {"n": 2}]}
            ], "more": {"id": 1}}
            """
        #expect(try lines(feed, item) == ["0 at.zip 2 @14", "0 extra 1 @14", "0 parts[*].n 1 @89"])
    }

    @Test func whatAnotherPathUsesIsUsed() throws {
        let outer = entity("Outer", "$[*]", slots: ["id", "raw json", "^^.x"])
        let inner = entity("Inner", "$[*].in[*]", slots: ["n", "$[*].name"])
        let feed = #"[{"id": 1, "name": "n", "raw": {"a": 1}, "in": [{"n": 1, "m": {}}, {"m": 2}], "y": 0}]"#
        #expect(try lines(feed, outer, inner) == ["0 y 1 @1", "1 m 2 @48"])
        // A record as a whole.
        let whole = entity("Whole", "$[*]", slots: ["id", "@ json"])
        #expect(try lines(feed, whole) == [])
    }

    @Test func repeatedKeys() throws {
        let item = entity("Item", "$[*]", slots: ["a", "b.c", "*.d many"])
        let feed =
            #"[{"a": 1, "a": 2, "a": 3}, {"a": 1, "b": {"c": 1, "c": 2}}, {"x": {"d": 1}, "x": {"d": 2}, "a": 1, "a": 1}]"#
        #expect(try lines(feed, item) == ["0 a 2 @1 repeated", "0 b.c 1 @27 repeated", "0 x 1 @60 repeated"])
    }

    @Test func slotsThatNoRecordFills() throws {
        let item = entity("Item", "$.items[*]", slots: ["id", "nmae", "maybe", "$.version", "$.nothing"])
        let feed = #"{"items": [{"id": 1}, {"id": 2, "maybe": null}], "version": 1}"#
        for batch in [1, 5000] {
            let found = try drift(Array(feed.utf8), [item], options: FeedOptions().with(batch: batch))
            #expect(found.filled == [[true, false, true, true, false]])
            #expect(found.firsts[0]?.position.offset == 11)
        }
        let none = try drift(Array(#"{"items": []}"#.utf8), [item])
        #expect(none.firsts[0] == nil)
    }

    /// Whatever a feed holds, the memory for its names is bounded; those that are too many share a field.
    @Test func tooManyNames() throws {
        let item = entity("Item", "$[*]", slots: ["id"])
        let records = (0..<5000).map { #"{"id": 1, "n\#($0)": 1, "m\#($0)": {}}"# }
        let found = try drift(Array("[\(records.joined(separator: ","))]".utf8), [item])
        #expect(found.fields.count < 2100)
        let others = try #require(found.fields.first { $0.path.steps == [.wildcard] })
        #expect(others.records + UInt64(found.fields.count - 1) / 2 == 5000)
    }

    @Test func sameAsTheReference() throws {
        for seed in 0..<400 {
            var generator = FeedGenerator(seed: UInt64(9000 + seed))
            var entities = (0...seed % 2).map { generator.entity("E\($0)") }
            // Which nodes `^` means is known only when there is a record in them.
            for index in entities.indices { entities[index].slots.removeAll { $0.path.parents > 0 || $0.json } }
            let feed = generator.feed(values: 1 + seed % 3)
            let expected = ReferenceDrift(entities).lines(feed)
            let found = try drift(
                feed, entities, sizes: [[.max], [1], [3, 7]][seed % 3],
                options: .lines.with(chunk: 5, batch: [1, 2, 5000][seed % 3]))
            #expect(
                lines(found) == expected,
                "\(entities.map { "\($0.records) \($0.slots)" })\n\(String(decoding: feed, as: UTF8.self))")
        }
    }
}
