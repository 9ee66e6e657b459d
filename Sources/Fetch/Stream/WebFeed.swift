import SluiceExtract
import SluicePosix
import SluiceRecords
import Synchronization

/// A feed of a web service: its bytes, page by page, as fast as they come or as they are taken.
///
///     let feed = WebFeed(WebRequest(url: "https://example.org/stops"))
///     feed.start()
///     while let page = try feed.nextPage() { try reader.read(page, …) }
package final class WebFeed: Sendable {
    /// The address without what may be secret: for messages and reports.
    package let name: String

    let request: WebRequest
    private let version: WantedVersion
    private let session: FetchSession
    private let stream: PageStream
    private let state = Mutex(State())
    /// Whether it is one of many, which others download: those that ``PartedFeed`` has.
    private let isPart: Bool

    private struct State {
        var isStarted = false
        var validators: Validators?
        var pages = 0
        var notes: [PageNote] = []
        var secrets = Redaction()
    }

    /// - Parameter conditions: what the service said of the version that is known: it is not wanted again.
    package init(_ request: WebRequest, _ session: FetchSession = FetchSession(), conditions: Validators? = nil) {
        isPart = false
        self.request = request
        version = conditions.map { .other(than: $0) } ?? .any
        self.session = session
        name = (try? WebAddress(request.url))?.shown ?? "a web service"
        stream = PageStream(size: session.settings.bufferSize, isStopped: session.isStopped)
    }

    /// A feed that is one of many of a source.
    ///
    /// - Parameter name: its address without what may be secret.
    init(part name: String, _ request: WebRequest, _ session: FetchSession, bufferSize: Int) {
        isPart = true
        self.request = request
        version = .any
        self.session = session
        self.name = name
        stream = PageStream(size: bufferSize, isStopped: session.isStopped)
    }

    deinit { stream.cancel() }

    /// Downloads a feed that is one of many, on the thread that calls; false: it failed, which who reads it is told.
    ///
    /// - Parameter first: its first page.
    func download(_ client: Client, from first: PageRequest, _ version: WantedVersion) -> Bool {
        client.turn(to: first, stream)
        do throws(Failure) {
            try FeedDownload(client: client, version: version, isPart: true).perform { note in keep(note) }
            stream.end(nil)
            return true
        } catch {
            stream.end(error)
            return false
        }
    }

    /// It cannot be downloaded.
    func fail(_ failure: Failure) { stream.end(failure) }

    private func keep(_ note: FeedDownload.Note) {
        state.withLock { state in
            switch note {
            case .version(let validators): state.validators = validators
            case .page(let note): state.notes.append(note)
            case .secrets(let secrets): state.secrets = secrets
            }
        }
    }

    /// Starts the download, on a thread of its own. It is not far ahead of who reads.
    package func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst, !isPart else { return }
        let (request, version, session, stream) = (request, version, session, stream)
        let note = { @Sendable [weak self] (note: FeedDownload.Note) -> Void in self?.keep(note) }
        do throws(Failure) {
            try WorkerThread.start("downloads feeds") {
                do throws(Failure) {
                    let client = try Client(ServiceAccess(request, session), stream)
                    try FeedDownload(client: client, version: version, isPart: false).perform(note)
                    stream.end(nil)
                } catch {
                    stream.end(error)
                }
            }
        } catch {
            stream.end(error)
        }
    }

    /// Waits until the service has answered; false: it has nothing new.
    package func hasNews() throws(Failure) -> Bool {
        start()
        return try stream.firstAnswer() == .feed
    }

    /// The bytes of the next page, uncompressed; nil after the last one. A feed without pages is a single one. They
    /// must be read before the next call.
    package func nextPage() throws(Failure) -> (any ByteSource)? {
        start()
        guard try stream.nextPage() else { return nil }
        let page = state.withLock { state in
            state.pages += 1
            return state.pages
        }
        // An empty body is an empty page, and the last.
        if page > 1, !stream.hasBytes() { return nil }
        let name = PageName(name, request.pages == nil ? nil : page).description
        return try LimitedBytes(openFeed(PageBytes(stream), named: name), request.maxBytes, name)
    }

    /// Saves the bytes as the service sends them, where nobody reads its pages.
    func save(in file: TemporaryFile) throws(Failure) {
        start()
        guard try stream.nextPage() else { return }
        try file.append(all: PageBytes(stream))
        // Only then is it known that the download is whole.
        _ = try stream.nextPage()
    }

    /// Nobody wants more: the download ends.
    package func stop() { stream.cancel() }

    /// Ends the download, and waits for its end: a process must not exit while a thread of it makes a connection.
    package func end() {
        stop()
        if state.withLock({ $0.isStarted }) { stream.waitForEnd() }
    }

    /// What the service has said of the version of the feed, once that has been read; nil where it comes in pages, as
    /// then the first one says nothing of the others.
    package var validators: Validators? { state.withLock { $0.validators } }

    /// What a page holds, without the secrets that the service was sent.
    package func cleaned(_ text: String) -> String { state.withLock { $0.secrets }.cleaned(text) }

    /// The first bytes of a page, without the secrets that the service was sent.
    package func cleaned(_ beginning: [UInt8]) -> [UInt8] { state.withLock { $0.secrets }.cleaned(beginning) }

    /// What the pages say of one another, in their order: at least that of each which has been read.
    package var pageNotes: [PageNote] { state.withLock { $0.notes } }
}

/// The bytes of one page.
private final class PageBytes: ByteSource {
    private let stream: PageStream

    init(_ stream: PageStream) { self.stream = stream }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        try unsafe stream.read(into: buffer)
    }
}
