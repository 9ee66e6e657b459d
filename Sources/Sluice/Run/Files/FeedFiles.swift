import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// The files of one source, or the pages that a web service gives, read one after the other.
final class FeedFiles {
    /// Where they come from.
    enum Origin {
        /// Opens a file of this machine, of that name and index.
        case files((String, Int) throws(Failure) -> any ByteSource)
        /// The pages of a web service.
        case pages(ServicePages)
        /// A file in an archive that a web service gives.
        case member(WebArchive, path: String)
        /// What a command prints.
        case command(CommandBytes)
        /// What the program gives.
        case program(any ByteSource)
        case objects(ObjectReading)
        case remote(RemoteReading)
    }

    /// One of them.
    struct File {
        var index: Int
        var name: String
        var bytes: any ByteSource
        /// The number of the record that the service was asked for.
        var part: Int?
    }

    private let input: FeedInput
    private let origin: Origin
    private let keep: (any ByteSource, Int) throws(Failure) -> any ByteSource
    private var next = 0
    /// The object that is read.
    private var object: WebFeed?

    /// - Parameter keep: is given what cannot be opened again, of that index.
    init(
        _ input: FeedInput, _ origin: Origin,
        keep: @escaping (any ByteSource, Int) throws(Failure) -> any ByteSource = { bytes, _ in bytes }
    ) {
        self.input = input
        self.origin = origin
        self.keep = keep
    }

    /// What the pages say of one another.
    var yield: PageYield {
        if case .pages(let pages) = origin { pages.yield } else { PageYield() }
    }

    /// Reads all that come, a batch of a model at a time; each is used again for the next.
    func readAll(
        by reader: FeedReader, _ model: Model, _ take: (RecordBatch) throws(Failure) -> Void
    ) throws(Failure) {
        while let file = try nextFile() {
            var batch = RecordBatch(model: model)
            _ = try reader.read(file.bytes, named: file.name, file: file.index, into: &batch) { full throws(Failure) in
                try take(full)
                full.reset()
                return full
            }
            try take(batch)
        }
    }

    /// The next one; nil after the last.
    func nextFile() throws(Failure) -> File? {
        if case .pages(let pages) = origin {
            guard let page = try pages.next() else { return nil }
            defer { next += 1 }
            return File(index: next, name: page.name, bytes: try keep(page.bytes, next), part: page.part)
        }
        try endLast()
        guard next < input.files.count else { return nil }
        defer { next += 1 }
        guard let bytes = try open(next) else {
            if input.mayBeMissing, case .member = origin { return nil }
            throw Failure(.missing, "\(input.files[next]) does not exist: the archive holds no such file")
        }
        return File(index: next, name: input.files[next], bytes: bytes)
    }

    /// Ends the file before: whether it has come whole.
    private func endLast() throws(Failure) {
        switch origin {
        case .objects:
            _ = try object?.nextPage()
            object = nil
        case .command(let command) where next > 0:
            // The exit status of the command counts, and the parser need not have read what follows the feed.
            try command.finish()
        case .files, .pages, .member, .command, .program, .remote: break
        }
    }

    /// The bytes of a file; nil: there is none in the archive that should hold it.
    private func open(_ index: Int) throws(Failure) -> (any ByteSource)? {
        let bytes: (any ByteSource)?
        switch origin {
        case .files(let open): return try open(input.paths[index], index)
        case .pages: throw Failure(.defect, "pages are no files")
        case .member(let archive, let path): bytes = try archive.member(path)
        case .command(let command): bytes = try openFeed(command, named: input.location)
        case .program(let program): bytes = program
        case .remote(let remote): bytes = try remote.bytes(index, named: input.files[index], member: input.member)
        case .objects(let objects):
            object = try objects.download(index)
            bytes = try objects.bytes(index, object)
        }
        return try bytes.map { bytes throws(Failure) in try keep(bytes, index) }
    }

    /// Notes how many records the last file had, which has been read: a page without records is the last, unless it
    /// says that there is another, and leads there.
    ///
    /// - Parameter taken: what was taken of all files so far, by entity and path.
    /// - Throws: what a service has sent instead of a page.
    func endFile(records: UInt64, taken: [[UInt64]]) throws(Failure) {
        guard case .pages(let pages) = origin else { return }
        try pages.endFile(records: records, taken: taken)
    }

    /// The first bytes of the last file, as messages may show them.
    func shown(_ beginning: [UInt8]) -> [UInt8] {
        if case .pages(let pages) = origin { pages.cleaned(beginning) } else { beginning }
    }

    /// What is wrong with the last file, likewise.
    func shown(_ failure: Failure) -> Failure {
        if case .pages(let pages) = origin { pages.cleaned(failure) } else { failure }
    }
}

extension FeedFiles.Origin {
    /// That of a service whose feed comes whole: its pages, or a file in the archive that it gives.
    ///
    /// - Parameters:
    ///   - archive: the one of that feed; nil: the feed is none.
    ///   - source: the index of the source in the model.
    init(
        _ input: FeedInput, _ service: WebSource, _ feed: WebFeed, _ archive: WebArchive?, of model: Model, source: Int
    ) {
        if let archive, let member = service.member {
            self = .member(archive, path: member)
        } else {
            self = .pages(ServicePages(input, service, .whole(feed), of: model, source: source))
        }
    }

    /// The files of an input that is read without a run, and is no service.
    ///
    /// - Parameter objects: its objects, which the caller ends.
    init(alone input: FeedInput, _ objects: ObjectReading?, _ control: RunControl = RunControl()) throws(Failure) {
        switch input.origin {
        case .files: self = .files { file, _ throws(Failure) in try openFeed(file) }
        case .command(let command): self = .command(CommandBytes(command))
        case .objects, .remote, .service, .program:
            if let objects {
                self = .objects(objects)
            } else if let remote = try RemoteReading(input, control) {
                self = .remote(remote)
            } else {
                throw Failure(.defect, "\(input.location) is read by runs only")
            }
        }
    }
}
