import Foundation
import TestSupport
import Testing

/// What a server cannot hold: `check` says so of a definition, and of a record it is a reject with its place.
@Suite struct ServerLimitTests {
    private let folder = TemporaryFolder()
    private let cluster: Cluster
    private let schema = "limits \(UUID().uuidString.prefix(8))"

    init() throws { cluster = try Cluster.shared.get() }

    private func definition(_ attributes: String, schema: String? = nil, source: String = "") throws -> String {
        try folder.write(
            "x.jsonc",
            """
            { "source": { "file": "feed.json"\(source) }, "limits": { "rejects": null },
              "store": { "postgresql": { "database": "\(cluster.uri)", "schema": "\(schema ?? self.schema)" } },
              "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text", \(attributes) } } } }
            """)
    }

    private func drop() { _ = try? cluster.sql("DROP SCHEMA IF EXISTS \"\(schema)\" CASCADE") }

    @Test func columnsOfATable() throws {
        let columns = (0..<1650).map { "\"c\($0)\": \"text\"" }.joined(separator: ", ")
        let outcome = try Sluice.run(["check", definition(columns)])
        #expect(outcome.status == 78, "\(outcome.errors)")
        let told = outcome.errors.replacing(/\n +/, with: " ")
        #expect(told.contains("would have 1652 columns, and PostgreSQL takes 1600"), "\(told)")
    }

    @Test func namesOfSchemas() throws {
        let outcome = try Sluice.run(["check", definition("\"v\": \"json\"", schema: "a\\u0000b")])
        #expect(outcome.status == 78 && outcome.errors.contains("cannot hold a NUL"), "\(outcome.errors)")
        #expect(outcome.errors.contains("x.jsonc:2:"))
    }

