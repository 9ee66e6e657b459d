import Foundation
import TestSupport
import Testing

/// Objects are found by words and places, whatever a store has been through.
@Suite struct SearchTests {
    private let folder = TemporaryFolder()
    private var store: String { folder.file("store.sqlite") }
    private static let usual = #""search": { "fields": "name" }, "near": ["y", "x"],"#

    private func define(
        _ keys: String = SearchTests.usual, entity: String = #""Stop""#, attributes: String = "", settings: String = ""
    ) throws {
        _ = try folder.write(
            "stops.jsonc",
            """
            { \(settings) "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" },
              "limits": { "deletes": null },
              "entities": { \(entity): { "records": "$.stops[*]", "identifier": "id", "absent": "delete", \(keys)
                "attributes": { "id": "text", "note": "text", \(attributes.isEmpty ? Self.attributes : attributes) } } } }
            """)
    }

    private static let attributes = #""name": "text", "y": "real", "x": "real""#

    @discardableResult
    private func run(_ more: String..., status: Int32 = 0) throws -> Sluice.Outcome {
        let outcome = try Sluice.run(["run", folder.file("stops.jsonc"), "-q", "--force"] + more)
        #expect(outcome.status == status, "\(outcome.errors)")
        return outcome
    }

    private func feed(_ stops: [StopFeed.Stop]) throws {
        _ = try folder.write("feed.json", StopFeed.text(stops))
    }

    /// The identifiers of what has words that begin with these.
    private func found(_ match: String, table: String = "Stop", in path: String? = nil) throws -> [String] {
        try Database(path ?? store).rows(
            """
            SELECT s.id FROM "sluice_\(table)_search" f JOIN "\(table)" s ON s.objectID = f.rowid
            WHERE f."sluice_\(table)_search" MATCH '\(match)' ORDER BY 1
            """
        ).map { $0[0] }
    }

    private static let words = ["Ost", "Kreuz", "Köln", "Alex", "Bahn", "Str", "Ostbahn"]

    /// Many of them are on one circle of latitude.
    private func stops(_ random: inout SeededRandom, _ count: Int) -> [StopFeed.Stop] {
        StopFeed(words: SearchTests.words).stops(&random, count)
            .map { ($0.id, $0.name, Bool.random(using: &random) ? $0.y : 12.5, $0.x) }
    }

