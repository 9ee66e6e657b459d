import Glibc
import Synchronization

/// What happens where the system has no memory for a run: the run cannot go on, and has nothing to take back either, as
/// the next program that opens the store finds it as it was.
@safe
public enum OutOfMemory {
    private struct State: Sendable {
        var ending: (@Sendable (String) -> Void)?
        /// Given back before anything is said: that, too, takes memory. Bytes that nobody reads.
        var reserve = 0
    }

    private static let state = Mutex(State())
    private static let reserveBytes = 1 << 20

    /// Sets the function that ends the process; its argument is a sentence that says what needed the memory. Without
    /// such a function there is a fatal error.
    public static func whenMet(_ ending: @escaping @Sendable (String) -> Void) {
        state.withLock { state in
            state.ending = ending
            if state.reserve == 0 { state.reserve = unsafe Int(bitPattern: malloc(reserveBytes)) }
        }
    }

    /// Ends the process, as there is no memory for something.
    public static func end(for purpose: StaticString) -> Never {
        let ending = state.withLock { state in
            unsafe free(UnsafeMutableRawPointer(bitPattern: state.reserve))
            state.reserve = 0
            return state.ending
        }
        let message = "out of memory: there is none for \(purpose) (see ulimit -v, or the container's limit)"
        ending?(message)
        fatalError(message)
    }
}
