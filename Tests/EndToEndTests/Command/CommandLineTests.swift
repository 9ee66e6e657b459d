import Foundation
import Testing

/// The command line, by the conventions of GNU.
@Suite struct CommandLineTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var words: [String]
        var message: String
        var testDescription: String { words.joined(separator: " ") }

        init(_ words: String, _ message: String) {
            self.words = words.split(separator: " ").map(String.init)
            self.message = message
        }
    }

    static let mistakes = [
        Mistake("", "a command is missing"),
        Mistake("rum x.jsonc", "unknown command rum: did you mean run?"),
        Mistake("import x.jsonc", "unknown command import: did you mean run?"),
        Mistake("validate x.jsonc", "unknown command validate: did you mean check?"),
        Mistake("report x.jsonc", "unknown command report: did you mean runs?"),
        Mistake("transmogrify x.jsonc", "unknown command transmogrify\n"),
        Mistake("--versoin", "unknown option --versoin: did you mean --version?"),
        Mistake("run", "PIPELINE is missing"),
        Mistake("check", "PIPELINE is missing"),
        Mistake("check a.jsonc b.jsonc --ask", "--ask is for one PIPELINE, and there are 2"),
        Mistake("run a.jsonc --stroe x", "unknown option --stroe: did you mean --store?"),
        Mistake("run a.jsonc -x", "unknown option -x"),
        Mistake("run a.jsonc -qx", "unknown option -x"),
        Mistake("run a.jsonc --store", "--store needs a value: --store FILE"),
        Mistake("run a.jsonc --quiet=yes", "--quiet takes no value"),
        Mistake("run a.jsonc --batch-size 0", "--batch-size takes a whole number from 1, not 0"),
        Mistake("run a.jsonc --batch-size=7k", "--batch-size takes a whole number from 1, not 7k"),
        Mistake(
            "run a.jsonc --cache-limit 0",
            "--cache-limit takes a size such as 64MiB or 2GiB, or a number of bytes from 1, not 0"),
        Mistake(
            "replay a.jsonc f --cache-limit=1mib",
            "--cache-limit takes a size such as 64MiB or 2GiB, or a number of bytes from 1, not 1mib"),
        Mistake("run a.jsonc --commit never", "--commit takes run or batch, not never"),
        Mistake("run a.jsonc --format xml", "--format takes text or json, not xml"),
        Mistake("check a.jsonc --feed x", "unknown option --feed"),
        Mistake("preview -- --quiet -q", "one PIPELINE is enough: -q is too much"),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsSaid(mistake: Mistake) throws {
        let outcome = try Sluice.run(mistake.words)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("sluice: \(mistake.message)"), "\(outcome.errors)")
        let command = commandNames.contains(mistake.words.first ?? "") ? mistake.words[0] + " " : ""
        #expect(outcome.errors.hasSuffix("\nTry: sluice \(command)--help\n"))
        #expect(outcome.output.isEmpty)
    }

    /// Options may stand anywhere, with their value behind them or after an equals sign; of several, the last counts.
    @Test(arguments: [
        ["run", "PIPELINE", "--batch-size=1", "--format=json"],
        ["run", "--batch-size", "1", "--format", "text", "PIPELINE", "--format", "json"],
        ["run", "--format=json", "--commit=run", "--", "PIPELINE"],
        ["run", "PIPELINE", "--feed=FEED", "--format=json"],
        ["run", "PIPELINE", "--feed", "main=FEED", "--format=json"],
    ])
    func optionsStandAnywhere(words: [String]) throws {
        let scene = try Scene(.new)
        let words = words.map {
            $0.replacingOccurrences(of: "PIPELINE", with: scene.definition)
                .replacingOccurrences(of: "FEED", with: scene.feed)
        }
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "created") == 3)
    }

    /// What the limit is said to be holds for the run and stands in its report; where it is reached, the text says so.
    @Test(arguments: [("1", 1), ("2KiB", 2048), ("1.5 GB", 1_500_000_000), (nil, 1 << 30)] as [(String?, Int)])
    func theCacheHasItsLimit(size: String?, limit: Int) throws {
        let scratch = TemporaryFolder()
        func run(_ store: String, _ more: String...) throws -> Sluice.Outcome {
            let words = ["run", Sluice.path("Pipelines/berlin-transit.jsonc"), "--store", scratch.file(store)]
            return try Sluice.run(words + (size.map { ["--cache-limit", $0] } ?? []) + more)
        }
        let cache = try #require(try run("a", "--format", "json").report["cache"] as? [String: Int])
        #expect(cache["limit"] == limit)
        let (peak, bytes) = (try #require(cache["peakBytes"]), try #require(cache["bytes"]))
        #expect(0 < bytes && bytes <= peak && bytes <= max(limit, 500))
        #expect(cache["objects", default: 0] > 0)
        #expect(try run("b").output.contains("\nThe objectID cache reached its limit of ") == (limit < peak))
    }

    @Test(arguments: ["-q", "--quiet"])
    func aQuietCommandSaysNothing(option: String) throws {
        let scene = try Scene(.new)
        for command in ["run", "check"] {
            let outcome = try Sluice.run([command, option, scene.definition])
            #expect(outcome.status == 0)
            #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
        }
    }

    /// Short options can be written together; help comes before whatever else is asked.
    @Test(arguments: [["run", "-qh"], ["run", "--help", "x"], ["check", "-h"], ["--help"], ["-h"], ["help"]])
    func helpIsOutput(words: [String]) throws {
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("Usage: sluice "))
        #expect(outcome.errors.isEmpty)
    }

    /// Whatever the help says fits a terminal of 80 columns.
    @Test(arguments: [[]] + commandNames.map { [$0] })
    func helpFits(words: [String]) throws {
        let lines = try Sluice.run(words + ["--help"]).output.split(separator: "\n")
        #expect(lines.count > 5)
        #expect(lines.filter { $0.count > 80 } == [])
    }

    @Test func aFileWhoseNameBeginsWithADash() throws {
        let scene = try Scene(.new)
        _ = try scene.folder.write("-q", Scene.definition())
        let outcome = try Sluice.run(["run", "--format=json", "--", "-q"], folder: scene.folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.report["pipeline"] as? String == "-q")
    }

    /// The report's file holds what `--format json` shows, and replaces what was there.
    @Test func theReportGoesToAFile() throws {
        let scene = try Scene(.new)
        let file = try scene.folder.write("report.json", String(repeating: "old ", count: 5000))
        let outcome = try scene.run(["--format", "json", "--report", file])
        #expect(outcome.status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == outcome.output)
        let dash = try scene.run(["--quiet", "--report", "-"])
        #expect(dash.report["status"] as? String == "succeeded")
    }

    @Test func feedsAreGivenByTheirSource() throws {
        let scene = try Scene(.new)
        let wrong = try scene.run(["--feed", "mian=\(scene.feed)"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("there is no source mian; there is main"))
        #expect(try scene.run(["--feed", scene.feed, "--feed", scene.feed]).status == 64)
    }

    /// A feed that is read in place of another is read as the definition says, or as either of their names does.
    @Test(arguments: [
        (#"feed.json", "format": "lines"#, "renamed.txt", true), ("feed.ndjson", "-", true),
        ("feed.ndjson.gz", "renamed", true), ("in/*.jsonl", "renamed.json", true), ("feed.json", "x.ndjson", true),
        ("feed.json", "-", false), (#"feed.ndjson", "format": "json"#, "x.ndjson", false),
    ])
    func aRenamedFeedKeepsItsFormat(source: String, name: String, isLines: Bool) throws {
        let folder = TemporaryFolder()
        _ = try folder.write("p.jsonc", Scene.definition().replacing(#""feed.json""#, with: "\"\(source)\""))
        let lines = [1, 2].map { #"{"items": [{"id": \#($0), "name": "n", "price": 1, "parent": null}]}"# + "\n" }
            .joined()
        if name != "-" { _ = try folder.write(name, lines) }
        for command in [["run"], ["preview"], ["check"]] {
            let option = command == ["check"] ? "--against" : "--feed"
            let outcome = try Sluice.run(
                command + ["p.jsonc", option, name], input: name == "-" ? Data(lines.utf8) : nil, folder: folder.path)
            #expect(outcome.status == (isLines ? 0 : 65), "\(command): \(outcome.errors)")
        }
        if isLines { #expect(try Database(folder.file("store.sqlite")).rows("SELECT id FROM Item").count == 2) }
    }

    /// What a report of a defect needs.
    @Test func theLibrariesAreNamed() throws {
        let outcome = try Sluice.run(["--version", "--verbose"])
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(try Sluice.run(["--version"]).output == lines[0] + "\n")
        let names = [
            "SQLite", "libpq", "yajl", "libcurl", "libarchive", "zlib", "bzip2", "liblzma", "zstd", "PCRE2",
            "libcrypto",
        ]
        #expect(Set(lines.dropFirst().map { String($0.split(separator: " ")[0]) }) == Set(names))
        for line in lines.dropFirst() { #expect(line.contains(/^  \S+ +\d+\.\d+/), "\(line)") }
        #expect(lines.contains("  SQLite      " + (try Database(":memory:").rows("SELECT sqlite_version()")[0][0])))
        let mistake = try Sluice.run(["--version", "--loud"])
        #expect(mistake.errors.hasPrefix("sluice: --version takes --verbose, not --loud"))
    }

    /// A pattern names several files, as in a definition.
    @Test func aFeedMayBeAPattern() throws {
        let scene = try Scene(.new)
        for number in 1...3 {
            _ = try scene.folder.write("part\(number).json", #"{"items": [{"id": \#(number), "parent": 1}]}"#)
        }
        let outcome = try scene.run(["--feed", scene.folder.file("part[12].json"), "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "created") == 2)
        let preview = try Sluice.run(["preview", scene.definition, "--feed", "main=\(scene.folder.path)/part*"])
        #expect(preview.status == 0)
        let none = try scene.run(["--feed", scene.folder.file("none*")])
        #expect(none.status == 66)
        #expect(none.errors.contains("no file matches \(scene.folder.path)/none*"))
    }

    /// What stands before the sign may be a path, unless a source is called so.
    @Test func aSourceMayHaveASlash() throws {
        let folder = TemporaryFolder()
        _ = try folder.write("a.csv", "id\n1\n")
        _ = try folder.write("in/x=a.csv", "id\n2\n")
        let entity = #""records": "$", "identifier": "id", "attributes": { "id": "text" }"#
        let definition = try folder.write(
            "p.jsonc",
            """
            { "sources": { "x/y": { "file": "a.csv" }, "z": { "file": "a.csv" } }, "store": { "sqlite": "s.sqlite" },
              "archive": { "directory": "archive" },
              "entities": { "A": { "source": "x/y", \(entity) }, "B": { "source": "z", \(entity) } } }
            """)
        let own = "x/y=\(folder.file("in/x=a.csv"))"
        let run = try Sluice.run(["run", definition, "--quiet", "--feed", own])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Database(folder.file("s.sqlite")).rows("SELECT id FROM A") == [["2"]])
        let fetched = try Sluice.run(["fetch", definition]).output.split(separator: "\n").map(String.init)
        let replay = try Sluice.run(["replay", definition, "--quiet"] + fetched)
        #expect(replay.status == 0 && fetched.count == 2, "\(replay.errors)")
    }

    /// Who names a feed in place of a definition is told.
    @Test(arguments: [
        #"[{"id": 1}]"#, "{\"id\": 1}\n{\"id\": 2}\n", #"{"items": [{"id": 1}]}"#, #"{"name": "x", "stops": []}"#,
    ])
    func aFeedIsNoDefinition(text: String) throws {
        let folder = TemporaryFolder()
        _ = try folder.write("feed.json", text)
        for command in ["run", "check", "preview"] {
            let outcome = try Sluice.run([command, "feed.json"], folder: folder.path)
            #expect(outcome.status == 78)
            #expect(
                outcome.errors == "sluice: feed.json:1:1: this is a feed, not a definition: a definition says what "
                    + "becomes of its records (sluice run PIPELINE --feed feed.json); sluice init feed.json drafts one\n"
            )
        }
        _ = try folder.write("feed.csv", "id,name\n1,a\n")
        let table = try Sluice.run(["run", "feed.csv"], folder: folder.path)
        #expect(table.status == 78 && table.errors.contains("a table by its name, not a definition"), "\(table.errors)")
    }

    /// Objects that are absent within a target stay for good once that is deleted, unless their relationship says
    /// otherwise.
    @Test(arguments: [
        (#""absent": "delete","#, "", true), (#""absent": "delete","#, #", "onDelete": "nullify""#, false),
        (#""absent": "delete","#, #", "onDelete": "cascade""#, false), (#""absent": "mark","#, "", false),
        ("", "", false), (#""deleteWhere": { "gone": true },"#, "", true),
    ])
    func objectsThatStayAreNoted(absent: String, onDelete: String, isNoted: Bool) throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "entities": {
              "Line": { "records": "$[*]", "identifier": "id", \(absent) "attributes": { "id": "integer" } },
              "Trip": { "records": "$[*].trips[*]", "identifier": "id", "absent": "delete", "within": "line",
                "attributes": { "id": "integer" },
                "relationships": { "line": { "to": "Line", "from": "^^.id"\(onDelete) } } } } }
            """)
        let outcome = try Sluice.run(["check", definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let words = outcome.output.replacing(/\s+/, with: " ")
        #expect(
            words.contains("p.jsonc:3:") == isNoted && words.contains("\"cascade\" takes it along") == isNoted,
            "\(words)")
        #expect(try Sluice.run(["check", definition, "-q"]).output == "")
    }

    /// Who checks a definition is told what a run will lack, and what it reads for nothing.
    @Test func whatARunLacksIsNoted() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "sources": {
                "lines": { "url": "http://127.0.0.1:9/x", "auth": { "bearer": "${NOBODY_HAS_SET_THIS}" } },
                "rest": { "file": "rest.json" } },
              "store": { "sqlite": "s.sqlite" }, "entities": {
              "Line": { "source": "lines", "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        let outcome = try Sluice.run(["check", definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let words = outcome.output.replacing(/\s+/, with: " ")
        #expect(words.contains("p.jsonc:2:") && words.contains("NOBODY_HAS_SET_THIS is not set"), "\(words)")
        #expect(
            words.contains("p.jsonc:3:") && words.contains("no entity takes records from the source rest"), "\(words)")
    }

    /// A source of what is new does not say what is gone.
    @Test(arguments: [
        (#""absent": "delete","#, #", "new": true"#, true), (#""absent": "mark","#, #", "new": true"#, true),
        ("", #", "new": true"#, false), (#""absent": "delete","#, "", false),
    ])
    func whatOnlyFullRunsLookForIsNoted(absent: String, new: String, isNoted: Bool) throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f*.json"\(new) }, "store": { "sqlite": "s.sqlite" }, "entities": {
              "Line": { "records": "$[*]", "identifier": "id", \(absent) "attributes": { "id": "integer" } } } }
            """)
        let outcome = try Sluice.run(["check", definition])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let words = outcome.output.replacing(/\s+/, with: " ")
        #expect(
            words.contains("but in runs with --full") == isNoted && words.contains("p.jsonc:2:") == isNoted, "\(words)")
    }

    @Test func helpIsFoundWhereItIsLookedFor() throws {
        #expect(try Sluice.run(["help", "run"]).output == Sluice.run(["run", "--help"]).output)
        #expect(try Sluice.run(["help"]).output == Sluice.run(["--help"]).output)
        #expect(try Sluice.run(["-v"]).output == Sluice.run(["--version"]).output)
        let unknown = try Sluice.run(["help", "rum"])
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("run"))
    }

    @Test(arguments: [
        ("{\"source\": {\"file\": \"f\", }}", 1, 24, "}"), ("{\"store\": [1,\n // why, not\n ] }", 1, 13, "]"),
    ])
    func aTrailingCommaIsNamed(text: String, line: Int, column: Int, bracket: String) throws {
        let folder = TemporaryFolder()
        _ = try folder.write("p.json", text)
        let outcome = try Sluice.run(["check", "p.json"], folder: folder.path)
        #expect(outcome.status == 78)
        #expect(
            outcome.errors == "sluice: p.json:\(line):\(column): this comma must go: nothing follows it before the "
                + "`\(bracket)`, and JSON allows none there\n")
    }

    /// Paths are shown as people write them, and lead to the same files.
    @Test func pathsAreTidy() throws {
        let folder = TemporaryFolder()
        for name in ["pipelines", "data", "elsewhere/deep"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        let text = Scene.definition().replacing("feed.json", with: "../data/feed.json")
            .replacing("store.sqlite", with: "./../data/./store.sqlite")
        _ = try folder.write("pipelines/p.jsonc", text)
        _ = try folder.write("data/feed.json", #"{"items": [{"id": 1, "parent": 2}]}"#)
        // What is above a folder behind a link is not what stands before it.
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: "elsewhere/deep")
        _ = try folder.write("elsewhere/deep/p.jsonc", text.replacing("../data", with: "../../data"))
        func shown(_ definition: String, _ base: String = "") throws -> [String] {
            let outcome = try Sluice.run(
                ["run", definition, "--force", "--format", "json"], folder: folder.path + base)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let source = (outcome.report["sources"] as? [String: [String: Any]])?["main"]?["location"] as? String
            return [source ?? "", outcome.report["store"] as? String ?? ""]
        }
        #expect(try shown("pipelines/p.jsonc") == ["data/feed.json", "data/store.sqlite"])
        #expect(try shown("./pipelines/../pipelines/p.jsonc") == ["data/feed.json", "data/store.sqlite"])
        #expect(try shown("p.jsonc", "/pipelines") == ["../data/feed.json", "../data/store.sqlite"])
        #expect(try shown("../pipelines/p.jsonc", "/pipelines") == ["../data/feed.json", "../data/store.sqlite"])
        #expect(try shown("../pipelines/p.jsonc", "/data") == ["feed.json", "store.sqlite"])
        #expect(
            try shown(folder.file("pipelines/p.jsonc")) == [
                folder.file("data/feed.json"), folder.file("data/store.sqlite"),
            ])
        #expect(try shown("link/p.jsonc") == ["link/../../data/feed.json", "link/../../data/store.sqlite"])
    }
}
