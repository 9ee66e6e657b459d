import Glibc
import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceStore
import SluiceStores
import Synchronization

/// Saves the feed of a run while it is read: a file for each file, compressed with zstd.
///
/// The files grow in a folder of their own, and get their names in the archive when the run ends (``ArchivePlace``).
///
/// The thread that reads owns it until that thread says that reading has ended; then the thread that ends the run owns
/// it. Before, the end of a run uses nothing of it that the reader changes.
final class FeedArchive: @unchecked Sendable {
    private let keep: Int?
    private let names: ArchiveNames
    private let inputs: [FeedInput]
    private let place: any ArchivePlace
    /// What identifies the store.
    private let store: String
    /// The store and the pipeline, which have one run at a time.
    private let owner: String
    /// Whether to give up what is still to be saved, once the run has failed.
    private let isStopped: @Sendable () -> Bool
    /// By source: how many files have been saved to their end.
    private var done: [Int]
    private var current: (source: Int, bytes: SavedBytes, file: CompressedFile)?
    /// By source: the values that the records of each file take of the record for which a service was asked, as JSON.
    private var parents: [[String]]
    /// By source: what the files of a feed in pages are called.
    private var pages: [[String]]
    /// By source, where it is a web service: whether all of its pages have been saved.
    private var isWhole: [Bool]
    /// Whether reading has ended. A run that is cancelled leaves a reader behind that is stuck.
    private let isRead = Atomic<Bool>(false)
    /// The names of the sources that do not give all that there is.
    private var partial: [String] = []
    /// The names of the sources that gave what there was at different times.
    private var shifting: [String] = []
    /// Whether something of the feed is lost.
    private var isIncomplete = false
    /// Where the feed is saved; nil: it is not, or not yet.
    private(set) var entry: ArchiveEntry?

    init(
        _ settings: PipelineDefinition.Archive, pipeline: String, store: StoreLocation, started: String,
        _ inputs: [FeedInput], isStopped: @escaping @Sendable () -> Bool
    ) throws(Failure) {
        keep = settings.keep
        self.store = store.identity
        owner = "\(store.identity)\n\(pipeline)\n"
        names = ArchiveNames(pipeline: pipeline, started: started)
        self.inputs = inputs
        self.isStopped = isStopped
        if ObjectFolder.names(settings.directory) {
            place = try ArchiveObjects(settings.directory, isStopped: isStopped)
        } else {
            place = try ArchiveFolder(FeedArchive.prepare(settings.directory))
        }
        done = inputs.map { _ in 0 }
        parents = inputs.map { _ in [] }
        pages = inputs.map { _ in [] }
        isWhole = inputs.map { _ in false }
    }

    /// Makes the directory, if it is not there, and returns its absolute path.
    private static func prepare(_ directory: String) throws(Failure) -> String {
        if unsafe mkdir(directory, 0o750) != 0, errno != EEXIST {
            throw failure("the archive \(directory) cannot be created")
        }
        guard let real = FilePath.real(directory) else { throw failure("the archive \(directory) cannot be used") }
        return real
    }

    /// Throws why feeds cannot be saved in a directory; changes nothing.
    static func checkDirectory(_ directory: String) throws(Failure) {
        // A service says whether a client may write there only when the client writes.
        if ObjectFolder.names(directory) {
            _ = try ObjectFolder(directory, FetchSession(.sluice)).entries(".sluice-work-")
            return
        }
        var status = stat()
        if unsafe stat(directory, &status) == 0 {
            let isWritable = unsafe access(directory, W_OK | X_OK) == 0
            if status.st_mode & S_IFMT != S_IFDIR { errno = ENOTDIR } else if isWritable { return }
            throw failure("the archive \(directory) cannot be used")
        }
        guard unsafe errno != ENOENT || access(FilePath.folder(directory), W_OK | X_OK) != 0 else { return }
        throw failure("the archive \(directory) cannot be created")
    }

    // MARK: While it is read

