import SluiceDefinition
import SluiceExtract
import SluiceLoad
import SluiceRecords

/// The runs that the ledger of a store knows.
package struct LedgerRuns {
    private let ledger: any StoreLedger
    /// Nil: those of all pipelines.
    private let pipeline: String?
    /// As messages name it.
    private let store: String

    /// - Parameters:
    ///   - store: another store than the definition's.
    ///   - all: whether the runs of other pipelines with the same store count as well.
    /// - Throws: `missing` where there is no store.
    package init(_ definition: PipelineDefinition, store: String? = nil, all: Bool = false) throws(Failure) {
        let location = try definition.location(instead: store)
        self.store = location.description
        ledger = try location.ledger()
        pipeline = all ? nil : definition.name
    }

    init(_ ledger: any StoreLedger, of pipeline: String?, store: String) {
        self.ledger = ledger
        self.pipeline = pipeline
        self.store = store
    }

    /// The runs as a list, the newest first, in pieces. The ledger is read twice, once to find out how wide the
    /// columns are: it may have any number of runs, and none is kept.
    package func text(rows most: Int?, width: Int, write: (String) throws(Failure) -> Void) throws(Failure) {
        let died = try diedRun()
        let columns = RunLine.columns
        var layout = TableLayout(columns.map(\.title), columns.map(\.alignment), width: width)
        var isShown = columns.map { $0.always && (pipeline == nil || $0.title != RunLine.pipelineTitle) }
        var newest = 0
        let count = try forEach(most, died: died) { line in
            newest = max(newest, line.row.run)
            let cells = columns.map { $0.text(line) }
            layout.measure(cells)
            for (index, column) in columns.enumerated() where !column.always && column.says(line) {
                isShown[index] = true
            }
        }
        if count == 0 { return try write("There are no runs yet in \(store.printable).\n") }
        let shown = columns.indices.filter { isShown[$0] }
        layout.tighten(shown)
        var text = layout.line(layout.header, shown)
        try forEach(count, upTo: newest, died: died) { line throws(Failure) in
            text += layout.line(columns.map { $0.text(line) }, shown) + line.reasonLines(width: width)
            guard text.utf8.count > LedgerRuns.pieceBytes else { return }
            try write(text)
            text = ""
        }
        try write(text)
    }

    /// What is written at once.
    private static let pieceBytes = 1 << 14

    /// Hands out the runs, the newest first; returns how many these are.
    ///
    /// - Parameters:
    ///   - newest: those that came later are left out.
    ///   - died: the run that the ledger still calls running.
    @discardableResult
    private func forEach(
        _ most: Int?, upTo newest: Int = .max, died: Int?, _ body: (RunLine) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        var count = 0
        try ledger.rows(of: pipeline) { row throws(Failure) in
            if row.run > newest { return true }
            try body(RunLine(row.known(died: died)))
            count += 1
            return count < most ?? .max
        }
        return count
    }

    /// The runs as a page of HTML that needs nothing else.
    package func page(rows most: Int?) throws(Failure) -> String {
        var runs: [RunLine] = []
        try forEach(most ?? LedgerRuns.mostOfPage, died: diedRun()) { runs.append($0.lean) }
        return RunsPage(pipeline: pipeline, store: store, runs).text
    }

    /// More are no plot any more.
    private static let mostOfPage = 200

    /// The runs as a JSON array, the newest first, in pieces.
    package func json(rows most: Int?, write: (String) throws(Failure) -> Void) throws(Failure) {
        var count = 0
        let died = try diedRun()
        try ledger.rows(of: pipeline) { row throws(Failure) in
            try write((count == 0 ? "[\n  " : ",\n  ") + RunLine.json(of: row.known(died: died)))
            count += 1
            return count < most ?? .max
        }
        try write(count == 0 ? "[]\n" : "\n]\n")
    }

    /// The run that the ledger says to be running though nobody holds the store: it has died, which the next run will
    /// note; nil: there is none.
    private func diedRun() throws(Failure) -> Int? {
        guard let run = try ledger.runUnderWay(), try !ledger.isHeld() else { return nil }
        // A run that has ended meanwhile has said so before it let go of the store.
        return try ledger.runUnderWay() == run ? run : nil
    }

    /// The report of a run, as it was.
    package func report(run: Int) throws(Failure) -> RunReport {
        let (row, json) = try requireReport(run)
        guard var report = RunReport(json: json, sources: row.sources.flatMap(LedgerSources.init(json:)))
        else { throw Failure(.io, "the store \(store) is damaged: the report of run \(run) cannot be read") }
        report.earlier.replayed = row.replayOf
        return report
    }

    /// The report of a run for a person, with when it was and whether it was a replay: of a run of today, everybody
    /// knows.
    package func reportText(run: Int, colours: Bool, fitsScreen: Bool) throws(Failure) -> String {
        try report(run: run).text(colours: colours, isPast: true, fitsScreen: fitsScreen)
    }

    /// The report of a run, as JSON.
    package func reportJSON(run: Int) throws(Failure) -> String { try requireReport(run).report }

    private func requireReport(_ run: Int) throws(Failure) -> (row: LedgerRow, report: String) {
        guard let row = try ledger.row(run)?.known(died: diedRun()) else {
            throw Failure(.missing, "the store \(store) knows no run \(run)")
        }
        guard let report = row.report else {
            let state =
                [
                    "running": "it has not ended", "died": "it died",
                    "forgot": "it has forgotten a part of the history",
                ][row.status] ?? "the ledger keeps it no longer (ledger.keep)"
            throw Failure(.missing, "run \(run), started \(row.started), has no report: \(state)")
        }
        return (row, report)
    }
}

