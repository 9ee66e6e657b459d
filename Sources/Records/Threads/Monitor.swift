import Glibc

/// A lock, and a place to wait at for what another thread changes under it. The system makes both for several
/// threads, and they stay where they are.
@safe
public final class Monitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// A lock that nobody holds.
    public init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        _ = unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        _ = unsafe pthread_condattr_init(&attributes)
        // The system's clock may be set while somebody waits.
        _ = unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        _ = unsafe pthread_cond_init(condition, &attributes)
        _ = unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Does something under the lock, and throws what that throws.
    public func withLock<Result, E>(_ body: () throws(E) -> Result) throws(E) -> Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Waits, under the lock, until somebody calls ``wake()``, or for no reason.
    public func wait() { _ = unsafe pthread_cond_wait(condition, mutex) }

    /// Waits likewise, until a moment of ``now`` at the latest.
    public func wait(until moment: Double) {
        // Later than that is never.
        let moment = min(max(moment, 0), 1e12)
        var time = timespec(tv_sec: Int(moment), tv_nsec: Int((moment - moment.rounded(.down)) * 1e9))
        _ = unsafe pthread_cond_timedwait(condition, mutex, &time)
    }

    /// Wakes all who wait.
    public func wake() { _ = unsafe pthread_cond_broadcast(condition) }

    /// Seconds of a clock that nobody sets.
    public static var now: Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
