import Foundation
import Testing

/// Nothing that a run writes takes the place of what it reads, or of something else that it writes.
@Suite struct OutputNameTests {
    private let folder = TemporaryFolder()

    private static let definition = """
        {
          "source": { "file": "SOURCE" }, "store": { "sqlite": "STORE" },
          SETTINGS
          "entities": { "T": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } }
        }
        """

    private func write(source: String = "feed.json", store: String = "s.sqlite", _ settings: String = "") throws {
        let text = OutputNameTests.definition.replacing("SOURCE", with: source).replacing("STORE", with: store)
            .replacing("SETTINGS", with: settings)
        _ = try folder.write("p.jsonc", text)
    }

    /// A pipeline that has run; links to what it has.
    private func prepare() throws {
        try write()
        _ = try folder.write("feed.json", #"[{"id": 1}]"#)
        #expect(try run().status == 0)
        let files = FileManager.default
        try files.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "s.sqlite")
        try files.createSymbolicLink(atPath: folder.file("later"), withDestinationPath: "s.sqlite-wal")
        try files.linkItem(atPath: folder.file("feed.json"), toPath: folder.file("hard"))
        try files.createSymbolicLink(atPath: folder.file("here"), withDestinationPath: ".")
    }

    /// Runs a command, without any outputs but those that it names.
    private func run(_ command: String = "run", _ more: [String] = []) throws -> Sluice.Outcome {
        try Sluice.run([command, "p.jsonc"] + more, folder: folder.path, through: ["/usr/bin/env"])
    }

    /// The contents of all files.
    private func contents() -> [String: Data] {
        Dictionary(
            uniqueKeysWithValues: folder.names.map {
                ($0, FileManager.default.contents(atPath: folder.file($0)) ?? Data())
            })
    }

