import SluiceDefinition
import SluiceRecords
import SluiceReport
import Synchronization

/// Watches a run: takes samples of its records and its memory, some ten times a second, on a thread of its own.
final class RunMonitor: Sendable {
    private static let interval = 0.02

    private let course = Mutex(RunCourse())
    private let records = Atomic(0)
    private let begin = Timestamp.now

    /// Watches until the body returns.
    func watch<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        offer()
        let ticker = Ticker(every: RunMonitor.interval) { [self] in offer() }
        defer {
            ticker.stop()
            appendSample()
        }
        return try body()
    }

    /// What was seen.
    var result: RunCourse { course.withLock { $0 } }

    /// Notes that a batch has been loaded.
    func add(records count: Int) { records.add(count, ordering: .relaxed) }

    /// Notes that all feeds have been read.
    func endReading() {
        appendSample()
        course.withLock { $0.readingEnded = $0.samples.last?.seconds }
    }

    private func offer() {
        let sample = sample()
        course.withLock { $0.offer(sample) }
    }

    private func appendSample() {
        let sample = sample()
        course.withLock { $0.append(sample) }
    }

    private func sample() -> RunCourse.Sample {
        RunCourse.Sample(
            seconds: Timestamp.now.secondsSince(begin), records: records.load(ordering: .relaxed),
            bytes: ProcessMemory.resident)
    }
}
