import Foundation
import StoreMirror
import TestSupport
import Testing

@testable import Sluice

/// The most and the least of each type, and the longest names: a server keeps what SQLite keeps.
@Suite struct ServerExtremeTests {
    private static let definition = """
        {
          "source": { "file": "feed.json" },
          "store": STORE,
          "entities": {
            "X": {
              "records": "$[*]", "identifier": "id",
              "attributes": {
                "id": "text", "i": "integer", "r": "real", "d": "decimal", "s": { "type": "decimal", "scale": 2 },
                "c": { "type": "decimal", "scale": 2, "as": "integer" }, "t": "text", "day": "date",
                "at": "datetime", "fine": { "type": "datetime", "fraction": 6 }, "j": "json", "b": "bytes",
                "o": "boolean", "u": "duration", "l": { "type": "text", "many": true, "from": "l[*]" }
              }
            }
          }
        }
        """

    private static func feed() -> String {
        let digits = String(repeating: "9", count: 999)
        return """
            [{"id": "most", "i": 9223372036854775807, "r": 1.7976931348623157e308, "d": \(digits).9,
              "s": "92233720368547758.07", "c": "92233720368547758.07", "t": "\(String(repeating: "x", count: 1_000_000))",
              "day": "9999-12-31", "at": "9999-12-31T23:59:59Z", "fine": "9999-12-31T23:59:59.999999Z",
              "j": {"a": [1.0, 1e400, "\\u0000x", null], "b": {}}, "b": "/w==", "o": true, "u": 9223372036854775807,
              "l": ["", "a,b", "\\"", "\\\\", "ä"]},
             {"id": "least", "i": -9223372036854775808, "r": -1.7976931348623157e308, "d": -0.\(digits), "s": -0.01,
              "c": "-92233720368547758.08", "t": "", "day": "0001-01-01", "at": "0001-01-01T00:00:00Z",
              "fine": "0001-01-01T00:00:00.000001Z", "j": "", "b": "", "o": false, "u": -9223372036854775808, "l": []},
             {"id": "tiny", "i": -0, "r": 5e-324, "d": -0.0, "s": 0, "t": "\\uffff\\u0001", "day": "1582-10-04",
              "at": "1969-12-31T23:59:59Z", "fine": "1969-12-31T23:59:59.999999Z", "j": 0, "b": "AA=="},
             {"id": "nothing", "i": null, "r": null, "t": null, "j": null},
             {"id": "", "r": -0.0, "day": "2000-02-29", "at": "2000-01-01T00:00:00Z", "l": null},
             {"id": "\(String(repeating: "i", count: 2600))", "t": "the longest identifier"},
             {"id": "\\ud83d\\ude00 e\\u0301 é", "t": "'; DROP TABLE \\"X\\"; --"}]
            """
    }

    @Test func valuesAreKept() throws {
        let folder = TemporaryFolder()
        let server = try TestServer()
        defer { try? server.drop() }
        _ = try folder.write("feed.json", Self.feed())
        let one = try folder.write(
            "one.jsonc", Self.definition.replacing("STORE", with: "{ \"sqlite\": \"own.sqlite\" }"))
        let other = try folder.write("other.jsonc", Self.definition.replacing("STORE", with: server.definition))
        let model = try PipelineDefinition.read(file: one, environment: [:]).model
        let database = try { () throws -> Database in
            #expect(try Sluice.run(["run", one, "--quiet"]).status == 0)
            return try Database(folder.file("own.sqlite"))
        }()
        let first = try Sluice.run(["run", other, "--format", "json"])
        #expect(first.status == 0 && first.count("X", "created") == 7, "\(first.errors)")
        // What comes again is what is there.
        let second = try Sluice.run(["run", other, "--force", "--format", "json"])
        #expect(second.count("X", "unchanged") == 7)
        let dry = try Sluice.run(["run", other, "--force", "--dry-run", "--format", "json"])
        #expect(dry.count("X", "unchanged") == 7)
        let mirror = folder.file("mirror.sqlite")
        try StoreMirror(server, model).write(to: mirror)
        let sql = "SELECT * FROM X ORDER BY id"
        #expect(try database.rows(sql) == Database(mirror).rows(sql))
        #expect(try database.integer("SELECT count(*) FROM X WHERE typeof(r) = 'real'") == 4)
    }

