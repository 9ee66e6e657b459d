import SluiceStore
import Testing

/// The lists that programs write are those that a run would write.
@Suite("Lists of programs")
struct ListWritingTests {
    private typealias Setting = @Sendable (Series.Columns) -> [Assignment<Series>]

    /// A store with one object that a feed has made.
    private func scene() async throws -> StoreScene {
        let scene = try await StoreScene()
        try await scene.load(
            #"""
            {"series": [{"id": 1, "tags": ["a", "\"c\"", null], "names": ["z\n", "é"], "counts": [0, 10, 3],
                "weights": [1, 2.5, 1e21, 0.1], "prices": ["0.5", "19.90", "7"], "days": ["2026-11-20"],
                "moments": ["2026-11-20T23:13:00Z"], "spans": ["0:00:01.5"], "flags": [true, false]}]}
            """#)
        return scene
    }

    private static let new = Series.New(
        id: 2, tags: ["a", "\"c\"", nil], names: ["z\n", "é"], counts: [0, 10, 3],
        weights: [1, 2.5, 1e21, .number("0.10")], prices: ["0.5", "19.90", "7"], days: ["2026-11-20"],
        moments: ["2026-11-20T23:13:00.000Z"], spans: [1500], flags: [true, false])

    private static let columns =
        "tags || names || counts || weights || prices || days || moments || spans || flags"

    @Test("What is written is what a run writes of the same values") func same() async throws {
        let scene = try await scene()
        let store = try scene.open()
        _ = try await store.insert([ListWritingTests.new])
        let lists = try await store.decode(String.self, "SELECT \(ListWritingTests.columns) FROM Series ORDER BY id")
        #expect(lists.count == 2 && lists[0] == lists[1], "\(lists)")
        // Set in one go, and saved.
        _ = try await store.update(Series.filter { $0.id == 2 }) {
            [$0.prices.set(to: ["1"]), $0.weights.set(to: [2.0])]
        }
        let set = try await store.decode(String.self, "SELECT prices || weights FROM Series WHERE id = 2")
        #expect(set == [#"["1.00"][2]"#])
        let original = try #require(try await store.object(Series.self, identifier: 2))
        var changed = original
        changed.prices = ["1.0"]
        #expect(try await store.save(changed, original: original) == .unchanged)
        changed.prices = ["2.5", nil]
        #expect(try await store.save(changed, original: original) == .saved)
        let saved = try await store.decode(String.self, "SELECT prices FROM Series WHERE id = 2")
        #expect(saved == [#"["2.50",null]"#])
        // A list is null, or empty, as another value is.
        _ = try await store.update(Series.all) { [$0.counts.set(to: nil), $0.days.set(to: [])] }
        #expect(try await store.decode(String.self, "SELECT days FROM Series WHERE counts IS NULL") == ["[]", "[]"])
    }

    private static let refused: [(set: Setting, message: String)] = [
        ({ [$0.tags.set(to: ["a", "x"])] }, #"Series.tags[1]: "x" is none of "a", "b", ""c"""#),
        ({ [$0.tags.set(to: "a")] }, #"Series.tags: "a" is no list"#),
        ({ [$0.tags.set(to: .some(.null))] }, "Series.tags: null is no list"),
        ({ [$0.names.set(to: [["a"]])] }, #"Series.names[0]: ["a"] is no text"#),
        ({ [$0.names.set(to: ["a", 1])] }, "Series.names[1]: 1 is no text"),
        ({ [$0.counts.set(to: [1, 11])] }, "Series.counts[1]: 11 is greater than 10, the greatest that it may be"),
        ({ [$0.counts.set(to: [-1])] }, "Series.counts[0]: -1 is less than 0, the least that it may be"),
        ({ [$0.counts.set(to: [1.5])] }, "Series.counts[0]: 1.5 is no integer"),
        ({ [$0.counts.set(to: ["1"])] }, #"Series.counts[0]: "1" is no integer"#),
        (
            { [$0.counts.set(to: [.number("99999999999999999999")])] },
            "Series.counts[0]: 99999999999999999999 is no integer"
        ),
        ({ [$0.weights.set(to: [.number("1e999")])] }, "Series.weights[0]: inf is no number that a store can have"),
        ({ [$0.weights.set(to: [true])] }, "Series.weights[0]: true is no real"),
        ({ [$0.prices.set(to: ["0.4"])] }, "Series.prices[0]: 0.40 is less than 0.50, the least that it may be"),
        (
            { [$0.prices.set(to: ["1", "0.125"])] },
            "Series.prices[1]: 0.125 does not fit the attribute, which has 2 digits behind the point"
        ),
        ({ [$0.prices.set(to: [1])] }, "Series.prices[0]: 1 is no decimal"),
        ({ [$0.days.set(to: ["2026-02-30"])] }, #"Series.days[0]: "2026-02-30" is no date"#),
        (
            { [$0.days.set(to: ["1999-12-31"])] },
            "Series.days[0]: 1999-12-31 is less than 2000-01-01, the least that it may be"
        ),
        ({ [$0.moments.set(to: ["2026-11-20"])] }, #"Series.moments[0]: "2026-11-20" is no datetime"#),
        (
            { [$0.spans.set(to: [3_600_001])] },
            "Series.spans[0]: 3600001 is greater than 3600000, the greatest that it may be"
        ),
        ({ [$0.spans.set(to: ["0:01"])] }, #"Series.spans[0]: "0:01" is no duration"#),
        ({ [$0.flags.set(to: [1])] }, "Series.flags[0]: 1 is no boolean"),
        ({ [$0.flags.set(to: .object([]))] }, "Series.flags: {} is no list"),
    ]

    @Test("An element that a run would reject is refused, and nothing is written") func refused() async throws {
        let scene = try await scene()
        let store = try scene.open()
        let before = try await store.fetch(Series.all)
        for (set, message) in ListWritingTests.refused {
            let error = await #expect(throws: StoreError.self, "\(message)") {
                try await store.update(Series.all, set: set)
            }
            #expect(error?.kind == .invalid && error?.message == message)
        }
        var new = ListWritingTests.new
        new.counts = [11]
        let error = await #expect(throws: StoreError.self) { try await store.insert([new]) }
        #expect(error?.message.hasPrefix("Series.counts[0]: 11 is greater") == true)
        var changed = before[0]
        changed.flags = ["true"]
        let saved = await #expect(throws: StoreError.self) { try await store.save(changed, original: before[0]) }
        #expect(saved?.message == #"Series.flags[0]: "true" is no boolean"#)
        #expect(try await store.fetch(Series.all) == before)
    }

    @Test("A list that is taken from another attribute is looked at in each object") func calculated() async throws {
        let scene = try await scene()
        let store = try scene.open()
        _ = try await store.insert([ListWritingTests.new])
        #expect(try await store.update(Series.all) { [$0.names.set(to: $0.tags)] }.count == 2)
        let error = await #expect(throws: StoreError.self) {
            try await store.update(Series.all) { [$0.counts.set(to: $0.tags)] }
        }
        #expect(error?.message == #"Series.counts[0]: "a" is no integer (object 1)"#)
        // What would be written another way is refused, too: nothing writes it so.
        let form = await #expect(throws: StoreError.self) {
            try await store.update(Series.all) { [$0.prices.set(to: $0.days)] }
        }
        #expect(form?.kind == .invalid)
    }
}
