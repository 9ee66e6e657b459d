import DefinitionSupport
import Foundation
import SluiceDefinition
import SluiceExtract
import SluiceRecords
import Testing

@testable import Sluice
@testable import SluiceStoreSQLite

/// What feeds and definitions should not hold: each gives a finding or a clear error, and never a wrong link.
@Suite struct BadInputTests {
    /// A pipeline of one source, its feed and its store.
    fileprivate final class Scene {
        let folder = NSTemporaryDirectory() + "sluice-bad-\(UUID().uuidString)"
        let entities: String
        private let source: String

        init(_ entities: String, source: String = "") throws {
            self.entities = entities
            self.source = source
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func run(_ feed: String, rejects: Int = 0) throws -> RunReport {
            try Data(feed.utf8).write(to: URL(fileURLWithPath: folder + "/feed.json"))
            let definition = """
                { "source": { "file": "feed.json"\(source) }, "store": { "sqlite": "store.sqlite" },
                  "limits": { "rejects": \(rejects), "records": 0 }, "entities": { \(entities) } }
                """
            var options = RunOptions()
            options.force = true
            return PipelineRun(
                checked: try PipelineDefinition.read(
                    Array(definition.utf8), file: folder + "/x.json", environment: [:], checks: .all),
                options: options
            ).perform()
        }

        func rows(_ sql: String) throws -> [String] {
            let statement = try Connection(path: folder + "/store.sqlite", access: .read).prepare(sql)
            var rows: [String] = []
            while try statement.step() {
                let cells = (0..<statement.columnCount).map { statement.isNull($0) ? "∅" : statement.text($0) }
                rows.append(cells.joined(separator: "|"))
            }
            return rows
        }
    }

    private static let stops = """
        "Stop": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" },
                  "relationships": { "parent": { "to": "Stop" } } }
        """

    private static let numbers = """
        "Stop": { "records": "$[*]", "identifier": ["id", "n"], "attributes": { "id": "integer", "n": "real" },
                  "relationships": { "parent": { "to": "Stop", "identifier": ["p", "n"] } } }
        """

    // MARK: Identifiers

    @Test(arguments: [
        (stops, #"{}"#, "identifier, but absent"), (stops, #"{"id": null}"#, "identifier, but null"),
        (stops, #"{"id": {"a": 1}}"#, "found an object"), (stops, #"{"id": ["1"]}"#, "found an array"),
        (numbers, #"{"id": 1}"#, "identifier, but absent"), (numbers, #"{"id": 1, "n": "x"}"#, "real expected"),
        (numbers, #"{"id": 1.5, "n": 1}"#, "is not integral"), (numbers, #"{"id": true, "n": 1}"#, "found true"),
        (numbers, #"{"id": 1, "n": 1e400}"#, "beyond the range"),
    ])
    func identifiersThatAreNone(_ entity: String, _ record: String, _ reason: String) throws {
        let scene = try Scene(entity)
        let other = #"{"id": 2, "n": 2, "parent": 2, "p": 2}"#
        let report = try scene.run("[\(record), \(other)]", rejects: 1)
        #expect(report.outcome.status == .succeeded)
        #expect(report.entities[0].counts.rejected == 1)
        let reasons = report.found.examples.compactMap { finding -> String? in
            guard case .reject(let faults) = finding.detail else { return nil }
            return faults.map(\.reason).joined()
        }
        #expect(reasons.count == 1 && reasons[0].contains(reason), "\(reasons)")
        #expect(try scene.rows("SELECT id, parent FROM Stop") == ["2|1"])
    }

    /// References to what no object can be called find nothing, now and later.
    @Test func referencesThatAreNone() throws {
        let scene = try Scene(Self.stops.replacing("\"id\": \"text\"", with: "\"id\": \"decimal\""))
        let references = ["true", "\"1 \"", "\"one\"", "\"0x1\""]
        let feed = references.enumerated().map { "{ \"id\": \($0 + 10), \"parent\": \($1) }" }
        for later in ["", ", { \"id\": 1 }"] {
            let report = try scene.run("[\((feed).joined(separator: ","))\(later)]")
            #expect(report.entities[0].counts.relationships[0].unresolved == references.count)
            #expect(try scene.rows("SELECT count(*) FROM Stop WHERE parent IS NOT NULL") == ["0"])
        }
    }

    /// What waits is not taken for what it is not, by a later run that does not state it again.
    @Test(arguments: ["decimal", "date", "datetime", "bytes", "integer", "real", "boolean"], ["null", "stub"])
    func whatNoObjectCanBeCalledIsNotCreated(_ type: String, _ missing: String) throws {
        let scene = try Scene(
            """
            "Stop": { "records": "$.stops[*]", "identifier": "id", "attributes": { "id": "\(type)" } },
            "Visit": { "records": "$.visits[*]", "identifier": "id", "attributes": { "id": "text", "n": "integer" },
              "relationships": {
                "stop": { "to": "Stop", "missing": "\(missing)" },
                "stops": { "to": "Stop", "many": true, "from": "stops[*]", "missing": "\(missing)" } } }
            """)
        _ = try scene.run(#"{ "visits": [{ "id": 1, "stop": "no such", "stops": ["nor this", "nor that"] }] }"#)
        let report = try scene.run(#"{ "visits": [{ "id": 1, "n": 2 }] }"#)
        #expect(report.entities[1].counts.updated == 1)
        #expect(report.entities[1].counts.relationships.map(\.unresolved) == [1, 2])
        #expect(try scene.rows("SELECT * FROM Stop") == [])
    }

    /// A reference that may lead to several entities is for each what the feed has written.
    @Test func whatWaitsIsWhatTheFeedHasWritten() throws {
        let scene = try Scene(
            """
            "Price": { "records": "$.prices[*]", "identifier": "id", "attributes": { "id": "real" } },
            "Code": { "records": "$.codes[*]", "identifier": "id", "attributes": { "id": "text" } },
            "Visit": { "records": "$.visits[*]", "identifier": "id", "attributes": { "id": "text" },
              "relationships": { "things": { "to": ["Price", "Code"], "many": true, "from": "things[*]" } } }
            """)
        let report = try scene.run(#"{ "visits": [{ "id": 1, "things": ["01", "1.0", 1, "é", "e\u0301"] }] }"#)
        #expect(report.entities[2].counts.relationships[0].unresolved == 5)
        let codes = #"{ "codes": [{ "id": "1.0" }, { "id": "01" }, { "id": "1" }, { "id": "e\u0301" }] }"#
        #expect(try scene.run(codes).entities[2].counts.relationships[0].late == 4)
        let links = "SELECT l.position, hex(c.id) FROM Visit_things l JOIN Code c ON c.objectID = l.target ORDER BY 1"
        #expect(try scene.rows(links) == ["0|3031", "1|312E30", "2|31", "4|65CC81"])
    }

    @Test func bytesWaitForTheirTarget() throws {
        let scene = try Scene(
            """
            "Key": { "records": "$.keys[*]", "identifier": "id", "attributes": { "id": "bytes" } },
            "Visit": { "records": "$.visits[*]", "identifier": "id", "attributes": { "id": "text" },
              "relationships": { "key": { "to": "Key" } } }
            """)
        _ = try scene.run(#"{ "visits": [{ "id": 1, "key": "YWI=" }, { "id": 2, "key": "" }] }"#)
        let report = try scene.run(#"{ "keys": [{ "id": "" }, { "id": "YWI" }] }"#)
        #expect(report.entities[1].counts.relationships[0].late == 2)
        let links = "SELECT v.id, hex(k.id) FROM Visit v JOIN Key k ON k.objectID = v.key ORDER BY 1"
        #expect(try scene.rows(links) == ["1|6162", "2|"])
    }

    /// Identifiers beyond a megabyte that differ in their last byte only.
    @Test func longIdentifiers() throws {
        let scene = try Scene(Self.stops)
        let long = String(repeating: "é", count: 700_000)
        let feed = (0..<4).map { #"{ "id": "\#(long)\#($0)", "parent": "\#(long)\#(($0 + 1) % 5)" }"# }
        for run in 0..<2 {
            let report = try scene.run("[\(feed.joined(separator: ","))]")
            #expect(report.outcome.error == nil)
            let counts = report.entities[0].counts
            #expect(run == 0 ? counts.created == 4 : counts.unchanged == 4)
            #expect(counts.relationships[0].resolved == 3)
            #expect(counts.relationships[0].unresolved == 1)
        }
        let links =
            "SELECT substr(s.id, -1), substr(p.id, -1) FROM Stop s JOIN Stop p ON p.objectID = s.parent ORDER BY 1"
        #expect(try scene.rows(links) == ["0|1", "1|2", "2|3"])
    }

    // MARK: Names

    /// Two spellings of one letter are two names, in a feed, a definition and a store.
    @Test func spellingsOfOneLetter() throws {
        let (one, two) = ("é", "e\u{301}")
        let entity = { (name: String) in
            """
            "\(name)": { "records": "$.\(name)[*]", "identifier": "id",
              "attributes": { "id": "text", "\(one)": "text", "\(two)": { "type": "text", "map": { "\(one)": "composed", "\(two)": "apart" } } },
              "relationships": {
                "other": { "to": ["\(one)", "\(two)"], "entity": "kind" },
                "others": { "to": ["\(two)", "\(one)"], "entity": "kind", "from": "others[*]", "many": true } } }
            """
        }
        let scene = try Scene("\(entity(one)), \(entity(two))")
        let record = { (id: String, spelling: String, kind: String) in
            """
            { "id": "\(id)", "\(one)": "1", "\(two)": "\(spelling)", "other": "\(id)", "others": ["\(id)"], "kind": "\(kind)" }
            """
        }
        let feed = """
            { "\(two)": [\(record(one, one, one)), \(record(two, two, two))], "\(one)": [\(record(two, one, two))] }
            """
        for _ in 0..<2 {
            let report = try scene.run(feed)
            #expect(report.entities.map(\.counts.records) == [1, 2])
            let select = { (name: String) in
                "SELECT hex(id), \"\(one)\", \"\(two)\", hex(other_entity), (SELECT hex(target_entity) FROM \"\(name)_others\" WHERE source = objectID) FROM \"\(name)\" ORDER BY 1"
            }
            #expect(try scene.rows(select(one)) == ["65CC81|1|composed|65CC81|65CC81"])
            // The first one refers to an object that is not there.
            let found = try scene.rows(select(two))
            #expect(found == ["65CC81|1|apart|65CC81|65CC81", "C3A9|1|composed||∅"])
        }
        let late = #"{ "\#(one)": [\#(record(one, one, two))] }"#
        #expect(try scene.run(late).entities[1].counts.relationships.map(\.late) == [1, 1])
        let links =
            "SELECT hex(other_entity), hex(target_entity) FROM \"\(two)\" JOIN \"\(two)_others\" ON source = objectID"
        #expect(try Set(scene.rows(links)) == ["65CC81|65CC81", "C3A9|C3A9"])
    }

    @Test func asManyColumnsAsSQLiteTakes() throws {
        let names = (0..<1995).map { "a\($0)" }
        let entity = { (names: [String]) in
            """
            "Wide": { "records": "$[*]", "identifier": "id",
              "attributes": { "id": "text", \(names.map { "\"\($0)\": \"integer\"" }.joined(separator: ", ")) },
              "relationships": { "next": { "to": "Wide" } } }
            """
        }
        let scene = try Scene(entity(names))
        let feed = (0..<3).map { number in
            let fields = names.map { "\"\($0)\": \(number)" }.joined(separator: ", ")
            return "{ \"id\": \(number), \"next\": \((number + 1) % 3), \(fields) }"
        }
        let report = try scene.run("[\(feed.joined(separator: ","))]")
        #expect(report.outcome.status == .succeeded, "\(report.outcome.error.map(\.description) ?? "")")
        #expect(try scene.rows("SELECT id, next, a0, a1994 FROM Wide ORDER BY 1") == ["0|2|0|0", "1|3|1|1", "2|1|2|2"])
        #expect(try scene.run("[\(feed.joined(separator: ","))]").entities[0].counts.unchanged == 3)
        let wider = try Scene(entity(names + ["b", "c"]))
        let found = problems { () throws(DefinitionProblems) in _ = try wider.definition() }
        #expect(found.count == 1 && found[0].contains("SQLite takes 2000"), "\(found)")
    }

    // MARK: Around the records

    private static let departures = """
        "Departure": { "records": "$.stations[*].departures[*]", "identifier": ["station", "line"],
          "attributes": { "station": { "type": "text", "from": "$.stations[*].id" }, "line": "text",
                          "version": { "type": "integer", "from": "$.version" } } }
        """

    @Test func enclosingValuesThatAreNotThere() throws {
        let scene = try Scene(Self.departures)
        let feed = #"{"stations": [{"departures": [{"line": 1}], "id": "a"}, {"departures": [{"line": 2}]}]}"#
        let report = try scene.run(feed, rejects: 1)
        #expect(report.entities[0].counts.rejected == 1)
        #expect(try scene.rows("SELECT station, line, version FROM Departure") == ["a|1|∅"])
    }

    /// A value that comes again around records is no reason to refuse the feed: the first one counts, and one that
    /// differs is told of. Of lists of records that come again, all the records count.
    @Test(arguments: [
        (#"{"stations": [{"id": "a", "departures": [{"line": 1}], "id": "b"}]}"#, "$.stations[*].id", ["a|1|∅"]),
        (#"{"stations": [{"id": "a", "departures": [{"line": 1}], "id": "a"}]}"#, "", ["a|1|∅"]),
        (
            #"{"version": 1, "stations": [{"id": "a", "departures": [{"line": 1}]}], "version": 2}"#, "$.version",
            ["a|1|1"]
        ),
        (#"{"version": 1, "stations": [{"id": "a", "departures": [{"line": 1}]}], "version": 1}"#, "", ["a|1|1"]),
        (
            #"{"stations": [{"id": "a", "departures": [{"line": 1}]}], "stations": [{"id": "b", "departures": [{"line": 2}]}]}"#,
            "$.stations", ["a|1|∅", "b|2|∅"]
        ),
        (
            #"{"stations": [{"id": "a", "departures": [], "departures": [{"line": 1}]}]}"#,
            "$.stations[*].departures", ["a|1|∅"]
        ),
    ])
    func keysRepeatedAroundRecords(_ feed: String, _ told: String, _ rows: [String]) throws {
        let scene = try Scene(Self.departures)
        let report = try scene.run(feed)
        #expect(report.outcome.status == .succeeded)
        let found = report.found.examples.compactMap { finding -> String? in
            guard case .drift(.repeated, let field, 1) = finding.detail else { return nil }
            #expect(finding.text(report.found.feeds).contains("around records of Departure"))
            return field
        }
        #expect(found == (told.isEmpty ? [] : [told]))
        #expect(try scene.rows("SELECT station, line, version FROM Departure ORDER BY line") == rows)
    }

    /// Records that come twice are duplicates.
    @Test func recordsRepeatedByTheirKey() throws {
        let scene = try Scene(
            #""A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "text", "x": "text" } }"#)
        let report = try scene.run(#"{"a": [{"id": 1, "x": 1}, {"id": 2}], "a": [{"id": 1, "x": 2}, {"id": 2}]}"#)
        let counts = report.entities[0].counts
        #expect((counts.created, counts.conflicting, counts.identical) == (2, 1, 1))
    }

    @Test func keysRepeatedWithinRecords() throws {
        let scene = try Scene(Self.departures)
        let feed = #"{"stations": [{"departures": [{"line": 1, "x": {"a": 1, "a": 2}, "line": 2}], "id": "a"}]}"#
        let report = try scene.run(feed)
        #expect(try scene.rows("SELECT station, line FROM Departure") == ["a|2"])
        let repeated = report.found.examples.filter { finding in
            if case .drift(.repeated, let field, 1) = finding.detail { return field == "line" }
            return false
        }
        #expect(repeated.count == 1)
    }

    // MARK: Values

    @Test func patternsThatBacktrackForEver() throws {
        let scene = try Scene(
            """
            "A": { "records": "$[*]", "identifier": "id",
                   "attributes": { "id": "text", "x": { "type": "text", "match": "^(a+)+$" } } }
            """)
        let hostile = String(repeating: "a", count: 5000) + "!"
        let report = try scene.run(#"[{ "id": 1, "x": "\#(hostile)" }, { "id": 2, "x": "aa" }]"#, rejects: 1)
        #expect(report.entities[0].counts.rejected == 1)
        #expect(try scene.rows("SELECT id, x FROM A") == ["2|aa"])
    }

    /// As deep as the source allows, values are taken, and records found.
    @Test func tenThousandLevels() throws {
        let entities = """
            "Node": { "records": "$..n", "identifier": "depth", "attributes": { "depth": { "type": "integer", "from": "@.d" } } },
            "Whole": { "records": "$", "identifier": "id",
              "attributes": { "id": { "type": "integer", "from": "d" }, "raw": { "type": "json", "from": "@" } } }
            """
        let levels = 10_000
        let feed =
            "{ \"d\": 0" + (1..<levels).map { ", \"n\": { \"d\": \($0)" }.joined()
            + String(repeating: "}", count: levels)
        let report = try Scene(entities).run(feed)
        #expect(report.outcome.error?.kind == .data)
        #expect(report.outcome.error?.message.contains("maxDepth") == true)
        // Each of the open records holds its path, so that much is held.
        let scene = try Scene(entities, source: ", \"maxDepth\": 10000, \"maxRecord\": 1073741824")
        #expect(try scene.run(feed).outcome.status == .succeeded)
        #expect(try scene.rows("SELECT count(*), min(depth), max(depth) FROM Node") == ["9999|1|9999"])
        #expect(try scene.rows("SELECT length(raw) FROM Whole") == ["\(feed.utf8.filter { $0 != 0x20 }.count)"])
    }
}

extension BadInputTests.Scene {
    fileprivate func definition() throws(DefinitionProblems) -> PipelineDefinition {
        let text =
            "{ \"source\": { \"file\": \"feed.json\" }, \"store\": { \"sqlite\": \"store.sqlite\" }, \"entities\": { \(entities) } }"
        return try PipelineDefinition.read(Array(text.utf8), file: "x.json", environment: [:], checks: .all)
    }
}
