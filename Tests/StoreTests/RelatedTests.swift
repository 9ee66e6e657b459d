import Foundation
import Sluice
import SluiceStore
import Testing

@Suite("Related objects, aggregates, observation")
struct RelatedTests {
    @Test("The target of a reference comes along, and its columns count", arguments: StorePlace.allCases)
    func targets(place: StorePlace) async throws {
        let scene = try await StoreScene(items: 60, in: place)
        let store = try scene.open(.read)
        let items = try await store.fetch(Item.all)
        let byID = Dictionary(uniqueKeysWithValues: items.map { ($0.objectID, $0) })
        let pairs = try await store.fetch(Item.all.sorted { [$0.itemID.descending] }.limit(40).including { $0.partOf })
        #expect(pairs.map(\.0.itemID) == items.map(\.itemID).sorted(by: >).prefix(40).map(\.self))
        #expect(pairs.contains { $0.1 != nil } && pairs.contains { $0.1 == nil })
        for (item, whole) in pairs { #expect(whole == item.partOf.flatMap { byID[$0] }) }
        let light = try await store.fetch(Item.filter { $0.partOf.its { $0.itemID } < 20 })
        #expect(
            Set(light.map(\.itemID))
                == Set(items.filter { $0.partOf.flatMap { byID[$0] }.map { $0.itemID < 20 } ?? false }.map(\.itemID)))
        let sorted = try await store.fetch(
            Item.filter { !$0.partOf.isNull }.sorted { [$0.partOf.its { $0.itemID }.descending] })
        let keys = sorted.compactMap { $0.partOf.flatMap { byID[$0]?.itemID } }
        #expect(keys == keys.sorted(by: >))
        let none = try await store.fetch(Item.filter { $0.category.its { $0.name } == nil })
        #expect(Set(none.map(\.itemID)) == Set(items.filter { $0.category == nil }.map(\.itemID)))
    }

    @Test("Links come along in their order, and so does what refers to an object", arguments: StorePlace.allCases)
    func lists(place: StorePlace) async throws {
        let scene = try await StoreScene(items: 60, in: place)
        let store = try scene.open(.read)
        let items = try await store.fetch(Item.all)
        let links = try await store.links(Item.columns.related, of: items.map(\.objectID))
        let related = try await store.fetch(Item.all.includingAll { $0.related })
        #expect(related.contains { $0.1.count > 1 })
        for (item, targets) in related { #expect(targets.map(\.objectID) == links[item.objectID] ?? []) }
        let reviews = try await store.fetch(Review.all)
        let reviewed = try await store.fetch(
            Item.all.including(Review.all.sorted { [$0.id.descending] }, by: { $0.item }))
        for (item, found) in reviewed {
            #expect(found.map(\.id) == reviews.filter { $0.item == item.objectID }.map(\.id).sorted(by: >))
        }
        #expect(reviewed.contains { !$0.1.isEmpty })
        #expect(try await store.fetch(Item.filter { $0.itemID < 0 }.includingAll { $0.related }).isEmpty)
        await #expect(throws: StoreError.self) {
            _ = try await store.fetch(Item.all.including(Review.all.limit(1), by: { $0.item }))
        }
    }

    @Test("Aggregates are those of the objects", arguments: StorePlace.allCases)
    func aggregates(place: StorePlace) async throws {
        let scene = try await StoreScene(items: 80, in: place)
        let store = try scene.open(.read)
        let items = try await store.fetch(Item.all)
        #expect(try await store.aggregate(Item.all) { $0.stock.sum } == items.compactMap(\.stock).reduce(0, +))
        #expect(try await store.aggregate(Item.all) { $0.stock.maximum } == items.compactMap(\.stock).max())
        #expect(try await store.aggregate(Item.all) { $0.price.minimum } == items.compactMap(\.price).min())
        #expect(try await store.aggregate(Item.all) { $0.price.maximum } == items.compactMap(\.price).max())
        #expect(try await store.aggregate(Item.all) { $0.seen.minimum } == items.compactMap(\.seen).min())
        #expect(try await store.aggregate(Item.all) { $0.lasts.maximum } == items.compactMap(\.lasts).max())
        #expect(try await store.aggregate(Item.all) { $0.lasts.sum } == items.compactMap(\.lasts).reduce(.zero, +))
        #expect(try await store.aggregate(Item.all) { $0.name.distinctCount } == Set(items.compactMap(\.name)).count)
        #expect(try await store.aggregate(Item.all) { $0.name.count } == items.compactMap(\.name).count)
        let none = Item.filter { $0.itemID < 0 }
        #expect(try await store.aggregate(none) { $0.stock.maximum } == nil)
        #expect(try await store.aggregate(none) { $0.stock.sum } == 0)
        #expect(try await store.aggregate(none) { $0.weight.sum } == 0)
        #expect(try await store.aggregate(none) { $0.stock.average } == nil)
        let few = Item.all.sorted { [$0.itemID.ascending] }.limit(10)
        #expect(try await store.aggregate(few) { $0.itemID.maximum } == 9)
        switch place {
        case .file:
            await #expect(throws: StoreError.self) { _ = try await store.aggregate(Item.all) { $0.price.sum } }
        case .server:
            let sum = try await store.aggregate(Item.all) { $0.price.sum }
            let prices = items.compactMap(\.price).compactMap { Decimal(string: $0.description) }
            #expect(Decimal(string: sum.description) == prices.reduce(0, +))
        }
        let counts = try await store.aggregate(Item.all, by: { $0.category }, { $0.objectID.count })
        #expect(counts == Dictionary(grouping: items, by: \.category).mapValues(\.count))
        let most = try await store.aggregate(Item.all, by: { $0.isNew }, { $0.stock.maximum })
        #expect(most == Dictionary(grouping: items, by: \.isNew).mapValues { $0.compactMap(\.stock).max() })
        let owners = try await store.aggregate(Item.all, by: { $0.category.its { $0.name } }, { $0.itemID.minimum })
        #expect(owners.count == counts.count)
    }

