import Foundation
import Sluice
import SluiceStore
import TestSupport
import Testing

@Suite("Reading objects")
struct ReadingTests {
    @Test("Each type comes out as the feed had it", arguments: StorePlace.allCases)
    func types(place: StorePlace) async throws {
        let scene = try await StoreScene(in: place)
        try await scene.load(
            """
            {"categories": [{"name": "fruit", "rank": 7}], "items": [{"item_id": 1, "name": "z\\u0000y", "weight": 2,
            "stock": 3, "price": "99999999999999999999.5", "tax": "1.5", "cents": "12.25", "is_new": true,
            "since": "2026-11-20", "seen": "2026-11-20T23:13:00.25Z", "checked": "2026-11-20T23:13:00Z",
            "lasts": "25:10:00.5", "extra": {"b": [1, 2.50], "a": null}, "image": "AAEC", "state": "open", "category": "fruit", "part_of": 1,
            "kind": "Category", "source": "fruit", "related": [1, 1]}, {"item_id": 2}]}
            """)
        let store = try scene.open(.read)
        let item = try #require(try await store.object(Item.self, identifier: 1))
        #expect(item.name == (place == .file ? "z\u{0}y" : "zy"))
        #expect(item.weight == 2)
        #expect(item.stock == 3)
        #expect(item.price == ExactDecimal("99999999999999999999.5"))
        #expect(item.tax == ExactDecimal("1.50"))
        #expect(item.cents == ExactDecimal("12.25"))
        #expect(item.isNew == true)
        #expect(item.since == CalendarDate(year: 2026, month: 11, day: 20))
        #expect(item.seen == Instant("2026-11-20T23:13:00.25Z"))
        #expect(item.checked == Instant(seconds: 1_795_216_380))
        #expect(item.lasts == .milliseconds(90_600_500))
        #expect(item.extra == ["a": nil, "b": [1, .number("2.50")]])
        #expect(item.image == [0, 1, 2])
        #expect(item.state == .open)
        #expect(item.partOf == item.objectID)
        let category = try #require(try await store.object(Category.self, identifier: "fruit"))
        #expect(item.category == category.objectID)
        #expect(item.source == AnyObjectID(category.objectID))
        #expect(item.source?.objectID(of: Category.self) == category.objectID)
        #expect(item.source?.objectID(of: Item.self) == nil)
        #expect(try await store.links(Item.columns.related, of: [item.objectID]) == [item.objectID: [item.objectID]])
        #expect(try await store.object(item.objectID) == item)
        let empty = try #require(try await store.object(Item.self, identifier: 2))
        #expect(empty.name == nil && empty.extra == nil && empty.image == nil && empty.source == nil)
        #expect(try await store.object(Item.self, identifier: 3) == nil)
    }

    @Test("Objects with several identifying attributes", arguments: StorePlace.allCases)
    func compound(place: StorePlace) async throws {
        let scene = try await StoreScene(in: place)
        let store = try scene.open(.read)
        let one = try await store.object(Supplier.self, identifier: .init(country: "DE", number: 1))
        #expect(one?.title == "One")
        #expect(try await store.fetch(Supplier.with(.init(country: "FR", number: 1))).count == 1)
        #expect(try await store.object(Supplier.self, identifier: .init(country: "DE", number: 2)) == nil)
    }

    @Test("Orders, limits and counts", arguments: StorePlace.allCases)
    func orders(place: StorePlace) async throws {
        let scene = try await StoreScene(items: 200, in: place)
        let store = try scene.open(.read)
        let all = try await store.fetch(Item.all)
        #expect(all.count == 200)
        let byPrice = try await store.fetch(
            Item.filter { !$0.price.isNull }.sorted { [$0.price.descending, $0.itemID.ascending] })
        let expected = all.filter { $0.price != nil }.sorted {
            if let left = $0.price, let right = $1.price, left != right { return left > right }
            return $0.itemID < $1.itemID
        }
        #expect(byPrice.map(\.itemID) == expected.map(\.itemID))
        // Null is before all.
        let byStock = all.sorted { ($0.stock ?? -1, $0.itemID) < ($1.stock ?? -1, $1.itemID) }.map(\.itemID)
        let ascending = Item.all.sorted { [$0.stock.ascending, $0.itemID.ascending] }
        #expect(try await store.fetch(ascending).map(\.itemID) == byStock)
        let descending = Item.all.sorted { [$0.stock.descending, $0.itemID.descending] }
        #expect(try await store.fetch(descending).map(\.itemID) == byStock.reversed())
        let page = Item.all.sorted { [$0.itemID.ascending] }.limit(20, skipping: 30)
        #expect(try await store.fetch(page).map(\.itemID) == Array(30..<50))
        #expect(try await store.count(page) == 20)
        #expect(try await store.count(Item.filter { $0.itemID < 17 }) == 17)
    }

