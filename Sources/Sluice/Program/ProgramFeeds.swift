import SluiceRecords
import Synchronization

/// The feeds of a run that the program gives: begun when they are read, ended with the run.
final class ProgramFeeds: Sendable {
    private struct State {
        var stops: [@Sendable () -> Void] = []
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Begins to take what a feed gives.
    func start<Element>(_ produce: @escaping @Sendable (Handoff<Element>) async throws -> Void) -> Handoff<Element> {
        let handoff = Handoff<Element>()
        handoff.start(produce)
        whenStopped { handoff.stop() }
        return handoff
    }

    /// Adds a function that ends something else with them, such as a command that is read.
    func whenStopped(_ stop: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            state.stops.append(stop)
            return state.isStopped
        }
        if isStopped { stop() }
    }

    /// Ends all that have begun, and all that begin later.
    func stop() {
        let stops = state.withLock { state in
            state.isStopped = true
            defer { state.stops = [] }
            return state.stops
        }
        for stop in stops { stop() }
    }
}
