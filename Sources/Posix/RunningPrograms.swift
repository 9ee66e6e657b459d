import Glibc
import SluiceRecords
import Synchronization

/// The programs that this process has started, and that have not ended: none outlives it.
///
/// A thread that reads what a program prints may still hold it when the process exits, so the code that ends the
/// process ends the programs first.
enum RunningPrograms {
    private struct State {
        var ids: [pid_t] = []
        var isClosed = false
    }

    private static let state = Mutex(State())
    /// Between two looks at a program, in microseconds.
    static let pause: UInt32 = 10_000
    /// What a program has to end itself, in seconds.
    static let grace = 1.0

    /// Starts a program, unless the process is about to end.
    ///
    /// - Parameter body: starts it, and returns why that is not possible, as `errno` says it; 0: it has been started.
    static func start(_ id: inout pid_t, _ body: (inout pid_t) -> CInt) -> CInt {
        state.withLock { state in
            if state.isClosed { return ECANCELED }
            let code = body(&id)
            if code == 0 { state.ids.append(id) }
            return code
        }
    }

    /// What `waitpid` says of a program: its number once it has ended, which the system may give away from then on.
    static func wait(_ id: pid_t, _ status: inout CInt) -> pid_t {
        state.withLock { state in
            let waited = unsafe waitpid(id, &status, WNOHANG)
            if waited == id { state.ids.removeAll { $0 == id } }
            return waited
        }
    }

    /// Ends all programs, and those that they started; none is started after it.
    ///
    /// - Parameter grace: how many seconds they have to end themselves.
    static func endAll(grace: Double) {
        state.withLock { state in
            state.isClosed = true
            for id in state.ids { _ = kill(-id, SIGTERM) }
            let began = Monitor.now
            var left = state.ids
            while !left.isEmpty, Monitor.now - began < grace {
                left.removeAll { waitpid($0, nil, WNOHANG) != 0 }
                if !left.isEmpty { usleep(RunningPrograms.pause) }
            }
            for id in state.ids { _ = kill(-id, SIGKILL) }
            state.ids = []
        }
    }
}
