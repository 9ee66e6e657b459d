import SluiceDefinition
import SluiceRecords

/// Where a run is, in words.
struct ProgressText {
    var reading: ProgressMeter.Reading
    /// Since the phase began.
    var seconds: Double
    /// Of the process, in bytes.
    var memory: Int
    /// As `Monitor.now` tells it.
    var now = Monitor.now

    /// The seconds of a phase before which no remaining time is estimated.
    private static let leastSeconds = 1.0

    /// One line, without colours or anything but ASCII: what people look for first, and memory last.
    var line: String { "\(reading.phase.rawValue): " + parts.joined(separator: ", ") }

    /// The line for a terminal of so many columns: with a bar, and with as many parts as fit.
    func line(columns: Int) -> String {
        var parts = parts
        var line = "\(reading.phase.rawValue):"
        if let share {
            let cells = columns < 80 ? 10 : 20
            let done = Int(share * Double(cells))
            line =
                reading.phase.rawValue + " [" + String(repeating: "#", count: done)
                + String(repeating: "-", count: cells - done) + "]"
        }
        if !parts.isEmpty { line += " " + parts.removeFirst() }
        for part in parts {
            guard line.count + 2 + part.count <= columns else { break }
            line += ", " + part
        }
        return String(line.prefix(columns))
    }

    private var parts: [String] {
        let used = memory > 0 ? "memory \(ProgressText.megabytes(memory))" : nil
        return [wait, percent, left, records, rate, findings, amount, used].compactMap { $0 }
    }

    /// Records a second, while feeds are read.
    var recordsPerSecond: Int? {
        guard reading.phase == .reading, seconds > 0 else { return nil }
        return Int(bounded: Double(reading.records) / seconds)
    }

    /// Until the feeds have been read, if all goes on as so far.
    var secondsLeft: Int? {
        guard reading.phase == .reading, reading.bytes > 0, seconds >= ProgressText.leastSeconds,
            reading.totalBytes >= reading.bytes
        else { return nil }
        return Int(bounded: (seconds * Double(reading.totalBytes - reading.bytes) / Double(reading.bytes)).rounded(.up))
    }

    /// The part of the feeds that has been read; nil: not known.
    private var share: Double? {
        guard reading.phase == .reading, reading.totalBytes > 0 else { return nil }
        return min(1, Double(reading.bytes) / Double(reading.totalBytes))
    }

    /// What a request to a service waits for.
    private var wait: String? {
        guard let wait = reading.wait else { return nil }
        return "next request in \(max(0, Int(bounded: (wait.end - now).rounded(.up)))) s (\(wait.reason.rawValue))"
    }

    private var percent: String? { share.map { "\(Int($0 * 100)) %" } }

    private var amount: String? {
        guard reading.phase == .reading else { return nil }
        let done = ProgressText.megabytes(reading.bytes)
        return reading.totalBytes > 0 ? "\(done) of \(ProgressText.megabytes(reading.totalBytes))" : done
    }

    private var records: String? {
        reading.phase == .reading || reading.records > 0
            ? "\(grouped(reading.records)) \(reading.records == 1 ? "record" : "records")" : nil
    }

    private var rate: String? { recordsPerSecond.map { "\(grouped($0)) a second" } }

    private var left: String? { secondsLeft.map { "\(ProgressText.clock($0)) left" } }

    private var findings: String? {
        reading.findings == 0 ? nil : reading.findings == 1 ? "1 finding" : "\(grouped(reading.findings)) findings"
    }

    /// Megabytes (of a million bytes) with one digit after the point.
    static func megabytes(_ bytes: Int) -> String {
        let tenths = (bytes + 50_000) / 100_000
        return "\(grouped(tenths / 10)).\(tenths % 10) MB"
    }

    /// `0:07`, `12:34` or `1:02:03`.
    static func clock(_ seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let rest = padded(seconds % 60)
        return hours > 0 ? "\(hours):\(padded(minutes)):\(rest)" : "\(minutes):\(rest)"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
