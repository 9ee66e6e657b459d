import Foundation
import TestSupport
import Testing

/// What the feed said of attributes that programs have changed takes the form that the attribute gets.
@Suite struct EditConversionTests {
    private let folder = TemporaryFolder()

    private func run(_ fraction: Int) throws -> Sluice.Outcome {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "p.sqlite" },
              "entities": { "Lap": { "records": "$[*]", "identifier": "id", "edits": "keep",
                "attributes": { "id": "integer", "time": { "type": "duration", "fraction": \(fraction) } } } } }
            """)
        return try Sluice.run(["run", definition, "--format", "json"])
    }

    /// An attribute that differs from what it was in capital letters alone has the edits of the one before.
    @Test(arguments: [("Name", "name", ""), ("Name", "Name", #""names": "snake_case","#)])
    func otherCapitalLetters(_ before: String, _ after: String, _ names: String) throws {
        func run(_ name: String, _ names: String = "", id: String) throws -> Sluice.Outcome {
            let definition = try folder.write(
                "p.jsonc",
                """
                { "source": { "file": "f.json" }, "store": { "sqlite": "p.sqlite" }, \(names)
                  "checks": { "all": { "entity": "A", "limit": null, "sql": "SELECT \(id) FROM A" } },
                  "entities": { "A": { "records": "$[*]", "identifier": "\(id)", "edits": "keep",
                    "attributes": { "\(id)": { "type": "integer", "from": "id" }, "\(name)": { "type": "text", "from": "n" } } } } }
                """)
            return try Sluice.run(["run", definition, "--format", "json", "--force"])
        }
        _ = try folder.write("f.json", #"[{ "id": 1, "n": "one" }]"#)
        #expect(try run(before, id: "ID").status == 0)
        let database = try Database(folder.file("p.sqlite"))
        for statement in [
            """
            CREATE TABLE IF NOT EXISTS sluice_edit (entity TEXT NOT NULL, objectID INTEGER NOT NULL, attribute TEXT NOT NULL,
              base ANY, imported ANY, PRIMARY KEY (entity, objectID, attribute)) STRICT, WITHOUT ROWID
            """,
            "INSERT INTO sluice_edit VALUES ('A', 1, 'Name', 'one', 'one')", "UPDATE A SET Name = 'edited'",
        ] { _ = try database.rows(statement) }
        let outcome = try run(after, names, id: "id")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try database.rows("SELECT name FROM A") == [["edited"]])
        #expect(try database.rows("SELECT attribute, imported FROM sluice_edit") == [["name", "one"]])
    }

    /// More of them than are in memory together, and larger and smaller ones: a row that grows while rows are read may
    /// come once more.
    @Test(arguments: [(0, 3, 1000), (3, 0, 0), (0, 6, 1_000_000)])
    func durations(_ before: Int, _ after: Int, _ factor: Int) throws {
        let count = 2500
        _ = try folder.write(
            "f.json",
            "[" + (0..<count).map { #"{ "id": \#($0), "time": \#($0 % 7 * 11) }"# }.joined(separator: ",") + "]")
        #expect(try run(before).status == 0)
        let database = try Database(folder.file("p.sqlite"))
        for statement in [
            """
            CREATE TABLE IF NOT EXISTS sluice_edit (entity TEXT NOT NULL, objectID INTEGER NOT NULL, attribute TEXT NOT NULL,
              base ANY, imported ANY, PRIMARY KEY (entity, objectID, attribute)) STRICT, WITHOUT ROWID
            """,
            "INSERT INTO sluice_edit SELECT 'Lap', objectID, 'time', time, time FROM Lap",
            "UPDATE Lap SET time = time + \(before == 0 ? 1 : 1000)",
        ] { _ = try database.rows(statement) }
        let outcome = try run(after)
        #expect(outcome.status == 0 && outcome.count("Lap", "conflicts") == 0, "\(outcome.errors)")
        let unit = factor == 0 ? 1 : factor
        let wrong = """
            SELECT count(*) FROM sluice_edit e JOIN Lap l USING (objectID)
            WHERE e.base IS NOT l.id % 7 * 11 * \(unit) OR l.time IS NOT (l.id % 7 * 11 + 1) * \(unit)
            """
        #expect(try database.integer(wrong) == 0)
        #expect(try database.integer("SELECT count(*) FROM sluice_edit") == count)
    }
}
