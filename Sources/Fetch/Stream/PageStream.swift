import Glibc
import SluiceRecords

/// The border between the thread that downloads pages and the one that reads them: a ring of bytes.
///
/// The downloader waits while the ring is full, and the service with it, as nobody takes its bytes from the network;
/// the reader waits while it is empty. The downloader is one page ahead of the reader at the most. Pages are one after
/// another in the ring; a feed without pages is a single one.
///
/// What changes is guarded by `monitor`; bytes are copied outside of the lock, as each side has a part of the ring of
/// its own.
@safe
final class PageStream: @unchecked Sendable {
    /// What the service has said, before its bytes come.
    enum Answer: Sendable { case feed, notModified }

    private let monitor = Monitor()
    private let ring: UnsafeMutableRawBufferPointer
    private var written: UInt64 = 0
    private var taken: UInt64 = 0
    /// Where the pages end of which the reader has not seen the end.
    private var ends: [UInt64] = []
    private var begunPages = 0
    private var takenPages = 0
    /// Whether the reader has not seen the end of the page that it took last.
    private var isInPage = false
    private var answer: Answer?
    private var isOver = false
    private var failure: Failure?
    private var isCancelled = false
    /// Lets the downloader look whether it is still wanted.
    private var alarm: (@Sendable () -> Void)?
    /// Asked now and then, where nobody calls ``cancel()``.
    private let isStopped: (@Sendable () -> Bool)?
    /// Seconds between two questions, while nothing else happens.
    private static let glance = 0.1

    /// - Parameter isStopped: whether nobody wants more; nil: who does not calls ``cancel()``.
    init(size: Int, isStopped: (@Sendable () -> Bool)? = nil) {
        unsafe ring = .allocate(byteCount: size, alignment: 64)
        self.isStopped = isStopped
    }

    deinit { unsafe ring.deallocate() }

    // MARK: The downloader's side

    /// Waits until the reader has come to the page before; false: nobody wants more.
    func beginPage() -> Bool {
        monitor.withLock {
            while begunPages > takenPages, !isCancelled { monitor.wait() }
            begunPages += 1
            monitor.wake()
            return !isCancelled
        }
    }

    /// Says what the service has answered; only the first time counts.
    func begin(with answer: Answer) {
        monitor.withLock {
            if self.answer == nil { self.answer = answer }
            monitor.wake()
        }
    }

    /// Hands bytes over, and waits for room; false: nobody wants them.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var done = 0
        while done < bytes.count {
            guard let (start, room) = roomToWrite() else { return false }
            let count = min(room, bytes.count - done)
            unsafe UnsafeMutableRawBufferPointer(rebasing: ring[start..<start + count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[done..<done + count]))
            done += count
            monitor.withLock {
                written += UInt64(count)
                monitor.wake()
            }
        }
        return true
    }

    /// The next place in the ring, and how many bytes fit there in one piece.
    private func roomToWrite() -> (start: Int, room: Int)? {
        let size = unsafe ring.count
        return monitor.withLock {
            while written - taken == UInt64(size), !isCancelled { monitor.wait() }
            guard !isCancelled else { return nil }
            let start = Int(written % UInt64(size))
            return (start, min(size - Int(written - taken), size - start))
        }
    }

    func endPage() {
        monitor.withLock {
            ends.append(written)
            monitor.wake()
        }
    }

    /// Says that nothing follows, and why.
    func end(_ failure: Failure?) {
        monitor.withLock {
            alarm = nil
            isOver = true
            self.failure = failure
            monitor.wake()
        }
    }

    /// Waits some seconds; false: nobody wants more, and it was not waited for long.
    func pause(_ seconds: Double) -> Bool {
        let end = now + seconds
        while isWanted, now < end {
            let next = isStopped == nil ? end : min(end, now + PageStream.glance)
            monitor.withLock { while !isCancelled, now < next { monitor.wait(until: next) } }
        }
        return isWanted
    }

    /// Sets what lets the downloader look whether it is still wanted. It is forgotten in the end.
    func setAlarm(_ alarm: @escaping @Sendable () -> Void) { monitor.withLock { self.alarm = alarm } }

    var isWanted: Bool { monitor.withLock { !isCancelled } && isStopped?() != true }

    // MARK: The reader's side

    /// Waits for what the service says first.
    func firstAnswer() throws(Failure) -> Answer {
        try monitor.withLock { () throws(Failure) in
            while answer == nil, !isOver { monitor.wait() }
            if let answer { return answer }
            if let failure { throw failure }
            return .feed
        }
    }

    /// Goes to the next page; false if there is none. What is left of the page before is passed over.
    func nextPage() throws(Failure) -> Bool {
        try monitor.withLock { () throws(Failure) in
            passOver()
            while begunPages == takenPages, !isOver, !isCancelled { monitor.wait() }
            guard begunPages > takenPages else {
                if let failure { throw failure }
                return false
            }
            takenPages += 1
            isInPage = true
            monitor.wake()
            return true
        }
    }

    /// Waits for the first byte of a page; false: it has none.
    func hasBytes() -> Bool {
        monitor.withLock {
            while written == taken, ends.isEmpty, !isOver, !isCancelled { monitor.wait() }
            return written > taken || ends.isEmpty
        }
    }

    /// Goes to the end of the page; under the lock.
    private func passOver() {
        while isInPage {
            taken = ends.first ?? written
            monitor.wake()
            if ends.isEmpty, !isOver, !isCancelled {
                monitor.wait()
            } else {
                if !ends.isEmpty { ends.removeFirst() }
                isInPage = false
            }
        }
    }

    /// The next bytes of the page; 0 at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard let (start, there) = try nextBytes() else { return 0 }
        let count = min(there, buffer.count)
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: ring[start..<start + count]))
        monitor.withLock {
            taken += UInt64(count)
            // A downloader that waits for room is woken when it is worth it.
            if written - taken <= UInt64(unsafe ring.count / 2) { monitor.wake() }
        }
        return count
    }

    /// The place of the next bytes in the ring, and how many there are in one piece; nil at the end of the page.
    private func nextBytes() throws(Failure) -> (start: Int, count: Int)? {
        let size = unsafe ring.count
        return try monitor.withLock { () throws(Failure) in
            guard isInPage else { return nil }
            while written == taken, ends.first != taken, !isOver, !isCancelled { monitor.wait() }
            guard ends.first != taken else {
                ends.removeFirst()
                isInPage = false
                return nil
            }
            guard written > taken else { throw failure ?? Failure(.defect, "the download ended without a word") }
            let start = Int(taken % UInt64(size))
            return (start, min(Int((ends.first ?? written) - taken), size - start))
        }
    }

    /// Nobody wants more: the download ends.
    func cancel() {
        monitor.withLock {
            isCancelled = true
            alarm?()
            monitor.wake()
        }
    }

    /// Waits until the downloader is done, but not for long.
    func waitForEnd() {
        let end = now + 5
        monitor.withLock {
            while !isOver, now < end { monitor.wait(until: end) }
        }
    }
}