    /// Saves a file of the feed while it is read.
    ///
    /// - Parameters:
    ///   - page: what it is called, where it is a page of a service.
    ///   - parent: the values that its records take of the record for which a service was asked, as JSON.
    func save(
        _ bytes: any ByteSource, source: Int, file: Int, page: String? = nil, parent: String? = nil
    ) throws(Failure) -> any ByteSource {
        try endFile()
        if let page { pages[source].append(page) }
        if let parent { parents[source].append(parent) }
        let copy = try CompressedFile(place.path(source, file))
        let saved = SavedBytes(bytes, to: copy)
        current = (source, saved, copy)
        return saved
    }

    /// Notes that a source has been read to its end: how many pages a web service gives is not known before.
    func endSource(_ source: Int) throws(Failure) {
        try endFile()
        isWhole[source] = true
    }

    /// Whether all of a source is saved. A web service without pages gives one file.
    private func isSaved(_ source: Int) -> Bool {
        guard let web = inputs[source].web else { return done[source] == inputs[source].files.count }
        return isWhole[source] || !web.isPaged && done[source] == 1
    }

    private func endFile() throws(Failure) {
        guard let (source, _, file) = current else { return }
        current = nil
        try file.finish()
        done[source] += 1
    }

    /// Saves the rest of a feed that the run does not read any further: all of it is needed to find out why the run has
    /// failed.
    func complete(_ open: (_ source: Int, _ file: Int) throws(Failure) -> any ByteSource) {
        do throws(Failure) {
            if let current, try !current.bytes.drain(unless: isStopped) {
                isIncomplete = true
                return
            }
            try endFile()
            for (source, input) in inputs.enumerated() {
                if !input.isFromFiles, !isSaved(source) {
                    // What the run itself does not read is not requested from a service or the program.
                    isIncomplete = true
                    return
                }
                while !isSaved(source) {
                    let file = done[source]
                    _ = try save(open(source, file), source: source, file: file)
                    guard let current, try current.bytes.drain(unless: isStopped) else {
                        isIncomplete = true
                        return
                    }
                    try endFile()
                }
            }
        } catch {
            isIncomplete = true
        }
    }

    // MARK: When it has been read

    /// Notes that nothing more is read: from now on the thread that ends the run owns the archive.
    func endReading() { isRead.store(true, ordering: .releasing) }

    /// Notes which sources did not give all that there is, and which gave it at different times. Others that are asked
    /// for what belongs to records of theirs follow from the definition.
    func describe(partial: Set<Int>, shifting: Set<Int>) {
        self.partial = partial.sorted().map { inputs[$0].source.name }
        self.shifting = shifting.sorted().map { inputs[$0].source.name }
    }

    /// Gives the files their names. A feed of which something is missing is not kept.
    ///
    /// - Parameter run: the number of the run; nil: no ledger will know it. Of such runs only the last one's feed
    ///   stays.
    func finish(run: Int?) throws(Failure) {
        try finish(by: run.map { .run($0) } ?? .unrecorded)
    }

    /// Gives the files their names.
    func finish(by saver: ArchiveNames.Saver) throws(Failure) {
        // A file that was not read to its end may look like a whole one.
        guard isRead.load(ordering: .acquiring), entry == nil, !isIncomplete, current == nil else { return }
        guard inputs.indices.allSatisfy(isSaved) else { return }
        if case .run = saver { try place.open(owner: owner, beginning: names.beginning) }
        var sources: [(name: String, files: [String])] = []
        var taken: Set<ExactText> = []
        do throws(Failure) {
            for (source, input) in inputs.enumerated() {
                sources.append((input.source.name, []))
                for file in 0..<done[source] {
                    sources[source].files.append(try name(source, file, by: saver, besides: &taken))
                }
            }
            if case .unrecorded = saver { try removeOthers(besides: taken) }
            try place.finish()
        } catch {
            isIncomplete = true
            place.withdraw(sources.flatMap(\.files))
            throw error
        }
        let parents = zip(inputs, parents).compactMap { input, values in
            values.isEmpty ? nil : (name: input.source.name, values: values)
        }
        let pages = zip(inputs, pages).compactMap { input, names in
            names.isEmpty ? nil : (name: input.source.name, names: names)
        }
        entry = ArchiveEntry(
            directory: place.location, sources: sources, parents: parents, pages: pages, partial: partial,
            shifting: shifting)
        entry?.store = store
    }

