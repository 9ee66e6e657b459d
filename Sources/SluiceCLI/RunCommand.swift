import Records
import Sluice

extension Command {
    static let run = Command(
        name: "run", arguments: "PIPELINE",
        summary: "run a pipeline once",
        detail: """
            Reads the feeds of the pipeline definition PIPELINE and loads their records into
            its store. The report goes to standard output, everything else to standard error.
            """,
        options: [
            Option("feed", value: "[SOURCE=]FILE", "read FILE instead of the source's own; - is standard input"),
            Option("store", value: "FILE", "load into this SQLite database instead"),
            Option("batch-size", value: "N", "records that are loaded together"),
            Option("commit", value: "run|batch", "save everything at the end, or every batch for good"),
            Option("report", value: "FILE", "write the report to FILE, as JSON"),
            Option("format", value: "text|json", "how the report is shown (default: text)"),
            Option("quiet", short: "q", "show no report, only errors"),
        ],
        run: { arguments in try performRun(arguments) })
}

private func performRun(_ arguments: Arguments) throws -> Int32 {
    let format = try arguments.choice("format", ["text", "json"]) ?? "text"
    var options = RunOptions()
    options.feeds = arguments.all("feed").map(feedOverride)
    options.store = arguments.last("store")
    options.batchSize = try arguments.positiveInteger("batch-size")
    options.commit = try arguments.choice("commit", ["run", "batch"]).flatMap(PipelineDefinition.Commit.init)
    let definition = try readDefinition(arguments.onlyArgument("PIPELINE"))
    try definition.requireForRun(options)
    // A report that cannot be written should be known before a run, not after it.
    let reportFile = try arguments.last("report").map(ReportFile.init)
    let report = PipelineRun(definition, options: options).perform()
    if let error = report.error { printError(error.description) }
    // The run itself is over: whatever becomes of one report, the other is tried, and a failed run stays what it is.
    var status = report.exitStatus
    func attempt(_ write: () throws(Failure) -> Void) {
        do throws(Failure) {
            try write()
        } catch {
            printError(error.description)
            if status == 0 { status = error.kind.rawValue }
        }
    }
    if !arguments.has("quiet") {
        attempt { () throws(Failure) in try printOutput(format == "json" ? report.json : report.text) }
    }
    if let reportFile { attempt { () throws(Failure) in try reportFile.write(report.json) } }
    return status
}

/// `SOURCE=FILE` or `FILE`. A file whose name holds `=` is given with its source, or as `./NAME`.
private func feedOverride(_ word: String) -> RunOptions.FeedOverride {
    guard let sign = word.firstIndex(of: "="), !word[..<sign].contains("/") else {
        return .init(source: nil, file: word)
    }
    return .init(source: String(word[..<sign]), file: String(word[word.index(after: sign)...]))
}
