import Foundation
import Sluice
import SluiceStore
import TestSupport
import Testing

@Suite("Writing objects")
struct WritingTests {
    @Test("A batch update changes what the model says, and counts only what it changed", arguments: seedRange(1...2))
    func updates(seed: Int) async throws {
        var random = SeededRandom(seed)
        let scene = try await StoreScene(items: 80, seed: seed)
        let store = try scene.open()
        for _ in 0..<25 {
            let before = try await store.fetch(Item.all.sorted { [$0.itemID.ascending] })
            let limit = Int.random(in: 0..<90, using: &random)
            let value = Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil
            let query = Item.filter { $0.itemID < limit && !$0.weight.isNull }
            let isCalculated = value != nil && Bool.random(using: &random)
            let result = try await store.update(query, result: .objectIDs) { columns in
                isCalculated
                    ? [columns.stock.set(to: columns.stock * 1 + (value ?? 0)), columns.name.set(to: "z\u{0}y")]
                    : [columns.stock.set(to: value), columns.name.set(to: "z\u{0}y")]
            }
            let after = try await store.fetch(Item.all.sorted { [$0.itemID.ascending] })
            var changed: [ObjectID<Item>] = []
            for (old, new) in zip(before, after) {
                var expected = old
                if old.itemID < limit, old.weight != nil {
                    expected.stock = isCalculated ? old.stock.map { $0 + (value ?? 0) } : value
                    expected.name = "z\u{0}y"
                }
                #expect(new == expected)
                if new != old { changed.append(new.objectID) }
            }
            guard case .objectIDs(let ids) = result else { throw StoreError(.defect, "no objectIDs") }
            #expect(ids.sorted() == changed)
            #expect(try await store.update(query) { [$0.name.set(to: "z\u{0}y")] } == .count(0))
            // Within the bounds for the next round.
            _ = try await store.update(Item.filter { $0.stock > 900 }) { [$0.stock.set(to: 0)] }
        }
    }