    /// All answers are those of a naive reading, and FTS5 finds its index sound.
    private func check(_ path: String? = nil, location: SourceLocation = #_sourceLocation) throws {
        let database = try Database(path ?? store)
        #expect(try database.isSound(), sourceLocation: location)
        let rows = try database.rows("SELECT id, name FROM Stop ORDER BY 1")
        for word in SearchTests.words + ["o", "kol"] {
            let plain = { (text: String) in
                text.lowercased().replacing("ö", with: "o")
            }
            let naive = rows.filter { row in
                row[1] != "∅" && row[1].split(separator: "-").contains { plain(String($0)).hasPrefix(plain(word)) }
            }
            #expect(
                try found(word + "*", in: path) == naive.map { $0[0] }, "\(word)", sourceLocation: location)
        }
        #expect(try plan(path).contains("sluice_Stop_near"), sourceLocation: location)
    }

    /// How SQLite finds what is in bands of latitude.
    private func plan(_ path: String? = nil) throws -> String {
        try Database(path ?? store).rows(
            """
            EXPLAIN QUERY PLAN WITH band (n) AS (VALUES (1250), (1251)) SELECT s.id FROM band CROSS JOIN Stop s
            WHERE CAST(s.y * 100 AS INTEGER) = band.n AND s.x BETWEEN 13 AND 14
            AND s.y BETWEEN -90 AND 90 AND s.x BETWEEN -180 AND 180
            """
        ).map { $0[3] }.joined(separator: "\n")
    }

    @Test func sqliteHasWhatIsNeeded() throws {
        try define()
        try feed([("s1", "Ost", 1, 2)])
        try run()
        #expect(try Database(store).integer("SELECT sqlite_compileoption_used('ENABLE_FTS5')") == 1)
    }

    /// Night after night, with and without a history, batches saved or not.
    @Test(arguments: ["", #""history": true,"#, #""commit": "batch", "batchSize": 7,"#]) func nights(
        _ settings: String
    ) throws {
        try define(settings: settings)
        var random = SeededRandom(45)
        for night in 0..<5 {
            try feed(stops(&random, 60))
            if night == 3 {
                let before = try Database(store).snapshot()
                try run("--dry-run")
                #expect(try Database(store).snapshot() == before)
            }
            let before = night > 0 ? try schema() : []
            try run()
            try check()
            // The triggers of a run are its own, and those of the store are there again.
            #expect(try night == 0 || schema() == before)
        }
        guard settings.contains("history") else { return }
        let past = folder.file("past.sqlite")
        #expect(try Sluice.run(["at", folder.file("stops.jsonc"), "3", "--output", past]).status == 0)
        try check(past)
        // What is forgotten of a past text is in no segment of the index either.
        #expect(try Sluice.run(["forget", folder.file("stops.jsonc"), "Stop", "s1"]).status == 0)
        try check()
        let fresh = folder.file("fresh.sqlite")
        try run("--store", fresh)
        let blocks = "SELECT count(*), sum(length(block)) FROM sluice_Stop_search_data"
        #expect(try Database(store).rows(blocks)[0][0] == Database(fresh).rows(blocks)[0][0])
    }

    private func schema() throws -> [[String]] {
        try Database(store).rows("SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2")
    }

    private static let segments = "SELECT count(DISTINCT segid) FROM sluice_Stop_search_idx"

    /// FTS5 is told once of what a run changes, and not of each row: otherwise it writes a segment for each.
    @Test func changesAreToldTogether() throws {
        try define()
        let count = 600
        let names = { (night: Int) in (0..<count).map { $0 % 2 == 0 ? "Ost-\($0)" : "Ost-\($0)-\(night)" } }
        for night in 1...2 {
            let order = (0..<count).shuffled()
            try feed(order.map { ("s\($0)", names(night)[$0], 1, 2) })
            try run()
        }
        try check()
        #expect(try Database(store).integer(SearchTests.segments) == 2)
        #expect(try found("2").count == count / 2 + 1)
    }

    /// Where most objects change, the index is made anew.
    @Test func nearlyAllChange() throws {
        try define()
        for night in 1...2 {
            try feed((0..<12_000).map { ("s\($0)", $0 % 9 == 0 ? "Ost" : "Kreuz-\(night)", 1, 2) })
            try run()
        }
        try check()
        #expect(try found("2").count == 12_000 - (12_000 + 8) / 9)
        #expect(try Database(store).integer(SearchTests.segments) == 1)
    }

    /// A run that fails leaves the index and its triggers as they were.
    @Test func aRunThatFails() throws {
        try define()
        var random = SeededRandom(5)
        try feed(stops(&random, 40))
        try run()
        let all = "SELECT * FROM Stop ORDER BY 1"
        let before = try Database(store).rows(all)
        let keys = SearchTests.usual
        try define(keys, settings: #""checks": { "none": { "sql": "SELECT id FROM Stop" } },"#)
        try feed(stops(&random, 40))
        try run(status: 65)
        #expect(try Database(store).rows(all) == before)
        try check()
        try Database(store).execute("UPDATE Stop SET name = 'Alex-Neu' WHERE id < 's2'")
        try check()
    }

    /// What programs write between runs is found, and what they delete is not.
    @Test func programs() throws {
        try define()
        var random = SeededRandom(1)
        try feed(stops(&random, 40))
        try run()
        let database = try Database(store)
        for statement in [
            "UPDATE Stop SET name = 'Alex-Neu' WHERE id IN ('s3', 's4')", "DELETE FROM Stop WHERE id > 's30'",
            "INSERT INTO Stop (id, name) VALUES ('new', 'Ost-Neu')", "UPDATE Stop SET objectID = 5000 WHERE id = 's5'",
            "UPDATE Stop SET note = 'x', y = 1",
            "INSERT INTO Stop (id, name) VALUES ('new', 'x') ON CONFLICT (id) DO UPDATE SET name = 'Köln-Neu'",
        ] { try database.execute(statement) }
        try check()
        let isNew = "SELECT id FROM Stop WHERE name LIKE '%-Neu' ORDER BY 1"
        #expect(try found("neu") == database.rows(isNew).map { $0[0] } && found("neu").count > 1)
        try feed(stops(&random, 40))
        try run()
        try check()
    }

    /// The index follows the definition, and goes with its key.
    @Test func theDefinitionChanges() throws {
        let plain = ""
        try define(plain)
        var random = SeededRandom(2)
        try feed(stops(&random, 50))
        try run()
        let names = "SELECT name FROM sqlite_schema WHERE name LIKE 'sluice\\_%Stop%' ESCAPE '\\'"
        #expect(try Database(store).rows(names).isEmpty)
        // The key comes.
        try define()
        #expect(
            try Sluice.run(["check", folder.file("stops.jsonc")]).output.contains("sluice_Stop_search"),
            "check tells of it")
        try run()
        try check()
        // Another tokenizer, other fields.
        try define(
            #""search": { "fields": ["note", "name"], "tokenize": "trigram", "prefix": [] }, "near": ["y", "x"],"#)
        try run()
        #expect(
            try found("reu")
                == Database(store).rows("SELECT id FROM Stop WHERE name LIKE '%reu%' ORDER BY 1").map { $0[0] })
        #expect(try !found("reu").isEmpty)
        // A field gets another name; the entity, too; another attribute, another type.
        try define()
        try run()
        let renamed = #""title": { "type": "text", "from": "name", "was": "name" }, "y": "real", "x": "real""#
        try define(
            #""search": { "fields": "title" }, "near": ["y", "x"], "was": "Stop","#, entity: #""Halt""#,
            attributes: renamed)
        try run()
        let isOst = "SELECT id FROM Halt WHERE '-' || title LIKE '%-ost%' ORDER BY 1"
        #expect(try found("ost*", table: "Halt") == Database(store).rows(isOst).map { $0[0] })
        #expect(try Database(store).rows(names).isEmpty)
        try feed(stops(&random, 50))
        try run()
        #expect(try found("ost*", table: "Halt") == Database(store).rows(isOst).map { $0[0] })
        // Without the keys, nothing is left.
        try define(
            "", entity: #""Halt""#,
            attributes: #""title": { "type": "text", "from": "name" }, "y": "real", "x": "real""#)
        try run()
        #expect(
            try Database(store).rows(
                "SELECT name FROM sqlite_schema WHERE name LIKE 'sluice%Halt%' OR type = 'trigger'"
            ).isEmpty)
    }

    /// A field that gets another type, and gets its own again: its texts are then as the store has them.
    @Test func anotherType() throws {
        try define()
        _ = try folder.write("feed.json", #"{"stops": [{"id": "a", "name": "17"}]}"#)
        try run()
        #expect(try found("17") == ["a"])
        for (type, keys) in [("integer", ""), ("text", SearchTests.usual)] {
            try define(keys, attributes: #""name": "\#(type)", "y": "real", "x": "real""#)
            _ = try folder.write("feed.json", #"{"stops": [{"id": "a"}]}"#)
            try run()
        }
        #expect(try found("17") == ["a"] && Database(store).isSound())
    }

    /// What somebody has done to the index is mended where its triggers are not what they were.
    @Test func triggersThatAreGone() throws {
        try define()
        var random = SeededRandom(3)
        try feed(stops(&random, 30))
        try run()
        let database = try Database(store)
        try database.execute("DROP TRIGGER sluice_search_update_Stop; UPDATE Stop SET name = 'Alex-Neu'")
        try feed(stops(&random, 30))
        try run()
        try check()
        // With the table, all triggers go.
        try database.execute("DROP TABLE Stop")
        try run()
        try check()
    }

    /// A pipeline that does not have the key leaves what another one has made.
    @Test func twoPipelines() throws {
        try define()
        var random = SeededRandom(4)
        try feed(stops(&random, 30))
        try define(settings: #""name": "other","#)
        let other = try String(contentsOfFile: folder.file("stops.jsonc"), encoding: .utf8)
            .replacing(SearchTests.usual, with: "").replacing(#""absent": "delete","#, with: "")
        _ = try folder.write("other.jsonc", other)
        try define()
        let first = try String(contentsOfFile: folder.file("stops.jsonc"), encoding: .utf8)
            .replacing(#""absent": "delete","#, with: "")
        _ = try folder.write("stops.jsonc", first)
        try run()
        try feed(stops(&random, 30))
        #expect(try Sluice.run(["run", folder.file("other.jsonc"), "-q"]).status == 0)
        try check()
    }
}
