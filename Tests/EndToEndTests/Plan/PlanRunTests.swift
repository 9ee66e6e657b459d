import Foundation
import Testing

/// The runner on DuckDB, as a user starts it.
@Suite struct PlanRunTests {
    private let scratch = TemporaryFolder()
    private var runner: PlanRunner { PlanRunner(in: scratch) }

    private func run(_ definition: String, _ more: [String] = []) throws -> (
        status: Int32, output: String, errors: String
    ) {
        try runner.run(definition, more)
    }

    @Test("Each sample, twice, is what a run makes of it", arguments: ["berlin-transit", "instruments", "iso-3166"])
    func samples(name: String) throws {
        let definition = Sluice.path("Pipelines/\(name).jsonc")
        for version in 1...2 {
            let outcome = try runner.runStore(definition)
            #expect(outcome.status == 0)
            let planned = try run(definition, ["--range", "1KiB"])
            #expect(planned.status == 0, "\(planned.errors)")
            // The report, but for the store and the time.
            let tables = { (text: String) in text.components(separatedBy: "\n\n").filter { $0.hasPrefix("  Entity") } }
            #expect(tables(planned.output) == tables(outcome.output))
            #expect(try runner.differences(definition, version) == "")
        }
    }

    @Test("Lines are those of the file, however it may be cut")
    func lines() throws {
        let feed = (0..<40).map { "{ \"id\": \($0) }\n" }.joined()
        _ = try scratch.write("feed.ndjson", feed)
        let definition = try scratch.write(
            "lines.jsonc",
            """
            { "source": { "file": "feed.ndjson" }, "store": { "sqlite": "x.sqlite" }, "entities": {
                "Item": { "records": "$", "identifier": "id",
                    "attributes": { "id": "integer", "line": { "type": "integer", "from": "$line" } } } } }
            """)
        #expect(try runner.runStore(definition).status == 0)
        #expect(try run(definition, ["--range", "100"]).status == 0)
        #expect(try runner.differences(definition, 1) == "")
    }

