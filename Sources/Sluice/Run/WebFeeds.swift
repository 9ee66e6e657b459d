import Glibc
import SluiceDefinition
import SluiceFetch
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport
import Synchronization

/// The downloads of a run: of all its sources that are web services.
///
/// They are read in the order of the sources; how many are downloaded beside each other, the sources say.
final class WebFeeds: Sendable {
    /// A download, by the index of its source.
    private struct Download: Sendable {
        var service: WebSource
        var request: WebRequest
        /// Identifies the request and the processing of its answer.
        var fingerprint: String
        var feed: WebFeed
        /// What the feed is; nil: no archive.
        var archive: WebArchive?
        /// Where it is asked for each record of an entity.
        var parted: PartedFeed?
        var isConditional: Bool
    }

    private let downloads: Mutex<[Int: Download]>
    /// Those of objects.
    private let objects = Mutex<[ObjectReading]>([])
    private let distant: DistantArchives
    /// Whether the downloads are no longer wanted.
    private let isOver = Atomic(false)
    private let count: Int
    /// Whether a run may end because no service has anything new.
    private let mayBeUnchanged: Bool
    /// By source: the stored values that the service is told, for each record that it is asked for.
    let parentSince: [Int: ParentSince]
    /// By source.
    private let sessions: [FetchSession]

    /// Prepares the downloads, after the run has begun.
    ///
    /// - Parameter run: says what the store holds of the records for each of which a service is asked; nil: none has
    ///   begun.
    init(
        _ inputs: [FeedInput], _ definition: PipelineDefinition, _ store: any OpenStore, _ settings: Settings,
        run: (any StoreRun)? = nil
    ) throws(Failure) {
        sessions = settings.sessions(inputs)
        distant = DistantArchives(inputs)
        let marks = try store.fetchMarks(pipeline: definition.name)
        let fingerprint = definition.fetchFingerprint
        var downloads: [Int: Download] = [:]
        var archives: [WebRequest: WebArchive] = [:]
        var parentSince: [Int: ParentSince] = [:]
        for (index, input) in inputs.enumerated() {
            guard let service = input.web else { continue }
            let request = try service.request(input, source: index, definition.model, settings.since)
            if let run, service.since?.relationship != nil, settings.since.isKnown(input.source) {
                parentSince[index] = try ParentSince(service, definition.model, run, started: settings.started)
            }
            let key = SluiceFetch.fingerprint(of: [fingerprint, String(describing: Self.parts(request))])
            let mark = marks.first { $0.source.isIdentical(to: input.source.name) && $0.request == key }
            let conditions =
                settings.isConditional && !service.isPaged && request.body == nil
                ? mark.map { Validators(etag: $0.etag, lastModified: $0.lastModified) } : nil
            // An archive is downloaded once for all sources that are in it.
            let feed = archives[request]?.feed ?? WebFeed(request, sessions[index], conditions: conditions)
            var download = Download(
                service: service, request: request, fingerprint: key, feed: feed, isConditional: conditions != nil)
            if let member = service.member {
                let archive = archives[request] ?? WebArchive(feed)
                archive.expect([member])
                archives[request] = archive
                download.archive = archive
            }
            downloads[index] = download
        }
        mayBeUnchanged =
            !inputs.isEmpty && downloads.count == inputs.count && downloads.values.allSatisfy(\.isConditional)
        count = inputs.count
        self.parentSince = parentSince
        self.downloads = Mutex(downloads)
    }

    /// What determines an answer.
    private static func parts(_ request: WebRequest) -> [String] {
        [request.url] + request.query.flatMap { [$0.name, $0.value.fingerprint] }
            + request.headers.flatMap { [$0.name, $0.value.fingerprint] } + [request.body?.text].compactMap { $0 }
    }

    /// Whether all services say that they have nothing new since the last run that succeeded.
    func areUnchanged() throws(Failure) -> Bool {
        guard mayBeUnchanged else { return false }
        for index in 0..<count {
            start(from: index)
            if try downloads.withLock({ $0[index]?.feed })?.hasNews() != false { return false }
        }
        return true
    }

