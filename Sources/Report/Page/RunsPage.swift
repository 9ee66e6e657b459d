import SluiceDefinition
import SluiceRecords

/// The ledger as a page: what became of each run, by entity, as small plots.
struct RunsPage {
    /// Nil: the runs are those of all pipelines.
    let pipeline: String?
    let store: String
    let runs: [Run]

    /// A run, with what was unusual about it.
    struct Run {
        var line: RunLine
        /// By entity: how many records it usually has.
        var unusual: [(entity: String, records: Int, usual: Int)] = []

        var report: RunReport? { line.report }
        var isBad: Bool { !["succeeded", "unchanged", "running", "forgot"].contains(line.row.status) }

        func facts(_ entity: EntityName) -> RunReport.EntityFacts? {
            guard line.row.pipeline.isIdentical(to: entity.pipeline.string) else { return nil }
            return report?.entities.first { $0.name.isIdentical(to: entity.name.string) }
        }
    }

    struct EntityName: Hashable {
        var pipeline: ExactText
        package var name: ExactText
    }

    /// - Parameter lines: the newest first.
    init(pipeline: String?, store: String, _ lines: [RunLine]) {
        self.pipeline = pipeline
        self.store = store
        var counts: [ExactText: UnusualCounts] = [:]
        runs = lines.reversed().map { line in
            var run = Run(line: line)
            // What a replay of a few rejects read says nothing of a night, nor has it what is usual in one.
            guard let report = line.report, !report.entities.isEmpty, !report.task.replaysRejects else { return run }
            run.unusual = report.entities.compactMap { entity in
                counts[ExactText(line.row.pipeline)]?.usual(entity).map { (entity.name, entity.counts.records, $0) }
            }
            if report.outcome.status == .succeeded, !report.task.isReplay {
                counts[ExactText(line.row.pipeline), default: UnusualCounts()].add(report.entities)
            }
            return run
        }
    }

    package var text: String {
        HTMLText.page(
            title: "\(title): runs", style: PageStyle.text + "\n" + RunsStyle.text,
            [header, attention, processes] + entities.map(section) + [
                table, "<footer>Written by sluice \(version).</footer>",
            ])
    }

    private var title: String { pipeline ?? "All pipelines" }

    private var header: String {
        let failed = runs.count { $0.isBad }
        let facts = [
            "\(grouped(runs.count)) \(runs.count == 1 ? "run" : "runs")",
            failed > 0 ? "\(grouped(failed)) failed" : nil,
        ].compactMap { $0 }
        let (first, last) = (runs.first?.line.row.started ?? "", runs.last?.line.row.started ?? "")
        return """
            <header>
            <p class="tool">sluice</p>
            <h1>\(HTMLText.escaped(title))</h1>
            <p class="facts">\(facts.map { HTMLText.element("span", "", $0) }.joined(separator: " ")) \
            <span><time>\(HTMLText.escaped(first))</time> to <time>\(HTMLText.escaped(last))</time></span></p>
            <p class="facts"><span class="path">\(HTMLText.escaped(store))</span></p>
            </header>
            """
    }

    /// What is unusual about the newest run, or why it failed.
    private var attention: String {
        guard let run = runs.last else { return "<p>There are no runs yet.</p>" }
        let reasons = (run.report?.reasons ?? []) + run.unusual.map(RunsPage.sentence)
        guard !reasons.isEmpty else { return "" }
        let items = reasons.map { HTMLText.element("p", "", HTMLText.escaped("Run \(run.line.row.run): \($0)")) }
        return HTMLText.element("section", "attention", items.joined())
    }

    static func sentence(_ entity: String, _ records: Int, _ usual: Int) -> String {
        "\(entity) has \(grouped(records)) \(records == 1 ? "record" : "records"); usual are \(grouped(usual))"
    }

    // MARK: Plots

    private var processes: String {
        let plots = [
            RunsPlot(title: "seconds", runs) { $0.report.map(\.time.seconds) },
            RunsPlot(title: "memory, MiB", runs) { $0.line.row.peakMemory.map { Double($0 >> 20) } },
        ]
        let note = """
            <p class="note">Each bar is a run, and leads to it in the list below. <i class="conflict"></i>half as many \
            records as usual or less, or twice as many or more; <i class="rejected"></i>a run that failed.</p>
            """
        return section("Runs", plots, note)
    }

