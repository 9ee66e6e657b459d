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
        Mistake("import x.jsonc", "unknown command import\n"),
        Mistake("--versoin", "unknown option --versoin: did you mean --version?"),
        Mistake("run", "PIPELINE is missing"),
        Mistake("check", "PIPELINE is missing"),
        Mistake("run a.jsonc b.jsonc", "one PIPELINE is enough: b.jsonc is too much"),
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
        Mistake("run -- --quiet -q", "one PIPELINE is enough: -q is too much"),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsSaid(mistake: Mistake) throws {
        let outcome = try Sluice.run(mistake.words)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("sluice: \(mistake.message)"), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("Try: sluice --help\n"))
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
}
