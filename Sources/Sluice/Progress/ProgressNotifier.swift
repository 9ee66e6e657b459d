import SluiceDefinition
import SluiceRecords
import SluiceReport
import Synchronization

/// Notifies a program how far its run is: with each new phase, and now and then.
final class ProgressNotifier: Sendable {
    private struct State {
        var phase: RunProgress.Phase?
        var began = Timestamp.now
        var last: RunProgress?
    }

    private let meter: ProgressMeter
    private let body: @Sendable (RunProgress) -> Void
    private let state = Mutex(State())

    init(_ meter: ProgressMeter, _ body: @escaping @Sendable (RunProgress) -> Void) {
        self.meter = meter
        self.body = body
    }

    /// Notifies it while the work goes on, and once more when it is over.
    ///
    /// - Parameter seconds: between two times.
    func watch<Result>(every seconds: Double, _ work: () -> Result) -> Result {
        let ticker = Ticker(every: seconds) { [self] in notify() }
        meter.watchPhases { [self] in notify() }
        defer {
            meter.watchPhases {}
            ticker.stop()
            notify()
        }
        return work()
    }

    /// One at a time, and none twice.
    private func notify() {
        state.withLock { state in
            let now = Timestamp.now
            let reading = meter.reading
            if reading.phase != state.phase { (state.phase, state.began) = (reading.phase, now) }
            let text = ProgressText(reading: reading, seconds: now.secondsSince(state.began), memory: 0)
            let progress = RunProgress(reading, secondsLeft: text.secondsLeft)
            guard progress != state.last else { return }
            state.last = progress
            body(progress)
        }
    }
}
