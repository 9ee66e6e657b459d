import Foundation
import Sluice
import SluiceServerStore
import StoreMirror
import TestSupport
import Testing

/// Entities that are called as SQL of the library could call something of its own.
@Suite("Short names")
struct ShortNameTests {
    private static let feed = """
        {"l": [{"id": 1, "name": "one", "up": 8, "many": [1, 2]}, {"id": 2, "name": "two", "up": 9}, {"id": 3}],
         "its": [{"id": 8, "name": "eight", "its": 2}, {"id": 9, "name": "nine"}],
         "f": [{"id": 4, "name": "Ost", "latitude": 1, "longitude": 2}, {"id": 5, "name": "West"}],
         "e": [{"id": 6, "entity": 1, "imported": 1}, {"id": 7, "entity": 2, "imported": 2}]}
        """

    private func open(_ folder: String, _ server: TestServer?) async throws -> Store {
        var text = try String(contentsOfFile: Bundle.sources + "/Definitions/short.jsonc", encoding: .utf8)
        if let server {
            text = text.replacing(#"{ "sqlite": "short.sqlite" }"#, with: server.definition)
                .replacing(#""edits": "keep","#, with: "")
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: folder + "/short.jsonc", atomically: true, encoding: .utf8)
        try Self.feed.write(toFile: folder + "/none.json", atomically: true, encoding: .utf8)
        let report = try await PipelineRun(PipelineDefinition(contentsOf: folder + "/short.jsonc")).run()
        #expect(report.outcome.status == .succeeded)
        let types: [any StoredObject.Type] = [L.self, Its.self, F.self, E.self]
        guard let server else { return try Store(folder + "/short.sqlite", access: .write, objects: types) }
        return try Store(server: Cluster.shared.get().uri, schema: server.location.schema, objects: types)
    }

    @Test("Links, references and searches of entities with short names", arguments: StorePlace.allCases)
    func names(place: StorePlace) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/short-" + UUID().uuidString
        let server = place == .server ? try TestServer(name: "short") : nil
        defer {
            try? FileManager.default.removeItem(atPath: folder)
            try? server?.drop()
        }
        let store = try await open(folder, server)
        #expect(try await store.fetch(L.filter { $0.many.isEmpty }.sorted { [$0.id.ascending] }).map(\.id) == [2, 3])
        #expect(try await store.fetch(L.filter { $0.many.contains(L.filter { $0.name == "two" }) }).map(\.id) == [1])
        #expect(try await store.fetch(L.filter { $0.up.its { $0.name } == "nine" }).map(\.id) == [2])
        #expect(try await store.fetch(Its.filter { $0.its.its { $0.id } == 2 }).map(\.id) == [8])
        #expect(try await store.fetch(Its.filter { $0.its.isNull }).map(\.id) == [9])
        #expect(try await store.search(F.self, "os").map(\.id) == [4])
        #expect(try await store.near(F.self, 1, 2, within: 10).map(\.object.id) == [4])
    }

    @Test("An edit of one object leaves the edits of others")
    func edits() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/short-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await open(folder, nil)
        _ = try await store.update(E.filter { $0.id == 6 }) { [$0.entity.set(to: 5)] }
        _ = try await store.update(E.filter { $0.id == 7 }) { [$0.entity.set(to: 1)] }
        #expect(try await store.edits(of: E.all).map(\.attribute).sorted() == ["entity", "entity"])
        // What says what the feed says is no edit.
        _ = try await store.update(E.filter { $0.id == 6 }) { [$0.entity.set(to: 1)] }
        #expect(try await store.edits(of: E.all).map(\.objectID.number).count == 1)
        // Bytes are no text.
        _ = try await store.update(E.filter { $0.id == 6 }) { [$0.picture.set(to: [0xff, 0x0a])] }
        let pictures = try await store.edits(of: E.filter { $0.id == 6 })
        #expect(pictures.map(\.stored) == ["ff0a"] && pictures.map(\.before) == [nil])
    }

    /// An actor's own state may say what is set.
    @MainActor private final class Desk {
        let store: Store
        var amount = 12

        init(_ store: Store) { self.store = store }

        func set() async throws {
            _ = try await store.update(E.filter { $0.id == 7 }) { [$0.imported.set(to: amount)] }
        }
    }

    @Test("Updates from an actor") @MainActor
    func actors() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/short-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await open(folder, nil)
        try await Desk(store).set()
        #expect(try await store.fetch(E.filter { $0.id == 7 }).map(\.imported) == [12])
    }
}
