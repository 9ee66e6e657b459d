import SluiceDefinition
import SluiceRecords

/// Throughput and memory over the run, each as a plot.
struct CourseSection {
    let report: RunReport

    private static let width = 600.0
    private static let height = 120.0
    /// Steps that throughput is shown in, at the most: in shorter ones it jumps.
    private static let steps = 60

    private var samples: [RunCourse.Sample] { report.course.samples }
    private var end: Double { samples.last?.seconds ?? 0 }

    package var text: String {
        // In fewer, there is nothing to see.
        guard samples.count > 4, end > 0 else { return "" }
        let memory = samples.map { (seconds: $0.seconds, value: Double($0.bytes)) }
        let highest = samples.map(\.bytes).max() ?? 0
        let fastest = throughput.map(\.value).max() ?? 0
        return """
            <section>
            <h2>Course</h2>
            <div class="plots">
            \(plot("Records read a second", "at most \(grouped(Int(fastest)))", throughput, of: fastest, style: "speed"))
            \(plot("Memory", "at most \(megabytes(highest))", memory, of: Double(highest), style: "memory"))
            </div>
            \(waitingNote)
            </section>
            """
    }

    /// Records a second while feeds are read, in steps of about equal length: each is as high as the mean in it.
    private var throughput: [(seconds: Double, value: Double)] {
        let readEnd = report.course.readingEnded ?? end
        let read = samples.filter { $0.seconds <= readEnd }
        guard var last = read.first else { return [] }
        let count = Double(min(CourseSection.steps, max(read.count / 3, 1)))
        var points: [(seconds: Double, value: Double)] = []
        for sample in read.dropFirst() {
            let isDue = sample.seconds - last.seconds >= readEnd / count || sample == read.last
            guard isDue, sample.seconds > last.seconds else { continue }
            let value = Double(sample.records - last.records) / (sample.seconds - last.seconds)
            points += [(last.seconds, value), (sample.seconds, value)]
            last = sample
        }
        return points
    }

    private func plot(
        _ title: String, _ note: String, _ points: [(seconds: Double, value: Double)], of most: Double, style: String
    ) -> String {
        let line = points.map { point in "\(x(point.seconds)),\(y(point.value, most))" }
        let (width, height) = (Int(CourseSection.width), Int(CourseSection.height))
        let (left, right) = (x(points.first?.seconds ?? 0), x(points.last?.seconds ?? 0))
        let area = "\(left),\(height) " + line.joined(separator: " ") + " \(right),\(height)"
        return """
            <figure>
            <figcaption><b>\(title)</b> <span>\(note)</span></figcaption>
            <svg viewBox="0 0 \(width) \(height)" preserveAspectRatio="none" role="img" \
            aria-label="\(title): \(note)" class="\(style)">
            \(waiting)<polygon points="\(area)"/><polyline points="\(line.joined(separator: " "))"/>
            </svg>
            <p class="axis"><span>0 s</span><span>\(report.shown(end)) s</span></p>
            </figure>
            """
    }

    /// Where the feeds had been read, and what waited was resolved.
    private var waiting: String {
        guard let start = report.course.readingEnded, start < end else { return "" }
        let width = CourseSection.width - start / end * CourseSection.width
        return "<rect class=\"waiting\" x=\"\(x(start))\" y=\"0\" width=\"\(rounded(width))\" "
            + "height=\"\(Int(CourseSection.height))\"/>"
    }

    private var waitingNote: String {
        guard let start = report.course.readingEnded, (end - start) / end > 0.02 else { return "" }
        return "<p class=\"note\"><i class=\"waiting\"></i>From \(report.shown(start)) s on, the feeds have been read, "
            + "and what waited for its targets is resolved.</p>"
    }

    private func x(_ seconds: Double) -> Double { rounded(seconds / end * CourseSection.width) }

    private func y(_ value: Double, _ most: Double) -> Double {
        // A little room for the stroke of the highest point.
        let room = CourseSection.height - 4
        return rounded(CourseSection.height - (most > 0 ? value / most * room : 0))
    }

    private func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    private func megabytes(_ bytes: Int) -> String { "\(grouped(max(1, bytes >> 20))) MiB" }
}
