import SluiceExtract
import SluiceLoad
import SluiceRecords

/// The runs that the ledger of a store knows.
package struct RunHistory {
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

    /// The runs as a table, the newest first.
    package func text(rows most: Int?, width: Int) throws(Failure) -> String {
        var runs: [RunLine] = []
        try ledger.rows(of: pipeline) { row in
            runs.append(RunLine(row))
            return runs.count < most ?? .max
        }
        guard !runs.isEmpty else { return "There are no runs yet in \(store.printable).\n" }
        let shown = RunLine.shownColumns(runs, isOfAll: pipeline == nil)
        var table = TextTable(header: shown.map(\.title))
        table.width = width
        table.alignments = shown.map(\.alignment)
        table.rows = runs.map { run in shown.map { $0.text(run) } }
        return table.text
    }

    /// The runs as a page of HTML that needs nothing else.
    package func page(rows most: Int?) throws(Failure) -> String {
        var runs: [RunLine] = []
        try ledger.rows(of: pipeline) { row in
            runs.append(RunLine(row))
            return runs.count < most ?? RunHistory.mostOfPage
        }
        return RunsPage(pipeline: pipeline, store: store, runs).text
    }

    /// More are no plot any more.
    private static let mostOfPage = 200

    /// The runs as a JSON array, the newest first, in pieces.
    package func json(rows most: Int?, write: (String) throws(Failure) -> Void) throws(Failure) {
        var count = 0
        try ledger.rows(of: pipeline) { row throws(Failure) in
            try write((count == 0 ? "[\n  " : ",\n  ") + RunLine(row).json)
            count += 1
            return count < most ?? .max
        }
        try write(count == 0 ? "[]\n" : "\n]\n")
    }

    /// The report of a run, as it was.
    package func report(run: Int) throws(Failure) -> RunReport {
        let text = try reportText(run)
        guard let report = RunReport(json: text.report, sources: text.row.sources.flatMap(LedgerSources.init(json:)))
        else { throw Failure(.io, "the store \(store) is damaged: the report of run \(run) cannot be read") }
        return report
    }

    /// The report of a run, as JSON.
    package func reportJSON(run: Int) throws(Failure) -> String { try reportText(run).report }

    private func reportText(_ run: Int) throws(Failure) -> (row: LedgerRow, report: String) {
        guard let row = try ledger.row(run) else {
            throw Failure(.missing, "the store \(store) knows no run \(run)")
        }
        guard let report = row.report else {
            let state = row.status == "died" ? "it died" : "it has not ended"
            throw Failure(.missing, "run \(run), started \(row.started), has no report: \(state)")
        }
        return (row, report)
    }
}

/// A run in a list.
struct RunLine {
    let row: LedgerRow
    let report: RunReport?

    init(_ row: LedgerRow) {
        self.row = row
        report = row.report.flatMap { RunReport(json: $0, sources: nil) }
    }

    struct Column: Sendable {
        var title: String
        var alignment = TextTable.Alignment.right
        /// Whether it is shown even where it says nothing.
        var always = true
        var text: @Sendable (RunLine) -> String
    }

    static let columns = [
        Column(title: "Run") { String($0.row.run) },
        Column(title: "Pipeline", alignment: .left) { $0.row.pipeline.printable },
        Column(title: "Started (UTC)", alignment: .left) { Timestamp.minutes(of: $0.row.started).printable },
        Column(title: "Seconds") { line in line.report.map { $0.shown($0.time.seconds) } ?? "" },
        Column(title: "Status", alignment: .left) { $0.row.status.printable },
        Column(title: "Records") { $0.sum(\.records) },
        Column(title: "Created") { $0.done(\.created) },
        Column(title: "Updated") { $0.done(\.updated) },
        Column(title: "Deleted", always: false) { $0.done(\.deleted) },
        Column(title: "Rejected", always: false) { $0.sum(\.rejected) },
        Column(title: "Replay of", always: false) { $0.row.replayOf.map(String.init) ?? "" },
    ]

    /// The columns that say something.
    ///
    /// - Parameter isOfAll: whether the runs are of several pipelines.
    static func shownColumns(_ runs: [RunLine], isOfAll: Bool) -> [Column] {
        columns.filter { column in
            let says = column.always || runs.contains { !["", "0"].contains(column.text($0)) }
            return says && (isOfAll || column.title != "Pipeline")
        }
    }

    private func sum(_ count: (EntityCounts) -> Int) -> String {
        guard let report, !report.entities.isEmpty else { return "" }
        return grouped(report.entities.reduce(0) { $0 + count($1.counts) })
    }

    /// Of a run of which nothing is stored, 0.
    private func done(_ count: (EntityCounts) -> Int) -> String {
        sum { report?.isUndone == true ? 0 : count($0) }
    }

    /// One line.
    var json: String {
        let tree = row.report.flatMap { try? JSONTree.read(Array($0.utf8), file: "the ledger") }
        func part(_ key: String) -> String { tree?.root[key]?.minified ?? "{}" }
        return JSONText.object([
            ("run", String(row.run)), ("pipeline", JSONText.quoted(row.pipeline)),
            ("status", JSONText.quoted(row.status)), ("started", JSONText.quoted(row.started)),
            ("finished", row.finished.map(JSONText.quoted) ?? "null"),
            ("seconds", tree?.root["seconds"]?.minified ?? "null"),
            ("replayOf", row.replayOf.map(String.init) ?? "null"),
            ("definition", row.definition.map(JSONText.quoted) ?? "null"),
            ("version", row.version.map(JSONText.quoted) ?? "null"), ("sources", row.sources ?? "{}"),
            ("archive", row.archive ?? "null"), ("peakMemory", row.peakMemory.map(String.init) ?? "null"),
            ("error", tree?.root["error"]?.minified ?? "null"),
            ("entities", part("entities")), ("findings", part("findings")),
        ])
    }
}