    @Test("What is outside the bounds is refused, and nothing of it is written")
    func bounds() async throws {
        let scene = try await StoreScene(items: 20)
        let store = try scene.open()
        let before = try await store.fetch(Item.all)
        func refused(_ message: String, _ set: @escaping (Item.Columns) -> [Assignment<Item>]) async throws {
            let error = await #expect(throws: StoreError.self) { try await store.update(Item.all, set: set) }
            #expect(error?.kind == .invalid)
            #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
            #expect(try await store.fetch(Item.all) == before)
        }
        try await refused("Item.stock: -1 is less than 0") { [$0.stock.set(to: -1)] }
        try await refused("Item.stock: 1001 is greater than 1000") { [$0.name.set(to: "x"), $0.stock.set(to: 1001)] }
        try await refused("Item.state: \"gone\" is none of \"open\"") { _ in
            [Column<Item, String?>("state").set(to: "gone")]
        }
        try await refused("Item.price: -0.1 is less than 0") { [$0.price.set(to: ExactDecimal("-0.1"))] }
        try await refused("Item.stock: ") { [$0.stock.set(to: $0.stock - 5)] }
        try await refused("(object ") { [$0.stock.set(to: $0.stock * 1000)] }
        try await refused("does not fit the attribute") { [$0.tax.set(to: ExactDecimal("1.005"))] }
        try await refused("more digits of a second") { [$0.checked.set(to: Instant("2026-11-20T23:13:00.5Z"))] }
        try await refused("no number") { [$0.weight.set(to: .nan)] }
        let twice = await #expect(throws: StoreError.self) {
            try await store.update(Item.all) { [$0.stock.set(to: 1), $0.stock.set(to: 2)] }
        }
        #expect(twice?.kind == .statement)
    }

    @Test("References are checked when all is written")
    func references() async throws {
        let scene = try await StoreScene(items: 10)
        let store = try scene.open()
        let error = await #expect(throws: StoreError.self) {
            try await store.update(Item.all) { [$0.partOf.set(to: ObjectID(9999))] }
        }
        #expect(error?.kind == .reference)
        #expect(try await store.count(Item.filter { $0.partOf == ObjectID(9999) }) == 0)
        // Within one write, the target may come later.
        try await store.write { view throws(StoreError) in
            _ = try view.update(Item.filter { $0.itemID == 1 }) { [$0.category.set(to: ObjectID(77))] }
            _ = try view.insert([Category.New(name: "metal")])
            let metal = try view.view.object(Category.self, identifier: "metal")
            _ = try view.update(Item.filter { $0.itemID == 1 }) { [$0.category.set(to: metal?.objectID)] }
        }
        let item = try #require(try await store.object(Item.self, identifier: 1))
        let metal = try #require(try await store.object(Category.self, identifier: "metal"))
        #expect(item.category == metal.objectID)
    }

    @Test("References to one of several entities are checked, too")
    func referencesToAny() async throws {
        let scene = try await StoreScene(items: 10)
        let store = try scene.open()
        for target in [AnyObjectID(entity: "Category", number: 9999), AnyObjectID(entity: "Nope", number: 1)] {
            let error = await #expect(throws: StoreError.self) {
                try await store.update(Item.filter { $0.itemID == 1 }) { [$0.source.set(to: target)] }
            }
            #expect(error?.kind == .reference && error?.message.contains("Item.source of object") == true)
            let original = try #require(try await store.object(Item.self, identifier: 2))
            var changed = original
            changed.source = target
            let wrong = changed
            let refused = await #expect(throws: StoreError.self) { try await store.save(wrong, original: original) }
            #expect(refused?.kind == .reference)
            let created = await #expect(throws: StoreError.self) {
                try await store.insert([Item.New(itemID: 500, source: target)])
            }
            #expect(created?.kind == .reference)
        }
        // Within one write, the target may come later.
        try await store.write { view throws(StoreError) in
            let next = try view.insert([Category.New(name: "metal")])[0]
            _ = try view.update(Item.all) { [$0.source.set(to: AnyObjectID(next))] }
            _ = try view.delete(Category.filter { $0.name == "metal" })
        }
        #expect(try await store.fetch(Item.all).allSatisfy { $0.source == nil })
    }

    @Test("A reference to one of several entities is one value, in two columns")
    func referencesToAnyAreWhole() async throws {
        let scene = try await StoreScene()
        try await scene.load(
            """
            {"categories": [{"name": "a"}, {"name": "b"}],
            "items": [{"item_id": 1, "kind": "Category", "source": "a"}, {"item_id": 2}]}
            """)
        let store = try scene.open()
        let original = try #require(try await store.object(Item.self, identifier: 1))
        let b = AnyObjectID(try #require(try await store.object(Category.self, identifier: "b")).objectID)
        let item = AnyObjectID(try #require(try await store.object(Item.self, identifier: 2)).objectID)
        _ = try await store.update(Item.filter { $0.itemID == 1 }) { [$0.source.set(to: item)] }
        var changed = original
        changed.source = b
        let mine = changed
        let error = await #expect(throws: StoreError.self) { try await store.save(mine, original: original) }
        #expect(error?.kind == .conflict)
        let kept = try await store.save(mine, original: original, onConflict: .keepStored)
        #expect(try await store.object(Item.self, identifier: 1)?.source == item)
        let written = try await store.save(mine, original: original, onConflict: .overwrite)
        #expect([kept, written] == [.merged(conflicts: ["source"]), .merged(conflicts: ["source"])])
        #expect(try await store.object(Item.self, identifier: 1)?.source == b)
    }

    @Test("A column is compared with, and set to, values of its own form alone")
    func forms() async throws {
        let scene = try await StoreScene()
        try await scene.load(
            #"{"items": [{"item_id": 1, "price": "19.9", "tax": "19.90", "cents": "19.90"}, {"item_id": 2, "tax": "1"}]}"#
        )
        let store = try scene.open()
        // Decimals are numbers, however many digits they have.
        #expect(try await store.fetch(Item.filter { $0.price == $0.tax }).map(\.itemID) == [1])
        #expect(try await store.fetch(Item.filter { $0.price != $0.tax }).map(\.itemID) == [2])
        let compared = await #expect(throws: StoreError.self) {
            try await store.fetch(Item.filter { $0.price == $0.cents })
        }
        let set = await #expect(throws: StoreError.self) {
            try await store.update(Item.all) { [$0.price.set(to: $0.cents)] }
        }
        let times = await #expect(throws: StoreError.self) {
            try await store.update(Item.all) { [$0.checked.set(to: $0.seen)] }
        }
        for error in [compared, set, times] {
            #expect(error?.kind == .statement && error?.message.contains("in different forms") == true)
        }
    }

    @Test(
        "Objects to which those of a lost entity, or by a lost relationship, refer can be deleted",
        arguments: ["$.lost", "$.relationships.item.lost"])
    func deletionBesideWhatIsLost(lost: String) async throws {
        let scene = try await StoreScene()
        try await scene.load(#"{"items": [{"item_id": 1}], "reviews": [{"id": 1, "item": 1}]}"#)
        try Shell.sqlite(
            scene.path,
            """
            UPDATE sluice_model SET description = json_set(description, '\(lost)', json('true'))
            WHERE entity = 'Review'
            """)
        let store = try Store(scene.path, access: .write, objects: [Item.self])
        #expect(try await store.delete(Item.all) == .count(1))
        // Nothing goes with it, and nothing waits for it: no definition says so any more.
        #expect(try Shell.query(scene.path, "SELECT id, item FROM Review") == "1 None")
        #expect(try Shell.query(scene.path, "SELECT count(*) FROM sluice_unresolved") == "0")
    }

    @Test("Objects are created once")
    func insertion() async throws {
        let scene = try await StoreScene()
        let store = try scene.open()
        let notes = (0..<50).map { Note.New(key: "k\($0)", text: "z\u{0}\($0)", score: $0 % 5 + 1, item: AcrossID(7)) }
        let ids = try await store.insert(notes)
        #expect(ids.count == 50)
        let found = try await store.fetch(Note.all)
        #expect(found.map(\.text) == notes.map(\.text))
        #expect(found.map(\.item) == notes.map(\.item))
        let again = await #expect(throws: StoreError.self) {
            try await store.insert([Note.New(key: "new"), Note.New(key: "k1")])
        }
        #expect(again?.kind == .conflict)
        let bad = await #expect(throws: StoreError.self) { try await store.insert([Note.New(key: "new", score: 6)]) }
        #expect(bad?.message.contains("Note.score: 6 is greater than 5") == true)
        #expect(try await store.count(Note.all) == 50)
    }

    @Test("Deleting nullifies, cascades, and lets references wait for their targets")
    func deletion() async throws {
        let scene = try await StoreScene()
        try await scene.load(
            """
            {"categories": [{"name": "fruit"}], "items": [
            {"item_id": 1, "category": "fruit", "kind": "Category", "source": "fruit", "related": [2, 1]},
            {"item_id": 2, "part_of": 1, "kind": "Item", "source": 1, "related": [1]}],
            "reviews": [{"id": 1, "item": 1}, {"id": 2, "item": 2}]}
            """)
        let store = try scene.open()
        #expect(try await store.delete(Category.all) == .count(2))
        #expect(try await store.delete(Item.filter { $0.itemID == 1 }) == .count(1))
        let two = try #require(try await store.object(Item.self, identifier: 2))
        #expect(two.partOf == nil && two.source == nil)
        #expect(try await store.links(Item.columns.related, of: [two.objectID]).isEmpty)
        #expect(try await store.fetch(Review.all).map(\.id) == [2])
        try integrity(scene.path)
        // A later run that brings the target links it.
        try await scene.load(#"{"items": [{"item_id": 1}]}"#)
        let one = try #require(try await store.object(Item.self, identifier: 1))
        let linked = try #require(try await store.object(Item.self, identifier: 2))
        #expect(linked.partOf == one.objectID)
        #expect(linked.source == AnyObjectID(one.objectID))
        #expect(try await store.links(Item.columns.related, of: [two.objectID]) == [two.objectID: [one.objectID]])
    }

    @Test("Saving writes what differs, and sees what others have changed")
    func saving() async throws {
        let scene = try await StoreScene(items: 3)
        let store = try scene.open()
        let original = try #require(try await store.object(Item.self, identifier: 1))
        var mine = original
        mine.name = "mine"
        mine.stock = 4
        #expect(try await store.save(original, original: original) == .unchanged)
        #expect(try await store.save(mine, original: original) == .saved)
        #expect(try await store.save(mine, original: original) == .unchanged)
        _ = try await store.update(Item.filter { $0.itemID == 1 }) { [$0.name.set(to: "theirs")] }
        var next = mine
        next.name = "next"
        next.weight = 9
        let error = await #expect(throws: StoreError.self) { try await store.save(next, original: mine) }
        #expect(error?.kind == .conflict)
        #expect(error?.message.contains("name") == true && error?.message.contains("weight") == false)
        #expect(try await store.object(Item.self, identifier: 1)?.weight == original.weight)
        #expect(try await store.save(next, original: mine, onConflict: .keepStored) == .merged(conflicts: ["name"]))
        let kept = try #require(try await store.object(Item.self, identifier: 1))
        #expect(kept.name == "theirs" && kept.weight == 9 && kept.stock == 4)
        #expect(try await store.save(next, original: mine, onConflict: .overwrite) == .merged(conflicts: ["name"]))
        #expect(try await store.object(Item.self, identifier: 1)?.name == "next")
        var wrong = next
        wrong.stock = 5000
        let invalid = await #expect(throws: StoreError.self) { try await store.save(wrong, original: next) }
        #expect(invalid?.kind == .invalid)
        _ = try await store.delete(Item.filter { $0.itemID == 1 })
        #expect(try await store.save(wrong, original: next) == .gone)
    }

    @Test("Links to what is deleted wait with what they have")
    func linksKeepWhatTheyHave() async throws {
        let scene = try await StoreScene()
        let folder = scene.folder + "/links"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var text = try String(contentsOfFile: Bundle.sources + "/Definitions/catalogue.jsonc", encoding: .utf8)
        text = text.replacing(
            #""many": true, "from": "related[*]""#,
            with: #""many": true, "from": "related[*].id", "with": { "role": "role", "n": { "type": "integer" } }"#)
        try text.write(toFile: folder + "/catalogue.jsonc", atomically: true, encoding: .utf8)
        let definition = try PipelineDefinition(contentsOf: folder + "/catalogue.jsonc")
        func load(_ items: String) async throws {
            try #"{"items": [\#(items)]}"#.write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
            var options = RunOptions()
            options.store = folder + "/store.sqlite"
            options.feeds = [.init(file: folder + "/feed.json")]
            let report = try await PipelineRun(definition, options: options).run()
            #expect(report.outcome.status == .succeeded, "\(report.json)")
        }
        let (one, two) = (
            #"{"item_id": 1, "related": [{"id": 2, "role": "r \"x\"", "n": 7}, {"id": 1}]}"#, #"{"item_id": 2}"#
        )
        try await load(one + "," + two)
        let store = try Store(folder + "/store.sqlite", access: .write, objects: StoreScene.types)
        let links = "SELECT role, n, position FROM Item_related ORDER BY position"
        let before = try Shell.query(folder + "/store.sqlite", links)
        #expect(before == "r \"x\" 7 0\nNone None 1")
        #expect(try await store.delete(Item.filter { $0.itemID == 2 }) == .count(1))
        #expect(try Shell.query(folder + "/store.sqlite", links) == "None None 1")
        try await load(two)
        #expect(try Shell.query(folder + "/store.sqlite", links) == before)
    }

    @Test("Who throws has written nothing, and the next one can write")
    func rollback() async throws {
        let scene = try await StoreScene(items: 5)
        let store = try scene.open()
        await #expect(throws: StoreError.self) {
            try await store.write { view throws(StoreError) in
                _ = try view.delete(Item.all)
                #expect(try view.view.count(Item.all) == 0)
                throw StoreError(.invalid, "no")
            }
        }
        #expect(try await store.count(Item.all) == 5)
        #expect(try await store.delete(Item.all) == .count(5))
        let reader = try scene.open(.read)
        let error = await #expect(throws: StoreError.self) { try await reader.delete(Item.all) }
        #expect(error?.kind == .readOnly)
    }

    @Test("A run that holds the store is named")
    func busy() async throws {
        let scene = try await StoreScene(items: 5)
        let store = try scene.open()
        try Shell.sqlite(
            scene.path,
            """
            INSERT INTO sluice_run (run, pipeline, started, status) VALUES (90, 'nightly', '2026-11-22T02:00:00Z', 'running')
            """)
        let holder = try Shell.hold(scene.path)
        // Not by a signal: who is started by a thread of Dispatch has these blocked.
        defer { try? holder.fileHandleForWriting.close() }
        let error = await #expect(throws: StoreError.self) { try await store.delete(Item.all) }
        #expect(error?.kind == .busy)
        #expect(
            error?.message.contains("run 90 of nightly, since 2026-11-22T02:00:00Z") == true, "\(error?.message ?? "")")
        #expect(try await store.count(Item.all) == 5)
    }

    private func integrity(_ path: String) throws {
        #expect(try Shell.query(path, "PRAGMA integrity_check") == "ok")
        #expect(try Shell.query(path, "PRAGMA foreign_key_check") == "")
    }
}
