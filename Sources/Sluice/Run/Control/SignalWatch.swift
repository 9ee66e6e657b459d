import Glibc
import SluicePosix
import SluiceRecords

/// The signals that end a run: the first one asks the run to end, the second ends the process at once.
package enum SignalWatch {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Takes the signals from now on. To be called before there are other threads, since they inherit what is blocked.
    ///
    /// A signal that is ignored stays so: `nohup` has reasons.
    ///
    /// - Parameter notice: called, on a thread of its own, when the run was asked to end.
    /// - Throws: `io` where the system has no thread for it; then signals end the process as ever.
    package static func start(
        _ cancellation: Cancellation, notice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(Failure) {
        cancellation.endsWithoutMemory()
        MemoryTraps.watch(cancellation)
        var wanted = sigset_t()
        unsafe sigemptyset(&wanted)
        for signal in signals where !isIgnored(signal) { unsafe sigaddset(&wanted, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &wanted, nil)
        let set = wanted
        do throws(Failure) {
            try WorkerThread.start("takes signals") { watch(set, cancellation, notice) }
        } catch {
            unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
            throw error
        }
    }

    /// Likewise where nothing has to be finished: a signal ends the process at once, and the commands that it has
    /// started.
    ///
    /// - Parameter leftovers: files that are removed then.
    /// - Returns: the cancellation that says whether a signal has come, see ``leave(to:)``.
    package static func endAtOnce(leftovers: [String] = []) throws(Failure) -> Cancellation {
        let cancellation = Cancellation()
        cancellation.register(leftovers: leftovers)
        try start(cancellation) { _ in
            cancellation.removeLeftovers()
            StartedProcess.endAll(isKind: true)
            _exit(128 + (cancellation.signal ?? 0))
        }
        return cancellation
    }

    /// Lets the signal end the process at once, if one has come: a command that the signal has ended, too, is no
    /// failure of its own.
    package static func leave(to cancellation: Cancellation) {
        while cancellation.isRequested { pause() }
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    private static func watch(
        _ set: sigset_t, _ cancellation: Cancellation, _ notice: (String) -> Void
    ) {
        var set = set
        while true {
            var signal: Int32 = 0
            guard unsafe sigwait(&set, &signal) == 0 else { continue }
            if cancellation.isRequested {
                // The store's journal makes this safe at any moment.
                cancellation.removeLeftovers()
                StartedProcess.endAll(isKind: false)
                _exit(128 + signal)
            }
            cancellation.request(signal: signal)
            notice("\(Cancellation.name(signal)): the run ends at the next batch; once more ends it at once")
        }
    }
}
