import SluiceRecords
import Synchronization

/// When requests may be made: one each interval, of all threads together, and none while the service asks for a pause.
final class Pace: Sendable {
    private struct State {
        /// The moment of the next request.
        var next = -Double.infinity
        /// The moment until which the service asks for no requests.
        var silence = -Double.infinity
    }

    private let interval: Double
    private let meter: WireMeter
    private let state = Mutex(State())

    init(interval: Double, _ meter: WireMeter) {
        self.interval = interval
        self.meter = meter
    }

    /// The service wants no request for some seconds.
    func keepSilent(_ seconds: Double) {
        state.withLock { $0.silence = max($0.silence, now + seconds) }
    }

    /// Waits until a request may be made; false: nobody wants it any more.
    ///
    /// - Parameter pause: waits some seconds; false: nobody wants the request any more.
    func wait(_ pause: (Double) -> Bool) -> Bool {
        while true {
            let (turn, isSilence) = reserve()
            let seconds = turn - now
            if seconds > 0, !meter.wait(seconds, isSilence ? .service : .rate, pause) { return false }
            // Meanwhile the service may have said that it wants no more.
            if state.withLock({ $0.silence }) <= now { return true }
        }
    }

    /// A moment that is nobody else's. Moments follow one another by the interval, however late those come who have
    /// them.
    private func reserve() -> (turn: Double, isSilence: Bool) {
        state.withLock { state in
            let earliest = max(state.next, now)
            let turn = max(earliest, state.silence)
            state.next = turn + interval
            return (turn, turn > earliest)
        }
    }
}
