import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

/// Fields of records that the definition does not use, or that are repeated.
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
        // Nodes that are records of different entities are told apart: their fields are added up, as a run does.
        var found: [String: (records: UInt64, first: UInt64)] = [:]
        for field in drift.fields {
            let (name, first) = ("\(field.entity) \(field.path)", field.first.position.offset)
            let known = found[name + (field.isRepeated ? " repeated" : "")] ?? (0, .max)
            found[name + (field.isRepeated ? " repeated" : "")] = (
                known.records + field.records, min(known.first, first)
            )
        }
        return found.map { name, count in
            let words = name.split(separator: " repeated", omittingEmptySubsequences: false)
            return "\(words[0]) \(count.records) @\(count.first)\(words.count > 1 ? " repeated" : "")"
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

    /// What a path with `..` only passes through is used where it finds something in it.
    @Test func descendantsUseWhatTheyFind() throws {
        let thing = entity("T", "$.a[*]", slots: ["id"])
        let user = entity("U", "$..user", slots: ["id"])
        let feed = #"{"a":[{"id":1,"extra":5,"user":{"id":3,"foo":1}}]}"#
        #expect(try lines(feed, thing, user) == ["0 extra 1 @6", "1 foo 1 @31"])
        let deep = """
            {"a": [{"id": 1, "x": {"y": [{"z": 1}], "z": 2}, "by": {"user": {"id": 2}, "at": {"n": 1}, "m": [[3]]}},
                {"id": 2, "by": {"n": 1}, "list": [{"n": 1}, {"user": {"id": 1, "o": {"user": {}}}, "p": 0}]}]}
            """
        let found = [
            "0 by 1 @109", "0 by.at 1 @7", "0 by.m 1 @7", "0 list[*].n 1 @109", "0 list[*].p 1 @109", "0 x 1 @7",
        ]
        #expect(try lines(deep, thing, user) == found)
        let slot = entity("S", "$[*]", slots: ["id", "b..n many"])
        #expect(
            try lines(#"[{"id": 1, "c": 1, "b": {"d": {"n": 1}, "e": {"f": 1}, "g": 1}}]"#, slot)
                == ["0 b.e 1 @1", "0 b.g 1 @1", "0 c 1 @1"])
    }

    /// Where a path leads to what is in a value, a scalar or a list in its place takes that away without a word.
    @Test func whatIsOnTheWayOfAPathIsTold() throws {
        let item = entity("Item", "$[*]", slots: ["id", "at.city", "parts[*].id many", "pos[0].x"])
        let feed = """
            [{"id": 1, "at": "Oslo", "parts": [{"id": 1}, 2, [3]]}, {"at": ["Oslo"], "pos": {"x": 1}},
             {"at": null, "parts": [null, "", [], {}], "pos": [5, 6]}, {"at": "", "pos": []}, {"at": {"city": "c"}},
             {"at": []}]
            """
        let values = try lines(feed, item)
        #expect(values == ["0 at 2 @1", "0 parts[*] 1 @1", "0 pos.x 1 @56", "0 pos[*] 1 @92"])
        // A record that is no object, and what other records are looked for in.
        let outer = entity("Outer", "$.o.*", slots: ["~", "in.id"])
        let inner = entity("Inner", "$.o.*.in.list[*]", slots: ["id"])
        let records =
            #"{"o": {"a": 1, "b": [2], "c": {"in": 3}, "d": {"in": {"list": 4}}, "e": {"in": {"list": [5]}}}}"#
        let nodes = try lines(records, outer, inner)
        #expect(nodes == ["0 @ 2 @12", "0 in 1 @30", "0 in.list 1 @46", "1 @ 1 @89"])
        // Of what is a member by any name, others may be what is meant: a single object in place of a list, for one.
        let any = entity("Any", "$[*]", slots: ["id", "authors[*].id many"])
        #expect(try lines(#"[{"authors": {"id": 5, "name": "Ada", "tags": ["x"]}}]"#, any) == [])
        // Not where it is all wanted, or where a list is one value.
        let whole = entity("Whole", "$[*]", slots: ["at json", "at.city", "list[*] many", "list[*].x many", "@..deep"])
        #expect(try lines(#"[{"at": "Oslo"}, {"at": ["Oslo"], "list": [1, {"x": 2}]}]"#, whole) == [])
    }

    /// A record counts once for a field, though records in it have the field between two of its own.
    @Test func recordsInRecordsCountOnce() throws {
        let node = entity("Node", "$..node", slots: ["parts[*].id many"])
        let feed = #"{"node": {"parts": [{"n": 1, "n": 1}, {"node": {"parts": [{"n": 2}]}}, {"n": 3}, 4]}}"#
        let found = try lines(feed, node)
        #expect(found == ["0 parts[*] 1 @9", "0 parts[*].n 2 @9"])
        let twice =
            #"{"node": {"parts": [{"id": 1, "id": 1}, {"node": {"parts": [{"id": 1, "id": 1}]}}, {"id": 1, "id": 1}]}}"#
        let repeated = try lines(twice, node)
        #expect(repeated == ["0 parts[*].id 2 @9 repeated"])
    }

    @Test func repeatedKeys() throws {
        let item = entity("Item", "$[*]", slots: ["a", "b.c", "*.d many"])
        let feed =
            #"[{"a": 1, "a": 2, "a": 3}, {"a": 1, "b": {"c": 1, "c": 2}}, {"x": {"d": 1}, "x": {"d": 2}, "a": 1, "a": 1}]"#
        #expect(try lines(feed, item) == ["0 a 2 @1 repeated", "0 b.c 1 @27 repeated", "0 x 1 @60 repeated"])
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
        for seed in SeededRandom.seeds(0..<150) {
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
