import Foundation
import SluiceStore
import Testing

@Suite("What objects have been")
struct VersionTests {
    private func scene(in place: StorePlace) async throws -> StoreScene {
        let scene = try await StoreScene(keepsHistory: true, in: place)
        for (name, weight) in [("pear", 2), ("Pear", 2), ("Pear", 3)] {
            try await scene.load(
                """
                {"categories": [{"name": "fruit", "rank": 7}],
                "items": [{"item_id": 1, "name": "\(name)", "weight": \(weight), "category": "fruit", "related": [1]}]}
                """)
        }
        return scene
    }

    @Test("An object's versions come newest first, with references as identifiers", arguments: StorePlace.allCases)
    func versions(place: StorePlace) async throws {
        let scene = try await scene(in: place)
        let store = try scene.open(.write)
        let versions = try await store.versions(of: "Item", identifier: "1")
        #expect(versions.map(\.fromRun) == [4, 3, 2])
        #expect(versions.map(\.toRun) == [nil, 4, 3])
        #expect(versions.map { $0["name"] } == ["Pear", "Pear", "pear"])
        #expect(versions[0]["category"] == "fruit")
        #expect(versions[0]["related"] == [1])
        #expect(versions[0].line == 2)
        #expect(versions[0]["colour"] == nil)
        #expect(try await store.versions(of: "Item", identifier: "9").isEmpty)
        // What a program changes belongs to the next run.
        if let server = scene.server {
            _ = try server.rows(#"UPDATE @"Item" SET name = 'Birne'"#)
        } else {
            _ = try await store.update(Item.all) { [$0.name.set(to: "Birne")] }
        }
        #expect(try await store.versions(of: "Item", identifier: "1").map(\.fromRun) == [5, 4, 3, 2])
    }

    @Test("A time stands for the last run that had ended by then", arguments: StorePlace.allCases)
    func earlierTime(place: StorePlace) async throws {
        let scene = try await scene(in: place)
        let store = try scene.open(.read)
        let output = scene.name(of: "then")
        defer { _ = try? scene.server?.rows(#"DROP SCHEMA IF EXISTS "\#(output)" CASCADE"#) }
        let then = try await store.at(time: "2999-01-01", output: output)
        #expect(try await then.object(Item.self, identifier: 1)?.weight == 3)
        for (time, kind) in [("2000-01-01T00:00:00Z", StoreError.Kind.missing), ("noon", .statement)] {
            let error = await #expect(throws: StoreError.self) {
                try await store.at(time: time, output: scene.name(of: "never"))
            }
            #expect(error?.kind == kind)
        }
    }

    @Test("A store is made as it was", arguments: StorePlace.allCases)
    func earlier(place: StorePlace) async throws {
        let scene = try await scene(in: place)
        let store = try scene.open(.read)
        let output = scene.name(of: "earlier")
        defer { _ = try? scene.server?.rows(#"DROP SCHEMA IF EXISTS "\#(output)" CASCADE"#) }
        let earlier = try await store.at(run: 2, output: output)
        #expect(try await earlier.object(Item.self, identifier: 1)?.name == "pear")
        func kind(_ run: Int, _ output: String) async -> StoreError.Kind? {
            await #expect(throws: StoreError.self) { try await store.at(run: run, output: output) }?.kind
        }
        #expect(await kind(9, scene.name(of: "never")) == .missing)
        #expect(await kind(2, output) == .io)
        if place == .server { #expect(await kind(2, "pg_earlier") == .statement) }
        let without = try await StoreScene(in: place)
        let error = await #expect(throws: StoreError.self) {
            try await without.open(.read).versions(of: "Item", identifier: "1")
        }
        #expect(error?.kind == .incompatible)
    }
}
