/// Where a run is, in words.
struct ProgressText {
    var reading: ProgressMeter.Reading
    /// Since the phase began.
    var seconds: Double
    /// Of the process, in bytes.
    var memory: Int

    /// Nothing is foretold before.
    private static let leastSeconds = 1.0

    /// One line, without colours or anything but ASCII.
    var line: String {
        let used = memory > 0 ? "memory \(ProgressText.megabytes(memory))" : nil
        let parts = [amount, records, rate, used, left, findings]
        return "\(reading.phase.name): " + parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// Records a second, while feeds are read.
    var recordsPerSecond: Int? {
        guard reading.phase == .reading, seconds > 0 else { return nil }
        return Int(Double(reading.records) / seconds)
    }

    /// Until the feeds have been read, if all goes on as so far.
    var secondsLeft: Int? {
        guard reading.phase == .reading, reading.bytes > 0, seconds >= ProgressText.leastSeconds,
            reading.totalBytes >= reading.bytes
        else { return nil }
        return Int((seconds * Double(reading.totalBytes - reading.bytes) / Double(reading.bytes)).rounded(.up))
    }

    private var amount: String? {
        guard reading.phase == .reading else { return nil }
        let done = ProgressText.megabytes(reading.bytes)
        guard reading.totalBytes > 0 else { return done }
        let percent = min(100, Int(Double(reading.bytes) * 100 / Double(reading.totalBytes)))
        return "\(done) of \(ProgressText.megabytes(reading.totalBytes)) (\(percent) %)"
    }

    private var records: String? {
        reading.phase == .reading || reading.records > 0 ? "\(grouped(reading.records)) records" : nil
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
