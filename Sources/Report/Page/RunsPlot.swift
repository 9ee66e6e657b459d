import SluiceRecords

/// A number of each run, as a bar each that leads to the run in the list.
struct RunsPlot {
    let title: String
    /// The highest.
    let most: Double
    private let bars: [Bar]

    private struct Bar {
        var run: Int
        var started: String
        var value: Double?
        var style: String
    }

    private static let height = 60.0
    /// What is not nothing can be seen.
    private static let least = 3.0

    /// - Parameter value: nil where the run has none.
    init(
        title: String, _ runs: [RunsPage.Run], isUnusual: (RunsPage.Run) -> Bool = { _ in false },
        _ value: (RunsPage.Run) -> Double?
    ) {
        self.title = title
        bars = runs.map { run in
            let style = isUnusual(run) ? "odd" : run.isBad ? "failed" : ""
            return Bar(run: run.line.row.run, started: run.line.row.started, value: value(run), style: style)
        }
        most = bars.compactMap(\.value).max() ?? 0
    }

    package var text: String {
        let last = bars.last { $0.value != nil }?.value
        return """
            <figure>
            <figcaption><b>\(title)</b> <span>\(last.map { "last \(shown($0)), " } ?? "")at most \(shown(most))</span></figcaption>
            <svg viewBox="0 0 \(bars.count * 10) \(Int(RunsPlot.height))" preserveAspectRatio="none" role="img" \
            aria-label="\(title) of \(bars.count) runs">
            \(bars.enumerated().map { text(of: $0.element, at: $0.offset * 10) }.joined(separator: "\n"))
            </svg>
            </figure>
            """
    }

    /// The whole column can be clicked, however low its bar is.
    private func text(of bar: Bar, at left: Int) -> String {
        let value = bar.value ?? 0
        let height = value > 0 && most > 0 ? max(RunsPlot.least, value / most * RunsPlot.height) : 0
        let top = ((RunsPlot.height - height) * 10).rounded() / 10
        let name =
            "run \(bar.run), \(HTMLText.escaped(bar.started)): \(bar.value.map { "\(shown($0)) \(title)" } ?? "none")"
        let column = "<rect class=\"column\" x=\"\(left)\" width=\"10\" height=\"\(Int(RunsPlot.height))\"/>"
        let rest = ((height) * 10).rounded() / 10
        let shape =
            height > 0
            ? "<rect class=\"value \(bar.style)\" x=\"\(left + 1)\" y=\"\(top)\" width=\"8\" height=\"\(rest)\"/>" : ""
        return "<a href=\"#run-\(bar.run)\"><title>\(name)</title>\(column)\(shape)</a>"
    }

    /// Whole numbers as such, others with two digits.
    private func shown(_ value: Double) -> String {
        if value == value.rounded() || value >= 100 { return grouped(Int(bounded: value.rounded())) }
        return "\((value * 100).rounded() / 100)"
    }
}
