import SluiceExtract
import SluiceFetch
import SluiceRecords

/// What is read of one source, one after the other: its files, or the pages that a web service gives.
final class FeedFiles {
    /// A web service that is read.
    enum Service {
        /// Its feed, in one page or in several.
        case whole(WebFeed)
        /// A feed for each record of an entity, with its pages.
        case parted(PartedFeed)
    }

    private let input: FeedInput
    private let model: Model
    private let source: Int
    private let web: Service?
    private let program: (any ByteSource)?
    private let command: CommandBytes?
    private let objects: ObjectReading?
    private let remote: RemoteReading?
    /// The object that is read.
    private var object: WebFeed?
    private let open: (String, Int) throws(Failure) -> any ByteSource
    private let keep: (any ByteSource, Int) throws(Failure) -> any ByteSource
    private var next = 0
    private var isOver = false
    /// Looks at the answers of a service, where these are JSON.
    private var form: PageForm?
    private let answers: AnswerCheck?
    private var page: (watch: PageWatch, name: String)?
    /// The feed whose pages come.
    private var sequence: Sequence?
    /// What was taken by all of them.
    private var taken: [[UInt64]] = []
    /// What the pages say of one another.
    private(set) var yield = PageYield()

    /// The pages of one feed.
    private struct Sequence {
        var feed: WebFeed
        /// What it is called, and the number of its part, where it is one of many.
        var part: (number: Int, name: String)?
        var counts: PageCounts
        var pages = 0
        /// How many there were without records since the last one with some.
        var emptyPages = 0
    }

    /// - Parameters:
    ///   - web: the download of a source that is a web service.
    ///   - source: the index of the source in the model.
    ///   - program: the bytes of a source that the program gives.
    ///   - command: what a source prints that is a command.
    ///   - objects: the downloads of a source that is some objects.
    ///   - remote: the files of a source that are on another machine.
    ///   - open: opens a file, of that index.
    ///   - keep: is given a page, of that index.
    init(
        _ input: FeedInput, _ web: Service?, of model: Model, source: Int, program: (any ByteSource)? = nil,
        command: CommandBytes? = nil, objects: ObjectReading? = nil, remote: RemoteReading? = nil,
        open: @escaping (String, Int) throws(Failure) -> any ByteSource,
        keep: @escaping (any ByteSource, Int) throws(Failure) -> any ByteSource
    ) {
        self.input = input
        self.model = model
        self.source = source
        self.web = web
        self.program = program
        self.command = command
        self.objects = objects
        self.remote = remote
        self.open = open
        self.keep = keep
        answers = web == nil ? nil : input.web?.failing.map(AnswerCheck.init)
        if case .whole(let feed)? = web {
            sequence = Sequence(feed: feed, counts: PageCounts(model, source: source))
        }
        guard web != nil, !input.format.isTable, input.web?.member == nil else { return }
        // Answers that are asked for one by one may have anything, or nothing.
        let isSeries = input.web?.parents == nil || input.web?.request.pages != nil
        let areParts = input.web?.parents != nil && input.format == .json
        form = PageForm(model, source: source, isCompared: isSeries && input.format == .json, areParts: areParts)
    }

    /// One of them.
    struct File {
        var index: Int
        var name: String
        var bytes: any ByteSource
        /// The number of the record that the service was asked for.
        var part: Int?
    }

    /// Reads all that come, a batch at a time; each is used again for the next.
    func readAll(by reader: FeedReader, _ take: (RecordBatch) throws(Failure) -> Void) throws(Failure) {
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
        guard !isOver else { return nil }
        if web == nil { return try nextLocalFile() }
        if let member = input.web?.member { return try nextMember(member) }
        return try nextPage()
    }

    private func nextObject(_ objects: ObjectReading) throws(Failure) -> File? {
        // The one before has come whole, or says why not.
        _ = try object?.nextPage()
        object = nil
        let number = next
        guard number < input.files.count else { return nil }
        object = try objects.download(number)
        next += 1
        guard let bytes = try objects.bytes(number, object) else {
            throw Failure(.missing, "\(input.files[number]) does not exist: the archive holds no such file")
        }
        return File(index: number, name: input.files[number], bytes: try keep(bytes, number))
    }

