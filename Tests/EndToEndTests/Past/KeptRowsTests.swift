import Foundation
import TestSupport
import Testing

/// A run keeps what it changes and deletes itself, without the store's triggers: whatever others have made of the
/// store, it has the past that it would have with them.
@Suite struct KeptRowsTests {
    private static let settings = #""history": true, "fingerprints": false, "limits": { "deletes": null },"#

    /// Two entities: one refers to the other only where somebody adds a column for it.
    private static func definition(_ settings: String = "") -> String {
        """
        {
          \(KeptRowsTests.settings)\(settings)
          "source": { "file": "feed.json" },
          "store": { "sqlite": "store.sqlite" },
          "entities": {
            "Item": {
              "records": "$.items[*]", "identifier": "id", "absent": "delete",
              "attributes": { "id": "integer", "name": "text", "price": "real" },
              "relationships": { "parent": { "to": "Item" } }
            },
            "Tag": { "records": "$.tags[*]", "identifier": "id", "attributes": { "id": "integer", "name": "text" } }
          }
        }
        """
    }

    private static let first = """
        {"items": [{"id": 1, "name": "a"}, {"id": 2, "name": "b", "parent": 1}, {"id": 3, "name": "c"}],
         "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]}
        """
    private static let second = """
        {"items": [{"id": 1, "name": "A"}, {"id": 2, "name": "b", "parent": 1}],
         "tags": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]}
        """

    private func scene(_ settings: String = "") throws -> Scene {
        let scene = try Scene(.new)
        _ = try scene.folder.write("items.jsonc", KeptRowsTests.definition(settings))
        try night(scene, KeptRowsTests.first)
        return scene
    }

    private func night(_ scene: Scene, _ feed: String, status: Int32 = 0) throws {
        _ = try scene.folder.write("feed.json", feed)
        let outcome = try scene.run()
        #expect(outcome.status == status, "\(outcome.errors)")
    }

    private func execute(_ sql: String..., in scene: Scene) throws {
        let store = try Database(scene.store)
        for sql in sql { _ = try store.rows(sql) }
    }

    private func objects(_ path: String) throws -> [[String]] {
        let database = try Database(path)
        return try database.rows("SELECT * FROM Item ORDER BY objectID")
            + database.rows("SELECT * FROM Tag ORDER BY objectID")
    }

    /// The store as it was when a run ended is what it held then.
    private func expect(_ objects: [[String]], at run: Int, _ scene: Scene) throws {
        let path = scene.folder.file("past-\(run).sqlite")
        let outcome = try Sluice.run(["at", scene.definition, "\(run)", "--output", path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try self.objects(path) == objects)
    }

    private func triggers(_ scene: Scene) throws -> [[String]] {
        try Database(scene.store).rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    }

    @Test(arguments: ["", #""commit": "batch","#], [0, 65] as [Int32])
    func triggersAreThereAfterARun(settings: String, status: Int32) throws {
        let scene = try scene(settings)
        let (before, kept) = (try triggers(scene), try objects(scene.store))
        #expect(before.count > 4)
        let feed = KeptRowsTests.second
        try night(scene, status == 0 ? feed : String(feed.dropLast(3)) + "}", status: status)
        #expect(try triggers(scene) == before)
        // From here on they keep what a program changes.
        let now = try objects(scene.store)
        try execute("UPDATE Item SET price = 5", "DELETE FROM Tag", in: scene)
        try expect(kept, at: 1, scene)
        try expect(now, at: 2, scene)
    }

    @Test func triggersOfOthersAreHeard() throws {
        let scene = try scene()
        try execute(
            """
            CREATE TRIGGER mine AFTER UPDATE OF name ON Item WHEN NEW.id = 1 BEGIN
              UPDATE Item SET price = 9 WHERE id = 2;
              DELETE FROM Tag WHERE id = 2;
            END
            """, in: scene)
        let before = try objects(scene.store)
        try night(scene, KeptRowsTests.second)
        #expect(try objects(scene.store) != before)
        #expect(try Database(scene.store).rows("SELECT price FROM Item WHERE id = 2") == [["9.0"]])
        try expect(before, at: 1, scene)
        try expect(try objects(scene.store), at: 2, scene)
    }

    /// A column that somebody has added refers to an object that goes.
    @Test(arguments: ["SET NULL", "CASCADE"]) func foreignKeysOfOthersAreKept(action: String) throws {
        let scene = try scene()
        try execute(
            "ALTER TABLE Tag ADD COLUMN item INTEGER REFERENCES Item (\"objectID\") ON DELETE \(action)",
            "UPDATE Tag SET item = (SELECT \"objectID\" FROM Item WHERE id = 3) WHERE id = 2", in: scene)
        try night(scene, KeptRowsTests.first)
        let before = try objects(scene.store)
        #expect(before.last?.last != "∅")
        // What has a past already is expected to change: the run takes its triggers away.
        try execute("UPDATE Tag SET name = 'z' WHERE id = 1", in: scene)
        let second = KeptRowsTests.second.replacing(#", {"id": 2, "name": "y"}"#, with: "")
        try night(scene, second)
        let tags = try Database(scene.store).rows("SELECT id, item FROM Tag ORDER BY id")
        #expect(tags == [["1", "∅"]] + (action == "CASCADE" ? [] : [["2", "∅"]]))
        try expect(before, at: 2, scene)
        try expect(try objects(scene.store), at: 3, scene)
    }

    /// A reference to what goes becomes null, before or after another attribute of its object has changed.
    @Test func anObjectThatChangesTwiceIsKeptOnce() throws {
        let scene = try scene()
        let before = try objects(scene.store)
        let feed = #"{"items": [{"id": 2, "name": "B", "parent": 1}], "tags": []}"#
        try night(scene, feed)
        let past = try Database(scene.store).rows("SELECT id, name, from_run, to_run FROM Item_history ORDER BY 1, 3")
        #expect(past == [["1", "a", "1", "2"], ["2", "b", "1", "2"], ["2", "B", "2", "∅"], ["3", "c", "1", "2"]])
        try expect(before, at: 1, scene)
    }

    /// A program gives a column another case: what it held stays what it was. With other code points that look alike,
    /// it is another column, and what it held has gone with its name.
    @Test(arguments: [("name", "Name", "b"), ("é", "e\u{301}", "∅")])
    func aColumnIsRenamed(from: String, to: String, last: String) throws {
        let scene = try Scene(.new)
        _ = try scene.folder.write(
            "items.jsonc",
            """
            { \(KeptRowsTests.settings) "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" },
              "entities": { "Item": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "\(from)": { "type": "text", "from": "v" } } } } }
            """)
        for value in ["a", "b"] { try night(scene, #"[{"id": 1, "v": "\#(value)"}]"#) }
        try Database(scene.store).execute("ALTER TABLE Item RENAME COLUMN \"\(from)\" TO \"\(to)\"")
        for value in ["c", "d"] { try night(scene, #"[{"id": 1, "v": "\#(value)"}]"#) }
        let past = try Database(scene.store).rows(
            "SELECT from_run, \"\(from)\" FROM Item_history WHERE to_run IS NOT NULL AND from_run < 3 ORDER BY 1")
        #expect(past.map { $0.joined(separator: " ") } == ["1 a", "2 \(last)"])
    }
}