    /// The origin of a source that is read now; nil where the source is on this machine.
    ///
    /// - Parameter parts: of a source that is asked for each record of an entity.
    func origin(
        of source: Int, _ input: FeedInput, _ model: Model, parts: [PartedFeed.Part] = []
    ) throws(Failure) -> FeedFiles.Origin? {
        switch input.origin {
        case .service(let service, _):
            if service.parents != nil, let feed = parted(source, parts) {
                return .pages(ServicePages(input, service, .parted(feed), of: model, source: source))
            }
            let download = try download(of: source)
            return .init(input, service, download.feed, download.archive, of: model, source: source)
        case .objects: return objects(of: source, input).map(FeedFiles.Origin.objects)
        case .remote(let remote, _): return .remote(try files(remote, of: source, input))
        case .files, .command, .program: return nil
        }
    }

    /// The feed of a source that is asked for each record of an entity.
    private func parted(_ source: Int, _ parts: [PartedFeed.Part]) -> PartedFeed? {
        guard let download = downloads.withLock({ $0[source] }) else { return nil }
        start(from: source)
        let parted = PartedFeed(
            download.request, parts, sessions[source], requests: download.service.requests)
        let isStopped = downloads.withLock { downloads in
            downloads[source]?.parted = parted
            return isOver.load(ordering: .acquiring)
        }
        if isStopped { parted.stop() }
        return parted
    }

    /// The downloads of a source that is some objects; nil: it is something else.
    private func objects(of source: Int, _ input: FeedInput) -> ObjectReading? {
        guard let feed = ObjectReading(input, sessions[source], distant) else { return nil }
        objects.withLock { $0.append(feed) }
        if isOver.load(ordering: .acquiring) { feed.stop() }
        return feed
    }

    /// The files of a source that are on another machine.
    private func files(
        _ remote: RemoteInput, of source: Int, _ input: FeedInput
    ) throws(Failure) -> RemoteReading {
        var session = sessions[source]
        session.isStopped = { [self] in isOver.load(ordering: .acquiring) }
        return RemoteReading(input, remote, try RemoteFiles(remote.place, session), distant)
    }

    /// The feed of a source that is a web service, which is to be read now.
    func feed(of source: Int) throws(Failure) -> WebFeed { try download(of: source).feed }

    private func download(of source: Int) throws(Failure) -> Download {
        start(from: source)
        guard var download = downloads.withLock({ $0[source] }) else {
            throw Failure(.defect, "the source \(source) is no service")
        }
        // The feed of another source is new, and this one is wanted after all.
        guard download.isConditional, try !download.feed.hasNews() else { return download }
        let known = download.feed
        let feed = WebFeed(download.request, sessions[source])
        let archive = download.archive.map { WebArchive(feed, expected: $0.expected) }
        downloads.withLock { downloads in
            for index in downloads.keys where downloads[index]?.feed === known {
                downloads[index]?.feed = feed
                downloads[index]?.archive = archive
            }
        }
        (download.feed, download.archive) = (feed, archive)
        return download
    }

    /// Starts the download of a source, and of those behind it that may go on beside it.
    private func start(from source: Int) {
        let feeds = downloads.withLock { downloads in
            (source..<count).compactMap { index -> WebFeed? in
                guard let first = downloads[source] ?? downloads[index], let download = downloads[index] else {
                    return nil
                }
                // The requests depend on records that are not known yet.
                if download.service.parents != nil { return nil }
                let most = min(first.service.parallel, download.service.parallel)
                return index - source < most ? download.feed : nil
            }
        }
        for feed in feeds { feed.start() }
    }

    private func pageNotes(of source: Int) -> [PageNote] { downloads.withLock { $0[source]?.feed.pageNotes } ?? [] }

