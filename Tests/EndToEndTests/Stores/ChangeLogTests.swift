import Foundation
import StoreMirror
import TestSupport
import Testing

/// What the store keeps of the objects that runs have changed, against the objects that are there.
@Suite struct ChangeLogTests {
    /// References to objects that never come are promised numbers between those of the others.
    private static let feed = """
        {"items": [{"id": 1, "parent": 90}, {"id": 2, "parent": 1}, {"id": 3, "parent": 91}, {"id": 4}, {"id": 5, "parent": 4},
        {"id": 6, "parent": 92}, {"id": 7, "parent": 6}]}
        """

    /// The numbers that ranges name.
    private func named(_ ranges: [String]) -> [Int] {
        ranges.flatMap { range in
            let bounds = range.split(separator: " ").compactMap { Int($0) }
            return Array(bounds[0]...bounds[1])
        }
    }

    @Test func objectsThatNeverWereAreNotNamed() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "changes": 5, "batchSize": 1,
              "entities": { "Item": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "parent": { "to": "Item" } } } } }
            """)
        _ = try folder.write("feed.json", ChangeLogTests.feed)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let database = try Database(folder.file("s.sqlite"))
        let ranges = try database.rows("SELECT first, last FROM sluice_changed WHERE kind = 'created' ORDER BY first")
        let there = try database.rows("SELECT objectID FROM Item ORDER BY 1").compactMap { Int($0[0]) }
        #expect(named(ranges.map { $0.joined(separator: " ") }) == there)
        // Otherwise nothing is tried here.
        #expect(there.last ?? 0 > there.count)
    }

    private static let changed = """
        SELECT entity, first, last, kind FROM @sluice_changed WHERE run = (SELECT max(run) FROM @sluice_run)
        ORDER BY entity, first
        """

    private func run(
        _ folder: TemporaryFolder, _ server: TestServer?, _ name: String, _ entities: String, feed: String
    ) throws -> [String] {
        let definition = try folder.write(
            "\(name).jsonc",
            """
            { "name": "\(name)", "source": { "file": "f.json" }, "limits": { "deletes": null, "records": 0 },
              "store": \(server?.definition ?? #"{ "sqlite": "s.sqlite" }"#), "history": true, "changes": 9,
              "after": { "succeeded": { "run": ["sh", "-c", "echo {entity} >> hooks"], "per": "entity" } },
              "entities": { \(entities) } }
            """)
        _ = try folder.write("f.json", feed)
        try? FileManager.default.removeItem(atPath: folder.file("hooks"))
        let outcome = try Sluice.run(["run", definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try folder.rows(ChangeLogTests.changed, on: server)
    }

    /// Values in another form are changes that nobody notes one by one: the run does not say that it has noted all.
    @Test(arguments: [false, true]) func convertedValues(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "changes") : nil
        defer { try? server?.drop() }
        let folder = TemporaryFolder()
        func run(_ type: String) throws -> [String] {
            try self.run(
                folder, server, "p",
                #""T": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", "v": \#(type) } }"#,
                feed: #"[{ "id": 1, "v": "5" }, { "id": 2, "v": "7" }]"#)
        }
        #expect(try run(#""text""#).count == 2)
        #expect(try run(#"{ "type": "decimal", "scale": 2 }"#) == [])
        #expect(try String(contentsOfFile: folder.file("hooks"), encoding: .utf8) == "T\n")
        #expect(try run(#"{ "type": "decimal", "scale": 2 }"#) == [])
    }

    /// Objects of another pipeline lose their references to what a run deletes.
    @Test(arguments: [false, true]) func referencesOfAnotherPipeline(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "changes") : nil
        defer { try? server?.drop() }
        let folder = TemporaryFolder()
        let target = """
            "T": { "records": "$.t[*]", "identifier": "id", "deleteWhere": { "gone": true },
              "attributes": { "id": "integer" } }
            """
        let source = """
            , "P": { "records": "$.p[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": {
              "one": { "to": "T" }, "some": { "to": "T", "many": true, "from": "some[*]" } } }
            """
        let first = try run(
            folder, server, "p", target + source,
            feed: #"{ "t": [{"id": 1}, {"id": 2}], "p": [{"id": 1, "one": 1, "some": [2, 1]}, {"id": 2}] }"#)
        #expect(first.count == 3)
        let changed = try run(
            folder, server, "q", target, feed: #"{ "t": [{"id": 1, "gone": true}, {"id": 2, "gone": true}] }"#)
        #expect(changed == ["\t0\t0\tall", "P\t1\t1\tupdated", "T\t1\t2\tdeleted"])
    }

    @Test func norOnAServer() throws {
        let scene = try ServerScene("\"changes\": 5, \"batchSize\": 1,")
        _ = try scene.folder.write("feed.json", ChangeLogTests.feed)
        #expect(try scene.run().status == 0)
        let ranges = try scene.sql(
            "SELECT first || ' ' || last FROM @.sluice_changed WHERE kind = 'created' ORDER BY first")
        let there = try scene.sql("SELECT \"objectID\" FROM @.\"Item\" ORDER BY 1")
        #expect(named(ranges.split(separator: "\n").map(String.init)) == there.split(separator: "\n").map { Int($0) })
    }
}
