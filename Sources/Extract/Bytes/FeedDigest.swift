import SluiceRecords

/// The digest of a feed, made beside its parser where another core is free.
///
/// The bytes stay where they are, and must be left alone until they are digested: code that is about to change or to
/// move them calls `settle` before. What no other thread has come to by then, the caller digests itself, so it never
/// waits for a thread that does not run, nor for one that could not be started.
@safe
final class FeedDigest {
    private let work: DigestWork
    private var total = 0
    private var hasHelper = false

    /// A feed that is no longer than this is not worth a thread.
    private static let shortFeed = 1 << 20

    init() throws(Failure) { work = DigestWork(try SHA256()) }

    deinit { work.end() }

    /// Adds bytes. Bytes that follow these in memory may be added before these are digested.
    func add(_ bytes: UnsafeRawPointer, _ count: Int) {
        unsafe work.add(bytes, count)
        total += count
        if total > FeedDigest.shortFeed, !hasHelper {
            hasHelper = true
            // Without it the caller does the work.
            try? WorkerThread.start("digests") { [work] in work.help() }
        }
    }

    /// Digests all bytes that were added: they may change from now on.
    func settle() { work.settle() }

    /// Forgets the bytes that are not digested: they may go from now on.
    func abandon() { work.abandon() }

    /// The digest in lowercase hexadecimal; nothing may be added afterwards.
    func finish() throws(Failure) -> String { try work.finish() }

    /// The digest of the first `SHA256.beginningBytes`, in lowercase hexadecimal, once all is digested; nil: there are
    /// fewer.
    var beginning: String? { work.digestOfBeginning }
}

/// What the caller and its helper share. Its state is guarded by `monitor`; one thread at a time has the digest, as
/// `isBusy` says.
@safe
private final class DigestWork: @unchecked Sendable {
    private let digest: SHA256
    private let monitor = Monitor()
    /// The bytes that are still to be digested.
    private var start: UnsafeRawPointer?
    private var count = 0
    /// Whether someone digests a part.
    private var isBusy = false
    private var isOver = false
    private var digested = 0
    private(set) var digestOfBeginning: String?

    /// Digested at once, so that nobody waits for long.
    private static let partBytes = 1 << 16

    init(_ digest: SHA256) { self.digest = digest }

    func add(_ bytes: UnsafeRawPointer, _ more: Int) {
        let isFollowing = monitor.withLock { unsafe count == 0 || start.map { unsafe $0 + count } == bytes }
        if !isFollowing { settle() }
        monitor.withLock {
            if count == 0 { unsafe start = bytes }
            count += more
            monitor.wake()
        }
    }

    func settle() {
        while true {
            while digestPart(waits: false) {}
            let isDone = monitor.withLock {
                while isBusy { monitor.wait() }
                return count == 0
            }
            if isDone { return }
        }
    }

    func abandon() {
        monitor.withLock { count = 0 }
        settle()
    }

    func finish() throws(Failure) -> String {
        settle()
        return try digest.hexadecimal()
    }

    /// Digests what comes, until the end.
    func help() { while digestPart(waits: true) {} }

    /// Lets the helper go.
    func end() {
        monitor.withLock {
            isOver = true
            monitor.wake()
        }
    }

    /// Digests the next part. Returns false if there is none, or if another thread digests it.
    ///
    /// - Parameter waits: whether to wait for the next part, or for the end.
    private func digestPart(waits: Bool) -> Bool {
        let part: Part? = monitor.withLock {
            while waits, !isOver, count == 0 || isBusy { monitor.wait() }
            return takePart()
        }
        guard let part else { return false }
        unsafe digest.update(part.bytes)
        digested += unsafe part.bytes.count
        if digested == SHA256.beginningBytes { digestOfBeginning = try? digest.hexadecimal() }
        monitor.withLock {
            isBusy = false
            monitor.wake()
        }
        return true
    }

    @safe
    private struct Part {
        let bytes: UnsafeRawBufferPointer
    }

    /// The next part; the digest is busy from then on, until the thread that took the part has digested it.
    private func takePart() -> Part? {
        guard count > 0, !isBusy, !isOver else { return nil }
        var most = DigestWork.partBytes
        if digested < SHA256.beginningBytes { most = min(most, SHA256.beginningBytes - digested) }
        let part = unsafe Part(bytes: UnsafeRawBufferPointer(start: start, count: min(count, most)))
        unsafe start = start.map { unsafe $0 + part.bytes.count }
        count -= unsafe part.bytes.count
        isBusy = true
        return part
    }
}
