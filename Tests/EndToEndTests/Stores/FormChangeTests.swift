import Foundation
import TestSupport
import Testing

/// Stores follow their definition where values are written in another form: they are then what a fresh import makes.
@Suite struct FormChangeTests {
    private let folder = TemporaryFolder()
    private var store: String { folder.file("store.sqlite") }

    private func definition(_ attributes: String, name: String = "items") throws {
        _ = try folder.write(
            "\(name).jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "entities": {
              "Item": {
                "records": "$.items[*]", "identifier": ["id", "at"],
                "attributes": { \(attributes) },
                "relationships": {
                  "next": { "to": "Item", "identifier": ["next", "nextAt"] },
                  "of": { "to": ["Group", "Tag"], "from": "of" },
                  "groups": { "to": "Group", "many": true, "from": "groups[*]" }
                } },
              "Group": { "records": "$.groups[*]", "identifier": "code", "attributes": { "code": \(groupType) } },
              "Tag": { "records": "$.tags[*]", "identifier": "code", "attributes": { "code": "text" } } } }
            """)
    }

    private var groupType: String { folder.names.contains("integers") ? "\"integer\"" : "\"text\"" }

    static let feed = """
        {"items": [
          {"id": 1, "at": "2026-01-01T00:00:00.5Z", "price": "19.90", "count": "12", "next": 2, "nextAt": "2026-01-01T00:00:00Z",
           "of": "7", "groups": ["7", "8"]},
          {"id": 2, "at": "2026-01-01T01:00:00+01:00", "price": "3", "count": "7", "next": 9, "nextAt": "2026-01-01T00:00:00.25Z",
           "of": "9", "groups": ["9", "x"]},
          {"id": 3, "at": "2026-01-01T00:00:00Z", "price": null, "of": "tag", "groups": []}],
         "groups": [{"code": "7"}, {"code": "8"}], "tags": [{"code": "tag"}]}
        """

    static let first =
        #""id": "integer", "at": { "type": "datetime", "fraction": 1 }, "price": "decimal", "count": { "type": "text", "index": true }"#

    init() throws { _ = try folder.write("feed.json", Self.feed) }

    @discardableResult
    private func run(_ more: [String] = [], name: String = "items") throws -> Sluice.Outcome {
        try Sluice.run(["run", folder.file("\(name).jsonc"), "--format", "json", "--force"] + more)
    }

    /// What the definition makes of the feed where there was no store.
    private func fresh() throws -> String {
        let path = folder.file("fresh.sqlite")
        try folder.remove("fresh.sqlite")
        let outcome = try run(["--store", path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    /// Makes the store as versions left it that wrote a time with as many digits as it needs.
    private func makeOld() throws {
        let database = try Database(store)
        for _ in 0..<9 {
            for (table, column) in [("Item", "at"), ("sluice_unresolved", "value")] {
                _ = try database.rows(
                    #"UPDATE "\#(table)" SET \#(column) = replace(replace(\#(column), '0Z', 'Z'), '.Z', 'Z') WHERE \#(column) GLOB '*.*0Z*' OR \#(column) GLOB '*.Z*'"#
                )
            }
        }
        _ = try database.rows(
            #"UPDATE sluice_model SET description = json_remove(description, '$.attributes.at.fraction')"#)
    }

    private func expectSameAsFresh(_ location: SourceLocation = #_sourceLocation) throws {
        let fresh = try fresh()
        let database = try Database(store)
        #expect(try database.equals(fresh), sourceLocation: location)
        #expect(try database.isSound(), sourceLocation: location)
        let waiting =
            "SELECT entity, relationship, position, value, target, keys FROM sluice_unresolved ORDER BY 1, 2, objectID, 3"
        #expect(try database.rows(waiting) == Database(fresh).rows(waiting), sourceLocation: location)
        // Indexes, and who refers to whom, are as they were.
        let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sluice%' ORDER BY 1, 2"
        #expect(try database.rows(schema) == Database(fresh).rows(schema), sourceLocation: location)
    }

    @Test func oldTimesGetTheirDigits() throws {
        try definition(Self.first)
        #expect(try run().status == 0)
        try makeOld()
        #expect(
            try Database(store).rows("SELECT at FROM Item ORDER BY id") == [
                ["2026-01-01T00:00:00.5Z"], ["2026-01-01T00:00:00Z"], ["2026-01-01T00:00:00Z"],
            ])
        let before = try Database(store).snapshot()
        try definition(Self.first.replacing(", \"fraction\": 1", with: ""))
        // A dry run says the same, and changes nothing.
        let dry = try run(["--dry-run"])
        #expect(dry.status == 0, "\(dry.errors)")
        #expect(try Database(store).snapshot() == before)
        let outcome = try run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "unchanged") == 3 && dry.count("Item", "unchanged") == 3)
        #expect(
            try Database(store).rows("SELECT at FROM Item ORDER BY at, id") == [
                ["2026-01-01T00:00:00.000000Z"], ["2026-01-01T00:00:00.000000Z"], ["2026-01-01T00:00:00.500000Z"],
            ])
        try expectSameAsFresh()
        // Once is enough.
        let version = try Database(store).rows("PRAGMA schema_version")
        let snapshot = try Database(store).snapshot()
        #expect(try run().status == 0)
        #expect(try Database(store).rows("PRAGMA schema_version") == version)
        #expect(try Database(store).snapshot() == snapshot)
    }

    @Test func aTimeThatDoesNotFitIsNamed() throws {
        try definition(Self.first.replacing("1 }", with: "9 }"))
        _ = try folder.write("feed.json", Self.feed.replacing("00.5Z", with: "00.5000001Z"))
        #expect(try run().status == 0)
        try makeOld()
        let before = try Database(store).snapshot()
        try definition(Self.first)
        _ = try folder.write("feed.json", "not JSON")
        for arguments in [["check"], ["run"], ["run", "--dry-run"]] {
            let outcome = try Sluice.run(arguments + [folder.file("items.jsonc")])
            #expect(outcome.status == 78)
            let message =
                "the attribute Item.at is datetime in the store \(store) (pipeline items), and the definition makes it datetime"
                + " with \"fraction\": 1: the value \"2026-01-01T00:00:00.5000001Z\", of the object with the objectID 1, does not"
                + " fit; with \"fraction\": 7 it would"
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(try Database(store).snapshot() == before)
        }
    }

    /// Types that change without loss: of an identifier, of what waits for it, of a column with an index.
    @Test func typesChange() throws {
        try definition(Self.first)
        #expect(try run().status == 0)
        // What users have added stays.
        let database = try Database(store)
        _ = try database.rows(#"CREATE INDEX mine ON Item (count, "at")"#)
        _ = try database.rows("CREATE TABLE log (what TEXT)")
        _ = try database.rows(
            "CREATE TRIGGER noted AFTER UPDATE ON Item BEGIN INSERT INTO log VALUES ('changed'); END")
        _ = try database.rows("CREATE VIEW dear AS SELECT id FROM Item WHERE count > 5")
        _ = try folder.write("integers", "")
        try definition(
            #""id": "text", "at": "datetime", "price": { "type": "decimal", "scale": 2, "as": "integer" }, "count": { "type": "integer", "index": true }"#
        )
        let dry = try run(["--dry-run"])
        #expect(dry.status == 0, "\(dry.errors)")
        let outcome = try run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "unchanged") == 3 && dry.count("Item", "unchanged") == 3, "\(outcome.output)")
        let after = try Database(store)
        #expect(try after.rows("SELECT count(*) FROM log") == [["0"]])
        #expect(try after.rows("SELECT id FROM dear ORDER BY 1") == [["1"], ["2"]])
        #expect(
            try after.rows("SELECT id, price, count FROM Item ORDER BY 1") == [
                ["1", "1990", "12"], ["2", "300", "7"], ["3", "∅", "∅"],
            ])
        #expect(try after.rows("SELECT name FROM sqlite_schema WHERE name = 'noted'").count == 1)
        for drop in ["INDEX mine", "TRIGGER noted", "VIEW dear", "TABLE log"] { _ = try after.rows("DROP \(drop)") }
        try expectSameAsFresh()
    }

    @Test func aValueThatDoesNotConvertIsNamed() throws {
        try definition(Self.first)
        _ = try folder.write("feed.json", Self.feed.replacing("\"7\", \"next\": 9", with: "\"7a\", \"next\": 9"))
        #expect(try run().status == 0)
        let before = try Database(store).snapshot()
        try definition(Self.first.replacing(#""count": { "type": "text""#, with: #""count": { "type": "integer""#))
        let outcome = try run()
        #expect(outcome.status == 78)
        let message =
            "items.jsonc:4:114: the attribute Item.count is text in the store \(store) (pipeline items), and the definition makes"
            + " it integer: the value \"7a\", of the object with the objectID 2, does not fit"
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(try Database(store).snapshot() == before)
    }

    /// A run that fails leaves the old forms; so does one that is killed.
    @Test func whatFailsLeavesTheOldStore() throws {
        try definition(Self.first)
        #expect(try run().status == 0)
        let before = try Database(store).snapshot()
        try definition(Self.first.replacing("1 }", with: "3 }"))
        _ = try folder.write("feed.json", Self.feed.replacing("\"id\": 3", with: "\"id\": null"))
        #expect(try run().status == 65)
        #expect(try Database(store).snapshot() == before)
        _ = try folder.write("feed.json", Self.feed)
        #expect(try run().status == 0)
        try expectSameAsFresh()
    }

    /// Whenever the process dies, or a call fails, the store is the old one, or the new one as a whole.
    @Test(.enabled(if: FaultShim.isThere, "there is no C compiler"))
    func disturbedMigrations() throws {
        let items = (0..<1500).map { #"{"id": \#($0), "at": "2026-01-01T00:00:00.\#($0 % 10)Z", "next": \#($0 + 1)}"# }
        _ = try folder.write("feed.json", #"{"items": [\#(items.joined(separator: ","))], "groups": [], "tags": []}"#)
        try definition(Self.first)
        let disk = folder.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let (path, image, count) = (disk + "/store.sqlite", folder.file("image"), folder.file("count"))
        #expect(try run(["--store", path]).status == 0)
        try FileManager.default.copyItem(atPath: path, toPath: image)
        let before = try Database(path).contents()
        try definition(Self.first.replacing("1 }", with: "3 }").replacing(#""id": "integer""#, with: #""id": "text""#))
        func disturbed(_ environment: [String: String]) throws -> Sluice.Outcome {
            for name in try FileManager.default.contentsOfDirectory(atPath: disk) {
                try FileManager.default.removeItem(atPath: disk + "/" + name)
            }
            try FileManager.default.copyItem(atPath: image, toPath: path)
            let arguments = ["run", folder.file("items.jsonc"), "--store", path, "--quiet", "--force"]
            return try RunningSluice(arguments, environment: environment).ended()
        }
        #expect(try disturbed(FaultShim.counting(disk, to: count)).status == 0)
        let after = try Database(path).contents()
        #expect(after != before)
        let calls = try FaultShim.count(count)
        var random = SeededRandom(3)
        for _ in 0..<FaultEffort.rounds(6, long: 100) {
            let fault = try #require(FaultShim.Fault.allCases.randomElement(using: &random))
            let call = Int.random(in: 1...calls, using: &random)
            let outcome = try disturbed(
                FaultShim.failing(disk, call: call, fault, isSticky: Bool.random(using: &random)))
            let database = try Database(path, patience: 1000)
            let contents = try database.contents()
            #expect(
                contents == after || contents == before && outcome.status != 0, "call \(call) of \(calls): \(fault)")
            #expect(try database.isSound())
            #expect(try run(["--store", path]).status == 0)
            #expect(try Database(path).contents() == after)
        }
    }

    /// Two pipelines have an entity: what an earlier version wrote is brought along for both, all else both must say.
    @Test func twoPipelinesAgree() throws {
        try definition(Self.first)
        try definition(Self.first, name: "others")
        #expect(try run().status == 0)
        #expect(try run(name: "others").status == 0)
        try makeOld()
        #expect(try run().status == 0)
        let version = try Database(store).rows("PRAGMA schema_version")
        #expect(try run(name: "others").status == 0)
        #expect(try Database(store).rows("PRAGMA schema_version") == version)
        try definition(Self.first.replacing("1 }", with: "3 }"))
        let outcome = try run()
        #expect(outcome.status == 78)
        #expect(
            outcome.errors.contains(
                "(pipeline others), and the definition makes it datetime with \"fraction\": 3"
            ), "\(outcome.errors)")
        try expectSameAsFresh1()
    }

    private func expectSameAsFresh1() throws {
        try definition(Self.first)
        #expect(try run().status == 0)
        try expectSameAsFresh()
    }
}
