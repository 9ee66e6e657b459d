import Foundation
import TestSupport
import Testing

/// A stranger's package uses the library: `Tests/Consumer`, with targets of its own called CSQLite, CZlib, Records and
/// Load.
@Suite struct ConsumerTests {
    private static let package = Sluice.path("Tests/Consumer")
    private static let scratch = Sluice.path(".build/consumer")

    /// Builds it, where that has not been done; returns the folder of its programs.
    private func build() throws -> String {
        // `make test` has built it, from the modules of Sluice that it had compiled already.
        if let built = ProcessInfo.processInfo.environment["TEST_CONSUMER"] { return built }
        let scratch = TemporaryFolder()
        let log = scratch.file("log")
        // Kept, the plan would not know of new files of the package that it depends on. Module by module, and not file
        // by file, the compiler takes 200 s of processor time.
        let status = try Shell.run(
            [
                "swift", "build", "-c", "release", "-Xswiftc", "-Onone", "--disable-build-manifest-caching",
                "--package-path", Self.package, "--scratch-path", Self.scratch,
            ],
            output: scratch.handle("log"))
        let text = try String(contentsOfFile: log, encoding: .utf8)
        try #require(status == 0, "\(text.suffix(4000))")
        return Self.scratch + "/release"
    }

    @Test func strangerImportsShowsProgressAndCancels() throws {
        let programs = try build()
        let scratch = TemporaryFolder()
        let definition = try scratch.write(
            "stops.jsonc",
            """
            { "source": { "file": "stops.json" }, "store": { "sqlite": "stops.sqlite" },
              "limits": { "rejects": 1 },
              "entities": { "Stop": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "text", "n": "integer" } } } }
            """)
        _ = try scratch.write("stops.json", #"[{"id":"a","n":1},{"id":"b","n":"x"}]"#)
        let store = scratch.file("own.sqlite")
        let output = String(
            decoding: try Shell.output([programs + "/Consumer", definition, store]), as: UTF8.self)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.contains("ended 100 %"))
        #expect(lines.contains { $0.hasPrefix("reject at ") && $0.contains("stops.json:1: Stop \"b\" is rejected") })
        #expect(lines.contains { $0.hasPrefix("stops: succeeded (run 1") })
        #expect(lines.last?.hasPrefix("cancelled, beside SQLite 3.") == true)
        let database = try Database(store)
        #expect(try database.rows("SELECT id, n FROM Stop") == [["a", "1"]])
        #expect(try database.isSound())
        // What was cancelled has left nothing, in the store and beside it.
        #expect(try database.tables().contains("Number") == false)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(names.allSatisfy { !$0.contains("sluice") && $0 != "never" })
    }

    @Test func cancelledRunsLeaveNothing() throws {
        let programs = try build()
        let scratch = TemporaryFolder()
        let output = String(
            decoding: try Shell.output([programs + "/Cancelling", scratch.file("store.sqlite")]), as: UTF8.self)
        let lines = output.split(separator: "\n")
        #expect(lines.count == 25)
        // No thread and no file more than after the first.
        #expect(lines.allSatisfy { $0 == "cancelled 0 0" }, "\(output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
    }

    @Test func strangersProgramIsShort() throws {
        let text = try String(contentsOfFile: Self.package + "/Sources/Consumer/Consumer.swift", encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 40)
        #expect(text.matches(of: /\nimport Sluice\w*/).map { String($0.output) } == ["\nimport Sluice"])
    }

    /// What documentation shows is in a program that is built.
    @Test func everyExampleIsCompiled() throws {
        _ = try build()
        let compiled = lines(
            try ["Examples", "StoreExamples"].map {
                try String(contentsOfFile: Self.package + "/Sources/\($0)/main.swift", encoding: .utf8)
            }.joined())
        var count = 0
        for (file, example) in try examples() {
            count += 1
            let wanted = lines(example).filter { $0 != "import Sluice" && $0 != "import SluiceStore" }
            let isThere = compiled.indices.contains { compiled[$0...].starts(with: wanted) }
            #expect(isThere, "\(file):\n\(example)")
        }
        #expect(count >= 30)
    }

