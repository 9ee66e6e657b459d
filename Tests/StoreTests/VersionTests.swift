import Foundation
import SluiceStore
import Testing

@Suite("What objects have been")
struct VersionTests {
    private func scene() async throws -> StoreScene {
        let scene = try await StoreScene(keepsHistory: true)
        for (name, weight) in [("pear", 2), ("Pear", 2), ("Pear", 3)] {
            try await scene.load(
                """
                {"categories": [{"name": "fruit", "rank": 7}],
                "items": [{"item_id": 1, "name": "\(name)", "weight": \(weight), "category": "fruit", "related": [1]}]}
                """)
        }
        return scene
    }

    @Test("An object's versions come newest first, with references as identifiers")
    func versions() async throws {
        let scene = try await scene()
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
        _ = try await store.update(Item.all) { [$0.name.set(to: "Birne")] }
        #expect(try await store.versions(of: "Item", identifier: "1").map(\.fromRun) == [5, 4, 3, 2])
    }

    @Test("A store is made as it was")
    func earlier() async throws {
        let scene = try await scene()
        let store = try scene.open(.read)
        let earlier = try await store.at(run: 2, output: scene.folder + "/earlier.sqlite")
        #expect(try await earlier.object(Item.self, identifier: 1)?.name == "pear")
        await #expect(throws: StoreError.self) { try await store.at(run: 9, output: scene.folder + "/never.sqlite") }
        let without = try await StoreScene()
        let error = await #expect(throws: StoreError.self) {
            try await without.open(.read).versions(of: "Item", identifier: "1")
        }
        #expect(error?.kind == .incompatible)
    }
}