    /// Which pages of a source, from 0, are answers that were kept and came before a moment, to the second.
    func keptPages(of source: Int, before moment: Timestamp) -> Set<Int> {
        let notes = pageNotes(of: source)
        return Set(notes.indices.filter { page in notes[page].keptAt.map { $0 <= Int(moment.unixSeconds) } ?? false })
    }

    /// What was noted of each sequence of pages of a source.
    private func sequences(of source: Int) -> [[PageNote]] {
        [pageNotes(of: source)] + (downloads.withLock { $0[source]?.parted }?.pageNotes ?? [])
    }

    /// Whether pages of a source are of different times, as some were taken from the cache: what has moved from one to
    /// another since is on none of them, or on both.
    func mixesPages(of source: Int, before moment: Timestamp) -> Bool {
        sequences(of: source).contains { mixesPages($0, before: moment) }
    }

    /// Whether pages of a source count fewer records from one to the next: some may be on none of them.
    func hasShrunk(_ source: Int) -> Bool { sequences(of: source).contains(where: PageNote.shrink) }

    /// What a service has not found where it was asked for what belongs to records, if that says nothing of these; nil:
    /// it has found all.
    func notFound(of source: Int) -> PartedFeed.NotFound? {
        guard let download = downloads.withLock({ $0[source] }), download.service.notFound == .unknown else {
            return nil
        }
        return download.parted?.notFound
    }

    private func mixesPages(_ notes: [PageNote], before moment: Timestamp) -> Bool {
        let kept = notes.filter(\.isOfCache).compactMap(\.keptAt).filter { $0 <= Int(moment.unixSeconds) }
        guard let first = kept.min(), let last = kept.max() else { return false }
        return kept.count < notes.count || last - first > RunAnswers.pause
    }

    /// Ends all downloads: they are no longer wanted.
    func stop() {
        let all = downloads.withLock { downloads in
            isOver.store(true, ordering: .releasing)
            return Array(downloads.values)
        }
        for download in all {
            download.feed.stop()
            download.parted?.stop()
        }
        for feed in objects.withLock({ $0 }) { feed.stop() }
    }

    /// Ends all downloads, and waits for their ends.
    func end() {
        stop()
        for download in downloads.withLock({ Array($0.values) }) {
            download.feed.end()
            download.parted?.end()
        }
        for feed in objects.withLock({ $0 }) { feed.end() }
    }

    /// What has happened on the wire, of all sources that are services.
    func wire(_ inputs: [FeedInput]) -> [RunReport.WireFacts] {
        zip(inputs, sessions).compactMap { input, session in
            input.web == nil && !input.isDistant
                ? nil : RunReport.WireFacts(name: input.source.name, session.meter.counts)
        }
    }

    /// What the services have said of the versions that were read.
    func marks(_ inputs: [FeedInput]) -> [FetchMark] {
        let downloads = downloads.withLock { $0 }
        return inputs.indices.compactMap { index in
            guard let download = downloads[index], let validators = download.feed.validators, !validators.isEmpty else {
                return nil
            }
            return FetchMark(
                source: inputs[index].source.name, request: download.fingerprint, etag: validators.etag,
                lastModified: validators.lastModified)
        }
    }
}

extension RunReport.WireFacts {
    fileprivate init(name: String, _ counts: WireCounts) {
        self.init(name: name)
        (requests, bytes, notModified, kept) = (counts.requests, counts.bytes, counts.unchanged, counts.kept)
        retries = counts.retries
        (retrySeconds, rateSeconds, serviceSeconds) = (counts.retrySeconds, counts.rateSeconds, counts.serviceSeconds)
    }
}

extension PipelineDefinition {
    /// Identifies the parts of the definition that decide what a run makes of a feed. Neither the place of the store
    /// nor the credentials are part of it.
    fileprivate var fetchFingerprint: String {
        guard case .object(let members) = tree.root.kind else { return "" }
        let parts = members.filter { !["$schema", "store", "archive", "findings"].contains($0.key) }
        return SluiceFetch.fingerprint(of: parts.flatMap { [$0.key, $0.value.withoutCredentials.minified] })
    }
}
