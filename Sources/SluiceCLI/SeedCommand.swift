import Glibc
import Sluice
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceSeed

extension Command {
    static let seed = Command(
        name: "seed", arguments: "build|verify|install|list ...",
        summary: "publish a store as a seed, and install it elsewhere",
        detail: """
            A seed is a store that is published with a manifest, whole and as deltas from the
            versions before. seed build PIPELINE publishes the store of PIPELINE as the next
            version; seed verify MANIFEST (or STORE) compares a seed with what it says of itself;
            seed install MANIFEST (or URL) makes STORE the published version, by a delta if one
            fits; seed list DIR (or URL) shows what there is.
            """,
        options: [
            Option("output", value: "DIR", "build: the folder of the seeds, which may be s3://BUCKET/..."),
            Option("store", value: "FILE", "build: the store to publish; install: the store to make"),
            Option("keep", value: "N", "build: how many seeds before this one stay (default: 7)"),
            Option("level", value: "N", "build: how hard it is compressed, 1 to 19 (default: 9)"),
            Option("sign", value: "FILE", "build: the private key (Ed25519, PEM) that signs the manifest"),
            Option("key", value: "FILE", "verify, install, list: the public key that must have signed it"),
            Option("requires", value: "PIPELINE", "install: the seed must have all that this definition has"),
            Option("whole", "install: take no delta"),
            Option("writable", "install: the store may be written to, as by sluice run"),
            Option("force", "install: an older version, or in place of a store that is no seed"),
            Option("wait", value: "DURATION", "build, install: wait for who holds the store: 30s, 10m, 2h"),
            Option("progress", value: "auto|always|never", "install: show how far it is (default: auto)"),
            Option("log", value: "text|json", "how messages are written to standard error (default: text)"),
            Option("format", value: "text|json", "list: how that is shown (default: text)"),
            Option("quiet", short: "q", "say nothing when all is well"),
        ],
        run: { arguments in
            guard let word = arguments.positional.first else {
                throw UsageError("what to do is missing: build, verify, install or list")
            }
            guard let action = SeedAction.all.first(where: { $0.name.isIdentical(to: word) }) else {
                throw UsageError("there is no `seed \(word)`", nearest: word, among: SeedAction.all.map(\.name))
            }
            return try action.perform(arguments)
        })
}

/// One of the things that `seed` does.
struct SeedAction: Sendable {
    let name: String
    let argument: String
    let options: Set<String>
    let run: @Sendable (String, Arguments, RunControl) throws -> Int32

    static let all = [build, verify, install, list]

    /// Options of the others are slips, and no wishes.
    func perform(_ arguments: Arguments) throws -> Int32 {
        let allowed = options.union(["log", "quiet"])
        for option in Command.seed.options where arguments.has(option.name) && !allowed.contains(option.name) {
            throw UsageError("--\(option.name) is not for `seed \(name)`")
        }
        let words = Array(arguments.positional.dropFirst())
        guard let first = words.first else { throw UsageError("\(argument) is missing") }
        if words.count > 1 { throw UsageError("one \(argument) is enough: \(words[1]) is too much") }
        Log.standard.format =
            try arguments.choice("log", Log.Format.allCases.map(\.rawValue)).flatMap(Log.Format.init) ?? .text
        var control = RunControl()
        control.patience = try arguments.duration("wait") ?? 0
        control.onWait = { Log.standard.write(.info, $0) }
        control.onMessage = control.onWait
        if !arguments.has("quiet") { control.onRetry = { Log.standard.write($0) } }
        try SignalWatch.start(control.cancellation) { Log.standard.write(.warning, $0) }
        return try endedBySignals(control.cancellation) { try run(first, arguments, control) }
    }
}

/// Performs something while its progress is shown, as the options say.
private func watched<Result>(_ arguments: Arguments, _ control: RunControl, _ body: () throws -> Result) throws
    -> Result
{
    var mode =
        try arguments.choice("progress", ProgressReporter.Mode.allCases.map(\.rawValue))
        .flatMap(ProgressReporter.Mode.init) ?? .auto
    if arguments.has("quiet"), mode == .auto { mode = .never }
    let isTerminal = isatty(STDERR_FILENO) == 1 && environmentVariable("TERM") != "dumb"
    guard let reporter = ProgressReporter(control.meter, .standard, mode: mode, isTerminal: isTerminal) else {
        return try body()
    }
    return try reporter.watch { Swift.Result { try body() } }.get()
}

extension SeedAction {
    private static let build = SeedAction(
        name: "build", argument: "PIPELINE", options: ["output", "store", "keep", "level", "sign", "wait"]
    ) { file, arguments, control in
        var options = SeedPublishing.Options()
        options.output = arguments.last("output")
        options.store = arguments.last("store")
        options.keep = try arguments.positiveInteger("keep")
        options.level = try arguments.positiveInteger("level")
        if let level = options.level, !SeedBuild.levels.contains(level) {
            throw UsageError("--level takes a whole number from 1 to 19, not \(level)")
        }
        options.sign = arguments.last("sign")
        options.control = control
        let outcome = try SeedPublishing(readDefinition(file), options).perform()
        if !arguments.has("quiet") { try printOutput(outcome.text) }
        return 0
    }

    private static let verify = SeedAction(
        name: "verify", argument: "MANIFEST or STORE", options: ["key"]
    ) { path, arguments, control in
        let outcome = try SeedVerification(path, key: arguments.last("key"), FetchSession(control)).perform()
        for fault in outcome.faults { printError("\(path): \(fault)") }
        if outcome.faults.isEmpty, !arguments.has("quiet") { try printOutput(outcome.text) }
        return outcome.faults.isEmpty ? 0 : Failure.Kind.data.rawValue
    }

    private static let list = SeedAction(
        name: "list", argument: "DIR or URL", options: ["key", "format"]
    ) { place, arguments, control in
        let isJSON = try arguments.choice("format", ["text", "json"]) == "json"
        let listing = try SeedInstallation.list(place, key: arguments.last("key"), control)
        try printOutput(isJSON ? listing.json : listing.text)
        return 0
    }

    private static let install = SeedAction(
        name: "install", argument: "MANIFEST or URL",
        options: ["store", "requires", "key", "whole", "writable", "force", "wait", "progress"]
    ) { place, arguments, control in
        guard let store = arguments.last("store") else { throw UsageError("--store FILE is missing") }
        var options = SeedInstallation.Options(store: store)
        options.requires = try arguments.last("requires").map { file throws(DefinitionProblems) in
            try readDefinition(file)
        }
        options.key = arguments.last("key")
        options.isWhole = arguments.has("whole")
        options.isWritable = arguments.has("writable")
        options.force = arguments.has("force")
        options.control = control
        let installation = SeedInstallation(place, options)
        let outcome = try watched(arguments, control) { try installation.perform() }
        if !arguments.has("quiet") { try printOutput(outcome.text) }
        return 0
    }
}