    /// Rows that just fit are taken, and their like that do not are rejects: the figures are the server's.
    @Test func rowsAreOnAPage() throws {
        defer { drop() }
        let columns = (0..<1500).map { "\"c\($0)\": \"\($0 < 1100 ? "integer" : "text")\"" }.joined(separator: ", ")
        func record(_ id: String, integers: Int, texts: Int, of text: String) -> String {
            let numbers = (0..<integers).map { "\"c\($0)\": \($0)" }
            let values = numbers + (0..<texts).map { "\"c\(1100 + $0)\": \"\(text)\"" }
            return "{\"id\": \"\(id)\", \(values.joined(separator: ", "))}"
        }
        // Of 8160 bytes, the header takes 216, objectID and id 16. An integer takes 8, and of a long text 18 are left.
        let long = "The quick brown fox jumps over the lazy dog, and then some more."
        _ = try folder.write(
            "feed.json",
            "["
                + [
                    record("wide", integers: 1100, texts: 0, of: ""), record("fits", integers: 980, texts: 0, of: ""),
                    record("long", integers: 0, texts: 400, of: long),
                    record("both", integers: 600, texts: 170, of: long),
                    record("more", integers: 600, texts: 180, of: long),
                ].joined(separator: ",\n") + "]")
        let outcome = try Sluice.run([
            "run", definition(columns), "--quiet", "--findings", folder.file("findings"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try cluster.sql("SELECT string_agg(id, ' ' ORDER BY id) FROM \"\(schema)\".\"A\"") == "both fits long")
        let findings = try String(contentsOfFile: folder.file("findings"), encoding: .utf8)
        #expect(findings.contains("and PostgreSQL takes 8160"))
        #expect(findings.contains("\"line\": 5"), "\(findings.prefix(500))")
    }

    /// What is loaded can be changed on the next night: a row of the past, which is wider, is on a page, too, and so
    /// are the references that a record states.
    @Test(arguments: [true, false]) func rowsOfThePastAndReferencesAreOnAPage(isOfPast: Bool) throws {
        defer { drop() }
        let (integers, references) = isOfPast ? (1040, 0) : (900, 200)
        let attributes = (0..<integers).map { "\"c\($0)\": \"integer\"" }.joined(separator: ", ")
        let relationships = (0..<references).map { "\"r\($0)\": { \"to\": \"B\" }" }.joined(separator: ", ")
        let pipeline = try folder.write(
            "x.jsonc",
            """
            { "source": { "file": "feed.json" }, "limits": { "rejects": null }, "history": \(isOfPast),
              "store": { "postgresql": { "database": "\(cluster.uri)", "schema": "\(schema)" } },
              "entities": {
                "A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "text", \(attributes) },
                  "relationships": { \(relationships) } },
                "B": { "records": "$.b[*]", "identifier": "k", "attributes": { "k": "integer" } } } }
            """)
        func night(_ value: Int) throws {
            // Of integers and references that are set: what fits, and what would be too much on this night or the next.
            let sizes = isOfPast ? [(990, 0), (1015, 0)] : [(800, 190), (900, 0), (900, 200)]
            let records = sizes.enumerated().map { number, size in
                let members =
                    (0..<size.0).map { "\"c\($0)\": \(value)" } + (0..<size.1).map { "\"r\($0)\": 1" }
                return "{\"id\": \"\(number)\", \(members.joined(separator: ", "))}"
            }
            _ = try folder.write("feed.json", #"{"b": [{"k": 1}], "a": [\#(records.joined(separator: ",\n"))]}"#)
            let outcome = try Sluice.run(["run", pipeline, "--quiet", "--findings", folder.file("findings")])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let table = "\"\(schema)\".\"A\" WHERE c0 = \(value)"
            let loaded = try cluster.sql("SELECT string_agg(id, ' ' ORDER BY id) FROM \(table)")
            #expect(loaded == (isOfPast ? "0" : "0 1"))
            let findings = try String(contentsOfFile: folder.file("findings"), encoding: .utf8)
            #expect(findings.contains("and PostgreSQL takes 8160"))
        }
        for value in 1...3 { try night(value) }
    }

    @Test func jsonIsNotTooDeep() throws {
        defer { drop() }
        func nested(_ count: Int) -> String {
            String(repeating: "[\"[[\\\\\\\"[\",", count: count) + "1" + String(repeating: "]", count: count)
        }
        _ = try folder.write(
            "feed.json",
            "[{\"id\": \"some\", \"v\": \(nested(5000))},\n{\"id\": \"deep\", \"v\": \(nested(20_000))}]")
        let pipeline = try definition("\"v\": \"json\"", source: ", \"maxDepth\": 100000")
        for more in [["--dry-run"], []] {
            let outcome = try Sluice.run(["run", pipeline, "--quiet", "--findings", folder.file("findings")] + more)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let findings = try String(contentsOfFile: folder.file("findings"), encoding: .utf8)
            #expect(findings.contains("JSON nested deeper than ") && findings.contains("\"line\": 2"))
        }
        #expect(try cluster.sql("SELECT string_agg(id, ' ') FROM \"\(schema)\".\"A\"") == "some")
    }

    /// A key of several parts may be as long as an identifier of these: a stub of a longer one could not be written.
    @Test(arguments: [false, true]) func keysAreHeldAsAWhole(isMany: Bool) throws {
        defer { drop() }
        var random = SeededRandom(3)
        // What the server compresses may be longer.
        func text(_ count: Int) -> String {
            String(decoding: (0..<count).map { _ in UInt8(97 + random.below(26)) }, as: UTF8.self)
        }
        let keys = [(2000, 2000), (2000, 500), (10, 2589), (2600, 10)].map { (text($0.0), text($0.1)) }
        let records = keys.enumerated().map { number, key in
            let reference = #"{"x": "\#(key.0)", "y": "\#(key.1)"}"#
            return #"{"id": "\#(number)", "to": \#(isMany ? "[\(reference)]" : reference)}"#
        }
        _ = try folder.write("feed.json", #"{"items": [\#(records.joined(separator: ",\n"))], "targets": []}"#)
        let path = isMany ? "to[*]" : "to"
        let pipeline = try folder.write(
            "x.jsonc",
            """
            { "source": { "file": "feed.json" }, "limits": { "records": 0 },
              "store": { "postgresql": { "database": "\(cluster.uri)", "schema": "\(schema)" } },
              "entities": {
                "Item": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "text" },
                  "relationships": { "to": { "to": "Target", "identifier": ["\(path).x", "\(path).y"], "many": \(isMany),
                    "missing": "stub" } } },
                "Target": { "records": "$.targets[*]", "identifier": ["a", "b"], "attributes": { "a": "text", "b": "text" } } } }
            """)
        let outcome = try Sluice.run(["run", pipeline, "--findings", folder.file("findings")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try cluster.sql("SELECT count(*) FROM \"\(schema)\".\"Target\"") == "2")
        let findings = try String(contentsOfFile: folder.file("findings"), encoding: .utf8).split(separator: "\n")
        let unresolved = findings.filter { $0.contains(#""kind": "unresolved""#) }
        #expect(unresolved.count == 2, "\(findings.map { $0.prefix(200) })")
    }
}