    @Test("What stands in the place of records hides them in a part of the feed, as in all of it")
    func hiddenRecords() throws {
        let definition = try scratch.write(
            "hidden.jsonc",
            """
            { "source": { "file": "feed.ndjson" }, "store": { "sqlite": "x.sqlite" }, "limits": { "deletes": null },
              "entities": {
                "Order": { "records": "$", "identifier": "id", "attributes": { "id": "integer" } },
                "Part": { "records": "$.items[*]", "identifier": "k", "absent": "delete",
                    "attributes": { "k": "text" } } } }
            """)
        let first = (1...9).map { #"{"id": \#($0), "items": [{"k": "a\#($0)"}, {"k": "b\#($0)"}]}"# + "\n" }
        let value = ["\"a, b\"", "null", "false"]
        for (version, kept) in [18, 18, 16, 14].enumerated() {
            var lines = first
            if version > 0 { lines[4] = #"{"id": 5, "items": \#(value[version - 1])}"# + "\n" }
            if version == 3 { lines[7] = #"{"id": 8}"# + "\n" }
            _ = try scratch.write("feed.ndjson", lines.joined())
            #expect(try runner.runStore(definition).status == 0)
            let planned = try run(definition, ["--range", "200"])
            #expect(planned.status == 0, "\(planned.errors)")
            #expect(planned.output.contains("Absent, kept") == (version == 1), "\(planned.output)")
            #expect(try runner.differences(definition, version + 1) == "")
            let store = try Database(scratch.file("store.sqlite"))
            #expect(try store.integer("SELECT count(*) FROM Part") == kept)
        }
    }

    @Test("A limit that is exceeded can be allowed once, as the report proposes")
    func allowances() throws {
        _ = try scratch.write("feed.json", #"[{ "id": 1 }, { "id": "x" }]"#)
        let definition = try scratch.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "x.sqlite" }, "entities": {
                "Item": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        let refused = try run(definition)
        #expect(refused.status == 65)
        let advice = try #require(refused.output.firstMatch(of: /--allow (rejects=1)/), "\(refused.output)")
        let allowed = try run(definition, ["--allow", String(advice.1)])
        #expect(allowed.status == 0, "\(allowed.errors)")
        #expect(allowed.output.contains("allowed once: rejects 1"), "\(allowed.output)")
        #expect(try runner.runStore(definition, ["--allow", "rejects=1"]).status == 0)
        #expect(try runner.differences(definition, 1) == "")
        for mistake in ["rejects", "rejects=x", "Itme.rejects=1", "reject=1"] {
            let outcome = try run(definition, ["--allow", mistake])
            #expect(outcome.status == 64, "\(mistake): \(outcome.errors)")
        }
    }

    @Test("Findings name the only file where records take its name, so rejects can be replayed")
    func fileNames() throws {
        _ = try scratch.write("feed.json", #"[{ "id": 1 }, { "id": "x" }]"#)
        let definition = try scratch.write(
            "names.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "x.sqlite" }, "limits": { "rejects": null },
              "entities": { "Item": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "file": { "type": "text", "from": "$file" } } } } }
            """)
        let files = ["run", "plan"].map { scratch.file($0) }
        #expect(try Sluice.run(["run", definition, "--findings", files[0]]).status == 0)
        #expect(try run(definition, ["--findings", files[1]]).status == 0)
        let places = try files.map { file in
            try String(contentsOfFile: file, encoding: .utf8).matches(of: /"at": \{[^}]*\}/).map { String($0.0) }
        }
        #expect(places[0] == places[1] && places[0].count == 1, "\(places)")
    }

    @Test("The report says what a run says: rejects by their reasons, who says a limit, and of how many a share is")
    func reports() throws {
        let records = (0..<30).map { #"{"id": "x\#($0)"}"# } + [#"{"id": 1, "price": "a"}"#, #"{"id": 2}"#]
        let definition = try items(
            "{\"items\": [\(records.joined(separator: ", "))]}", settings: #""limits": { "rejects": "10%" },"#)
        func told(_ output: String) -> [String] {
            let parts = output.components(separatedBy: "\n\n")
            let text = parts.count < 2 ? "" : parts[1].replacing("\n    ", with: " ")
            return text.split(separator: "\n").map(String.init)
        }
        let outcome = try Sluice.run(["run", definition])
        let planned = try run(definition)
        #expect(outcome.status == 65 && planned.status == 65)
        #expect(told(planned.output).contains { $0.contains("and 29 more:") }, "\(planned.output)")
        // A run tells of fields that no record has, too.
        #expect(told(outcome.output).starts(with: told(planned.output)), "\(outcome.output)")
    }

    @Test("A file of findings has the name that a run gives it")
    func findingsNames() throws {
        let definition = try items(
            #"{"items": [{"id": "x"}]}"#,
            settings: #""findings": "f-{date}T{time}.ndjson", "limits": { "rejects": null },"#)
        #expect(try run(definition).status == 0)
        let name = try #require(scratch.names.first { $0.hasPrefix("f-") })
        #expect(name.wholeMatch(of: /f-\d{4}-\d\d-\d\dT\d{6}\.ndjson/) != nil, "\(name)")
        try scratch.remove(name)
        #expect(try run(definition, ["--dry-run"]).status == 0 && !scratch.names.contains { $0.hasPrefix("f-") })
        let other = try run(definition, ["--findings", scratch.file("{run}")])
        #expect(other.status == 64 && other.errors.contains("and no {run}"), "\(other.errors)")
    }

    @Test("Files are those that a run reads, of random folders, archives and patterns")
    func patterns() throws {
        let folder = scratch.file("patterns")
        let script = [Sluice.path("Tests/Plan/patterns.py"), Sluice.executable.path, folder, "11", "18"]
        let words = ["PYTHONPATH=" + Sluice.path("Sources/Runners"), "PYTHONDONTWRITEBYTECODE=1"] + PlanRunner.python
        #expect(try Shell.run(words + script, output: scratch.handle("different")) == 0)
        #expect(try String(contentsOfFile: scratch.file("different"), encoding: .utf8) == "")
    }

    @Test("A table without any bytes is refused where its objects would be absent", arguments: ["delete", "keep"])
    func emptyTable(absent: String) throws {
        let definition = try scratch.write(
            "tables.jsonc",
            """
            { "source": { "file": "in-*.csv" }, "store": { "sqlite": "x.sqlite" }, "limits": { "deletes": null },
              "entities": { "Row": { "records": "$", "identifier": "id", "absent": "\(absent)",
                "attributes": { "id": "integer" } } } }
            """)
        for name in ["in-a.csv", "in-b.csv"] { _ = try scratch.write(name, "id\n\(name == "in-a.csv" ? 1 : 2)\n") }
        #expect(try run(definition).status == 0)
        _ = try scratch.write("in-b.csv", "")
        let empty = try run(definition)
        #expect(empty.status == (absent == "delete" ? 65 : 0), "\(empty.output)")
        if absent == "delete" { #expect(empty.errors.contains("in-b.csv is empty"), "\(empty.errors)") }
    }

    @Test(
        "A file that is none of the feed is refused where its objects would be absent, and an error in any case",
        arguments: [
            ("{}", "delete", 65), ("{}", "keep", 0), (#"{"error": "down"}"#, "keep", 65), ("null", "delete", 65),
        ])
    func oddFile(text: String, absent: String, status: Int32) throws {
        let definition = try scratch.write(
            "parts.jsonc",
            """
            { "source": { "file": "in-*.json" }, "store": { "sqlite": "x.sqlite" }, "limits": { "deletes": null },
              "entities": { "Row": { "records": "$.rows[*]", "identifier": "id", "absent": "\(absent)",
                "attributes": { "id": "integer" } } } }
            """)
        for id in 1...2 { _ = try scratch.write("in-\(id).json", #"{"rows": [{"id": \#(id)}]}"#) }
        #expect(try run(definition).status == 0)
        _ = try scratch.write("in-2.json", text)
        let odd = try run(definition)
        #expect(odd.status == status && odd.errors.contains("in-2.json") == (status != 0), "\(odd.errors)")
        // An empty list is an answer.
        _ = try scratch.write("in-2.json", #"{"rows": []}"#)
        #expect(try run(definition).status == 0)
    }

    @Test("Files of archives, and those in another encoding, are read as a whole")
    func whole() throws {
        let lines = (0..<300).map { "{ \"id\": \($0), \"name\": \"ä\" }\n" }.joined()
        let recoded = try #require(lines.data(using: .utf16LittleEndian))
        _ = try scratch.write("lines.ndjson", recoded)
        let tables = try ["a.csv", "b[1].csv", "b1.csv"].enumerated().map { index, name in
            try scratch.write(name, "id\n\(index)\n7\nx\n")
        }
        #expect(try Shell.run(["zip", "-q", "-j", scratch.file("tables.zip")] + tables) == 0)
        let definition = try scratch.write(
            "whole.jsonc",
            """
            { "sources": { "lines": { "file": "lines*.ndjson", "encoding": "utf-16le" },
                "tables": { "file": "*.zip", "member": "*.csv" }, "none": { "file": "tables.zip/none.csv" } },
              "store": { "sqlite": "x.sqlite" }, "limits": { "rejects": null }, "entities": {
                "Line": { "source": "lines", "records": "$", "identifier": "id",
                    "attributes": { "id": "integer", "name": "text" } },
                "Row": { "source": "tables", "records": "$", "identifier": "id", "attributes": { "id": "integer" },
                    "relationships": { "line": { "to": "Line", "from": "id" } } },
                "None": { "source": "none", "records": "$", "identifier": "id", "attributes": { "id": "integer" },
                    "limits": { "records": 0 } } } }
            """)
        for version in 1...2 {
            #expect(try runner.runStore(definition).status == 0)
            let planned = try run(definition, ["--range", "1KiB"])
            #expect(planned.status == 0, "\(planned.errors)")
            #expect(try runner.differences(definition, version) == "")
        }
    }

    /// In a range, such a line may be a part of a value: the file is read as a whole then.
    @Test("Lines that are no records are rejects, as in a run", arguments: ["1KiB", "0"])
    func brokenLines(_ range: String) throws {
        var lines = (0..<200).map { "{ \"id\": \($0), \"name\": \"\($0 % 7)\" }" }
        for (place, line) in [(0, "oops"), (61, "{ \"id\": 61, \"name\": }"), (130, "{ \"id\": 130"), (199, "]")] {
            lines[place] = line
        }
        let feed = Data("\(lines.joined(separator: "\n"))\n".utf8)
        try feed.write(to: URL(filePath: scratch.file("lines.ndjson")))
        func define(_ more: String) throws -> String {
            try scratch.write(
                "lines.jsonc",
                """
                { "source": { "file": "lines.ndjson" }, "store": { "sqlite": "x.sqlite" }, "limits": { "rejects": 4 },
                  "entities": { "Line": { "records": "$", "identifier": "id",
                    "attributes": { "id": "integer", "name": "text" }\(more) } } }
                """)
        }
        let definition = try define("")
        #expect(try runner.runStore(definition).status == 0)
        let planned = try run(definition, ["--range", range])
        #expect(planned.status == 0, "\(planned.errors)")
        #expect(try runner.differences(definition, 1) == "")
        let refused = try run(define(#", "absent": "delete""#), ["--range", range])
        #expect(refused.status == 65 && refused.errors.contains("lines.ndjson:1:1: "), "\(refused.errors)")
    }

    @Test("What a runner does not do as a run does, it refuses with the reason")
    func refusals() throws {
        let entity = #""R": { "records": "$", "identifier": "id", "attributes": { "id": "integer" } }"#
        func refused(_ file: String) throws -> (status: Int32, output: String, errors: String) {
            let definition = try scratch.write(
                "refused.jsonc",
                """
                { "source": { "file": "\(file)" }, "store": { "sqlite": "x.sqlite" }, "limits": { "rejects": null },
                  "entities": { \(entity) } }
                """)
            return try run(definition)
        }
        try FileManager.default.createDirectory(atPath: scratch.file("mixed"), withIntermediateDirectories: true)
        _ = try scratch.write("mixed/a.csv", "id\n1\n")
        _ = try scratch.write("mixed/b.json", "{ \"id\": 2 }\n")
        let mixed = try refused("mixed/*")
        #expect(mixed.status == 78)
        #expect(mixed.errors.contains("differ in format by their names"), "\(mixed.errors)")
    }

    private func items(_ feed: String, settings: String = "") throws -> String {
        _ = try scratch.write("feed.json", feed)
        return try scratch.write("items.jsonc", Scene.definition(settings: settings))
    }

    private var current: String? { runner.current }
    private var names: [String] { runner.names }
    private var state: String { runner.state }

    @Test("A run that exceeds a limit leaves the version that counts; old versions go")
    func versions() throws {
        #expect(try run(items(Scene.goodFeed)).status == 0)
        #expect(current == "v000001")
        let bad = try run(items(#"{"items": [{"id": "x"}]}"#))
        #expect(bad.status == 65)
        #expect(bad.output.contains("rejects"))
        #expect(current == "v000001")
        #expect(names == ["CURRENT", "LOCK", "STATE", "v000001"])
        let definition = try items(Scene.goodFeed)
        let dry = try run(definition, ["--dry-run", "--format", "json"])
        #expect(dry.status == 0)
        #expect(try ReportCheck.accepts(dry.output), "\(dry.output)")
        #expect(dry.output.contains("\"unchanged\": 3") && dry.output.contains("\"exitStatus\": 0"))
        #expect(current == "v000001")
        for _ in 0..<2 { #expect(try run(definition, ["--keep", "1"]).status == 0) }
        #expect(names == ["CURRENT", "LOCK", "STATE", "v000002", "v000003"])
    }

    @Test("Exit statuses are those of a run")
    func statuses() throws {
        let definition = try items(Scene.goodFeed)
        #expect(try run(definition, ["--threads", "none"]).status == 64)
        #expect(try run(definition).status == 0)
        let contradiction = try run(
            scratch.write("items.jsonc", Scene.definition().replacing("\"real\"", with: "\"decimal\"")))
        #expect(contradiction.status == 78)
        #expect(contradiction.errors.contains("Item.price is another one"))
        #expect(try run(items(#"{"items": ["#)).status == 65)
        let report = scratch.file("report.json")
        #expect(try run(items(Scene.goodFeed), ["--report", report, "--findings", scratch.file("found")]).status == 0)
        let empty = try run(
            items(#"{"items": []}"#), ["--report", report, "--findings", scratch.file("found"), "--format", "json"])
        #expect(empty.errors.contains("gives no record: the list at `$.items` is empty (\"limits\""), "\(empty.errors)")
        #expect(try empty.status == 65 && ReportCheck.accepts(empty.output), "\(empty.output)")
        #expect(empty.output.contains(#""status": "failed""#) && empty.output.contains(#""exitStatus": 65"#))
        #expect(try String(contentsOfFile: report, encoding: .utf8) == empty.output)
        #expect(try String(contentsOfFile: scratch.file("found"), encoding: .utf8) == "")
        try scratch.remove("feed.json")
        #expect(try run(definition).status == 66)
        #expect(
            try run(items(Scene.goodFeed, settings: "\"views\": true,")).errors.contains(
                "items.jsonc:2:3: a plan does not do"))
        let held = try FileHandle(forUpdating: URL(fileURLWithPath: state + "/LOCK"))
        #expect(flock(held.fileDescriptor, LOCK_EX) == 0)
        #expect(try run(items(Scene.goodFeed)).status == 75)
        #expect(current == "v000002")
    }

    @Test(
        "References and entities have any names, night after night",
        arguments: ["source", "path", "position", "Record", "run", "data.parquet"], ["text", "integer"])
    func names(name: String, type: String) throws {
        _ = try scratch.write("feed.json", #"{"s":[{"id":1,"m":[{"id":10,"src":1},{"id":11,"src":5}]}]}"#)
        let definition = try scratch.write(
            "names.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "x.sqlite" }, "entities": {
                "findings": { "records": "$.s[*]", "identifier": "id", "attributes": { "id": "\(type)" } },
                "report.json": { "records": "$.s[*].m[*]", "identifier": "id",
                    "attributes": { "id": "\(type)", "_line": { "type": "integer", "from": "src" } },
                    "relationships": { "\(name)": { "to": "findings", "from": "src" },
                        "\(name).parquet": { "to": "findings", "many": true, "from": "src" } } } } }
            """)
        for version in 1...2 {
            #expect(try runner.runStore(definition).status == 0)
            let planned = try run(definition)
            #expect(planned.status == 0, "\(planned.errors)")
            #expect(try runner.differences(definition, version) == "")
        }
    }
}
