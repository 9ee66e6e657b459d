import Foundation
import Sluice
import SluiceStore
import TestSupport
import Testing

@Suite("Changes of a store")
struct ChangeTests {
    @Test("Runs, writes of this process and of others are told, once each")
    func told() async throws {
        let scene = try await StoreScene()
        let (store, other) = (try scene.open(.read), try scene.open())
        let token = try await store.changeToken()
        var changes = store.changes(of: [Category.self, Item.self], after: token).makeAsyncIterator()
        try await scene.load(
            #"{"categories": [{"name": "fruit", "rank": 9}, {"name": "new"}], "items": [{"item_id": 1}]}"#)
        let run = try #require(try await changes.next())
        #expect(run.entities["Category"]?.counts == [1, 1, 0])
        #expect(run.entities["Item"]?.counts == [1, 0, 0])
        #expect(run.isComplete && !run.seedReplaced)
        // The pipeline keeps counts only.
        #expect(run.entities["Item"]?.objects == nil)

        _ = try await other.update(Category.all) { [$0.rank.set(to: 5)] }
        let write = try #require(try await changes.next())
        #expect(write.entities.mapValues(\.counts) == ["Category": [0, 3, 0]])
        // What is about other entities is not told; what is missed comes as one.
        _ = try await other.insert([Note.New(key: "a")])
        _ = try await other.delete(Item.all)
        _ = try await other.insert([Category.New(name: "x"), Category.New(name: "y")])
        try await Task.sleep(for: .milliseconds(400))
        let both = try #require(try await changes.next())
        #expect(both.entities.mapValues(\.counts) == ["Item": [0, 0, 1], "Category": [2, 0, 0]])
    }

    @Test("A token tells after a restart what was missed, with the objects where the pipeline keeps them")
    func tokens() async throws {
        let scene = try await StoreScene(changes: 3)
        let token = try await scene.open(.read).changeToken()
        let saved = try JSONEncoder().encode(token)
        try await scene.load(#"{"items": [{"item_id": 1, "name": "a"}, {"item_id": 2, "part_of": 9}, {"item_id": 3}]}"#)
        try await scene.load(#"{"items": [{"item_id": 1, "name": "b"}, {"item_id": 9}]}"#)
        let store = try scene.open()
        _ = try await store.delete(Item.filter { $0.itemID == 3 })
        let again = try JSONDecoder().decode(ChangeToken.self, from: saved)
        var changes = try scene.open(.read).changes(after: again).makeAsyncIterator()
        let missed = try #require(try await changes.next())
        let ids = try await store.fetch(Item.all.sorted { [$0.itemID.ascending] }).map(\.objectID.number)
        #expect(
            missed.entities["Item"]?.objects == [ids[0]: .created, ids[1]: .created, ids[2]: .created, 3: .deleted])
        // From the first run on: 2 was linked by the second one, though no record said so.
        var since = ChangeReadingToken(token)
        since.run += 1
        var later = try scene.open(.read).changes(after: since.token).makeAsyncIterator()
        let second = try #require(try await later.next())
        #expect(
            second.entities["Item"]?.objects == [ids[0]: .updated, ids[1]: .updated, ids[2]: .created, 3: .deleted])
        // Of more runs than are kept, there are counts.
        for name in ["c", "d", "e"] { try await scene.load(#"{"items": [{"item_id": 1, "name": "\#(name)"}]}"#) }
        var old = try scene.open(.read).changes(after: again).makeAsyncIterator()
        let counted = try #require(try await old.next())
        #expect(counted.entities["Item"]?.objects == nil)
        #expect(counted.isComplete)
    }

    @Test("A run that died may have saved what nothing tells of")
    func runsThatDied() async throws {
        let scene = try await StoreScene(changes: 3)
        let token = try await scene.open(.read).changeToken()
        try await scene.load(#"{"items": [{"item_id": 1, "name": "a"}]}"#)
        _ = try Shell.query(
            scene.path,
            "UPDATE sluice_run SET status = 'died', report = NULL WHERE run = (SELECT max(run) FROM sluice_run)")
        try await scene.load(#"{"items": [{"item_id": 2, "name": "b"}]}"#)
        var changes = try scene.open(.read).changes(after: token).makeAsyncIterator()
        #expect(try await changes.next()?.isComplete == false)
    }

    @Test("A store that was made anew is another one, though its runs have the same numbers")
    func madeAnew() async throws {
        let scene = try await StoreScene()
        try await scene.load(#"{"items": [{"item_id": 1}]}"#)
        let token = try await scene.open(.read).changeToken()
        // As if all of it had been removed and imported again, an hour later.
        try Shell.sqlite(scene.path, "UPDATE sluice_run SET started = '2031-01-01T00:00:00Z'")
        var changes = try scene.open(.read).changes(after: token).makeAsyncIterator()
        #expect(try await changes.next()?.isComplete == false)
    }

    @Test("The last write of each entity is remembered, however many there were since")
    func lastWritesStay() async throws {
        let scene = try await StoreScene()
        try await scene.load(#"{"items": [{"item_id": 1, "name": "feed"}]}"#)
        let store = try scene.open()
        let token = try await store.changeToken()
        _ = try await store.update(Item.all) { [$0.name.set(to: "program")] }
        for number in 0..<1005 { _ = try await store.insert([Note.New(key: "k\(number)")]) }
        let writes = try Shell.query(
            scene.path, "SELECT entity, count(*), min(change) FROM sluice_change GROUP BY entity ORDER BY entity")
        #expect(writes == "Item 1 1\nNote 1000 7")
        var changes = try scene.open(.read).changes(after: token).makeAsyncIterator()
        #expect(try await changes.next()?.isComplete == false)
        // The same feed again: what the program wrote is the feed's once more.
        try await scene.load(#"{"items": [{"item_id": 1, "name": "feed"}]}"#)
        #expect(try await store.object(Item.self, identifier: 1)?.name == "feed")
    }

    @Test("Of a run whose report the ledger has let go nothing is known")
    func runsWithoutReports() async throws {
        let scene = try await StoreScene(changes: 3)
        let token = try await scene.open(.read).changeToken()
        try await scene.load(#"{"items": [{"item_id": 1, "name": "a"}]}"#)
        try Shell.sqlite(
            scene.path, "UPDATE sluice_run SET report = NULL WHERE run = (SELECT max(run) FROM sluice_run)")
        try await scene.load(#"{"items": [{"item_id": 2, "name": "b"}]}"#)
        var changes = try scene.open(.read).changes(after: token).makeAsyncIterator()
        let later = try #require(try await changes.next())
        #expect(!later.isComplete && later.entities["Item"]?.objects == nil)
    }

    @Test("What a run has changed is what a comparison of the store before and after says", arguments: seedRange(1...2))
    func comparison(seed: Int) async throws {
        let scene = try await StoreScene(items: 40, seed: seed, changes: 1)
        let store = try scene.open(.read)
        for round in 1..<5 {
            let before = try await scene.contents()
            let token = try await scene.open(.read).changeToken()
            try await scene.load(StoreScene.feed(items: 40 + round, seed: seed * 100 + round))
            let after = try await scene.contents()
            var changes = store.changes(after: token).makeAsyncIterator()
            let told = try #require(try await changes.next())
            var expected: [Int64: ObjectChange] = [:]
            for id in Set(before.keys).union(after.keys) where before[id] != after[id] {
                expected[id] = before[id] == nil ? .created : after[id] == nil ? .deleted : .updated
            }
            #expect(told.entities["Item"]?.objects == expected)
        }
    }

    @Test("Stubs that go with their last reference are among what has changed", arguments: ["keep", "mark"])
    func orphans(absent: String) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/orphans-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let definition = try PipelineDefinition(
            named: "orphans",
            [
                "source": ["file": .text(folder + "/feed.json")], "store": ["sqlite": .text(folder + "/s.sqlite")],
                "changes": 5, "limits": ["deletes": nil],
                "entities": [
                    "Item": [
                        "records": "$[*]", "identifier": "id", "attributes": ["id": "integer"],
                        "relationships": ["tag": ["to": "Tag", "missing": "stub"]],
                    ],
                    "Tag": [
                        "records": "$.none[*]", "identifier": "name", "attributes": ["name": "text"],
                        "orphans": "delete", "absent": .text(absent),
                    ],
                ],
            ])
        func load(_ tag: String) async throws {
            let feed = #"[{"id": 1, "tag": "\#(tag)"}]"#
            try feed.write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
            let report = try await PipelineRun(definition).run()
            #expect(report.outcome.status == .succeeded, "\(report.reasons)")
        }
        try await load("a")
        let store = try Store(folder + "/s.sqlite")
        let token = try await store.changeToken()
        try await load("b")
        var changes = store.changes(after: token).makeAsyncIterator()
        let told = try #require(try await changes.next())
        #expect(told.entities["Tag"]?.objects == [1: absent == "mark" ? .updated : .deleted, 2: .created])
        #expect(told.entities["Item"]?.objects == [1: .updated])
    }

    @Test(
        "Two processes write, and one that reads changes misses none and hears of none twice")
    func processes() async throws {
        let scene = try await StoreScene()
        try await scene.load(#"{"categories": [{"name": "fruit"}]}"#)
        let reader = try scene.open(.read)
        let token = try await scene.open(.read).changeToken()
        async let heard = {
            var sum = 0
            for try await changes in reader.changes(of: [Note.self], after: token) {
                sum += changes.entities["Note"]?.created ?? 0
                if sum >= 60 { break }
            }
            return sum
        }()
        let stores = [try scene.open(), try scene.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for number in 0..<30 { _ = try await store.insert([Note.New(key: "\(index)-\(number)")]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await heard == 60)
    }

    @Test("Who waits for changes is cancelled with its task")
    func cancelled() async throws {
        let scene = try await StoreScene()
        let store = try scene.open(.read)
        let task = Task {
            for try await _ in store.changes() {}
            return 0
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }
}

extension EntityChanges {
    fileprivate var counts: [Int] { [created, updated, deleted] }
}

/// The inside of a token, as programs see it: its JSON.
private struct ChangeReadingToken: Codable {
    var run: Int
    var change: Int

    init(_ token: ChangeToken) {
        let json = (try? JSONEncoder().encode(token)) ?? Data()
        self = (try? JSONDecoder().decode(ChangeReadingToken.self, from: json)) ?? ChangeReadingToken(run: 0, change: 0)
    }

    private init(run: Int, change: Int) {
        self.run = run
        self.change = change
    }

    var token: ChangeToken? {
        (try? JSONEncoder().encode(self)).flatMap { try? JSONDecoder().decode(ChangeToken.self, from: $0) }
    }
}
