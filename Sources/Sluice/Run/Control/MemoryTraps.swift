import Glibc
import SluiceRecords
import Synchronization

/// Where Swift itself, or the C library, gets no memory, a trap ends the process. This reports the lack of memory
/// before that.
package enum MemoryTraps {
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS]
    /// Where less than this is available, memory counts as exhausted: arrays grow by doubling.
    private static let leastBytes = 8 << 20

    /// The state that a trap reads. A mutex guards it; the actions hold addresses of functions, which any thread may
    /// call.
    private struct State: @unchecked Sendable {
        /// By the place of the signal in the list: what was done before.
        var earlier: [sigaction] = []
        var cancellation: Cancellation?
    }

    private static let state = Mutex(State())
    private static let isEnding = Atomic(false)

    /// From now on such a trap ends the process with the status of what a system denies. Any other trap does what it
    /// did.
    ///
    /// - Parameter cancellation: knows what is then of no use to anyone.
    package static func watch(_ cancellation: Cancellation? = nil) {
        state.withLock { state in
            state.cancellation = cancellation
            guard state.earlier.isEmpty else { return }
            for signal in signals {
                var (action, earlier) = (sigaction(), sigaction())
                unsafe action.__sigaction_handler.sa_handler = { MemoryTraps.trapped($0) }
                action.sa_flags = SA_ONSTACK | SA_NODEFER
                unsafe sigaction(signal, &action, &earlier)
                state.earlier.append(earlier)
            }
        }
    }

    /// Called in a handler: nothing here may ask for memory, or wait.
    private static func trapped(_ signal: Int32) {
        // Even the message needs memory, or another thread traps as well.
        if isEnding.load(ordering: .relaxed) { _exit(Failure.Kind.io.rawValue) }
        if isMissing {
            isEnding.store(true, ordering: .relaxed)
            let message: StaticString = "sluice: out of memory (see ulimit -v, or the container's limit)\n"
            _ = unsafe write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
            _ = state.withLockIfAvailable { $0.cancellation?.removeLeftovers() }
            _exit(Failure.Kind.io.rawValue)
        }
        // The instruction runs again, and traps as if this handler were not there.
        let isRestored = state.withLockIfAvailable { state in
            guard let index = signals.firstIndex(of: signal), index < state.earlier.count else { return false }
            return unsafe sigaction(signal, &state.earlier[index], nil) == 0
        }
        if isRestored != true { _exit(128 + signal) }
    }

    private static var isMissing: Bool {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let memory = unsafe mmap(nil, leastBytes, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard unsafe memory != MAP_FAILED else { return true }
        _ = unsafe munmap(memory, leastBytes)
        return false
    }
}
