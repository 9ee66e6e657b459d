import Glibc
import SluiceRecords
import Synchronization

/// A request that a run end early: made once, by a signal or the program, and checked between batches.
///
///     let cancellation = Cancellation()
///     try SignalWatch.start(cancellation)
///     options.control.cancellation = cancellation
package final class Cancellation: Sendable {
    private let number = Atomic<Int32>(0)
    private let leftovers = Mutex<[String]>([])
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// Of a run that is to go on.
    package init() {}

    /// Stands for the program itself, where a signal's number would be.
    private static let program: Int32 = -1

    /// Asks the run to end, in the name of the program that has started it.
    package func request() { request(signal: Cancellation.program) }

    /// Asks the run to end. Only the first request counts.
    ///
    /// - Parameter signal: the number of the signal that asks for it.
    package func request(signal: Int32) {
        _ = number.compareExchange(expected: 0, desired: signal, ordering: .sequentiallyConsistent)
        action.withLock { $0 }?()
    }

    /// Sets a function that is also called when the end is requested: it ends work that would not check for long. If
    /// the end was requested already, it is called at once.
    func whenRequested(_ body: (@Sendable () -> Void)?) {
        action.withLock { $0 = body }
        if isRequested { body?() }
    }

    /// The signal that asked for the end; nil: none did.
    package var signal: Int32? {
        let number = number.load(ordering: .relaxed)
        return number > 0 ? number : nil
    }

    package var isRequested: Bool { number.load(ordering: .relaxed) != 0 }

    /// Throws `cancelled` once the end was asked for.
    func check() throws(Failure) {
        if let signal { throw Failure(.cancelled, "the run was ended by \(Cancellation.name(signal))") }
        if isRequested { throw Failure(.cancelled, "the run was cancelled") }
    }

    /// The result of a body. Where the body was ended early, the failure says by which signal, as that of a run does.
    func withReason<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        do throws(Failure) {
            return try body()
        } catch {
            if error.kind == .cancelled { try check() }
            throw error
        }
    }

    /// What the signal is called.
    static func name(_ signal: Int32) -> String {
        switch signal {
        case SIGHUP: "SIGHUP"
        case SIGINT: "SIGINT"
        case SIGTERM: "SIGTERM"
        default: "signal \(signal)"
        }
    }

    // MARK: What is left where a run is not even given the time to end

    /// Notes files to remove if the process ends at once: they would be of no use.
    func register(leftovers paths: [String]) { leftovers.withLock { $0 = paths } }

    /// Where there is no memory for the work, the process ends likewise, with the exit status of a failed system call.
    func endsWithoutMemory() {
        OutOfMemory.whenMet { [self] message in
            Log.standard.write(.error, message)
            removeLeftovers()
            _exit(Failure.Kind.io.rawValue)
        }
    }

    /// Removes these files, unless another thread is changing the list.
    func removeLeftovers() {
        _ = leftovers.withLockIfAvailable { paths in
            for path in paths { _ = unsafe unlink(path) }
        }
    }
}