    /// 63 bytes, not letters; what is longer would be cut by the server.
    @Test(arguments: [63, 64])
    func names(_ bytes: Int) throws {
        func name(_ start: String) -> String {
            start + String(repeating: "é", count: (bytes - start.utf8.count) / 2)
                + (bytes % 2 == start.utf8.count % 2 ? "" : "x")
        }
        let cluster = try Cluster.shared.get()
        let folder = TemporaryFolder()
        _ = try folder.write("feed.json", #"[{"id": 1, "to": 1, "all": [1]}]"#)
        let schema = "s\"\(UUID().uuidString.prefix(8))"
        defer { _ = try? cluster.sql("DROP SCHEMA IF EXISTS \"\(schema.replacing("\"", with: "\"\""))\" CASCADE") }
        // The name of a link table is made of two.
        let entity = "E\"a'b"
        let links = String(name(entity + "_").dropFirst(entity.count + 1))
        let names = ["table": name("t"), "column": name("c%s ?"), "reference": name("r\\"), "links": links]
        for (long, of) in names.sorted(by: { $0.key < $1.key }) {
            let used = { (kind: String, short: String) in
                (kind == long ? of : short).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            }
            // Of the table with the longest name, the link tables' would be longer.
            let many = ", \"\(used("links", "all"))\": { \"to\": \"E\", \"many\": true, \"from\": \"all[*]\" }"
            let definition = try folder.write(
                "x.jsonc",
                """
                {
                  "source": { "file": "feed.json" },
                  "store": {
                    "postgresql": { "database": "\(cluster.uri)", "schema": "\(schema.replacing("\"", with: "\\\""))" }
                  },
                  "entities": {
                    "E": {
                      "records": "$[*]", "identifier": "\(used("column", "id"))", "table": "\(used("table", entity))",
                      "attributes": { "\(used("column", "id"))": { "type": "integer", "from": "id" } },
                      "relationships": {
                        "\(used("reference", "to"))": { "to": "E", "from": "to" }\(long == "table" ? "" : many)
                      }
                    }
                  }
                }
                """)
            let outcome = try Sluice.run(["run", definition, "--quiet"])
            let isRefused = bytes == 64
            #expect(outcome.status == (isRefused ? 78 : 0), "\(long): \(outcome.errors)")
            if isRefused {
                #expect(outcome.errors.contains("of 64 bytes, and PostgreSQL takes 63"), "\(long): \(outcome.errors)")
            } else {
                #expect(try Sluice.run(["run", definition, "--quiet", "--force"]).status == 0, "\(long)")
                _ = try cluster.sql("DROP SCHEMA \"\(schema.replacing("\"", with: "\"\""))\" CASCADE")
            }
        }
    }

    @Test(arguments: [63, 64])
    func theNameOfASchema(_ bytes: Int) throws {
        let folder = TemporaryFolder()
        let schema = "s\(UUID().uuidString.prefix(8))" + String(repeating: "s", count: bytes - 9)
        _ = try folder.write("feed.json", #"[{"id": 1}]"#)
        let cluster = try Cluster.shared.get()
        let definition = try folder.write(
            "\(schema).jsonc",
            """
            {
              "source": { "file": "feed.json" },
              "store": { "postgresql": { "database": "\(cluster.uri)" } },
              "entities": { "E": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } }
            }
            """)
        defer { _ = try? cluster.sql("DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE") }
        let outcome = try Sluice.run(["run", definition, "--quiet"])
        #expect(outcome.status == (bytes == 64 ? 78 : 0), "\(outcome.errors)")
        if bytes == 64 { #expect(outcome.errors.contains("of 64 bytes, and PostgreSQL takes 63")) }
    }
}
