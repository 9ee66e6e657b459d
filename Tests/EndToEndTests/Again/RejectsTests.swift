import Foundation
import TestSupport
import Testing

/// The findings of a run, with their records mended, are a feed.
@Suite struct RejectsTests {
    private let folder = TemporaryFolder()

    /// Records in arrays, in objects, and scalars; what is around them in every way that a definition can name it.
    private static let definition = """
        {
          "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" },
          "limits": { "rejects": "${REJECTS:-100%}", "deletes": null },
          "entities": {
            "Station": {
              "records": "$.groups[*].stations.*", "identifier": "key", "absent": "delete",
              "deleteWhere": { "$.meta": 5 },
              "attributes": {
                "key": { "type": "text", "from": "~" }, "n": { "type": "integer", "required": true },
                "group": { "type": "text", "from": "$.groups[*].name" },
                "place": { "type": "integer", "from": "$.groups[*]~" },
                "meta": { "type": "json", "from": "$.meta" },
                "version": { "type": "text", "from": "$.meta.version" }
              },
              "relationships": { "parent": { "to": "Station" } }
            },
            "Departure": {
              "records": "$.groups[*].stations.*.departures[*]", "identifier": ["station", "id"],
              "where": { "$.groups[*].kind": "good" },
              "attributes": {
                "station": { "type": "text", "from": "^^~" }, "id": "integer", "n": "integer",
                "code": { "type": "text", "from": "^^.code", "onAbsent": "null" }
              },
              "relationships": { "at": { "to": "Station", "from": "$.groups[*].stations.*~" } }
            },
            "Tag": {
              "records": "$.groups[*].tags[*]", "identifier": ["group", "tag"],
              "attributes": {
                "group": { "type": "text", "from": "^^.name" }, "tag": { "type": "integer", "from": "@" }
              }
            }
          }
        }
        """

    private func number(_ random: inout SeededRandom) -> String {
        let number = Int.random(in: 0..<9, using: &random)
        return Int.random(in: 0..<4, using: &random) == 0 ? "\"bad\(number)\"" : "\(number)"
    }

    private func object(_ members: [String], _ random: inout SeededRandom) -> String {
        "{\(members.shuffled(using: &random).joined(separator: ", "))}"
    }

    /// A feed with flaws: numbers that are none. `nr` makes the keys of stations differ.
    private func feed(_ random: inout SeededRandom) -> String {
        let groups = (0..<5).map { group in
            let stations = (0..<Int.random(in: 0..<5, using: &random)).map { station in
                let departures = (0..<Int.random(in: 0..<4, using: &random)).map { id in
                    object(["\"id\": \(id)", "\"n\": \(number(&random))"], &random)
                }
                var members = ["\"n\": \(number(&random))", "\"departures\": [\(departures.joined(separator: ","))]"]
                if Bool.random(using: &random) { members.append("\"code\": \"c\(station)\"") }
                if Bool.random(using: &random) {
                    members.append("\"parent\": \"\(Int.random(in: 0..<5, using: &random))-0\"")
                }
                return "\"\(group)-\(station)\": \(object(members, &random))"
            }
            let tags = Set((0..<3).map { _ in number(&random) }.map { $0.filter(\.isNumber) }).sorted()
            let written = tags.map { Bool.random(using: &random) ? $0 : "\"bad\($0)\"" }
            let members = [
                "\"name\": \"g\(group)\"", "\"kind\": \"\(group == 1 ? "other" : "good")\"",
                "\"stations\": {\(stations.joined(separator: ", "))}", "\"tags\": [\(written.joined(separator: ", "))]",
            ]
            return object(members, &random)
        }
        return object(
            ["\"groups\": [\(groups.joined(separator: ",\n"))]", "\"meta\": {\"version\": \"7\", \"x\": [1]}"], &random)
    }

    private func mended(_ text: String) -> String { text.replacing(/"bad(\d)"/) { $0.1 } }