    @Test("Codable types take rows by their names", arguments: StorePlace.allCases)
    func decoding(place: StorePlace) async throws {
        struct Row: Decodable, Sendable, Equatable {
            var name: String?
            var count: Int
            var day: CalendarDate?
            var image: [UInt8]?
            var mean: Double?
            var isNew: Bool?
        }
        let scene = try await StoreScene(in: place)
        try await scene.load(
            #"{"items": [{"item_id": 1, "name": "a", "since": "2026-11-20", "image": "AAEC", "weight": 2, "is_new": true}]}"#
        )
        let store = try scene.open(.read)
        let parameter = place == .file ? "?" : "$1"
        let sql = """
            SELECT name, count(*) AS count, since AS day, image, avg(weight) AS mean, is_new AS "isNew" FROM "Item"
            WHERE item_id > \(parameter) GROUP BY name, since, image, is_new
            """
        let rows = try await store.decode(Row.self, sql, 0)
        #expect(
            rows == [Row(name: "a", count: 1, day: CalendarDate("2026-11-20"), image: [0, 1, 2], mean: 2, isNew: true)])
        #expect(try await store.decode(Int.self, "SELECT 41 + \(parameter)", 1) == [42])
        await #expect(throws: StoreError.self) { try await store.decode(Row.self, "SELECT 1 AS name, 1 AS count") }
        await #expect(throws: StoreError.self) { try await store.decode(Int.self, #"DELETE FROM "Item" RETURNING 1"#) }
        await #expect(throws: StoreError.self) { try await store.decode(Int.self, "SELECT 1; SELECT 2") }
        let error = await #expect(throws: StoreError.self) { try await store.decode(Int.self, "SELEC 1") }
        #expect(error?.kind == .statement && error?.sql == "SELEC 1")
    }

    @Test("Batches have all objects, in order, whatever their size", arguments: [1, 7, 100, 5000], StorePlace.allCases)
    func batches(size: Int, place: StorePlace) async throws {
        let scene = try await StoreScene(items: 100, in: place)
        let store = try scene.open(.read)
        var found: [Int] = []
        let told = Recorder<FetchProgress>()
        let batches = store.batches(Item.all.sorted { [$0.itemID.ascending] }, of: size).onProgress { told.add($0) }
        for try await batch in batches {
            #expect(batch.count <= size)
            found += batch.map(\.itemID)
        }
        #expect(found == Array(0..<100))
        #expect(told.values.last == FetchProgress(completed: 100, total: 100))
        #expect(told.values.map(\.completed) == told.values.map(\.completed).sorted())
    }

    @Test("Batches are of one moment, and fetches inside of them are of now")
    func nested() async throws {
        let scene = try await StoreScene(items: 50)
        let store = try scene.open()
        var seen: [Int] = []
        for try await batch in store.batches(Item.all.sorted { [$0.itemID.ascending] }, of: 10) {
            seen += batch.map { $0.stock ?? -1 }
            _ = try await store.update(Item.all) { [$0.stock.set(to: 500)] }
            for try await other in store.batches(Item.all, of: 50) { #expect(other.allSatisfy { $0.stock == 500 }) }
            #expect(try await store.count(Item.filter { $0.stock == 500 }) == 50)
        }
        #expect(seen.count == 50 && !seen.contains(500))
    }

    @Test("Who leaves a loop leaves no thread")
    func leaving() async throws {
        let scene = try await StoreScene(items: 100)
        let store = try scene.open(.read)
        for _ in 0..<20 {
            for try await _ in store.batches(Item.all, of: 1) { break }
        }
        let end = ContinuousClock.now + .seconds(5)
        while openConnections(to: scene.path) > 0, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(openConnections(to: scene.path) == 0)
    }

    @Test("What does not fit a type is said at once")
    func mismatch() async throws {
        let scene = try await StoreScene()
        let connection = try Store(scene.path, access: .write)
        _ = connection
        try Shell.sqlite(
            scene.path,
            "UPDATE sluice_model SET description = replace(description, '\"weight\":{\"type\":\"real\"}', '\"weight\":{\"type\":\"text\"}')"
        )
        let error = #expect(throws: StoreError.self) { try scene.open(.read) }
        #expect(error?.kind == .incompatible)
        #expect(error?.message.contains("Item.weight: \"real\" is required, and the store has \"text\"") == true)
        let missing = #expect(throws: StoreError.self) { try Store(scene.folder + "/none.sqlite") }
        #expect(missing?.kind == .missing)
        try "no database, but long enough to be one. ".write(
            toFile: scene.folder + "/x", atomically: true, encoding: .utf8)
        let other = #expect(throws: StoreError.self) { try Store(scene.folder + "/x") }
        #expect(other?.kind == .incompatible)
    }

    @Test("Texts are read as they are, and what is no UTF-8 is refused")
    func texts() async throws {
        struct Row: Decodable, Sendable { var text: String }
        let scene = try await StoreScene()
        let store = try Store(scene.path)
        let texts = [
            "", "a", "fifteen letters", "more than sixteen letters", "a\u{0}b", "Zürich", "e\u{301}",
            "\u{1F6B2}\u{FFFD}",
        ]
        for text in texts {
            let read = try await store.decode(Row.self, "SELECT CAST(? AS TEXT) AS text", Array(text.utf8))
            #expect(read.count == 1 && read.first.map { Array($0.text.utf8) } == Array(text.utf8))
        }
        // A byte that begins nothing, an end that is missing, a longer form than needed, half of a surrogate pair.
        let invalid: [[UInt8]] = [
            [0xff], [0x61, 0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], Array("sixteen letters and".utf8) + [0xe2],
        ]
        for bytes in invalid {
            let error = await #expect(throws: StoreError.self) {
                try await store.decode(Row.self, "SELECT CAST(? AS TEXT) AS text", bytes)
            }
            #expect(error?.message.contains("a text in UTF-8") == true, "\(bytes)")
        }
    }
}