    /// The examples of SluiceStore that need no service do what they say.
    @Test func examplesOfStoresRun() throws {
        let programs = try build()
        let scratch = TemporaryFolder()
        for name in ["berlin-transit", "places"] {
            let outcome = try Sluice.run(
                ["run", Sluice.path("Pipelines/\(name).jsonc"), "--store", scratch.file("\(name).sqlite")])
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        let output = String(
            decoding: try Shell.output(["-C", scratch.path, programs + "/StoreExamples", "run"]), as: UTF8.self)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.contains("reading 16 7 11 12 S+U Alexanderplatz Bhf 7 7"))
        #expect(lines.contains { $0.hasPrefix("updating ") })
        let page = try String(contentsOfFile: Sluice.path("Documentation/programs.md"), encoding: .utf8)
        let program = try #require(page.firstMatch(of: /prints:\n\n```\n((?:[^`].*\n)+)```/)).1.split(separator: "\n")
        #expect(
            program.count > 10 && lines.dropLast().suffix(program.count) == program.map(String.init)[...], "\(output)")
        #expect(lines.last == "left 1 4 no note", "\(output)")
    }

    /// The sample application: a seed is installed, read, referred to and replaced, while users write and another one
    /// looks on.
    @Test func timetableGoesOnWhileAllChanges() throws {
        let timetable = try build() + "/timetable"
        let scratch = TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: Sluice.path("Samples/timetable-app/favourites.jsonc"), toPath: scratch.file("favourites.jsonc"))
        let pipeline = Sluice.path("Samples/timetable-app/transit.jsonc")
        let store = ["--store", scratch.file("nightly.sqlite")]
        func publish(_ feed: [String] = []) throws {
            #expect(try Sluice.run(["run", "-q", pipeline] + store + feed).status == 0)
            #expect(try Sluice.run(["seed", "build", pipeline, "--output", scratch.file("seeds")] + store).status == 0)
        }
        func run(_ words: String...) throws -> [String] {
            let output = try Shell.output(["-C", scratch.path, timetable] + words)
            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        try publish()
        #expect(try run("install", "seeds/berlin-transit.seed.json").last?.hasPrefix("version 1 of ") == true)
        #expect(try run("stops", "bhf ale") == ["S+U Alexanderplatz Bhf"])
        #expect(try run("stops", "panko").isEmpty)
        #expect(try run("near", "52.5215", "13.4112").first?.hasSuffix(" m  S+U Alexanderplatz Bhf") == true)
        let before = try run("departures", "S+U Alexanderplatz Bhf")
        #expect(before.first == "04:33:00  U8  S+U Neukölln", "\(before)")
        #expect(try run("favourite", "000010000301", "change here") == ["remembered"])
        #expect(try run("favourite", "999") == ["remembered"])
        #expect(try run("favourite", "999", "gone") == ["changed"])

        let following = Process()
        following.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        following.arguments = ["-C", scratch.path, timetable, "follow", "60"]
        let heard = try scratch.handle("heard")
        following.standardOutput = heard
        try following.run()
        defer { following.terminate() }
        // Visits by three at a time, while a new version is built and installed, and departures are read.
        let visiting = (0..<3).map { _ in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c", "cd \(scratch.path) && for i in 1 2 3 4 5; do \(timetable) visit || exit 1; done",
            ]
            process.standardOutput = FileHandle.nullDevice
            return process
        }
        for process in visiting { try process.run() }
        let feed = try String(contentsOfFile: Sluice.path("Samples/berlin-transit.json"), encoding: .utf8)
        let changed = try scratch.write("next.json", feed.replacing("S+U Schönhauser Allee", with: "Pankow"))
        try publish(["--feed", changed])
        #expect(try run("install", "seeds/berlin-transit.seed.json").last?.hasPrefix("version 2 of ") == true)
        let after = try run("departures", "S+U Alexanderplatz Bhf")
        #expect(after != before)
        #expect(after == before.map { $0.replacing("S+U Schönhauser Allee", with: "Pankow") }, "\(after)")
        #expect(try run("stops", "panko") == ["Pankow"])
        for process in visiting {
            process.waitForEnd()
            #expect(process.terminationStatus == 0)
        }
        #expect(
            try run("favourites") == [
                "000010000301  S+U Alexanderplatz Bhf, 15 visits: change here",
                "999  not in the timetable any more, 15 visits: gone",
            ])
        let end = Date() + 20
        var text = ""
        while Date() < end, !(text.contains("timetable: a new version") && text.contains("favourites: Favourite +0 ~"))
        {
            text = try String(contentsOfFile: scratch.file("heard"), encoding: .utf8)
            usleep(20_000)
        }
        #expect(text.contains("timetable: a new version") && text.contains("favourites: Favourite +0 ~"), "\(text)")
        let source = try String(
            contentsOfFile: Sluice.path("Samples/timetable-app/Sources/Timetable/main.swift"), encoding: .utf8)
        #expect(source.split(separator: "\n").count < 200)
    }

    /// Without their indentation and empty lines, as both depend on what is around.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private func examples() throws -> [(file: String, text: String)] {
        var examples: [(String, String)] = []
        for folder in ["Sources/Sluice", "Sources/Store", "Sources/ServerStore", "Documentation"] {
            let names = FileManager.default.enumerator(atPath: Sluice.path(folder))?.compactMap { $0 as? String } ?? []
            for name in names where name.hasSuffix(".swift") || name.hasSuffix(".md") {
                examples += try self.examples(folder + "/" + name)
            }
        }
        return examples + (try self.examples("README.md"))
    }

    private func examples(_ file: String) throws -> [(String, String)] {
        let text = try String(contentsOfFile: Sluice.path(file), encoding: .utf8)
        let lines = text.components(separatedBy: "\n").map { $0.replacing(/^\s*\/\/\/ ?/, with: "") }
        var examples: [(String, String)] = []
        var example: [String]?
        for line in lines {
            if let lines = example {
                if line.hasPrefix("```") {
                    examples.append((file, lines.joined(separator: "\n")))
                    example = nil
                } else {
                    example = lines + [line]
                }
            } else if line == "```swift" {
                example = []
            }
        }
        return examples
    }
}