    /// Checks that a command line is refused, with nothing done.
    private func refuses(
        _ words: [String], _ message: String, status: Int32 = 64, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let before = contents()
        let outcome = try run(words[0], Array(words.dropFirst()))
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors == "sluice: \(message)\n", sourceLocation: location)
        #expect(outcome.output == "", sourceLocation: location)
        #expect(contents() == before, sourceLocation: location)
    }

    /// The folder of the findings is made, and not what encloses it; nor is one that cannot be.
    @Test func theFolderOfFindingsIsMade() throws {
        try write(#""findings": "f/{date}.ndjson", "limits": { "rejects": null },"#)
        _ = try folder.write("feed.json", #"[{"id": "x"}]"#)
        #expect(try run("run").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("f"))
        #expect(names.count == 1 && names[0].hasSuffix(".ndjson"), "\(names)")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("f"))
        #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o007 } == 0)
        let enclosed = try run("run", ["--force", "--findings", "a/b/f.ndjson"])
        #expect(enclosed.status == 73, "\(enclosed.errors)")
        #expect(enclosed.errors.contains("the folder a does not exist"), "\(enclosed.errors)")
        #expect(!folder.names.contains("a"))
        _ = try folder.write("plain", "x")
        let inFile = try run("run", ["--force", "--findings", "plain/f.ndjson"])
        #expect(inFile.status == 73, "\(inFile.errors)")
        try FileManager.default.createSymbolicLink(atPath: folder.file("l"), withDestinationPath: "/proc/none")
        #expect(try run("run", ["--force", "--findings", "l/f.ndjson"]).status == 73)
        let closed = try run("run", ["--force", "--findings", "/proc/none/f.ndjson"])
        #expect(closed.status == 73, "\(closed.errors)")
    }

    /// Each run has a file of findings of its own, where its name has when the run began; a word that a name does not
    /// have is no name of a file.
    @Test func aNameOfFindingsSaysWhenTheRunBegan() throws {
        try write(#""findings": "f-{date}T{time}.ndjson", "limits": { "rejects": null },"#)
        _ = try folder.write("feed.json", #"[{"id": "x"}]"#)
        #expect(try run("run", ["--format", "json", "--report", "r.json"]).status == 0)
        let report = try String(contentsOfFile: folder.file("r.json"), encoding: .utf8)
        let moment = try #require(report.firstMatch(of: /"started": "(.{10})T(..):(..):(..)Z"/)?.output)
        let name = "f-\(moment.1)T\(moment.2)\(moment.3)\(moment.4).ndjson"
        #expect(try String(contentsOfFile: folder.file(name), encoding: .utf8).contains(#""kind": "reject""#))
        #expect(try run("run", ["--force", "--findings", "{date}"]).status == 0)
        #expect(folder.names.contains(String(moment.1)), "\(folder.names)")
        try refuses(
            ["run", "--findings", "f-{run}"],
            "the findings f-{run}: a name has {date} and {time}, when the run begins, and no {run}")
        try write(#""findings": "{pipeline}.ndjson","#)
        try refuses(
            ["run"],
            "p.jsonc:3:3: the findings {pipeline}.ndjson: a name has {date} and {time}, when the run begins, and no"
                + " {pipeline}", status: 78)
    }

    @Test(arguments: ["report", "findings", "metrics"]) func theCommandLineNamesWhatMustStay(option: String) throws {
        try prepare()
        func refusesOutput(_ path: String, _ victim: String) throws {
            try refuses(["run", "--force", "--\(option)", path], "the \(option) \(path) would replace the \(victim)")
        }
        for path in ["s.sqlite", "./s.sqlite", "here/s.sqlite", "link", folder.file("s.sqlite")] {
            try refusesOutput(path, "store s.sqlite")
        }
        for ending in ["-wal", "-shm", "-journal", ".sluice-new", ".sluice-lock", ".sluice-new-wal"] {
            try refusesOutput("here/s.sqlite\(ending)", "store s.sqlite")
        }
        try refusesOutput("later", "store s.sqlite")
        try refusesOutput("hard", "feed feed.json")
        try refusesOutput("p.jsonc", "definition p.jsonc")
        try refuses(
            ["run", "--feed", "hard", "--\(option)", "feed.json"], "the \(option) feed.json would replace the feed hard"
        )
        try refuses(
            ["run", "--store", "new.sqlite", "--\(option)", "new.sqlite-wal"],
            "the \(option) new.sqlite-wal would replace the store new.sqlite")
    }

    /// What is made of a definition takes the place of nothing that its runs read or write.
    @Test(arguments: [("swift", "types"), ("diagram", "diagram")])
    func whatIsMadeOfADefinition(_ command: String, _ what: String) throws {
        try prepare()
        for (path, victim) in [("./p.jsonc", "definition"), ("feed.json", "feed"), ("hard", "feed"), ("link", "store")]
        {
            let outcome = try run(command, ["-o", path])
            #expect(outcome.status == 64, "\(outcome)")
            #expect(outcome.errors.contains("the \(what) \(path) would replace the \(victim) "), "\(outcome.errors)")
        }
        #expect(try run(command, ["-o", "new.txt"]).status == 0)
        #expect(try run(command, ["-o", "new.txt"]).status == 0)
        #expect(try run(command, ["-o", "-"]).output == run(command).output)
        #expect(!folder.names.contains("-"))
    }

    /// A draft that goes to `-` goes to standard output.
    @Test func aDraftGoesToStandardOutput() throws {
        try prepare()
        let feed = folder.file("feed.json")
        let draft = try Sluice.run(["init", feed, "-o", "-"], folder: folder.path)
        #expect(draft.status == 0)
        #expect(try draft.output == Sluice.run(["init", feed], folder: folder.path).output)
        #expect(!folder.names.contains("-"))
    }

    @Test func twoOutputsHaveOneName() throws {
        try prepare()
        try refuses(["run", "--report", "x", "--metrics", "here/x"], "the metrics here/x would replace the report x")
        try refuses(["run", "--report", "x", "--findings", "x"], "the report x would replace the findings x")
        try refuses(
            ["run", "--findings", "x", "--metrics", "x.sluice-new"],
            "the metrics x.sluice-new would replace the findings x")
        try refuses(["run", "--store", "feed.json"], "the store feed.json would replace the feed feed.json")
        try refuses(["check", "--store", "p.jsonc"], "the store p.jsonc would replace the definition p.jsonc")
        try refuses(
            ["runs", "--run", "1", "--report", "s.sqlite"], "the report s.sqlite would replace the store s.sqlite")
        // Many may write to a device.
        let outcome = try run("run", ["--force", "--report", "/dev/null", "--findings", "/dev/null"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// What the definition says by itself is its mistake, and `check` finds it.
    @Test(arguments: ["run", "check"]) func theDefinitionNamesWhatMustStay(command: String) throws {
        try prepare()
        func refusesDefinition(_ message: String, line: Int, column: Int) throws {
            try refuses([command], "p.jsonc:\(line):\(column): \(message)", status: 78)
        }
        try write(#""findings": "s.sqlite","#)
        try refusesDefinition("the findings s.sqlite would replace the store s.sqlite", line: 3, column: 3)
        try refuses(
            [command, "--store", "here/s.sqlite"], "the findings s.sqlite would replace the store here/s.sqlite")
        try write(#""findings": "p.jsonc","#)
        try refusesDefinition("the findings p.jsonc would replace the definition p.jsonc", line: 3, column: 3)
        try write(#""findings": "hard","#)
        try refusesDefinition("the findings hard would replace the feed feed.json", line: 3, column: 3)
        try write(store: "feed.json")
        try refusesDefinition("the store feed.json would replace the feed feed.json", line: 2, column: 49)
        try write(store: "a", #""archive": { "directory": "a" },"#)
        try refusesDefinition("the archive a would replace the store a", line: 3, column: 16)
        try write(store: "a", #""archive": { "directory": "b" }, "findings": "b/x.json.zst","#)
        try refusesDefinition(
            "the findings b/x.json.zst would be among the saved feeds of the archive b", line: 3, column: 36)
        try write(source: "*.ndjson", #""findings": "here/found.ndjson","#)
        try refusesDefinition(
            "the findings here/found.ndjson would be read as a feed: *.ndjson matches it", line: 3, column: 3)
        try write(#""findings": "${SLUICE_TEST_UNSET}","#)
        try refuses(["run", "--findings", "feed.json"], "the findings feed.json would replace the feed feed.json")
    }

    /// Every file of a pattern is one that is read.
    @Test func aPatternNamesManyFeeds() throws {
        try prepare()
        try write(source: "[a-f]*.json")
        _ = try folder.write("b.json", #"[{"id": 2}]"#)
        try refuses(["run", "--report", "b.json"], "the report b.json would replace the feed b.json")
        try refuses(
            ["run", "--report", "c.json"], "the report c.json would be read as a feed: [a-f]*.json matches it")
        #expect(try run("run", ["--report", "x.json"]).status == 0)
    }

    /// A replay reads a saved feed, and the rejects that it mends may give way to the next ones, but to nothing else.
    @Test func aReplayReadsFiles() throws {
        try prepare()
        _ = try folder.write("r.ndjson", #"{"kind": "reject", "entity": "T", "record": {"id": 7}}"#)
        try refuses(
            ["replay", "hard", "--findings", "feed.json"], "the findings feed.json would replace the feed hard")
        try refuses(
            ["replay", "--rejects", "r.ndjson", "--report", "here/r.ndjson"],
            "the report here/r.ndjson would replace the rejects r.ndjson")
        #expect(try run("replay", ["--rejects", "r.ndjson", "--findings", "here/r.ndjson"]).status == 0)
    }
}