    @Test("Sums of decimals that are integers in the store are exact", arguments: StorePlace.allCases)
    func cents(place: StorePlace) async throws {
        let scene = try await StoreScene(in: place)
        try await scene.load(
            #"{"items": [{"item_id": 1, "cents": "12.25"}, {"item_id": 2, "cents": "0.10"}, {"item_id": 3}]}"#)
        let store = try scene.open(.read)
        #expect(try await store.aggregate(Item.all) { $0.cents.sum } == ExactDecimal("12.35"))
        #expect(try await store.aggregate(Item.all) { $0.cents.maximum } == ExactDecimal("12.25"))
    }

    @Test("What is set to a value of another object is what that had before", arguments: [true, false])
    func updates(isWhole: Bool) async throws {
        let scene = try await StoreScene()
        let items = (1...9).map { number in
            #"{"item_id": \#(number), "stock": \#(number), "part_of": \#(number == 1 ? "null" : String(number - 1))}"#
        }
        try await scene.load(#"{"items": [\#(items.joined(separator: ","))]}"#)
        let store = try scene.open()
        let some = isWhole ? Item.all : Item.filter { $0.itemID < 5 }.sorted { [$0.itemID.descending] }.limit(3)
        let result = try await store.update(some, result: .objectIDs) {
            [$0.stock.set(to: $0.partOf.its { $0.stock })]
        }
        let stocks = try await store.fetch(Item.all.sorted { [$0.itemID.ascending] }).map(\.stock)
        #expect(stocks == (isWhole ? [nil, 1, 2, 3, 4, 5, 6, 7, 8] : [1, 1, 2, 3, 5, 6, 7, 8, 9]))
        #expect(result.count == (isWhole ? 9 : 3))
    }

    @Test("A reference that a run links, or takes away, is another result", .timeLimit(.minutes(5)))
    func observesReferences() async throws {
        let scene = try await StoreScene()
        try await scene.load(#"{"items": [{"item_id": 1, "part_of": 2}]}"#)
        let store = try scene.open(.read)
        var seen = store.observe(Item.filter { $0.itemID == 1 }).makeAsyncIterator()
        #expect(try await seen.next()?.map(\.partOf) == [nil])
        try await scene.load(#"{"items": [{"item_id": 2}]}"#)
        #expect(try await seen.next()?.allSatisfy { $0.partOf != nil } == true)
    }

    @Test("A query is observed: its result at once, and each other one", .timeLimit(.minutes(5)))
    func observes() async throws {
        let scene = try await StoreScene()
        let store = try scene.open()
        var seen = store.observe(Note.filter { $0.score > 1 }.sorted { [$0.key.ascending] }).makeAsyncIterator()
        #expect(try await seen.next()?.isEmpty == true)
        _ = try await store.insert([Note.New(key: "a", score: 2)])
        #expect(try await seen.next()?.map(\.key) == ["a"])
        // What the query has not, and what others have, is no element.
        _ = try await store.insert([Note.New(key: "b", score: 1)])
        try await scene.load(#"{"items": [{"item_id": 1}]}"#)
        _ = try await store.insert([Note.New(key: "c", score: 3)])
        #expect(try await seen.next()?.map(\.key) == ["a", "c"])
        var counts = store.observe(of: [Item.self]) { view throws(StoreError) in try view.count(Item.all) }
            .makeAsyncIterator()
        #expect(try await counts.next() == 1)
        try await scene.load(#"{"items": [{"item_id": 1}, {"item_id": 2}]}"#)
        #expect(try await counts.next() == 2)
        let waiting = Task { try await store.observe(Note.all).reduce(0) { count, _ in count + 1 } }
        try await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        await #expect(throws: StoreError.self) { try await waiting.value }
    }
}
