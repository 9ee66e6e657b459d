import Foundation
import Sluice
import SluiceDates
import SluiceStore
import TestSupport
import Testing

/// Enumerations, dates of Foundation, and objects as JSON.
@Suite("Types of values")
struct ValueTypeTests {
    @Test("An attribute with few values is an enumeration")
    func choices() async throws {
        let scene = try await StoreScene(items: 60)
        let store = try scene.open()
        #expect(Item.State.allCases == [.open, .closed, .lost])
        let open = try await store.fetch(Item.filter { $0.state == .open })
        #expect(!open.isEmpty && open.allSatisfy { $0.state == .open })
        let some = try await store.fetch(Item.filter { $0.state.isIn([.closed, nil]) })
        #expect(!some.isEmpty && some.allSatisfy { $0.state == .closed || $0.state == nil })
        _ = try await store.update(Item.filter { $0.state == .open }) { [$0.state.set(to: .lost)] }
        #expect(try await store.fetch(Item.filter { $0.state == .open }).isEmpty)
        // What a store may have from another time.
        try Shell.sqlite(scene.path, "UPDATE Item SET state = 'gone' WHERE objectID = 1")
        let error = await #expect(throws: StoreError.self) { try await store.fetch(Item.all) }
        #expect(error?.kind == .invalid)
        #expect(error?.message.contains("state: one of open, closed, lost expected, found the text") == true)
    }

    @Test("Objects as JSON, and back")
    func codable() async throws {
        let scene = try await StoreScene(items: 60)
        let store = try scene.open(.read)
        let items = try await store.fetch(Item.all)
        let text = try JSONEncoder().encode(items)
        let again = try JSONDecoder().decode([Item].self, from: text)
        for (one, other) in zip(items, again) {
            // A real may come back as another number that is equal to it.
            var (one, other) = (one, other)
            (one.extra, other.extra) = (nil, nil)
            #expect(one == other)
        }
        let supplier = Supplier.Identifier(country: "DE", number: 1)
        #expect(try JSONDecoder().decode(Supplier.Identifier.self, from: JSONEncoder().encode(supplier)) == supplier)
        let note = Note.New(key: "a", item: AcrossID(7), category: AcrossID("fruit"))
        #expect(try JSONDecoder().decode(Note.New.self, from: JSONEncoder().encode(note)) == note)
    }

    @Test(
        "JSON values as JSON",
        arguments: [
            "null", "true", "-3", "1.5", #""ü\"x""#, "[]", "{}", #"[1,[null,{"a":{"b":[false]}}]]"#,
        ])
    func jsonValues(_ json: String) throws {
        let value = try JSONValue(json: json)
        let text = String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
        #expect(text == "[\(json)]")
        #expect(try JSONDecoder().decode([JSONValue].self, from: Data(text.utf8)) == [value])
    }

    @Test("Moments as dates")
    func dates() async throws {
        let scene = try await StoreScene()
        let item = #"{"item_id": 1, "seen": "2026-11-20T23:13:00.257Z", "checked": "1905-01-01T00:00:59Z"}"#
        try await scene.load(#"{"items": [\#(item)]}"#)
        let store = try scene.open()
        let seen = Column<Item, Date?>("seen")
        let date = Date(timeIntervalSince1970: 1_795_216_380.257)
        #expect(try await store.fetch(Item.filter { _ in seen == date }).count == 1)
        #expect(try await store.fetch(Item.filter { _ in seen < date }).isEmpty)
        #expect(try await store.fetch(Item.filter { _ in seen > date.addingTimeInterval(-0.001) }).count == 1)
        let checked = Column<Item, Date?>("checked", StoredForm(.datetime, fraction: 0))
        #expect(try await store.fetch(Item.filter { _ in checked < Date(timeIntervalSince1970: 0) }).count == 1)
        _ = try await store.update(Item.all) { _ in [checked.set(to: date), seen.set(to: date)] }
        let object = try #require(try await store.object(Item.self, identifier: 1))
        #expect(object.checked == Instant("2026-11-20T23:13:00Z"))
        #expect(object.seen == Instant("2026-11-20T23:13:00.257Z"))
        #expect(object.seen.map { Date($0) } == date)
        let error = await #expect(throws: StoreError.self) {
            try await store.update(Item.all) { _ in [seen.set(to: .distantPast.addingTimeInterval(-1e9))] }
        }
        #expect(error?.kind == .invalid)
    }

    @Test(
        "Dates are rounded to digits",
        arguments: [
            (0.9999999, 6, "1970-01-01T00:00:01Z"), (-0.25, 2, "1969-12-31T23:59:59.75Z"),
            (0.1234567, 9, "1970-01-01T00:00:00.123457Z"), (1.5, 0, "1970-01-01T00:00:02Z"),
            (-62_135_596_800, 3, "0001-01-01T00:00:00Z"),
        ])
    func rounding(_ seconds: Double, _ digits: Int, _ text: String) {
        #expect(Instant(Date(timeIntervalSince1970: seconds), digits: digits)?.description == text)
        #expect(Instant(Date(timeIntervalSince1970: .infinity)) == nil && Instant(.distantFuture) != nil)
    }
}
