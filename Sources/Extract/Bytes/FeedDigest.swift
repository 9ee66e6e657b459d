import Dispatch
import Records
import Synchronization

/// The digest of a feed, made beside its parser where another core is free.
///
/// The bytes stay where they are, and must be left alone until they are digested: whoever is about to change or to move
/// them calls `settle` before. What no other thread has come to by then, the caller digests itself, so it never waits
/// for a thread that does not run.
@safe
final class FeedDigest: @unchecked Sendable {
    // Unchecked: `isBusy` tells who may use the digest, and only one may at a time.

    private let digest: SHA256
    private let state = Mutex(State())
    private let idle = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "sluice.digest", qos: .userInitiated)

    @safe
    private struct State: @unchecked Sendable {
        /// The bytes that are still to be digested.
        var start: UnsafeRawPointer?
        var count = 0
        /// All bytes so far.
        var total = 0
        /// Whether someone digests a part.
        var isBusy = false
        /// Whether someone waits for the end of that.
        var isAwaited = false
        var failure: Failure?

        /// The next part; whoever takes it is busy from then on.
        mutating func takePart() -> Part? {
            guard count > 0 && !isBusy else { return nil }
            let part = unsafe Part(bytes: UnsafeRawBufferPointer(start: start, count: min(count, FeedDigest.partBytes)))
            unsafe start = start.map { unsafe $0 + part.bytes.count }
            count -= unsafe part.bytes.count
            isBusy = true
            return part
        }
    }

    @safe
    private struct Part: @unchecked Sendable {
        let bytes: UnsafeRawBufferPointer
    }

    /// A feed that is no longer than this is not worth a thread.
    private static let shortFeed = 1 << 20
    /// Digested at once, so that nobody waits for long.
    private static let partBytes = 1 << 16

    init() throws(Failure) { digest = try SHA256() }

    /// Adds bytes. Bytes that follow these in memory may be added before these are digested.
    func add(_ bytes: UnsafeRawPointer, _ count: Int) {
        let isFollowing = state.withLock { state in
            unsafe state.count == 0 || state.start.map { unsafe $0 + state.count } == bytes
        }
        if !isFollowing { settle() }
        let wantsHelp = state.withLock { state in
            if state.count == 0 { unsafe state.start = bytes }
            state.count += count
            state.total += count
            return state.total > FeedDigest.shortFeed
        }
        if wantsHelp { queue.async { while self.digestPart() {} } }
    }

    /// Digests all bytes that were added: they may change from now on.
    func settle() {
        while true {
            while digestPart() {}
            let isBusy = state.withLock { state in
                state.isAwaited = state.isBusy
                return state.isBusy
            }
            guard isBusy else { return }
            idle.wait()
        }
    }

    /// Forgets the bytes that are not digested: they may go from now on.
    func abandon() {
        state.withLock { $0.count = 0 }
        settle()
    }

    /// The digest in lowercase hexadecimal; nothing may be added afterwards.
    func finish() throws(Failure) -> String {
        settle()
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return try digest.finish()
    }

    /// Digests the next part; false if there is none, or someone else is about it.
    private func digestPart() -> Bool {
        guard let part = state.withLock({ $0.takePart() }) else { return false }
        let result = Result { () throws(Failure) in try unsafe digest.update(part.bytes) }
        let isAwaited = state.withLock { state in
            if case .failure(let failure) = result { state.failure = failure }
            state.isBusy = false
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if isAwaited { idle.signal() }
        return true
    }
}
