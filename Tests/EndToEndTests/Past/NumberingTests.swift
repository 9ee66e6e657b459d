import Foundation
import TestSupport
import Testing

/// New objects have the numbers that they were given, also where SQLite numbers them: it does where they follow the
/// highest one.
@Suite struct NumberingTests {
    private let folder = TemporaryFolder()
    private var store: String { folder.file("store.sqlite") }

    private func run(_ feed: String, _ more: String...) throws -> Sluice.Outcome {
        _ = try folder.write("feed.json", feed)
        _ = try folder.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "entities": {
              "Item": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", "name": "text" } } } }
            """)
        return try Sluice.run(["run", folder.file("items.jsonc"), "--force", "--quiet"] + more)
    }

    private func feed(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { #"{"id": \#($0), "name": "item \#($0)"}"# }.joined(separator: ",\n") + "]"
    }

    @Test("A trigger sees the number of each new object before it is there")
    func triggers() throws {
        #expect(try run(feed(1...40)).status == 0)
        let database = try Database(store)
        _ = try database.rows("CREATE TABLE log (number INTEGER, id INTEGER)")
        _ = try database.rows(
            "CREATE TRIGGER seen BEFORE INSERT ON Item BEGIN INSERT INTO log VALUES (NEW.objectID, NEW.id); END")
        #expect(try run(feed(1...100)).status == 0)
        let query = "SELECT count(*), sum(l.number = i.objectID) FROM log l JOIN Item i USING (id)"
        #expect(try database.rows(query) == [["60", "60"]])
    }

    @Test("Repeated records between new ones leave no number to the wrong object", arguments: [7, 100, 5000])
    func repeated(size: Int) throws {
        var ids = Array(1...900)
        for place in [0, 1, 99, 100, 333, 334, 335, 899] { ids.insert(ids[place / 3], at: place) }
        #expect(try run(feed(ids), "--batch-size", "\(size)").status == 0)
        #expect(try run(feed(ids + (901...1200) + [5, 950] + (1201...1300)), "--batch-size", "\(size)").status == 0)
        let query = "SELECT count(*), sum(name = 'item ' || id), max(objectID) >= 1300 FROM Item"
        #expect(try Database(store).rows(query) == [["1300", "1300", "1"]])
        #expect(try Database(store).rows("PRAGMA integrity_check") == [["ok"]])
    }
}
