import Glibc

/// A thread beside the one that starts it.
///
/// A system may have no thread to give: a limit of processes (`ulimit -u`, a container's), or of memory. Then that is a
/// failure; work that is handed to a dispatch queue would wait for ever instead.
public enum WorkerThread {
    /// What the main thread has, too; not what `ulimit -s` happens to be.
    private static let stackBytes = 8 << 20

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread. It is nobody's to wait for: its work says itself when it is done.
    ///
    /// - Parameter purpose: what it does, as in `the thread that reads feeds`.
    /// - Throws: `io` where there is no thread to be had.
    public static func start(_ purpose: String, _ body: @escaping @Sendable () -> Void) throws(Failure) {
        let code = start(Work(body))
        guard code != 0 else { return }
        throw Failure(
            .io,
            "the thread that \(purpose) cannot be started: \(Failure.reason(errno: code))"
                + " (a limit of processes or of memory: see ulimit -u, ulimit -v, or the container's)")
    }

    private static func start(_ work: Work) -> Int32 {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let handed = unsafe Unmanaged.passRetained(work)
        let code = unsafe pthread_create(
            &thread, &attributes,
            { pointer in
                if let pointer = unsafe pointer {
                    WorkerThread.keepFromSignals()
                    unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                }
                return nil
            }, handed.toOpaque())
        if code != 0 { unsafe handed.release() }
        return code
    }

    /// A closed pipe, and a file that may not grow, are errors of a write here: what the process does with the signals
    /// that come with them is its own affair.
    private static func keepFromSignals() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe sigaddset(&signals, SIGXFSZ)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