    /// In the order in which they first came.
    private var entities: [EntityName] {
        var seen: Set<EntityName> = []
        return runs.flatMap { run in
            (run.report?.entities ?? []).map {
                EntityName(pipeline: ExactText(run.line.row.pipeline), name: ExactText($0.name))
            }
        }.filter { seen.insert($0).inserted }
    }

    private func section(_ entity: EntityName) -> String {
        let unresolved = { (counts: EntityCounts) in counts.relationships.reduce(0) { $0 + $1.unresolved } }
        let plots = [
            RunsPlot(
                title: "records", runs,
                isUnusual: { run in
                    run.facts(entity) != nil && run.unusual.contains { $0.entity.isIdentical(to: entity.name.string) }
                },
                { run in run.facts(entity).map { Double($0.counts.records) } }),
            plot("created", entity, unless: \.isUndone, \.created),
            plot("updated", entity, unless: \.isUndone, \.updated),
            plot("deleted", entity, unless: \.deletesNothing, \.deleted), plot("rejected", entity, \.rejected),
            plot("unresolved", entity, unresolved),
        ]
        let name = pipeline == nil ? "\(entity.pipeline): \(entity.name)" : entity.name.string
        // A plot of nothing but zeros says nothing.
        return section(HTMLText.escaped(name), plots.filter { $0.title == "records" || $0.most > 0 })
    }

    /// - Parameter isUndone: whether a run has not done what is counted.
    private func plot(
        _ title: String, _ entity: EntityName, unless isUndone: (RunReport) -> Bool = { _ in false },
        _ count: (EntityCounts) -> Int
    ) -> RunsPlot {
        RunsPlot(title: title, runs) { run in
            if let report = run.report, isUndone(report) { return nil }
            return run.facts(entity).map { Double(count($0.counts)) }
        }
    }

    private func section(_ title: String, _ plots: [RunsPlot], _ note: String = "") -> String {
        """
        <section>
        <h2>\(title)</h2>
        <div class="small">
        \(plots.map(\.text).joined(separator: "\n"))
        </div>
        \(note)
        </section>
        """
    }

    // MARK: The list

    private var table: String {
        let columns = RunLine.shownColumns(runs.map(\.line), isOfAll: pipeline == nil).filter { $0.title != "Run" }
        let heads =
            ["<th scope=\"col\" class=\"left\">Run</th>"]
            + columns.map { "<th scope=\"col\" class=\"\(style(of: $0))\">\($0.title)</th>" }
            + ["Unresolved", "MiB"].map { "<th scope=\"col\">\($0)</th>" }
        let rows = runs.reversed().map { row(of: $0, columns) }
        return """
            <section>
            <h2>List</h2>
            <div class="wide"><table class="runs">
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table></div>
            </section>
            """
    }

    private func style(of column: RunLine.Column) -> String {
        column.title == "Status" ? "left status" : column.alignment == .left ? "left" : ""
    }

    private func row(of run: Run, _ columns: [RunLine.Column]) -> String {
        let number = run.line.row.run
        let unresolved = run.report?.entities.reduce(0) { sum, entity in
            sum + entity.counts.relationships.reduce(0) { $0 + $1.unresolved }
        }
        let last = [unresolved.map(grouped) ?? "", run.line.row.peakMemory.map { grouped($0 >> 20) } ?? ""]
        let cells =
            columns.map { "<td class=\"\(style(of: $0))\">\(HTMLText.escaped($0.text(run.line)))</td>" }
            + last.map { "<td>\($0)</td>" }
        let notes = (run.report?.shortReasons ?? []) + run.unusual.map(RunsPage.sentence)
        let state = run.isBad ? "bad" : run.unusual.isEmpty ? "" : "unusual"
        let row =
            "<tr id=\"run-\(number)\" class=\"\(state)\"><th scope=\"row\" class=\"left\">\(number)</th>"
            + cells.joined() + "</tr>"
        guard !notes.isEmpty else { return row }
        let note = HTMLText.escaped(notes.joined(separator: "; "))
        return row + "<tr class=\"note\"><td></td><td colspan=\"\(cells.count)\">\(note)</td></tr>"
    }
}