extension LedgerRow {
    /// The row, with what is known of a run that the ledger still calls running.
    fileprivate func known(died: Int?) -> LedgerRow {
        guard let died, run == died, isRunning else { return self }
        var row = self
        row.status = "died"
        return row
    }
}

/// A run in a list.
struct RunLine {
    private(set) var row: LedgerRow
    private(set) var report: RunReport?

    init(_ row: LedgerRow) {
        self.row = row
        report = row.report.flatMap { RunReport(json: $0, sources: nil) }
    }

    /// Without what no list of runs shows, and what most of a report is made of.
    var lean: RunLine {
        var line = self
        (line.row.report, line.row.sources, line.row.archive) = (nil, nil, nil)
        line.report?.found = RunReport.Found()
        line.report?.sources = []
        for index in report?.entities.indices ?? 0..<0 {
            line.report?.entities[index].fields = []
            line.report?.entities[index].unused = []
            line.report?.entities[index].repeated = []
            line.report?.entities[index].untaken = []
        }
        return line
    }

    struct Column: Sendable {
        var title: String
        var alignment = TextTable.Alignment.right
        /// Whether it is shown even where it says nothing.
        var always = true
        package var text: @Sendable (RunLine) -> String

        /// Whether it says something of a run.
        func says(_ line: RunLine) -> Bool { !["", "0"].contains(text(line)) }
    }

    static let pipelineTitle = "Pipeline"

    static let columns = [
        Column(title: "Run") { String($0.row.run) },
        Column(title: pipelineTitle, alignment: .left) { $0.row.pipeline.printable },
        Column(title: "Started (UTC)", alignment: .left) { Timestamp.minutes(of: $0.row.started).printable },
        Column(title: "Seconds") { line in line.report.map { $0.shown($0.time.seconds) } ?? "" },
        Column(title: "Status", alignment: .left) { $0.row.status.printable },
        Column(title: "Exit", always: false) { line in line.exitStatus },
        Column(title: "Records") { $0.sum(\.records) },
        Column(title: "Created") { $0.done(\.created, unless: \.isUndone) },
        Column(title: "Updated") { $0.done(\.updated, unless: \.isUndone) },
        Column(title: "Deleted", always: false) { $0.done(\.deleted, unless: \.deletesNothing) },
        Column(title: "Rejected", always: false) { $0.sum(\.rejected) },
        // Whether the archive has what it read: that can be replayed, and compared.
        Column(title: "Feed", alignment: .left, always: false) { $0.row.archive == nil ? "" : "kept" },
        Column(title: "Replay of", always: false) { $0.replayed },
    ]

    /// The columns that say something.
    ///
    /// - Parameter isOfAll: whether the runs are of several pipelines.
    static func shownColumns(_ runs: [RunLine], isOfAll: Bool) -> [Column] {
        columns.filter { column in
            (column.always || runs.contains(where: column.says)) && (isOfAll || column.title != pipelineTitle)
        }
    }

    /// What a replay read again: the feed of a run, by its number, another one, or rejects; nothing of other runs.
    private var replayed: String {
        if let run = row.replayOf { return String(run) }
        guard let task = report?.task, task.isReplay else { return "" }
        return task.replaysRejects ? "rejects" : "a feed"
    }

    /// Why the run failed, below its line; nothing where it did not.
    func reasonLines(width: Int) -> String {
        guard let reasons = report?.shortReasons, !reasons.isEmpty else { return "" }
        let indent = "       "
        return reasons.map { $0.printable.wrapped(max(40, width), first: indent, rest: indent) + "\n" }.joined()
    }

    private var exitStatus: String {
        guard let report, report.outcome.hasKnownExit, report.exitStatus != 0 else { return "" }
        return String(report.exitStatus)
    }

    private func sum(_ count: (EntityCounts) -> Int) -> String {
        guard let report, !report.entities.isEmpty else { return "" }
        return grouped(report.entities.reduce(0) { $0 + count($1.counts) })
    }

    /// Of a run that has not done it, 0.
    private func done(_ count: (EntityCounts) -> Int, unless isUndone: (RunReport) -> Bool) -> String {
        sum { report.map(isUndone) == true ? 0 : count($0) }
    }

    /// One line.
    package static func json(of row: LedgerRow) -> String {
        let tree = row.report.flatMap { try? JSONTree.read(Array($0.utf8), file: "the ledger") }
        func part(_ key: String) -> String { tree?.root[key]?.minified ?? "{}" }
        return JSONText.object([
            ("run", String(row.run)), ("pipeline", JSONText.quoted(row.pipeline)),
            ("status", JSONText.quoted(row.status)), ("started", JSONText.quoted(row.started)),
            ("finished", row.finished.map(JSONText.quoted) ?? "null"),
            ("seconds", tree?.root["seconds"]?.minified ?? "null"),
            ("replay", tree?.root["replay"]?.minified ?? "false"),
            ("mended", tree?.root["mended"]?.minified ?? "false"),
            ("replayOf", row.replayOf.map(String.init) ?? "null"),
            ("definition", row.definition.map(JSONText.quoted) ?? "null"),
            ("version", row.version.map(JSONText.quoted) ?? "null"), ("sources", row.sources ?? "{}"),
            ("archive", row.archive ?? "null"), ("peakMemory", row.peakMemory.map(String.init) ?? "null"),
            ("exitStatus", tree?.root["exitStatus"]?.minified ?? "null"),
            ("error", tree?.root["error"]?.minified ?? "null"),
            ("entities", part("entities")), ("findings", part("findings")),
        ])
    }
}
