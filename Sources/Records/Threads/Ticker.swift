/// Does something again and again, on a thread of its own, until it is stopped.
///
/// It is for what only watches: where no thread can be started, nothing is done, and nothing else fails for it.
///
/// What changes is guarded by `monitor`.
public final class Ticker: @unchecked Sendable {
    private let monitor = Monitor()
    private var isStopped = false
    private var isBusy = false

    /// - Parameter seconds: between two times, and before the first.
    public init(every seconds: Double, _ body: @escaping @Sendable () -> Void) {
        try? WorkerThread.start("watches") { self.run(seconds, body) }
    }

    private func run(_ seconds: Double, _ body: () -> Void) {
        while waits(until: Monitor.now + seconds) {
            body()
            monitor.withLock {
                isBusy = false
                monitor.wake()
            }
        }
    }

    /// Waits for the next time; false: there is none.
    private func waits(until moment: Double) -> Bool {
        monitor.withLock {
            while !isStopped, Monitor.now < moment { monitor.wait(until: moment) }
            isBusy = !isStopped
            return isBusy
        }
    }

    /// Ends it: when this returns, nothing is done any more.
    public func stop() {
        monitor.withLock {
            isStopped = true
            monitor.wake()
            while isBusy { monitor.wait() }
        }
    }
}
