import SluiceExtract
import SluiceRecords

/// A source of which a service is asked part by part, such as the comments of each issue: each part is a feed of its
/// own, in one page or in several. Some parts are downloaded beside each other; they are read in their order, as if one
/// had been asked for after the other.
///
/// What changes is guarded by `monitor`.
package final class PartedFeed: @unchecked Sendable {
    private let request: WebRequest
    private let parts: [Part]
    private let session: FetchSession
    /// How many requests are made beside each other.
    private let lanes: Int

    private let monitor = Monitor()
    /// Those that are being downloaded, or were, and are not read yet: by the number of the part.
    private var begun: [Int: WebFeed] = [:]
    /// The one that is read.
    private var current: WebFeed?
    /// The first that has failed. The reader may do without what it lacks: its last page may be one behind the end.
    private var failed: Int?
    /// What was noted of the pages of each part that has been read and has several, where they may be of different
    /// times.
    private var notes: [[PageNote]] = []
    /// The parts that have been read and are not there.
    private var missing = NotFound()
    private var nextToBegin = 0
    private var nextToRead = 0
    private var isStarted = false
    private var isStopped = false
    private var openLanes = 0

    /// - Parameters:
    ///   - request: how each part is asked for; its address is that of the definition.
    ///   - requests: how many are made beside each other, at the most.
    package init(_ request: WebRequest, _ parts: [Part], _ session: FetchSession, requests: Int) {
        self.request = request
        self.parts = parts
        self.session = session
        lanes = min(max(requests, 1), max(parts.count, 1))
    }

    deinit { stop() }

    /// The next part, which is to be read; nil after the last.
    package func next() throws(Failure) -> (number: Int, feed: WebFeed)? {
        try start()
        return try monitor.withLock { () throws(Failure) in
            let number = nextToRead
            guard number < parts.count else { return nil }
            passFailure(before: number)
            while begun[number] == nil, openLanes > 0 {
                monitor.wait()
                // It may fail when the reader is already behind it.
                passFailure(before: number)
            }
            guard let feed = begun.removeValue(forKey: number) else {
                throw Failure(.cancelled, "the download was ended")
            }
            keepNotesOfCurrent()
            nextToRead += 1
            current = feed
            monitor.wake()
            return (number, feed)
        }
    }

    /// What was noted of the pages of parts that have several, each part by itself, where any is an answer of the
    /// cache, or they count fewer records from one to the next.
    package var pageNotes: [[PageNote]] {
        monitor.withLock {
            keepNotesOfCurrent()
            return notes
        }
    }

    /// The parts that have been read and are not there; nil: there are none.
    package var notFound: NotFound? {
        monitor.withLock {
            keepNotesOfCurrent()
            var found = missing
            found.asked = nextToRead
            return found.count > 0 ? found : nil
        }
    }

    /// Takes what is noted of the part that has been read; under the lock.
    private func keepNotesOfCurrent() {
        defer { current = nil }
        guard let pages = current?.pageNotes else { return }
        if pages.count > 1, PageNote.shrink(pages) || pages.contains(where: \.isOfCache) { notes.append(pages) }
        guard pages.first?.isNotFound == true else { return }
        missing.count += 1
        if missing.first.isEmpty { missing.first = parts[nextToRead - 1].name }
    }

    /// Has the downloads go on where the reader has done without what a part lacks; under the lock.
    private func passFailure(before number: Int) {
        guard let failed, failed < number else { return }
        self.failed = nil
        monitor.wake()
    }

    private func fail(_ number: Int) {
        monitor.withLock {
            failed = min(failed ?? number, number)
            monitor.wake()
        }
    }

    /// Starts the threads that download.
    private func start() throws(Failure) {
        let isFirst = monitor.withLock {
            defer { isStarted = true }
            return !isStarted && !isStopped && !parts.isEmpty
        }
        guard isFirst else { return }
        let access = try ServiceAccess(request, session)
        for lane in 0..<lanes {
            monitor.withLock { openLanes += 1 }
            do throws(Failure) {
                try WorkerThread.start("downloads feeds") { [self] in work(access) }
            } catch {
                monitor.withLock { openLanes -= 1 }
                // Fewer do as well.
                if lane == 0 { throw error }
                return
            }
        }
    }

    /// Downloads one part after the other.
    private func work(_ access: ServiceAccess) {
        var client: Client?
        while let (number, feed) = takeNext() {
            var isDone = false
            do throws(Failure) {
                let own: Client
                if let client {
                    own = client
                } else {
                    own = try Client(access)
                }
                client = own
                let part = parts[number]
                isDone = feed.download(own, from: try first(of: part, access), part.version)
            } catch {
                feed.fail(error)
            }
            // What comes behind a part that fails is not read, if the reader minds.
            if !isDone { fail(number) }
        }
        monitor.withLock {
            openLanes -= 1
            monitor.wake()
        }
    }

    private func first(of part: Part, _ access: ServiceAccess) throws(Failure) -> PageRequest {
        do throws(AddressError) {
            let address = try access.address(part.address).adding(part.query)
            return PageRequest(address: address, body: part.body ?? request.body)
        } catch {
            throw Failure(.data, "the address \(part.name) \(error.message)")
        }
    }

    /// The next part to download, once the reader is near; nil: there is none, or nobody wants one.
    private func takeNext() -> (number: Int, feed: WebFeed)? {
        monitor.withLock {
            while nextToBegin < parts.count, !mayBegin, !isStopped { monitor.wait() }
            guard nextToBegin < parts.count, !isStopped else { return nil }
            let number = nextToBegin
            nextToBegin += 1
            let feed = WebFeed(part: parts[number].name, request, session, bufferSize: bufferSize)
            begun[number] = feed
            monitor.wake()
            return (number, feed)
        }
    }

    /// Whether the next part may be begun: the reader is near, and no part has failed that it has not read.
    private var mayBegin: Bool { failed == nil && nextToBegin < nextToRead + 2 * lanes }

    /// All of them together hold no more than a few feeds do.
    private var bufferSize: Int {
        let size = session.settings.bufferSize
        return max(min(size, 4 * size / (2 * lanes)), 64 << 10)
    }

    /// Nobody wants more: the downloads end.
    package func stop() {
        let feeds = monitor.withLock {
            isStopped = true
            monitor.wake()
            return Array(begun.values) + [current].compactMap { $0 }
        }
        for feed in feeds { feed.stop() }
    }

    /// Ends the downloads, and waits for their end, but not for long.
    package func end() {
        stop()
        let end = now + 5
        monitor.withLock {
            while openLanes > 0, now < end { monitor.wait(until: end) }
        }
    }
}