    /// Removes what an earlier run has saved that no ledger knows of: files of two nights are no feed.
    private func removeOthers(besides own: Set<ExactText>) throws(Failure) {
        try place.remove(beginning: names.unrecorded) { !own.contains(ExactText($0)) && names.isUnrecorded($0) }
    }

    /// Gives a file its name, and returns it. A run of the same number of another store may have one that is alike.
    ///
    /// - Parameter taken: the names that files of this run have. Those of two sources may be alike, but for what is no
    ///   letter.
    private func name(
        _ source: Int, _ file: Int, by saver: ArchiveNames.Saver, besides taken: inout Set<ExactText>
    ) throws(Failure) -> String {
        let replaces = if case .unrecorded = saver { true } else { false }
        var copy = 1
        while true {
            let name = names.name(by: saver, inputs[source], file: file, copy: copy)
            copy += 1
            guard taken.insert(ExactText(name)).inserted else { continue }
            if try place.name(source, file, name, replaces: replaces) { return name }
        }
    }

    /// Ends the run: deletes what runs of the pipeline that died between naming their feed and noting it have left, and
    /// the feeds of runs that are older than the newest ones that are to be kept. What cannot be deleted stays, and is
    /// tried again the next time.
    ///
    /// - Parameter isNoted: whether the ledger says where the feed of this run is.
    func end(_ store: any OpenStore, isNoted: Bool) {
        if isNoted { place.close() }
        discard()
        try? removeLeftovers(store)
        prune(store)
    }

    /// Removes what has got no name: the thread that has read the feed may hold it for longer than the process lasts.
    func discard() {
        if isRead.load(ordering: .acquiring) { place.discard() }
    }

    private func removeLeftovers(_ store: any OpenStore) throws(Failure) {
        var kept = Set(entry?.sources.flatMap(\.files) ?? [])
        guard let archives = try store.archives() else { return }
        for entry in archives.compactMap(ArchiveEntry.init(json:)) { kept.formUnion(entry.sources.flatMap(\.files)) }
        try place.removeLeftovers(owner: owner) { kept.contains($0) || !names.isOwn($0) }
    }

    private func prune(_ store: any OpenStore) {
        guard let keep, entry != nil else { return }
        try? store.pruneArchive(keep: keep) { text in
            guard let entry = ArchiveEntry(json: text) else { return false }
            return delete(entry)
        }
    }

    /// Whether another store, of which this one is a copy, has saved the feed: a store that was moved is not there any
    /// more.
    private func isOfOther(_ entry: ArchiveEntry) -> Bool {
        guard let saver = entry.store, !saver.isIdentical(to: store) else { return false }
        return !saver.hasPrefix("/") || (unsafe access(saver, F_OK) == 0)
    }

    /// Deletes the files that a run has saved by the ledger: only those with names that this pipeline gives.
    ///
    /// In another directory nothing is deleted, and the ledger forgets the files: the definition no longer names that
    /// directory, or the store is a copy of another one, to which the feeds belong. A directory that is there no longer
    /// has become this one, with the files in it.
    private func delete(_ entry: ArchiveEntry) -> Bool {
        let files = entry.sources.flatMap(\.files)
        guard files.allSatisfy(names.isOwn) else { return false }
        if isOfOther(entry) { return true }
        guard ObjectFolder.names(entry.directory) else {
            guard entry.directory.isIdentical(to: place.location) || wasMoved(from: entry.directory) else {
                return true
            }
            return files.reduce(true) { isGone, name in
                (unsafe unlink(place.location + "/" + name) == 0 || errno == ENOENT) && isGone
            }
        }
        if !entry.directory.isIdentical(to: place.location) { return true }
        let session = FetchSession(.sluice, isStopped: isStopped)
        guard let folder = try? ObjectFolder(entry.directory, session) else { return false }
        return files.allSatisfy { (try? folder.remove($0)) != nil }
    }

    /// Whether the directory of the archive is one that had another path.
    private func wasMoved(from directory: String) -> Bool {
        if ObjectFolder.names(place.location) { return false }
        return unsafe access(directory, F_OK) != 0 && errno == ENOENT
    }

    static func failure(_ sentence: String) -> Failure {
        let kind: Failure.Kind = [ENOSPC, EIO, EDQUOT].contains(errno) ? .io : .uncreatable
        return Failure(kind, sentence, errno: errno)
    }
}
