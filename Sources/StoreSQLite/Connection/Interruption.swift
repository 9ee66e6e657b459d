import CSluiceSQLite
import Glibc
import SluiceRecords

/// What ends a connection's statements early, and its waiting for other programs.
@safe
final class Interruption {
    /// Instructions of SQLite's virtual machine between two looks: some thousandths of a second.
    private static let stride: Int32 = 100_000
    /// Between two attempts to get a lock, in milliseconds.
    private static let pause: Int32 = 20

    private var isCancelled: @Sendable () -> Bool
    /// How long another program's lock is waited for, in milliseconds.
    var patience: Int32

    /// When a statement that may not take long is given up.
    private var deadline: ContinuousClock.Instant?

    init(patience: Int32, isCancelled: @escaping @Sendable () -> Bool) {
        self.patience = patience
        self.isCancelled = isCancelled
    }

    /// Makes a connection listen to it. It must live as long as the connection.
    func attach(to handle: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_progress_handler(
            handle, Interruption.stride,
            { context in
                let interruption = unsafe Interruption.from(context)
                return interruption.isCancelled() || interruption.isGivenUp ? 1 : 0
            }, context)
        _ = unsafe sqlite3_busy_handler(
            handle, { context, count in unsafe Interruption.from(context).waits(count) ? 1 : 0 }, context)
    }

    var isRequested: Bool { isCancelled() }

    /// Ends statements that take longer than this, in seconds; nil: statements may take any time.
    func giveUp(after seconds: Double?) { deadline = seconds.map { .now + .seconds($0) } }

    /// Whether the statement has taken longer than it may.
    var isGivenUp: Bool { deadline.map { $0 < .now } ?? false }

    /// From now on statements run to their end: those that undo the run.
    func disarm() {
        guard isCancelled() else { return }
        isCancelled = { false }
        // A user that has ended the run does not wait long for other programs.
        patience = min(patience, 500)
    }

    private func waits(_ count: Int32) -> Bool {
        guard count < patience / Interruption.pause, !isCancelled() else { return false }
        usleep(UInt32(Interruption.pause) * 1000)
        return true
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Interruption {
        guard let context = unsafe context else { preconditionFailure("SQLite lost the context of its callbacks") }
        return unsafe Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue()
    }
}
