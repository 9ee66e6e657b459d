import Sluice
import SluicePosix
import SluiceRecords

extension Command {
    static let run = Command(
        name: "run", arguments: "PIPELINE...",
        summary: "run a pipeline once, or several in order",
        detail: """
            Reads the feeds of the pipeline definition PIPELINE and loads their records into
            its store. The report goes to standard output, everything else to standard error.
            Several pipelines are run one after the other; the exit status is the highest of
            theirs.
            """,
        options: [
            Option(
                "feed", value: "[SOURCE=]FILE",
                "read FILE, which may be a pattern, instead of the source's own; - is standard input"),
            Option("store", value: "FILE", "load into this store instead: a file, or a database on a server"),
            Option("dry-run", "say what would be done, exactly, and change nothing"),
            Option("batch-size", value: "N", "records that are loaded together"),
            Option("cache-limit", value: "SIZE", "memory for the objectID cache: 64MiB, 2GiB (default: 1GiB)"),
            Option("commit", value: "run|batch", "save everything at the end, or every batch for good"),
            Option("force", "run even if the feed is the one that the last run loaded"),
            Option(
                "full", "ask services for everything, also where \"since\" would not; absent objects are looked for"),
            Option(
                "allow", value: "LIMIT=N|N%",
                "for this run: rejects, unresolved, duplicates, deletes or missing up to N, or records from N"),
            Option("report", value: "FILE", "write the report to FILE: JSON, or a page if FILE ends in .html"),
            Option("findings", value: "FILE", "write all findings to FILE, a line of JSON each; - is standard output"),
            Option("format", value: "text|json", "how the report is shown (default: text)"),
            Option("quiet", short: "q", "show no report, only errors"),
        ] + RunSession.options,
        run: { arguments in
            if arguments.positional.count > 1 { return try performRuns(arguments) }
            return try performRun(arguments) { options in
                try readDefinition(
                    arguments.onlyArgument("PIPELINE"), feeds: arguments.all("feed").map(feedOverride),
                    store: options.store)
            }
        })
}

/// Runs several pipelines, one after the other, whatever becomes of one; a signal ends them all. Nothing is begun where
/// one of the definitions is wrong.
private func performRuns(_ arguments: Arguments) throws -> Int32 {
    for name in ["feed", "store", "report", "findings", "metrics"] where arguments.has(name) {
        throw UsageError("--\(name) is for one PIPELINE, and there are \(arguments.positional.count)")
    }
    let definitions = try readDefinitions(arguments.positional)
    for definition in definitions {
        try definition.requireForRun(RunOptions())
        try OutputNames(definition, RunOptions()).check()
    }
    var (status, session): (Int32, RunSession?) = (0, nil)
    for definition in definitions {
        if session != nil, arguments.last("format") != "json", !arguments.has("quiet") { try printOutput("\n") }
        let next = try RunSession(arguments, after: session)
        status = max(status, try performRun(arguments, in: next) { _ in definition })
        if next.isCancelled { break }
        session = next
    }
    return status
}

/// Runs a pipeline as the options of `run` say. `prepare` reads its definition, and may change the options.
func performRun(
    _ arguments: Arguments, in given: RunSession? = nil, prepare: (inout RunOptions) throws -> PipelineDefinition
) throws -> Int32 {
    let session = try given ?? RunSession(arguments)
    let shown = try shownReport(arguments)
    var options = RunOptions()
    options.control = session.control
    options.findings = arguments.last("findings")
    options.copiesPipes = arguments.has("report") || shown == .json
    options.feeds = arguments.all("feed").map(feedOverride)
    options.store = arguments.last("store")
    options.isDry = arguments.has("dry-run")
    options.batchSize = try arguments.positiveInteger("batch-size")
    options.cacheLimit = try arguments.size("cache-limit")
    options.commit = try arguments.choice("commit", ["run", "batch"]).flatMap(PipelineDefinition.Commit.init)
    options.force = arguments.has("force")
    options.isFull = arguments.has("full")
    options.allowances = try arguments.all("allow").map(allowance)
    let definition = try prepare(&options)
    try definition.requireForRun(options)
    try OutputNames(definition, options, report: arguments.last("report"), metrics: arguments.last("metrics")).check()
    // A report that cannot be written should be known before a run, not after it.
    let reportFile = try arguments.last("report").map(ReportFile.init)
    let report = try session.perform(definition, options, isShown: shown == .text && StandardStreams.areOne)
    // The run itself is over: whatever becomes of one report, the other is tried, and a failed run stays what it is.
    var status = report.exitStatus
    func attempt(_ write: () throws(Failure) -> Void) {
        do throws(Failure) {
            try write()
        } catch {
            printFailure(error)
            if status == 0 { status = error.kind.rawValue }
        }
    }
    switch shown {
    case .nothing: break
    case .text: attempt { () throws(Failure) in try printOutput(report.text(colours: outputHasColours)) }
    case .json: attempt { () throws(Failure) in try printOutput(report.json) }
    }
    let changes = RunChanges(definition, store: options.store, report)
    if let reportFile { attempt { () throws(Failure) in try reportFile.write(report, changes, definition.diagram) } }
    return session.end(report, definition, changes, status: status)
}

/// What standard output shows of the report.
private enum ShownReport { case nothing, text, json }

private func shownReport(_ arguments: Arguments) throws(UsageError) -> ShownReport {
    let format = try arguments.choice("format", ["text", "json"])
    let output = ["findings", "report"].filter { arguments.last($0) == "-" }.map { "--\($0) -" }
    if output.count > 1 { throw UsageError("standard output takes one of \(output.joined(separator: " and "))") }
    // Findings that another program reads must not be mixed with anything.
    if arguments.last("findings") == "-" {
        if let format { throw UsageError("standard output takes one of --findings - and --format \(format)") }
        return .nothing
    }
    if arguments.has("quiet") { return .nothing }
    return format == "json" ? .json : .text
}

/// `SOURCE=FILE` or `FILE`. A file whose name holds `=` is given with its source, or as `./NAME`.
func feedOverride(_ word: String) -> RunOptions.FeedOverride {
    guard let sign = word.firstIndex(of: "="), !word[..<sign].contains("/") else {
        return .init(source: nil, file: word)
    }
    return .init(source: String(word[..<sign]), file: String(word[word.index(after: sign)...]))
}

/// `deletes=500`, `rejects=2%`.
private func allowance(_ text: String) throws -> Allowance {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let names = Allowance.Kind.allCases.map(\.rawValue)
    guard let kind = Allowance.Kind(rawValue: parts[0]) else {
        throw UsageError("--allow \(text): there is no limit \(parts[0]); there is \(names.joined(separator: ", "))")
    }
    guard parts.count == 2, let allowance = Allowance(kind, parts[1]) else {
        let share = kind == .missing ? "" : ", or a share from 0% to 100%"
        throw UsageError("--allow \(text): it takes a whole number\(share), as in \(parts[0])=500")
    }
    return allowance
}