    /// To run a flawed feed and then its rejects, mended, comes to the same as to run a feed without flaws.
    @Test(arguments: 1...12) func whatIsMendedIsLoaded(seed: Int) throws {
        var random = SeededRandom(seed)
        let definition = try folder.write("p.jsonc", RejectsTests.definition)
        let feed = feed(&random)
        _ = try folder.write("feed.json", feed)
        let findings = folder.file("findings.ndjson")
        let first = try Sluice.run(["run", definition, "--findings", findings, "--format", "json"])
        #expect(first.status == 0, "\(first.errors)")
        let found = try String(contentsOfFile: findings, encoding: .utf8)
        let rejects = found.split(separator: "\n").count { $0.contains("\"kind\": \"reject\"") }
        // Some are mended in a second round: a replay's findings are a feed as well.
        let half = found.split(separator: "\n").enumerated().map { $0 % 2 == 0 ? mended(String($1)) : String($1) }
        _ = try folder.write("findings.ndjson", half.joined(separator: "\n"))
        let rest = folder.file("rest.ndjson")
        let batch = ["--batch-size", ["1", "3", "5000"][seed % 3]]
        let second = try Sluice.run(
            ["replay", definition, "--rejects", findings, "--findings", rest, "--format", "json"] + batch)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.report["replay"] as? Bool == true)
        let entities = ["Station", "Departure", "Tag"]
        #expect(entities.reduce(0) { $0 + (second.count($1, "records") ?? 0) } == rejects)
        _ = try folder.write("rest.ndjson", mended(String(contentsOfFile: rest, encoding: .utf8)))
        let third = try Sluice.run(
            ["replay", definition, "--rejects", rest, "--format", "json"], environment: ["REJECTS": "0%"])
        #expect(third.status == 0, "\(third.errors)")

