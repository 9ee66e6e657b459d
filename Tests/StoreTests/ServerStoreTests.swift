import Foundation
import Sluice
import SluiceServerStore
import StoreMirror
import TestSupport
import Testing

/// What only a store on a server has; what stores have in common, the other suites try in both places.
@Suite("A store on a server")
struct ServerStoreTests {
    @Test("Values of the server's own types")
    func types() async throws {
        struct Row: Decodable, Sendable, Equatable {
            var small: Int
            var single: Double
            var key: String
            var document: String
            var name: String
            var exact: ExactDecimal
            var moment: Instant
            var truth: Bool
            var nothing: Int?
        }
        let scene = try await StoreScene(in: .server)
        let store = try scene.open(.read)
        let rows = try await store.decode(
            Row.self,
            """
            SELECT 7::smallint AS small, 0.5::real AS single, 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid AS key,
            '{"a": [1]}'::jsonb AS document, 'x'::name AS name, $1 * 2 AS exact, $2 AS moment, true AS truth, NULL AS nothing
            """, ExactDecimal("99999999999999999999.25"), try #require(Instant("2026-11-20T23:13:00.25Z")))
        #expect(rows.count == 1)
        #expect(
            rows.first
                == Row(
                    small: 7, single: 0.5, key: "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", document: #"{"a": [1]}"#,
                    name: "x",
                    exact: try #require(ExactDecimal("199999999999999999998.5")),
                    moment: try #require(Instant("2026-11-20T23:13:00.25Z")), truth: true, nothing: nil), "\(rows)")
        for sql in ["SELECT '1 day'::interval", "SELECT 'infinity'::timestamptz", "SELECT 'NaN'::numeric"] {
            let error = await #expect(throws: StoreError.self) { try await store.decode(String.self, sql) }
            #expect(error?.kind == .invalid, "\(sql)")
        }
        let nul = await #expect(throws: StoreError.self) { try await store.decode(String.self, "SELECT $1", "a\0b") }
        #expect(nul?.kind == .invalid)
    }

    @Test("A query that is wrong says so, and the next one runs")
    func mistakes() async throws {
        let scene = try await StoreScene(items: 5, in: .server)
        let store = try scene.open(.read)
        for sql in ["SELEC 1", "SELECT nothing FROM \"Item\"", "SELECT 1 / 0", "TRUNCATE \"Item\"", "SELECT $1"] {
            let error = await #expect(throws: StoreError.self) { try await store.decode(Int.self, sql) }
            #expect(error?.kind == .statement, "\(sql)")
            #expect(error?.sql == sql)
            #expect(try await store.count(Item.all) == 5)
        }
        // A division by null or zero is null, as in a file.
        #expect(try await store.count(Item.filter { ($0.weight / 0) == nil }) == 5)
        let seed = await #expect(throws: StoreError.self) { try await store.count(Item.all.in("berlin")) }
        #expect(seed?.kind == .missing)
    }

    @Test("It is read, not written")
    func reading() async throws {
        let scene = try await StoreScene(items: 3, in: .server)
        let store = try scene.open(.read)
        let update = await #expect(throws: StoreError.self) {
            try await store.update(Item.all) { [$0.stock.set(to: 5)] }
        }
        #expect(update?.kind == .readOnly)
        #expect(try await store.edits(of: Item.all).isEmpty)
        #expect(try store.seed == nil)
        #expect(!store.path.contains("importer") && store.path.contains("catalogue"))
    }

    @Test("What cannot be opened says why")
    func refused() async throws {
        let scene = try await StoreScene(in: .server)
        let (uri, schema) = (try Cluster.shared.get().uri, try #require(scene.server).location.schema)
        func kind(_ uri: String, _ schema: String, _ objects: [any StoredObject.Type] = []) -> StoreError.Kind? {
            do throws(StoreError) {
                _ = try Store(server: uri, schema: schema, objects: objects)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind(uri, schema) == nil)
        #expect(kind(uri, schema + " of others") == .missing)
        // No run has made its table.
        #expect(kind(uri, schema, [Note.self]) == .incompatible)
        #expect(kind("no address", schema) == .statement)
        #expect(kind(uri.replacing("/postgres?", with: "/nowhere?"), schema) == .incompatible)
        #expect(kind("postgresql:///postgres?host=/nowhere&user=importer", schema) == .unavailable)
    }

    @Test("Queries within a query, of one moment")
    func nested() async throws {
        let scene = try await StoreScene(items: 30, in: .server)
        let store = try scene.open(.read)
        let pairs = try await store.read { view throws(StoreError) in
            var pairs: [Int] = []
            try view.forEach(Item.all.sorted { [$0.itemID.ascending] }) { item throws(StoreError) in
                let reviews = try view.fetch(Review.filter { $0.item == item.objectID })
                pairs.append(reviews.count)
            }
            return pairs
        }
        #expect(pairs == Array(repeating: 1, count: 15) + Array(repeating: 0, count: 15))
        // Whose query has failed in the program may go on; whose query the server has refused may not.
        try await store.read { view throws(StoreError) in
            do throws(StoreError) {
                try view.forEach(Item.all) { _ throws(StoreError) in throw StoreError(.invalid, "enough") }
            } catch {
                #expect(error.kind == .invalid)
            }
            #expect(try view.count(Item.all) == 30)
            for _ in 0..<2 {
                do throws(StoreError) {
                    _ = try view.decode(Int.self, "SELECT 1 / 0")
                } catch {
                    #expect(error.kind == .statement)
                }
            }
        }
        // Who ends early leaves no transaction behind.
        await #expect(throws: StoreError.self) {
            try await store.read { view throws(StoreError) in
                try view.forEach(Item.all) { _ throws(StoreError) in throw StoreError(.invalid, "enough") }
            }
        }
        #expect(try await store.count(Item.all) == 30)
    }

    @Test("A cancelled task ends its query on the server")
    func cancelling() async throws {
        let scene = try await StoreScene(items: 3, in: .server)
        let store = try scene.open(.read)
        let task = Task { try await store.decode(String.self, "SELECT pg_sleep(60)::text") }
        try await Task.sleep(for: .milliseconds(300))
        task.cancel()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(try await store.count(Item.all) == 3)
    }

    @Test("A connection that the server has ended is made anew")
    func lost() async throws {
        let scene = try await StoreScene(items: 3, in: .server)
        let (name, cluster) = ("reader \(UUID().uuidString.prefix(8))", try Cluster.shared.get())
        let store = try Store(
            server: cluster.uri + "&application_name=" + name.replacing(" ", with: "%20"),
            schema: #require(scene.server).location.schema)
        #expect(try await store.count(Item.all) == 3)
        let ended = try cluster.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '\(name)'")
        #expect(ended == "1")
        try await Task.sleep(for: .milliseconds(200))
        #expect(try await store.count(Item.all) == 3)
    }

    @Test("What runs change is told, and a query is observed", .timeLimit(.minutes(5)))
    func changes() async throws {
        let scene = try await StoreScene(changes: 5, in: .server)
        let store = try scene.open(.read)
        var seen = store.observe(Item.all.sorted { [$0.itemID.ascending] }).makeAsyncIterator()
        #expect(try await seen.next()?.isEmpty == true)
        let token = try await store.changeToken()
        try await scene.load(#"{"items": [{"item_id": 1, "name": "a"}, {"item_id": 2}]}"#)
        #expect(try await seen.next()?.map(\.itemID) == [1, 2])
        try await scene.load(#"{"items": [{"item_id": 1, "name": "b"}, {"item_id": 2}, {"item_id": 3}]}"#)
        #expect(try await seen.next()?.map(\.name) == ["b", nil, nil])
        var changes = store.changes(of: [Item.self], after: token).makeAsyncIterator()
        let missed = try #require(try await changes.next())
        let items = try #require(missed.entities["Item"])
        #expect(items.created == 3 && items.updated == 1 && items.deleted == 0)
        let objects = try await store.fetch(Item.all.sorted { [$0.itemID.ascending] }).map(\.objectID.number)
        #expect(items.objects == Dictionary(uniqueKeysWithValues: objects.map { ($0, .created) }))
        #expect(missed.isComplete && !missed.seedReplaced)
    }
}
