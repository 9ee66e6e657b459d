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
                "for this run: rejects, unresolved, duplicates, updates, deletes, missing, shape or type up to N, or"
                    + " records from N; ENTITY.LIMIT is that of one entity, checks.NAME the rows of a check"),
            Option("report", value: "FILE", "write the report to FILE: JSON, or a page if FILE ends in .html"),
            Option("findings", value: "FILE", "write all findings to FILE, a line of JSON each; - is standard output"),
            Option("format", value: "text|json", "how the report is shown (default: text)"),
            Option(
                "show", value: "always|news|never",
                "when the report is shown; news: where the run failed, or found what the last one did not (default: always)"
            ),
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
    try requireAllowed(arguments.all("allow").map(allowance), by: definitions)
    for definition in definitions {
        try definition.requireForRun(RunOptions())
        try OutputNames(definition, RunOptions()).check()
    }
    var (status, session): (Int32, RunSession?) = (0, nil)
    var output = try ReportOutput(arguments)
    for definition in definitions {
        var next = try RunSession(arguments, after: session)
        next.isOneOfSeveral = true
        status = max(status, try performRun(arguments, in: next, &output) { _ in definition })
        if next.isCancelled { break }
        session = next
    }
    return status
}

/// Runs one pipeline as the options of `run` say. `prepare` reads its definition, and may change the options.
func performRun(
    _ arguments: Arguments, prepare: (inout RunOptions) throws -> PipelineDefinition
) throws -> Int32 {
    var output = try ReportOutput(arguments)
    return try performRun(arguments, in: RunSession(arguments), &output, prepare: prepare)
}

private func performRun(
    _ arguments: Arguments, in session: RunSession, _ output: inout ReportOutput,
    prepare: (inout RunOptions) throws -> PipelineDefinition
) throws -> Int32 {
    var options = RunOptions()
    options.control = session.control
    options.findings = arguments.last("findings")
    options.copiesPipes = arguments.has("report") || output.isJSON
    options.feeds = arguments.all("feed").map(feedOverride)
    options.store = arguments.last("store")
    options.isDry = arguments.has("dry-run")
    options.batchSize = try arguments.positiveInteger("batch-size")
    options.cacheLimit = try arguments.size("cache-limit")
    options.commit = try arguments.choice("commit", ["run", "batch"]).flatMap(PipelineDefinition.Commit.init)
    options.force = arguments.has("force")
    options.isFull = arguments.has("full")
    options.allowances = try arguments.all("allow").map(allowance)
    let definition: PipelineDefinition
    let reportFile: ReportFile?
    do {
        definition = try prepare(&options)
        if !session.isOneOfSeveral { try requireAllowed(options.allowances, by: [definition]) }
        try definition.requireForRun(options)
        try OutputNames(definition, options, report: arguments.last("report"), metrics: arguments.last("metrics"))
            .check()
        // A report that cannot be written should be known before a run, not after it.
        reportFile = try arguments.last("report").map(ReportFile.init)
    } catch {
        session.noteUnbegun(arguments, error, isDry: options.isDry)
        throw error
    }
    try noteFailedRun(definition, options)
    let report = try session.perform(definition, options, isShown: output.isText && StandardStreams.areOne)
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
    let isShown = output.shows(report)
    if isShown { attempt { () throws(Failure) in try output.show(report) } }
    let changes = RunChanges(definition, store: options.store, report)
    if let reportFile { attempt { () throws(Failure) in try reportFile.write(report, changes, definition.diagram) } }
    return session.end(report, definition, changes, status: status, isShown: isShown)
}

/// Says of a replay of rejects that the run whose rejects they are has loaded nothing else.
private func noteFailedRun(_ definition: PipelineDefinition, _ options: RunOptions) throws(Failure) {
    guard options.replay?.isPartial == true, let run = try definition.lastRunIfFailed(in: options.store) else { return }
    printNote(
        "run \(run), the last one, has not succeeded: of its feed, nothing but these records is loaded now; the next run"
            + " loads the rest")
}

/// `SOURCE=FILE` or `FILE`. A file whose name holds `=` is given with its source, or as `./NAME`.
func feedOverride(_ word: String) -> RunOptions.FeedOverride {
    guard let sign = word.firstIndex(of: "="), !word[..<sign].contains("/") else {
        return .init(source: nil, file: word)
    }
    return .init(source: String(word[..<sign]), file: String(word[word.index(after: sign)...]))
}