        _ = try folder.write("feed.json", mended(feed))
        let whole = try Sluice.run(["run", definition, "--store", folder.file("whole.sqlite")])
        #expect(whole.status == 0)
        let contents = try ["s.sqlite", "whole.sqlite"].map { try Database(folder.file($0)).contents() }
        #expect(contents[0] == contents[1])
        #expect(try Database(folder.file("s.sqlite")).isSound())
    }

    /// Where the run failed for its rejects, their replay loads nothing else, says so, and is no success to be told.
    @Test func ofARunThatFailed() throws {
        let definition = try folder.write(
            "n.jsonc",
            """
            { "source": { "file": "n.json" }, "store": { "sqlite": "n.sqlite" }, "entities": {
              "N": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        _ = try folder.write("n.json", #"[{"id":1}]"#)
        let metrics = folder.file("n.prom")
        #expect(try Sluice.run(["run", definition, "--quiet", "--metrics", metrics]).status == 0)
        func success() throws -> Substring? {
            let text = try String(contentsOfFile: metrics, encoding: .utf8)
            return text.split(separator: "\n").last { $0.hasPrefix("sluice_last_success") }
        }
        let before = try success()
        _ = try folder.write("n.json", #"[{"id":1},{"id":"x"},{"id":3}]"#)
        let file = folder.file("n.ndjson")
        #expect(
            try Sluice.run(["run", definition, "--quiet", "--metrics", metrics, "--findings", file]).status == 65)
        let findings = try String(contentsOfFile: file, encoding: .utf8)
        _ = try folder.write(
            "m.ndjson", findings.replacing(#""id":"x""#, with: #""id":2"#).replacing(#""id": "x""#, with: #""id": 2"#))
        let words = ["replay", definition, "--rejects", folder.file("m.ndjson"), "--metrics", metrics]
        for isFirst in [true, false] {
            let replay = try Sluice.run(words)
            #expect(replay.status == 0 && replay.errors.contains("run 2, the last one, has not succeeded"), "\(replay)")
            #expect(try success() == before, "\(isFirst)")
        }
        #expect(try Database(folder.file("n.sqlite")).rows("SELECT id FROM N ORDER BY id") == [["1"], ["2"]])
        _ = try folder.write("n.json", #"[{"id":1},{"id":3}]"#)
        #expect(try Sluice.run(["run", definition, "--quiet"]).status == 0)
        #expect(try !Sluice.run(words).errors.contains("has not succeeded"))
    }

    private func replay(_ line: String, _ more: String...) throws -> Sluice.Outcome {
        let definition = try folder.write("p.jsonc", RejectsTests.definition)
        let file = try folder.write("r.ndjson", "\n" + line)
        return try Sluice.run(["replay", definition, "--rejects", file] + more)
    }

    @Test func whatCannotBeLoadedIsSaid() throws {
        let bare = try replay(#"{"kind": "reject", "entity": "Tag", "recordBytes": 70000}"#)
        #expect(bare.status == 65)
        #expect(bare.errors.contains("r.ndjson:2:1: this reject has no \"record\""))
        let unknown = try replay(#"{"kind": "reject", "entity": "Nothing", "record": 1}"#)
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains(#"the entity "Nothing", which the definition does not have"#))
        let broken = try replay(#"{"kind": "reject", "entity": "Tag", "record": "#)
        #expect(broken.status == 65)
        #expect(try replay("{}", "--run", "1").status == 64)
        #expect(try replay("{}", "feed.json").status == 64)
        #expect(folder.names == ["p.jsonc", "r.ndjson"])
    }

    /// Findings of other kinds are no records; and nothing that they lack is absent.
    @Test func onlyRejectsAreLoaded() throws {
        let definition = try folder.write("p.jsonc", RejectsTests.definition)
        _ = try folder.write("feed.json", #"{"groups": [{"name": "g", "stations": {"a": {"n": 1}, "b": {"n": 2}}}]}"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let outcome = try replay(
            """
            {"kind": "duplicate", "entity": "Station", "record": {"n": 9}, "context": {"~": "a"}}
            {"kind": "reject", "entity": "Station", "record": {"n": 3}, "context": {"~": "b"}}
            """, "--format", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Station", "records") == 1)
        #expect(outcome.count("Station", "deleted") == 0)
        #expect((outcome.report["findings"] as? [String: Int])?["drift"] == 0)
        let stations = try Database(folder.file("s.sqlite")).rows(
            "SELECT \"key\", n, \"group\" FROM Station ORDER BY 1")
        #expect(stations == [["a", "1", "g"], ["b", "3", "g"]])
    }

    /// Findings that are mended and replayed are those of the definition: they stay until their records are stored.
    @Test(arguments: ["run", "batch"]) func theRejectsStayUntilTheyAreStored(commit: String) throws {
        func run(_ words: [String]) throws -> Sluice.Outcome { try Sluice.run(words, through: ["/usr/bin/env"]) }
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "findings": "f.ndjson",
              "limits": { "rejects": 5 }, "commit": "\(commit)", "batchSize": 1,
              "entities": { "T": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "n": "integer" } } } }
            """)
        _ = try folder.write("feed.json", #"[{"id": 1, "n": "x"}, {"id": 2, "n": "y"}, {"id": 3, "n": 3}]"#)
        #expect(try run(["run", definition]).status == 0)
        let found = try String(contentsOfFile: folder.file("f.ndjson"), encoding: .utf8)
        // What holds none of them replaces nothing.
        for other in ["{\"id\": 7}\n", ""] {
            let wrong = try run(["replay", definition, "--rejects", try folder.write("other.json", other)])
            #expect(wrong.status == 65 && wrong.errors.contains("holds no rejects"), "\(wrong.errors)")
        }
        #expect(try String(contentsOfFile: folder.file("f.ndjson"), encoding: .utf8) == found)
        let mended = found.replacing("\"n\":\"x\"", with: "\"n\":1")
        #expect(mended != found)
        let findings = try folder.write("f.ndjson", mended)
        // A line that breaks off the replay, behind a record that is good.
        let broken = try folder.write("f.ndjson", mended + "{\n")
        #expect(try run(["replay", definition, "--rejects", findings]).status == 65)
        #expect(try String(contentsOfFile: broken, encoding: .utf8) == mended + "{\n")

        _ = try folder.write("f.ndjson", mended)
        let text = try String(contentsOfFile: definition, encoding: .utf8)
        _ = try folder.write("p.jsonc", text.replacing("\"rejects\": 5", with: "\"rejects\": 0"))
        let failed = try run(["replay", definition, "--rejects", findings])
        #expect(failed.status == 65)
        let isStored = commit == "batch"
        #expect(failed.errors.contains("f.ndjson stays as it was: its records are not stored") == !isStored)
        let rows = try Database(folder.file("s.sqlite")).rows("SELECT id, n FROM T ORDER BY id")
        #expect(rows == (isStored ? [["1", "1"], ["3", "3"]] : [["3", "3"]]))
        let rest = try String(contentsOfFile: findings, encoding: .utf8)
        #expect(isStored ? rest.contains("\"y\"") && !rest.contains("\"n\":1") : rest == mended)

        _ = try folder.write("p.jsonc", text)
        _ = try folder.write("f.ndjson", mended)
        let done = try run(["replay", definition, "--rejects", findings])
        #expect(done.status == 0, "\(done.errors)")
        #expect(try String(contentsOfFile: findings, encoding: .utf8).contains("\"y\""))
    }

    /// A share is one of a feed, and says nothing of a few records; what is asked for this replay counts. What `where`
    /// leaves out, now that it is mended, is named.
    @Test func fewRecordsAreNoShare() throws {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": "20%" },
              "entities": { "T": { "records": "$[*]", "identifier": "id", "where": { "not": { "kind": "draft" } },
                "attributes": { "id": "integer", "n": "integer" } } } }
            """)
        let records = (0..<20).map { $0 < 3 ? #"{"id": \#($0), "n": "bad\#($0)"}"# : #"{"id": \#($0), "n": \#($0)}"# }
        _ = try folder.write("feed.json", "[\(records.joined(separator: ","))]")
        let findings = folder.file("f.ndjson")
        #expect(try Sluice.run(["run", definition, "--findings", findings]).status == 0)
        let found = try String(contentsOfFile: findings, encoding: .utf8)
        let mended = found.replacing(#""n":"bad0""#, with: #""n":0"#)
            .replacing(#""n":"bad1""#, with: #""n":1,"kind":"draft""#)
        let file = try folder.write("mended.ndjson", mended)
        let place = try #require(mended.split(separator: "\n").firstIndex { $0.contains("draft") }) + 1
        let strict = try Sluice.run(["replay", definition, "--rejects", file, "--allow", "rejects=20%"])
        #expect(strict.status == 65 && strict.errors.contains("rejects of T ("), "\(strict.errors)")
        let outcome = try Sluice.run(["replay", definition, "--rejects", file, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("mended.ndjson:\(place):1: \"where\" leaves out this record of T"))
        #expect(outcome.count("T", "created") == 1 && outcome.count("T", "rejected") == 1)
    }

    /// A second copy stays one, although the file lacks the first: unless it got another identifier, or its line says
    /// nothing of faults any more.
    @Test(arguments: ["\"id\"", "[\"id\", \"kind\"]"]) func secondCopiesStayRejects(identifier: String) throws {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": { "T": { "records": "$[*]", "identifier": \(identifier), "duplicates": "reject",
                "deleteWhere": { "n": 9 },
                "attributes": { "id": "integer", "kind": "text", "n": "integer" } } } }
            """)
        let records = [(1, 1), (2, 2), (1, 9), (2, 7), (1, 8)].map { #"{"id": \#($0), "kind": "k\"", "n": \#($1)}"# }
        _ = try folder.write("feed.json", "[\(records.joined(separator: ","))]")
        let findings = folder.file("f.ndjson")
        #expect(try Sluice.run(["run", definition, "--findings", findings]).status == 0)
        let found = try String(contentsOfFile: findings, encoding: .utf8)
        var lines = found.split(separator: "\n").map(String.init)
        try #require(lines.count == 3)
        lines[1] = lines[1].replacing(#""record": {"id":2"#, with: #""record": {"id":3"#)
        lines[2] = lines[2].replacing("\"faults\"", with: "\"seen\"")
        let file = try folder.write("mended.ndjson", lines.joined(separator: "\n"))
        let again = folder.file("again.ndjson")
        let outcome = try Sluice.run([
            "replay", definition, "--rejects", file, "--findings", again, "--format", "json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("T", "created") == 1 && outcome.count("T", "updated") == 1)
        #expect(outcome.count("T", "rejected") == 1)
        let rows = try Database(folder.file("s.sqlite")).rows("SELECT id, n FROM T ORDER BY id")
        #expect(rows == [["1", "8"], ["2", "2"], ["3", "7"]])
        // The new findings are a feed as well.
        let rest = try String(contentsOfFile: again, encoding: .utf8)
        #expect(rest.contains(#"remove the \"faults\" of its line"#), "\(rest)")
        let third = try Sluice.run(["replay", definition, "--rejects", again, "--format", "json"])
        #expect(third.status == 0 && third.count("T", "rejected") == 1, "\(third.errors)")
    }

    /// Of a row with other cells than there are columns, the record does not show what was wrong with it.
    @Test func rowsStayRejectsUntilTheyAreMended() throws {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.csv" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": { "P": { "records": "$", "identifier": "id", "where": { "place": { "not": " Jo" } },
                "attributes": { "id": "integer", "name": "text", "place": "text" } } } }
            """)
        _ = try folder.write("f.csv", "id,name,place\n1,Ada,London\n2,Bo\n3,Smith, Jo,Rome\n4,\"Lee\" Jr,Bonn\n5\n")
        let findings = folder.file("f.ndjson")
        #expect(try Sluice.run(["run", definition, "--findings", findings]).status == 0)
        // Twice: what a replay finds is a feed as well.
        for _ in 0..<2 {
            let again = try Sluice.run([
                "replay", definition, "--rejects", findings, "--findings", findings, "--format", "json",
            ])
            #expect(again.status == 0 && again.count("P", "rejected") == 4, "\(again.errors)")
            #expect(try Database(folder.file("s.sqlite")).rows("SELECT id FROM P") == [["1"]])
        }
        let found = try String(contentsOfFile: findings, encoding: .utf8)
        let mended = found.replacing(#""name":"Bo""#, with: #""name":"Bo","place":null"#)
            .replacing(#""name":"Smith","place":" Jo","":["Rome"]"#, with: #""name":"Smith, Jo","place":"Rome""#)
            .split(separator: "\n").map(String.init)
            .map { $0.contains("Lee") ? $0.replacing("\"faults\"", with: "\"seen\"") : $0 }
        let file = try folder.write("mended.ndjson", mended.joined(separator: "\n"))
        let outcome = try Sluice.run(["replay", definition, "--rejects", file, "--format", "json"])
        #expect(outcome.status == 0 && outcome.count("P", "rejected") == 1, "\(outcome.output)")
        #expect(
            try Database(folder.file("s.sqlite")).rows("SELECT id, name, place FROM P ORDER BY id") == [
                ["1", "Ada", "London"], ["2", "Bo", "∅"], ["3", "Smith, Jo", "Rome"], ["4", "Lee", "Bonn"],
            ])
    }

    /// Paths have several spellings: findings have the definition's, and a replay takes that and the usual one.
    @Test func contextIsSpelledAsInTheDefinition() throws {
        let definition = try folder.write(
            "d.json",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": { "A": { "records": "$.data.*", "identifier": "key", "where": { "$['kind']": "good" },
                "attributes": { "key": { "type": "text", "from": "$.data.*~" }, "n": "integer" } } } }
            """)
        _ = try folder.write("feed.json", #"{"kind": "good", "data": {"a": {"n": "bad"}}}"#)
        let findings = folder.file("f.ndjson")
        #expect(try Sluice.run(["run", definition, "--findings", findings]).status == 0)
        let text = try String(contentsOfFile: findings, encoding: .utf8)
        #expect(text.contains(#""context": { "$['kind']": "good", "$.data.*~": "a" }"#), "\(text)")
        let usual = text.replacing("$.data.*~", with: "$.data[*]~").replacing("$['kind']", with: "$.kind")
        for (number, spelling) in [text, usual].enumerated() {
            let file = try folder.write("r.ndjson", spelling.replacing("\"bad\"", with: "\(number)"))
            let outcome = try Sluice.run(["replay", definition, "--rejects", file, "--format", "json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.count("A", "rejected") == 0)
            #expect(try Database(folder.file("s.sqlite")).rows("SELECT \"key\", n FROM A") == [["a", "\(number)"]])
        }
    }

    /// Lists of values around records are in the context, too, and are taken from there: of one node, of many, with
    /// gaps.
    @Test func listsAroundRecordsAreInTheContext() throws {
        let definition = try folder.write(
            "lists.json",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "${STORE}" }, "limits": { "rejects": null },
              "entities": {
                "Tag": { "records": "$.tags[*]", "identifier": "id", "attributes": { "id": { "type": "text", "from": "@" } } },
                "Item": { "records": "$.groups[*].items[*]", "identifier": "id",
                  "attributes": { "id": "integer", "n": "integer" },
                  "relationships": {
                    "notes": { "to": "Tag", "from": "^^.notes[*].text", "many": true },
                    "tags": { "to": "Tag", "from": "^^.tags[*]", "many": true },
                    "all": { "to": "Tag", "from": "^^^^.tags[*]", "many": true } } } } }
            """)
        let groups = """
            {"tags": ["a", "b", "a"], "notes": [{"text": "x"}, {}, {"text": 7}], "items": [{"id": 1, "n": "BAD"}]},
            {"tags": [], "items": [{"id": 2, "n": "BAD"}, {"id": 3, "n": 3}]},
            {"items": [{"id": 4, "n": "BAD"}], "tags": ["b"]}
            """
        let feed = "{\"groups\": [\(groups)], \"tags\": [\"a\", \"b\"]}"
        _ = try folder.write("feed.json", feed)
        let (findings, store) = (folder.file("lists.ndjson"), folder.file("mended.sqlite"))
        let first = try Sluice.run(["run", definition, "--findings", findings], environment: ["STORE": store])
        #expect(first.status == 0, "\(first.errors)")
        let mended = try String(contentsOfFile: findings, encoding: .utf8).replacing("\"BAD\"", with: "9")
        #expect(mended.contains(#""^^.notes[*].text": ["x", 7]"#), "\(mended)")
        let file = try folder.write("mended.ndjson", mended)
        let replay = try Sluice.run(
            ["replay", definition, "--rejects", file, "--format", "json"], environment: ["STORE": store])
        #expect(replay.status == 0, "\(replay.errors)")
        #expect(replay.count("Item", "rejected") == 0)
        let whole = folder.file("whole.sqlite")
        _ = try folder.write("feed.json", feed.replacing("\"BAD\"", with: "9"))
        #expect(try Sluice.run(["run", definition], environment: ["STORE": whole]).status == 0)
        let links = { (table: String) -> String in
            "SELECT i.id, t.id, l.position FROM \(table) l JOIN Item i ON l.source = i.objectID "
                + "JOIN Tag t ON l.target = t.objectID ORDER BY 1, 2"
        }
        for query in [
            "SELECT id, n FROM Item ORDER BY id",
            "SELECT relationship, position, value FROM sluice_unresolved ORDER BY 1, 2", links("Item_tags"),
            links("Item_all"),
        ] {
            let rows = try Database(store).rows(query)
            #expect(!rows.isEmpty)
            #expect(try rows == Database(whole).rows(query), "\(query)")
        }
    }
}
