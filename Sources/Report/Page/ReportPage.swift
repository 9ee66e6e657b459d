import SluiceDefinition
import SluiceRecords

/// The report as one page that needs nothing else: no network, and no script to read it.
struct ReportPage {
    let report: RunReport
    /// Nil: it is not known what the run has changed.
    var changes: NightChanges?
    /// Nil: the entities are not known.
    var diagram: ModelDiagram?

    package var text: String {
        HTMLText.page(
            title: "\(report.task.pipeline): \(report.outcome.status.rawValue)", style: PageStyle.text, parts,
            script: PageScript.self)
    }

    private var parts: [String] {
        [
            header, attention, EntitySection(report: report).text, CheckSection(report: report).text,
            CourseSection(report: report).text,
            changes.map { ChangeSection(changes: $0).text } ?? "", FindingSection(report: report).text, model, sources,
            footer,
        ]
    }

    private var header: String {
        let outcome = [.succeeded, .unchanged].contains(report.outcome.status) ? "good" : "bad"
        let facts = [
            report.run.map { "Run \(grouped($0))" }, report.exitInWords, "\(report.shown(report.time.seconds)) s",
            speed,
            "commit: \(report.task.commit.rawValue)",
        ].compactMap { $0 }
        let notes = report.notes.map { HTMLText.element("span", "", HTMLText.escaped($0)) }
        return """
            <header>
            <p class="tool">sluice</p>
            <h1>\(HTMLText.escaped(report.task.pipeline))</h1>
            <p class="outcome \(outcome)">\(HTMLText.escaped(report.outcomeInWords))</p>
            <p class="facts">\(facts.map { HTMLText.element("span", "", HTMLText.escaped($0)) }.joined(separator: " "))</p>
            <p class="facts"><span><time>\(report.time.started.text)</time> to <time>\(report.time.finished.text)</time></span> \
            <span class="path">\(HTMLText.escaped(report.task.store))</span></p>\
            \(notes.isEmpty ? "" : "\n<p class=\"facts\">\(notes.joined(separator: "<br>"))</p>")
            </header>
            """
    }

    private var speed: String? {
        let records = report.entities.reduce(0) { $0 + $1.counts.records }
        guard records > 0 else { return nil }
        let rate = Int(bounded: Double(records) / report.time.seconds)
        let each = report.time.seconds >= 0.05 ? ", \(grouped(rate)) a second" : ""
        return "\(grouped(records)) \(records == 1 ? "record" : "records")\(each)"
    }

    /// Why the run failed.
    private var attention: String {
        guard !report.sentences.isEmpty else { return "" }
        let items = report.sentences.map { HTMLText.element("p", "", HTMLText.escaped($0)) }
        return HTMLText.element("section", "attention", items.joined())
    }

    private var model: String {
        guard let diagram, !diagram.boxes.isEmpty else { return "" }
        let drawing = SVGDiagram(diagram: diagram, isShort: true, isOnPage: true).text
        return "<section>\n<h2>Model</h2>\n<div class=\"drawing\" tabindex=\"0\">\n\(drawing)</div>\n</section>"
    }

    private var sources: String {
        guard !report.sources.isEmpty else { return "" }
        let items = report.sources.map { source in
            """
            <dt>\(HTMLText.escaped(source.name))</dt>
            <dd><span class="path">\(HTMLText.escaped(source.location))</span><br>\
            \(grouped(Int(source.bytes))) bytes, \(grouped(Int(source.values))) \
            \(source.values == 1 ? "value" : "values")<br>\
            <span class="digest">SHA-256 \(HTMLText.escaped(source.sha256))</span></dd>
            """
        }
        let list = items.joined(separator: "\n")
        return "<section>\n<h2>Sources</h2>\n<dl class=\"sources\">\n\(list)\n</dl>\n</section>"
    }

    private var footer: String { "<footer>Written by sluice \(version).</footer>" }
}

extension RunReport {
    /// The report as a page of HTML that needs nothing else.
    package var page: String { page(with: nil) }

    /// As before, with what the run has changed, and with the entities; nil: that is not known.
    package func page(with changes: NightChanges?, diagram: ModelDiagram? = nil) -> String {
        ReportPage(report: self, changes: changes, diagram: diagram).text
    }
}
