import Foundation
import Sluice
import SluiceStore
import TestSupport
import Testing

@Suite("Seeds of programs")
struct SeedTests {
    /// Publishes what the scene's store has.
    private func publish(_ scene: StoreScene) throws -> SeedSource {
        var options = SeedPublishing.Options()
        options.output = scene.folder + "/seeds"
        options.store = scene.path
        _ = try SeedPublishing(try scene.definition(), options).perform()
        return SeedSource(scene.folder + "/seeds/catalogue.seed.json")
    }

    private func users(_ scene: StoreScene) async throws -> String {
        let own = try await StoreScene()
        let path = scene.folder + "/users.sqlite"
        try FileManager.default.copyItem(atPath: own.path, toPath: path)
        return path
    }

    @Test("A seed is installed, read without locks, referred to, and replaced under those who read it")
    func course() async throws {
        let scene = try await StoreScene()
        try await scene.load(
            #"{"categories": [{"name": "new"}], "items": [{"item_id": 1, "name": "one"}, {"item_id": 2, "name": "two"}]}"#
        )
        let installed = scene.folder + "/installed.sqlite"
        let types: [any StoredObject.Type] = [Category.self, Item.self]
        let told = Recorder<SeedProgress>()
        let source = try publish(scene)
        let version = try await Seed.install(from: source, to: installed, requiring: types) { told.add($0) }
        #expect(version.version == 1 && version.name == "catalogue")
        #expect(told.values.last?.fraction == 1)
        #expect(try await Seed.install(from: source, to: installed) == version)

        let seed = try Store(installed, objects: types)
        #expect(try seed.seed == version)
        #expect(try await seed.fetch(Item.all.sorted { [$0.itemID.ascending] }).map(\.name) == ["one", "two"])
        let refused = #expect(throws: StoreError.self) { try Store(installed, access: .write) }
        #expect(refused?.kind == .readOnly)

        let store = try Store(
            try await users(scene), access: .write, seeds: ["shop": installed], objects: [Note.self, Item.self])
        _ = try await store.insert([
            Note.New(key: "a", item: AcrossID(1), category: AcrossID("new")), Note.New(key: "b", item: AcrossID(2)),
            Note.New(key: "c", item: AcrossID(99)), Note.New(key: "d"),
        ])
        let notes = try await store.fetch(Note.all.sorted { [$0.key.ascending] })
        let items = try await store.resolve(notes.compactMap(\.item), in: "shop")
        #expect(items.mapValues(\.name) == [1: "one", 2: "two"])
        #expect(try await store.count(Item.filter { $0.name == "two" }.in("shop")) == 1)
        #expect(try await store.count(Item.all) == 0)
        #expect(try await store.dangling(Note.columns.item, in: "shop").map(\.key) == ["c"])
        let writing = await #expect(throws: StoreError.self) { try await store.delete(Item.all.in("shop")) }
        #expect(writing?.kind == .readOnly)

        // The next version comes in its place.
        let token = try await seed.changeToken()
        try await scene.load(
            #"{"categories": [{"name": "new"}], "items": [{"item_id": 2, "name": "zwei"}, {"item_id": 99}]}"#)
        var deleting = try scene.open()
        _ = try await deleting.delete(Item.filter { $0.itemID == 1 })
        deleting = try scene.open(.read)
        let next = try await Seed.install(from: try publish(scene), to: installed, requiring: types)
        #expect(next.version == 2)
        #expect(try await seed.fetch(Item.all.sorted { [$0.itemID.ascending] }).map(\.itemID) == [2, 99])
        #expect(try await store.dangling(Note.columns.item, in: "shop").map(\.key) == ["a"])
        var changes = seed.changes(after: token).makeAsyncIterator()
        #expect(try await changes.next()?.seedReplaced == true)
    }

    @Test("What does not fit, or is not what it says, is not installed")
    func refusals() async throws {
        let scene = try await StoreScene()
        let source = try publish(scene)
        let installed = scene.folder + "/installed.sqlite"
        let lacking = await #expect(throws: StoreError.self) {
            try await Seed.install(from: source, to: installed, requiring: [Note.self])
        }
        #expect(lacking?.kind == .incompatible)
        #expect(lacking?.message.contains("the entity Note is required") == true)
        let missing = await #expect(throws: StoreError.self) {
            try await Seed.install(from: "/nowhere/x.seed.json", to: installed)
        }
        #expect(missing?.kind == .missing)
        let unsigned = await #expect(throws: StoreError.self) {
            try await Seed.install(from: source, to: installed, key: SeedKey(path: "/nowhere/key.pem"))
        }
        #expect(unsigned != nil)
        let other = await #expect(throws: StoreError.self) { try await Seed.install(from: source, to: scene.path) }
        #expect(other?.kind == .incompatible)
        #expect(!FileManager.default.fileExists(atPath: installed))
        let beside = #expect(throws: StoreError.self) { try Store(scene.path, seeds: ["x": scene.path]) }
        #expect(beside?.kind == .incompatible)
    }

    @Test(
        "Readers go on while seeds are installed in their place: each answer is of one version"
    )
    func replacing() async throws {
        let scene = try await StoreScene()
        let installed = scene.folder + "/installed.sqlite"
        func version(_ number: Int) async throws {
            let items = (0..<30).map { #"{"item_id": \#($0), "stock": \#(number)}"# }.joined(separator: ",")
            try await scene.load("{\"items\": [\(items)]}")
            _ = try await Seed.install(from: try publish(scene), to: installed)
        }
        try await version(1)
        let store = try Store(installed, objects: [Item.self])
        let installing = Task { for number in 2..<6 { try await version(number) } }
        var seen: [Int] = []
        while seen.last != 5 {
            let stocks = try await store.read { view throws(StoreError) in
                let first = try view.fetch(Item.filter { $0.itemID < 15 })
                return Set((first + (try view.fetch(Item.filter { $0.itemID >= 15 }))).map(\.stock))
            }
            #expect(stocks.count == 1)
            if let stock = stocks.first ?? nil, stock != seen.last { seen.append(stock) }
        }
        try await installing.value
        #expect(seen == seen.sorted())
    }
}
