import Glibc
import Sluice
import SluicePosix
import SluiceRecords

/// What surrounds a run: its log, its progress, the signals that end it, and what is told of it afterwards.
struct RunSession {
    /// The options of commands that run a pipeline.
    static let options = [
        Option("wait", value: "DURATION", "wait for another run on the store: 30s, 10m, 2h"),
        Option("progress", value: "auto|always|never", "show how far the run is (default: auto)"),
        Option("log", value: "text|json", "how messages are written to standard error (default: text)"),
        Option("metrics", value: "FILE", "write metrics of the run to FILE, for Prometheus"),
    ]

    let control: RunControl
    private let progress: ProgressReporter?
    private let metrics: MetricsFile?
    private let isQuiet: Bool
    /// Whether only what is new is told, and so nothing that went well in the end; a log for programs has it all.
    private let tellsNewsOnly: Bool
    /// Whether signals are watched already, for a run before.
    private let isWatched: Bool

    /// Whether the command runs several pipelines: then its messages name them.
    var isOneOfSeveral = false

    /// Whether a signal has asked for the end.
    var isCancelled: Bool { control.cancellation.signal != nil }

    /// Reads the options. Metrics that cannot be written should be known before a run, not after it.
    ///
    /// - Parameter earlier: the run before this one: what ends it ends this one, too.
    init(_ arguments: Arguments, after earlier: RunSession? = nil) throws {
        let log = Log.standard
        log.format = try arguments.choice("log", Log.Format.allCases.map(\.rawValue)).flatMap(Log.Format.init) ?? .text
        isQuiet = arguments.has("quiet")
        tellsNewsOnly = arguments.last("show") == "news" && log.format == .text
        var mode =
            try arguments.choice("progress", ProgressReporter.Mode.allCases.map(\.rawValue))
            .flatMap(ProgressReporter.Mode.init) ?? .auto
        let isTerminal = isatty(STDERR_FILENO) == 1 && environmentVariable("TERM") != "dumb"
        if mode == .auto, isQuiet || tellsNewsOnly && !isTerminal { mode = .never }
        var control = RunControl()
        isWatched = earlier != nil
        if let earlier { control.cancellation = earlier.control.cancellation }
        control.patience = try arguments.duration("wait") ?? 0
        control.onMessage = { log.write(.info, $0) }
        if !tellsNewsOnly { control.onWait = control.onMessage }
        if !isQuiet, !tellsNewsOnly {
            control.onRetry = { log.write($0) }
            control.onComplaint = { log.write(.info, $0) }
        }
        self.control = control
        metrics = try arguments.last("metrics").map(MetricsFile.init)
        progress = ProgressReporter(control.meter, log, mode: mode, isTerminal: isTerminal)
    }

    /// Performs a run: signals end it, and its progress is shown.
    ///
    /// - Parameter isShown: whether the reasons of a failure are shown by a report, to whom standard error is shown.
    func perform(
        _ definition: PipelineDefinition, _ options: RunOptions, isShown: Bool
    ) throws(Failure) -> RunReport {
        if !isWatched { try SignalWatch.start(control.cancellation) { Log.standard.write(.warning, $0) } }
        logStart(definition, options)
        let report =
            if let progress { progress.watch { PipelineRun(checked: definition, options: options).perform() } } else {
                PipelineRun(checked: definition, options: options).perform()
            }
        if isShown, Log.standard.format == .text { return report }
        // A place names the file of the pipeline, or its feed.
        let name = isOneOfSeveral ? "\(definition.name): " : ""
        if let error = report.outcome.error ?? report.outcome.findingsFailure {
            if error.place == nil { logFailure(name + error.message, of: definition) } else { printFailure(error) }
        }
        for limit in report.outcome.exceeded { logFailure(name + limit.message, of: definition) }
        return report
    }

    /// Says why a run failed; a log for programs has the name of the pipeline beside.
    private func logFailure(_ message: String, of definition: PipelineDefinition) {
        Log.standard.write(.error, message, ["pipeline": .text(definition.name)])
    }

    /// Reports how the run ended: in the metrics, to the hooks, and in the log. A failure here is reported, and does
    /// not change what the run has done. Returns the exit status of the command.
    ///
    /// - Parameter isShown: whether the report is shown.
    func end(
        _ report: RunReport, _ definition: PipelineDefinition, _ changes: RunChanges?, status: Int32, isShown: Bool
    ) -> Int32 {
        var status = status
        // Nothing has happened that others would want to know of.
        if report.task.isDry {
            logEnd(report, status)
            return status
        }
        do throws(Failure) {
            try metrics?.write(report, exitStatus: status)
        } catch {
            printFailure(error)
            if status == 0 { status = error.kind.rawValue }
        }
        HookRunner(
            definition, report, changes, exitStatus: status, environment: environment(), log: Log.standard,
            isQuiet: isQuiet || tellsNewsOnly && !isShown
        ).runAll(control.cancellation)
        logEnd(report, status)
        return status
    }

    /// Writes into the metrics that a run could not begin: nothing else would tell those who watch them.
    func noteUnbegun(_ arguments: Arguments, _ error: any Error, isDry: Bool) {
        let kind =
            (error as? DefinitionProblems)?.kind ?? (error as? Failure)?.kind ?? (error is UsageError ? .usage : nil)
        guard let metrics, !isDry, let kind, let file = arguments.positional.first else { return }
        // A command line with a mistake that somebody types makes no file; one that has become wrong by a change of the
        // definition fails night after night.
        if kind == .usage, !metrics.isThere { return }
        do throws(Failure) {
            try metrics.writeUnbegun(file, exitStatus: kind.rawValue)
        } catch {
            printFailure(error)
        }
    }

    // MARK: For log collectors

    private func logStart(_ definition: PipelineDefinition, _ options: RunOptions) {
        guard Log.standard.format == .json, !isQuiet else { return }
        Log.standard.write(
            .info, "the run started",
            [
                "pipeline": .text(definition.name), "definition": .text(definition.file),
                "store": .text((try? definition.location(instead: options.store))?.description ?? definition.store),
                "pid": .integer(Int(getpid())),
            ])
    }

    private func logEnd(_ report: RunReport, _ status: Int32) {
        guard Log.standard.format == .json, !isQuiet || status != 0 else { return }
        if !isQuiet { report.wire.forEach(Log.standard.write) }
        let counts = report.entities.map { report.saved($0.counts) }
        let done = report.entities.map(\.counts)
        func undone(_ count: (EntityCounts) -> Int) -> Log.Field? {
            report.isRolledBack ? .integer(done.reduce(0) { $0 + count($1) }) : nil
        }
        Log.standard.write(
            status == 0 ? .info : .error, "the run \(report.outcome.status.rawValue)",
            [
                "pipeline": .text(report.task.pipeline), "store": .text(report.task.store),
                "run": .integer(report.run ?? 0),
                "status": .text(report.outcome.status.rawValue), "exitStatus": .integer(Int(status)),
                "seconds": .real(report.time.seconds), "records": .integer(counts.reduce(0) { $0 + $1.records }),
                "created": .integer(counts.reduce(0) { $0 + $1.created }),
                "updated": .integer(counts.reduce(0) { $0 + $1.updated }),
                "deleted": .integer(counts.reduce(0) { $0 + $1.deleted }),
                "toCreate": undone(\.created), "toUpdate": undone(\.updated), "toDelete": undone(\.deleted),
                "rejected": .integer(counts.reduce(0) { $0 + $1.rejected }),
                "findings": .integer(report.found.counts.values.reduce(0, +)),
            ])
    }
}
