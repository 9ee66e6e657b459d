import Foundation
import Testing

/// What a feed holds that the definition does not expect, in the report.
@Suite struct DriftTests {
    private let scratch = TemporaryFolder()

    private func drift(_ arguments: [String]) throws -> [String] {
        let outcome = try Sluice.run(["run", scratch.file("p.jsonc"), "--format", "json"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let drift = examples.filter { $0["kind"] as? String == "drift" }
        #expect((outcome.report["findings"] as? [String: Int])?["drift"] == drift.count)
        return drift.map { finding in
            let at = finding["at"] as? [String: Any] ?? [:]
            let words = ["entity", "reason", "field", "attribute", "records"].compactMap { finding[$0] }
            return (words + [at["source"] ?? "", at["record"] ?? ""]).map { "\($0)" }.joined(separator: " ")
        }
    }

    /// Counted once for each entity and field, in all files and sources together.
    @Test(arguments: ["1", "5000"]) func filesAndSourcesAreCountedTogether(batchSize: String) throws {
        _ = try scratch.write("a1.ndjson", #"{"id": 1, "x": 1, "name": "a"} {"id": 2, "id": 3, "name": "b"}"#)
        _ = try scratch.write("a2.ndjson", #"{"id": 4, "x": 2, "y": {"z": 1}, "tag": null}"#)
        _ = try scratch.write("b.ndjson", #"{"id": 5, "x": 3, "code": "c"}"#)
        _ = try scratch.write(
            "p.jsonc",
            """
            { "sources": { "a": { "file": "a*.ndjson" }, "b": { "file": "b.ndjson" } },
              "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Item": {
                  "source": ["a", "b"], "records": "$", "identifier": "id",
                  "attributes": {
                    "id": "integer", "name": "text", "code": "text", "tag": "text",
                    "label": { "type": "text", "from": ["lable", "title"] }, "half": { "join": ["id", "no"], "type": "text" }
                  },
                  "relationships": { "parent": { "to": "Item" } }
                },
                "None": { "source": "b", "records": "$.none", "identifier": "n", "attributes": { "n": "text" } }
              } }
            """)
        let expected: Set = [
            "Item unknown x 3 a 0", "Item unknown y 1 a 2", "Item repeated id 1 a 1",
            "Item missing lable, title label 0 a 0", "Item missing parent parent 0 a 0",
        ]
        #expect(Set(try drift(["--batch-size", batchSize])) == expected)
    }

    /// What links have of their own, and stubs, is missing where there are links, and no element has it.
    @Test func whatLinksLackIsMissing() throws {
        _ = try scratch.write(
            "p.jsonc",
            """
            { "source": { "file": "a.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "records": null },
              "entities": { "Item": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "r.with.gone": "integer" }, "relationships": {
                  "r": { "to": "Item", "many": true, "from": "l[*].id", "missing": "stub",
                    "with": { "n": "n", "gone": "gone", "up": "^^.id", "fixed": { "type": "text", "value": "x" } },
                    "stub": { "r.with.gone": "wrong" } },
                  "none": { "to": "Item", "many": true, "from": "m[*].id", "with": { "n": "n" } } } } } }
            """)
        _ = try scratch.write(
            "a.json", #"[{"id": 1, "l": [], "m": []}, {"id": 2, "l": [{"id": 1}, {"id": 2, "n": 5}]}]"#)
        #expect(
            Set(try drift([])) == [
                "Item missing ['r.with.gone'] r.with.gone 0 main 0",
                "Item missing l[*].gone r.with.gone' 0 main 0",
                "Item missing l[*].wrong r.stub.r.with.gone 0 main 0",
            ])
        _ = try scratch.write("a.json", #"[{"id": 1, "l": [], "m": [], "r.with.gone": 1}]"#)
        #expect(try drift([]) == [])
    }

    /// Many entities with one path of records, as services that list everything at once have it.
    @Test(arguments: ["1", "5000"]) func whatWhereLeavesOutIsNoRecord(batchSize: String) throws {
        _ = try scratch.write(
            "a.json",
            #"""
            {"objects": [
              {"type": "b", "id": 1, "y": 1, "z": 1}, {"type": "b", "id": 2, "y": 1, "of": 5, "extra": {"n": 1},
                "more": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]},
              {"type": "a", "id": 3, "id": 4}, {"type": "b", "id": "x\ud800"}, {"type": "a", "id": 5, "y": 2, "of": 9},
              {"type": "b", "id": 3, "y": 3, "id": 3}, {"type": "c", "id": "\ud800", "w": 1}, {"type": "a", "id": "x"}
            ], "on": true}
            """#)
        let entity = """
            "attributes": { "id": "integer", "z": "text" }, "identifier": "id",
            "relationships": { "of": { "to": "A" } }, "records": "$.objects[*]"
            """
        _ = try scratch.write(
            "p.jsonc",
            """
            { "source": { "file": "a.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": 9 },
              "entities": {
                "A": { \(entity), "where": { "type": "a" } },
                "B": { \(entity), "where": { "type": "b", "$.on": true } },
                "None": { \(entity), "where": { "$.on": false } },
                "More": {
                  "records": "$.objects[*].more[*]", "identifier": "id", "attributes": { "id": "integer" }
                } } }
            """)
        let arguments = ["run", scratch.file("p.jsonc"), "--batch-size", batchSize, "--dry-run", "--format", "json"]
        let outcome = try Sluice.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let told = examples.filter { $0["kind"] as? String != "unmatched" }.map { finding in
            let at = finding["at"] as? [String: Any] ?? [:]
            let words = ["kind", "entity", "reason", "field", "records"].compactMap { finding[$0] }
            return (words + [at["record"] ?? "", at["path"] ?? ""]).map { "\($0)" }.joined(separator: " ")
        }
        let expected: Set = [
            "drift A missing z 0 0 $.objects[2]", "drift A unknown y 1 1 $.objects[4]",
            "drift A repeated id 1 0 $.objects[2]", "drift B unknown y 3 0 $.objects[0]",
            "drift B unknown extra 1 1 $.objects[1]", "drift B repeated id 1 3 $.objects[5]",
            "reject A 2 $.objects[7]", "reject B 2 $.objects[3]",
            "unresolved A 1 $.objects[4]",
        ]
        #expect(Set(told) == expected)
        #expect(told.count == expected.count)
    }

    @Test func whatIsAsExpectedIsNoDrift() throws {
        _ = try scratch.write("a.json", #"[{"id": 1, "of": {"id": 1}}]"#)
        _ = try scratch.write(
            "p.jsonc",
            """
            { "source": { "file": "a.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Item": {
                  "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { "of": { "to": "Item", "from": "of.id" } }
                } } }
            """)
        #expect(try drift([]) == [])
    }

    /// `check --against` finds what a run would, and looks at no store.
    @Test func aFeedCanBeCheckedAlone() throws {
        let (definition, feed) = (
            Sluice.path("Pipelines/berlin-transit.jsonc"), Sluice.path("Samples/berlin-transit.json")
        )
        let findings = scratch.file("findings")
        _ = try Sluice.run([
            "run", definition, "--feed", feed, "--store", scratch.file("s"), "--findings", findings, "-q",
        ])
        let expected = try String(contentsOfFile: findings, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("\"kind\": \"drift\"") }
        let outcome = try Sluice.run(
            ["check", definition, "--against", feed, "--store", scratch.file("none"), "--format", "json"])
        // One record would be rejected.
        #expect(outcome.status == 65)
        let lines = outcome.output.split(separator: "\n")
        #expect(Set(lines.filter { $0.contains("\"kind\": \"drift\"") }) == Set(expected))
        #expect(lines.filter { $0.contains("\"kind\": \"reject\"") }.count == 1)
        #expect(!expected.isEmpty)
        #expect(!scratch.names.contains("none"))
        let text = try Sluice.run(["check", definition, "--against", feed]).output
        #expect(text.contains("\n  platform        40  string 26, null 14  \"1\"\n"))
        #expect(text.replacing(/\s+/, with: " ").contains("66 records of StopTime have the field"))
    }

    /// What is wrong with an option is said of the one that was given.
    @Test func aCheckedFeedNamesItsSource() throws {
        let outcome = try Sluice.run(["check", Sluice.path("Pipelines/instruments.jsonc"), "--against", "x.ndjson"])
        #expect(outcome.status == 64 && outcome.errors.contains("--against x.ndjson: the pipeline has several"))
    }

    private func check(_ feed: String, _ more: String...) throws -> Sluice.Outcome {
        _ = try scratch.write("feed.json", feed)
        return try Sluice.run(["check", scratch.file("p.jsonc"), "--against", scratch.file("feed.json")] + more)
    }

    @Test func whatIsNotUsedIsToldOnceForEachEntity() throws {
        _ = try scratch.write("p.jsonc", DriftTests.items())
        let outcome = try check(#"[{"id": 1, "name": "a", "x": 1, "y": 2}, {"id": 2, "name": "b", "x": 3, "z": null}]"#)
        #expect(outcome.status == 0)
        let text = outcome.output.replacing(/\s+/, with: " ")
        #expect(
            text.contains(
                "feed.json:1:2: records of Item have 3 fields that the definition does not use: x (2), y (1), z (1)"),
            "\(text)")
        #expect(!text.contains("the field x"))
    }

    /// What a feed must have to fit, and what it may have besides.
    @Test func aCheckedFeedFitsOrNot() throws {
        _ = try scratch.write("p.jsonc", DriftTests.items())
        let good = try check(#"[{"id": 1, "name": "a", "more": 1}, {"id": 2, "name": null}]"#)
        #expect(good.status == 0)
        #expect(good.output.contains("  name         2  string 1, null 1  \"a\"\n"))
        #expect(try check(#"[{"id": 1, "name": "a", "more": 1}]"#, "-q").output.isEmpty)
        let missing = try check(#"[{"id": 1}]"#, "-q")
        #expect(missing.status == 65)
        #expect(missing.output.replacing(/\s+/, with: " ").contains("no Item has name"))
        let rejected = try check(#"[{"id": "x", "name": 1}]"#)
        #expect(rejected.status == 65)
        #expect(rejected.output.replacing(/\s+/, with: " ").contains("is rejected: id: integer expected"))
    }

    // MARK: From night to night

    private static func items(_ entity: String = "", _ settings: String = "") -> String {
        """
        { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, \(settings)
          "entities": {
            "Item": {
              "records": "$[*]", "identifier": "id", \(entity)
              "attributes": { "id": "integer", "name": "text" }
            } } }
        """
    }

    private func night(_ feed: String, _ more: String...) throws -> Sluice.Outcome {
        _ = try scratch.write("feed.json", feed)
        return try Sluice.run(["run", scratch.file("p.jsonc")] + more)
    }

    /// A value of another type is told with the place of the first record that has one, in whichever batch it is.
    @Test(arguments: ["1", "2", "5000"]) func aValueOfAnotherTypeHasItsPlace(batchSize: String) throws {
        _ = try scratch.write("p.jsonc", DriftTests.items())
        _ = try night("[{\"id\": 1, \"name\": \"a\"}]")
        let records = (1...6).map { "{\"id\": \($0), \"name\": \($0 > 3 ? "\($0)" : "\"a\"")}" }
        let other = try night(
            "[\(records.joined(separator: ",\n"))]", "--batch-size", batchSize, "--format", "json")
        let examples = other.report["examples"] as? [[String: Any]] ?? []
        let places = examples.compactMap { $0["at"] as? [String: Any] }.map { $0["line"] as? Int }
        #expect(places == [4], "\(other.output)")
    }

    /// A list that was empty is no other type once it has values; and empty lists are no null.
    @Test(arguments: ["labels[*]", "labels"]) func emptyListsSayNothingOfValues(path: String) throws {
        _ = try scratch.write(
            "p.jsonc",
            DriftTests.items().replacing(
                #""name": "text""#, with: #""name": { "type": "text", "many": true, "from": "\#(path)" }"#))
        let empty = #"[{"id": 1, "labels": []}, {"id": 2, "labels": []}]"#
        #expect(try night(empty).status == 0)
        let checked = try Sluice.run(["check", scratch.file("p.jsonc"), "--against", scratch.file("feed.json")])
        #expect(!checked.output.contains("null"), "\(checked.output)")
        let texts = #"[{"id": 1, "labels": ["a"]}, {"id": 2, "labels": ["b"]}]"#
        for feed in [texts, empty, texts] {
            let outcome = try night(feed)
            #expect(outcome.status == 0 && !outcome.output.contains("New"), "\(outcome.output)")
        }
        let other = try night(#"[{"id": 1, "labels": ["a"]}, {"id": 2, "labels": [7]}]"#)
        #expect(other.output.contains("1 field with values of another type"), "\(other.output)")
    }

    @Test func whatIsNewComesFirst() throws {
        _ = try scratch.write("p.jsonc", DriftTests.items())
        let first = try night(#"[{"id": 1, "name": "a", "x": 1}]"#)
        #expect(first.output.contains("1 field that the definition does not use:\n  Item: x\n"))
        let same = try night(#"[{"id": 2, "name": "a", "x": 1}]"#)
        #expect(
            same.output.contains("Nothing new since run 1.\nAs in run 1:\n  1 field that the definition does not use\n")
        )
        let other = try night(#"[{"id": 3, "name": 5, "x": 1, "y": {"z": 1}}]"#)
        #expect(other.status == 0)
        let lines = other.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[3...4] == ["New since run 2:", "1 field with values of another type:"])
        #expect(
            other.output.replacing(/\s+/, with: " ").contains("1 record of Item has a value of the type number as name")
        )
        #expect(other.output.contains("1 field that the definition does not use:\n  Item: y\n"))
        // What the ledger has is the same, with when that was.
        let again = try Sluice.run(["runs", scratch.file("p.jsonc"), "--run", "3"])
        #expect(again.output.replacing(/\n  started [^\n]*/, with: "") == other.output)
    }

    /// A failed run is nothing to compare with; a dry run says what the run would.
    @Test func aFieldThatIsGoneFailsTheRun() throws {
        _ = try scratch.write("p.jsonc", DriftTests.items())
        let whole = (1...20).map { #"{"id": \#($0), "name": "n"}"# }.joined(separator: ",")
        #expect(try night("[\(whole)]").status == 0)
        for _ in 1...2 {
            let dry = try night(#"[{"id": 1, "nom": "n"}]"#, "--dry-run")
            let gone = try night(#"[{"id": 1, "nom": "n"}]"#)
            #expect(gone.status == 65 && dry.status == 65)
            #expect(gone.output.contains("\n1 field that no record has:\n"))
            #expect((gone.output + gone.errors).contains("missing fields of Item is exceeded"))
        }
        #expect(try Database(scratch.file("s.sqlite")).integer("SELECT count(*) FROM Item WHERE name = 'n'") == 20)
        _ = try scratch.write("p.jsonc", DriftTests.items("", #""limits": { "missing": 1 },"#))
        #expect(try night(#"[{"id": 1, "nom": "n"}]"#).status == 0)
        _ = try scratch.write("p.jsonc", DriftTests.items("", #""limits": { "missing": 0 },"#))
        #expect(try night(#"[{"id": 2, "nom": "n"}]"#).status == 65)
    }

    /// Less than a tenth of the records had it, or there were too few to tell.
    @Test(arguments: [(21, 2, 0), (20, 2, 65), (19, 19, 0)])
    func aFieldThatWasRareMayBeGone(records: Int, named: Int, status: Int32) throws {
        _ = try scratch.write("p.jsonc", DriftTests.items())
        let feed = (1...records).map { $0 <= named ? #"{"id": \#($0), "name": "n"}"# : "{\"id\": \($0)}" }
        #expect(try night("[\(feed.joined(separator: ","))]").status == 0)
        #expect(try night(#"[{"id": 1}]"#).status == status)
    }

    /// Copies that say the same are counted; where they are meant to come, they are nothing to tell of.
    @Test func identicalCopiesAreACount() throws {
        let feed = #"[{"id": 1, "name": "a"}, {"id": 1, "name": "a"}, {"id": 1, "name": "b"}]"#
        for (entity, findings) in [("", 2), (#""repeats": true,"#, 1)] {
            _ = try scratch.write("p.jsonc", DriftTests.items(entity))
            let outcome = try night(feed, "--dry-run", "--format", "json")
            #expect((outcome.report["findings"] as? [String: Int])?["duplicate"] == findings)
            #expect(outcome.counts("Item")["duplicates"] as? [String: Int] == ["identical": 1, "conflicting": 1])
        }
        let text = try night(feed, "--dry-run").output.replacing(/\s+/, with: " ")
        #expect(text.contains("1 conflicting duplicate: "))
        #expect(text.contains(#"and differs in name ("a" first, "b" here)"#))
        #expect(!text.contains("with the same values"))
    }

    @Test func whatIsIgnoredIsNotTold() throws {
        let feed = #"[{"id": 1, "name": "a", "x": 1, "y": {"z": 1, "w": 2}, "id": 1}]"#
        let expected: [(String, Int)] = [
            (#""x""#, 2), (#"["x", "y"]"#, 1), (#"["y.z"]"#, 3), (#""*""#, 1), (#"["y.*", "x"]"#, 2),
        ]
        for (ignored, count) in expected {
            _ = try scratch.write("p.jsonc", DriftTests.items("\"ignore\": \(ignored),"))
            let report = try night(feed, "--dry-run", "--format", "json").report
            #expect((report["findings"] as? [String: Int])?["drift"] == count, "\(ignored)")
        }
    }

    /// Two entities, each of a source of its own; members of the second one besides.
    private func defineTwoSources(_ more: String = "") throws {
        _ = try scratch.write(
            "p.jsonc",
            """
            { "sources": { "a": { "file": "none" }, "b": { "file": "none" } }, "store": { "sqlite": "s" },
              "entities": {
                "A": { "source": "a", "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } },
                "B": { "source": "b", "records": "$[*]", \(more)"identifier": "id", "attributes": { "id": "text" } } } }
            """)
    }

    /// Of a feed that is read alone, fields are told of the records that count, whatever sources stand before its own.
    @Test func aLaterSourceIsCheckedAlone() throws {
        try defineTwoSources(#""where": { "kind": "x" }, "#)
        let feed = try scratch.write(
            "feed.json", #"[{"id": "1", "kind": "x", "surprise": 1}, {"id": "2", "kind": "y", "no": 1}]"#)
        let outcome = try Sluice.run(["check", scratch.file("p.jsonc"), "--against", "b=\(feed)"])
        #expect(outcome.output.contains("surprise"), "\(outcome.output)")
        #expect(!outcome.output.contains("the field no"), "\(outcome.output)")
    }

    @Test func whatACheckedFeedMayBe() throws {
        try defineTwoSources()
        let feed = try scratch.write("feed.json", #"[{"id": "1", "x": 1}]"#)
        func check(_ more: String...) throws -> Sluice.Outcome {
            try Sluice.run(["check", scratch.file("p.jsonc")] + more)
        }
        #expect(
            try check("--against", "b=\(feed)").output.replacing(/\s+/, with: " ").contains(
                "1 record of B has the field x"))
        #expect(try !check("--against", "b=\(feed)").output.contains("of A"))
        #expect(try check("--against", feed).status == 64)
        #expect(try check("--format", "xml").status == 64)
        #expect(try check("--against", "b=\(scratch.file("missing"))").status == 66)
        let broken = try scratch.write("broken.json", #"[{"id": "1", "x": 1}"#)
        #expect(try check("--against", "b=\(broken)").status == 65)
    }
}
