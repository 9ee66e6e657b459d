import SluiceRecords

/// What the store was asked before the run was saved: each question with its answer, and what it was in runs before.
struct CheckSection {
    let report: RunReport

    private static let (width, height, least) = (8, 24.0, 2.0)

    package var text: String {
        guard !report.checks.isEmpty else { return "" }
        return "<section>\n<h2>Checks</h2>\n\(report.checks.map(text).joined(separator: "\n"))\n</section>"
    }

    private func text(_ check: RunReport.CheckFacts) -> String {
        let style = check.isExceeded || check.found == nil ? (check.isWarning ? "conflict" : "rejected") : "created"
        let entity = check.entity.map { " of \(HTMLText.escaped($0))" } ?? ""
        return """
            <article class="check">
            <h3>\(HTMLText.escaped(check.name)) <span class="number">\(check.answer)\(entity)</span></h3>
            \(trend(check))
            <ul class="legend"><li><i class="\(style)"></i>\(HTMLText.escaped(check.rule))</li></ul>
            <details><summary>the query, \(report.shown(check.seconds)) s</summary>\
            <pre>\(HTMLText.escaped(check.sql))</pre></details>
            </article>
            """
    }

    /// A bar for each run before, and for this one.
    private func trend(_ check: RunReport.CheckFacts) -> String {
        let all =
            check.earlier.map { (name: "run \($0.run)", found: $0.found) }
            + (check.found.map { [(name: "this run", found: $0)] } ?? [])
        guard all.count > 1 else { return "" }
        let most = Double(all.map(\.found).max() ?? 0)
        let bars = all.enumerated().map { index, run in
            let height = run.found == 0 ? 0 : max(CheckSection.least, Double(run.found) / most * CheckSection.height)
            let shape = "x=\"\(index * CheckSection.width)\" width=\"\(CheckSection.width - 1)\""
            let top = ((CheckSection.height - height) * 10).rounded() / 10
            return "<rect \(shape) y=\"\(top)\" height=\"\((height * 10).rounded() / 10)\">"
                + "<title>\(run.name): \(grouped(run.found))</title></rect>"
        }
        let size = "width=\"\(all.count * CheckSection.width)\" height=\"\(Int(CheckSection.height))\""
        return "<svg class=\"trend\" \(size) role=\"img\" "
            + "aria-label=\"Rows in \(all.count) runs, the last one last: \(all.map { String($0.found) }.joined(separator: ", "))\">"
            + bars.joined() + "</svg>"
    }
}