    private func nextLocalFile() throws(Failure) -> File? {
        if let objects { return try nextObject(objects) }
        guard next < input.files.count else {
            // How it ended counts, and who read the feed need not have read what is behind it.
            try command?.finish()
            return nil
        }
        defer { next += 1 }
        if let remote {
            let name = input.files[next]
            guard let bytes = try remote.bytes(next, named: name, member: input.member) else {
                throw Failure(.missing, "\(name) does not exist: the archive holds no such file")
            }
            return File(index: next, name: name, bytes: try keep(bytes, next))
        }
        if let command {
            let bytes = try openFeed(command, named: input.location)
            return File(index: next, name: input.files[next], bytes: try keep(bytes, next))
        }
        if let program { return File(index: next, name: input.files[next], bytes: try keep(program, next)) }
        return File(index: next, name: input.files[next], bytes: try open(input.paths[next], next))
    }

    private func nextMember(_ member: String) throws(Failure) -> File? {
        guard next == 0, let feed = sequence?.feed else { return nil }
        guard let bytes = try feed.member(member) else {
            if input.mayBeMissing { return nil }
            throw Failure(.missing, "\(input.location) does not exist: the archive holds no such file")
        }
        defer { next += 1 }
        return File(index: next, name: input.files[0], bytes: try keep(bytes, next))
    }

    private func nextPage() throws(Failure) -> File? {
        while true {
            guard let feed = sequence?.feed else {
                guard try beginPart() else { return nil }
                continue
            }
            guard let bytes = try feed.nextPage() else {
                endSequence()
                continue
            }
            sequence?.pages += 1
            defer { next += 1 }
            let name = pageName()
            guard let form else { return File(index: next, name: name, bytes: try keep(bytes, next), part: part) }
            let watch = PageWatch(bytes, form.places, others: answers?.places ?? [])
            page = (watch, name)
            return File(index: next, name: name, bytes: try keep(watch, next), part: part)
        }
    }

    private var part: Int? { sequence?.part?.number }

    /// What the page that has just come is called.
    private func pageName() -> String {
        guard let sequence, let part = sequence.part else { return input.feed.name(ofFile: next) }
        let name = input.web?.request.pages == nil ? part.name : "\(part.name) (page \(sequence.pages))"
        input.pages?.append(name)
        return name
    }

    /// Turns to the next record that the service is asked for; false: there is none.
    private func beginPart() throws(Failure) -> Bool {
        guard case .parted(let parts)? = web, let (number, feed) = try parts.next() else { return false }
        form?.beginAgain()
        sequence = Sequence(
            feed: feed, part: (number, feed.name), counts: PageCounts(model, source: source, before: taken))
        return true
    }

    /// Notes that no page follows.
    private func endSequence() {
        guard let ended = sequence else { return }
        sequence = nil
        if let paging = input.web?.request.pages {
            yield.add(ended.counts, ended.feed.pageNotes, paging, named: ended.part?.name)
        } else if let way = ended.feed.pageNotes.lazy.compactMap(\.unasked).first {
            yield.noteUnasked(way)
        }
        if case .whole? = web { isOver = true }
    }

    /// Says how many records the last one had, which has been read: a page without records is the last, unless it says
    /// that there is another, and leads there.
    ///
    /// - Parameter taken: what was taken of all files so far, by entity and path.
    /// - Throws: what a service has sent instead of a page.
    func note(records: UInt64, taken: [[UInt64]]) throws(Failure) {
        self.taken = taken
        guard let feed = sequence?.feed else { return }
        sequence?.counts.note(taken)
        if records == 0 { sequence?.emptyPages += 1 } else { sequence?.emptyPages = 0 }
        if let page {
            do throws(Failure) {
                try answers?.check(page.watch.otherValues, beginning: page.watch.beginning, named: page.name)
                try form?.check(page.watch, named: page.name, records: records)
            } catch {
                throw Failure(error.kind, feed.cleaned(error.message))
            }
        }
        guard records == 0, input.web?.member == nil, !saysMore(feed) else { return }
        feed.stop()
        endSequence()
    }

    /// Whether the last page says that there is another, or names one, which is not that page itself.
    private func saysMore(_ feed: WebFeed) -> Bool {
        let notes = feed.pageNotes
        guard let sequence, sequence.pages > 0, sequence.pages <= notes.count else { return false }
        let note = notes[sequence.pages - 1]
        return note.hasMore == true && !note.leadsBack || note.leadsOn && sequence.emptyPages <= PageNote.mostEmpty
    }
}
