import Glibc
import SluiceDefinition
import SluiceRecords
import SluiceReport
import Synchronization

/// Shows where a run is: in one line of a terminal, or in lines of a log now and then.
package final class ProgressReporter: Sendable {
    /// When progress is shown.
    package enum Mode: String, CaseIterable, Sendable {
        /// A line on a terminal; elsewhere a line of the log each half a minute.
        case auto
        /// A line on a terminal; elsewhere a line of the log with each phase, and every five seconds.
        case always
        case never
    }

    private struct State {
        var phase: ProgressMeter.Phase?
        var phaseBegan = Timestamp.now
        var lastLine = Timestamp.now
    }

    private let meter: ProgressMeter
    private let log: Log
    private let isLine: Bool
    private let tellsPhases: Bool
    /// Between two lines of a log, in seconds.
    private let interval: Double
    private let state = Mutex(State())

    /// - Parameter isTerminal: whether the log goes to a terminal that understands how to clear a line.
    package init?(_ meter: ProgressMeter, _ log: Log, mode: Mode, isTerminal: Bool) {
        guard mode != .never else { return nil }
        self.meter = meter
        self.log = log
        isLine = isTerminal && log.format == .text
        tellsPhases = mode == .always
        interval = mode == .always ? 5 : 30
    }

    /// Shows progress until the body returns.
    package func watch<Result>(_ body: () -> Result) -> Result {
        let ticker = Ticker(every: 0.1) { [self] in tick() }
        meter.watchPhases { [self] in tick() }
        defer {
            meter.watchPhases {}
            ticker.stop()
            log.hideLine()
        }
        return body()
    }

    private func tick() {
        state.withLock { state in
            let now = Timestamp.now
            let reading = meter.reading
            let isNew = reading.phase != state.phase
            if isNew { (state.phase, state.phaseBegan) = (reading.phase, now) }
            let text = ProgressText(
                reading: reading, seconds: now.secondsSince(state.phaseBegan), memory: ProcessMemory.resident)
            guard reading.phase != .ended else { return }
            if isLine {
                // One less than the window has: a line that is broken cannot be cleared.
                log.show(line: text.line(columns: (log.columns ?? 80) - 1))
            } else if isNew && tellsPhases || now.secondsSince(state.lastLine) >= interval {
                state.lastLine = now
                write(text)
            }
        }
    }

    private func write(_ text: ProgressText) {
        let reading = text.reading
        log.write(
            .info, text.line,
            [
                "phase": .text(reading.phase.rawValue), "bytes": .integer(reading.bytes),
                "totalBytes": .integer(reading.totalBytes), "records": .integer(reading.records),
                "recordsPerSecond": .integer(text.recordsPerSecond ?? 0), "memory": .integer(text.memory),
                "secondsLeft": .integer(text.secondsLeft ?? 0), "findings": .integer(reading.findings),
            ], isTimed: true)
    }
}
