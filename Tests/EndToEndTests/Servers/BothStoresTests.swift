import Foundation
import StoreMirror
import TestSupport
import Testing

@testable import Sluice

/// The pipelines and samples of the project end in the same tables and reports in both stores.
@Suite struct BothStoresTests {
    private static let pipelines = ["berlin-transit", "iso-3166"]

    /// A report without what may differ: times, memory, and the store's name.
    private func plain(_ report: [String: Any]) throws -> String {
        var report = report
        let other = [
            "store", "started", "finished", "seconds", "cache", "comparedWith", "failing", "loaded", "findingsFile",
        ]
        for key in other { report[key] = nil }
        let data = try JSONSerialization.data(withJSONObject: report, options: [.sortedKeys, .prettyPrinted])
        return String(decoding: data, as: UTF8.self)
    }

    @Test(arguments: pipelines)
    func samplesAreTheSame(_ name: String) throws {
        if name == "iso-3166", !Feeds.isThere(Feeds.isoCodes) { return }
        let folder = TemporaryFolder()
        let pipeline = Sluice.path("Pipelines/\(name).jsonc")
        let server = try TestServer()
        defer { try? server.drop() }
        let file = folder.file("own.sqlite")
        // The schema is called by the name of the pipeline, unless the definition has its own.
        let text = try String(contentsOfFile: pipeline, encoding: .utf8)
        let copy = Sluice.path("Pipelines/\(name)-\(UUID().uuidString.prefix(8)).jsonc")
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let store = try #require(text.firstMatch(of: /"store": (\{[^}]*\})/)).1
        try text.replacing("\"store\": \(store)", with: "\"name\": \"\(name)\", \"store\": \(server.definition)")
            .replacing("\"name\": \"\(name)\",\n", with: "\n").write(
                toFile: copy, atomically: true, encoding: .utf8)
        let model = try PipelineDefinition.read(file: pipeline, environment: [:]).model
        for more in [[], ["--force"]] {
            let one = try Sluice.run(["run", pipeline, "--store", file, "--format", "json"] + more)
            let other = try Sluice.run(["run", copy, "--format", "json"] + more)
            #expect(one.status == other.status, "\(other.errors)")
            #expect(try plain(one.report) == plain(other.report))
            let mirror = folder.file("mirror.sqlite")
            try StoreMirror(server, model).write(to: mirror)
            let database = try Database(file)
            #expect(try database.tables() == Database(mirror).tables())
            #expect(try database.contents() == Database(mirror).contents())
            #expect(
                try database.rows("SELECT entity, relationship, value, target FROM sluice_unresolved ORDER BY 1, 2, 3")
                    == Database(mirror).rows(
                        "SELECT entity, relationship, value, target FROM sluice_unresolved ORDER BY 1, 2, 3"))
            // With the places of the records that wait, and without the moment, since the two runs have two.
            func waiting(_ words: String...) throws -> String {
                try Sluice.run(["unresolved"] + words + ["--format", "json"]).output
                    .replacing(/"since": "[^"]*"/, with: "\"since\": \"\"")
            }
            let expected = try waiting(pipeline, "--store", file)
            #expect(expected.contains("column") == !expected.isEmpty)
            #expect(try waiting(copy) == expected)
        }
    }

    private static let visits = """
        {
          "name": "visits",
          "source": { "file": "visits.json" },
          "store": STORE,
          "limits": { "rejects": null, "deletes": null },
          "changes": 2,
          "entities": {
            "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "text", "name": "text" } },
            "Visit": {
              "records": "$.visits[*]", "identifier": ["day", "number"],
              "attributes": {
                "day": "date", "number": "integer", "price": { "type": "decimal", "scale": 2 }, "open": "boolean",
                "from": "datetime", "raw": "json", "size": "real", "photo": "bytes", "took": "duration",
                "tags": { "type": "text", "many": true, "from": "tags[*]" }
              },
              "relationships": {
                "guests": {
                  "to": "Person", "many": true, "from": "guests[*].id",
                  "with": { "role": "role", "share": { "type": "decimal", "scale": 2 }, "since": { "type": "date" }, "note": { "type": "json" } }
                },
                "calls": {
                  "to": "Person", "many": true, "set": false, "from": "calls[*].who",
                  "with": { "at": { "type": "duration", "from": "at" } }
                }
              }
            }
          }
        }
        """

    private static let nights = [
        """
        {"people": [{"id": "a", "name": "Ann"}, {"id": "b", "name": "Bob"}],
         "visits": [
          {"day": "2026-01-02", "number": 1, "price": "12.5", "open": true, "from": "2026-01-02T10:00:00+02:00",
           "raw": {"x": [1, 2.50]}, "size": -0.0, "photo": "AAEC", "took": "1:00:00", "tags": ["x", "y"],
           "guests": [{"id": "a", "role": "host", "share": 50, "since": "2020-02-29"}, {"id": "z", "role": "guest"}],
           "calls": [{"who": "a", "at": "0:10:00"}, {"who": "b", "at": "0:11:00"}, {"who": "a", "at": "0:12:00"}]},
          {"day": "2026-01-03", "number": 1, "guests": [{"id": "b", "note": {"k": 1}}]}]}
        """,
        """
        {"people": [{"id": "z", "name": "Zoe"}, {"id": "a", "name": "Anne"}],
         "visits": [
          {"day": "2026-01-02", "number": 1, "price": 12.50, "open": false, "from": "2026-01-02T08:00:00Z",
           "raw": {"x": [1, 2.50]}, "size": 0, "photo": "AAEC", "took": "1:00:00", "tags": ["y"],
           "guests": [{"id": "z", "role": "guest"}, {"id": "a", "role": "guest", "share": 50, "since": "2020-02-29"}],
           "calls": [{"who": "b", "at": "0:11:00"}, {"who": "b", "at": "0:11:30"}]},
          {"day": "2026-01-04", "number": 7, "price": 0.1, "calls": [{"who": "q", "at": "0:01:00"}]}]}
        """,
        "{\"people\": [{\"id\": \"q\"}], \"visits\": [{\"day\": \"2026-01-04\", \"number\": 7, \"calls\": []}]}",
    ]

    /// Values of all types, links with values of their own, lists of links, and what waits.
    @Test func nightsAreTheSame() throws {
        let folder = TemporaryFolder()
        let server = try TestServer()
        defer { try? server.drop() }
        let one = try folder.write(
            "one.jsonc", Self.visits.replacing("STORE", with: "{ \"sqlite\": \"own.sqlite\" }"))
        let other = try folder.write("other.jsonc", Self.visits.replacing("STORE", with: server.definition))
        let model = try PipelineDefinition.read(file: one, environment: [:]).model
        for night in Self.nights {
            _ = try folder.write("visits.json", night)
            let dry = try Sluice.run(["run", other, "--dry-run", "--format", "json"])
            let here = try Sluice.run(["run", one, "--format", "json"])
            let there = try Sluice.run(["run", other, "--format", "json"])
            #expect(here.status == 0 && there.status == 0, "\(there.errors)")
            #expect(try plain(here.report) == plain(there.report))
            var foretold = dry.report
            foretold["run"] = there.report["run"]
            foretold["dryRun"] = false
            #expect(try plain(foretold) == plain(there.report))
            let mirror = folder.file("mirror.sqlite")
            try StoreMirror(server, model).write(to: mirror)
            let database = try Database(folder.file("own.sqlite"))
            for table in try database.tables() + ["sluice_unresolved"] {
                let sql = "SELECT * FROM \"\(table)\""
                let rows = try [database, Database(mirror)].map { store in
                    try store.rows(sql).map { $0.joined(separator: "|") }.sorted()
                }
                #expect(rows[0] == rows[1], "\(table)")
            }
            let sql = "SELECT * FROM @sluice_changed ORDER BY number, entity, first, last"
            let changed = try database.rows(sql.replacing("@", with: "")).map { $0.joined(separator: "\t") }
            let noted = try server.rows(sql)
            #expect(noted == changed)
        }
    }
}
