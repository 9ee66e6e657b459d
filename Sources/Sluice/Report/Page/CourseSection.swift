/// Throughput and memory over the run, each as a plot.
struct CourseSection {
    let report: RunReport

    private static let width = 600.0
    private static let height = 120.0
    /// Steps that throughput is shown in, at the most: in shorter ones it jumps.
    private static let steps = 60

    private var samples: [RunCourse.Sample] { report.course.samples }
    private var end: Double { samples.last?.seconds ?? 0 }

    var text: String {
        // Two batches and the second pass: below that, there is nothing to see.
        guard samples.count > 3, end > 0 else { return "" }
        let memory = samples.map { (seconds: $0.seconds, value: Double($0.bytes)) }
        let highest = samples.map(\.bytes).max() ?? 0
        let fastest = throughput.map(\.value).max() ?? 0
        return """
            <section>
            <h2>Course</h2>
            <div class="plots">
            \(plot("Records a second", "at most \(grouped(Int(fastest)))", throughput, of: fastest, style: "speed"))
            \(plot("Memory", "at most \(megabytes(highest))", memory, of: Double(highest), style: "memory"))
            </div>
            </section>
            """
    }

    /// Records a second, in steps of equal length: each point is the end of one.
    private var throughput: [(seconds: Double, value: Double)] {
        let count = min(CourseSection.steps, samples.count - 1)
        var points: [(seconds: Double, value: Double)] = []
        var last = samples[0]
        for sample in samples.dropFirst() {
            let isDue = sample.seconds >= end * Double(points.count + 1) / Double(count) || sample == samples.last
            guard isDue, sample.seconds > last.seconds else { continue }
            let value = Double(sample.records - last.records) / (sample.seconds - last.seconds)
            if points.isEmpty { points.append((0, value)) }
            points.append((sample.seconds, value))
            last = sample
        }
        return points
    }

    private func plot(
        _ title: String, _ note: String, _ points: [(seconds: Double, value: Double)], of most: Double, style: String
    ) -> String {
        let line = points.map { point in "\(x(point.seconds)),\(y(point.value, most))" }
        let (width, height) = (Int(CourseSection.width), Int(CourseSection.height))
        let area = "0,\(height) " + line.joined(separator: " ") + " \(x(points.last?.seconds ?? 0)),\(height)"
        return """
            <figure>
            <figcaption><b>\(title)</b> <span>\(note)</span></figcaption>
            <svg viewBox="0 0 \(width) \(height)" preserveAspectRatio="none" role="img" \
            aria-label="\(title): \(note)" class="\(style)">
            \(waiting)<polygon points="\(area)"/><polyline points="\(line.joined(separator: " "))"/>
            </svg>
            <p class="axis"><span>0 s</span>\(waitingNote)<span>\(report.shown(end)) s</span></p>
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
        return "<span><i class=\"waiting\"></i>feeds read after \(report.shown(start)) s; then what waited</span>"
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
