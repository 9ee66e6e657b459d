import SluiceExtract
import SluiceFetch
import SluiceRecords

/// What is read of one source, one after the other: its files, or the pages that a web service gives.
final class FeedFiles {
    private let input: FeedInput
    private let web: WebFeed?
    private let program: (any ByteSource)?
    private let open: (String, Int) throws(Failure) -> any ByteSource
    private let keep: (any ByteSource, Int) throws(Failure) -> any ByteSource
    private var next = 0
    private var isOver = false
    /// Looks at the answers of a service, where these are JSON.
    private var form: PageForm?
    private let answers: AnswerCheck?
    private var page: (watch: PageWatch, name: String)?

    /// - Parameters:
    ///   - web: the download of a source that is a web service.
    ///   - source: the index of the source in the model.
    ///   - program: the bytes of a source that the program gives.
    ///   - open: opens a file, of that index.
    ///   - keep: is given a page, of that index.
    init(
        _ input: FeedInput, _ web: WebFeed?, of model: Model, source: Int, program: (any ByteSource)? = nil,
        open: @escaping (String, Int) throws(Failure) -> any ByteSource,
        keep: @escaping (any ByteSource, Int) throws(Failure) -> any ByteSource
    ) {
        self.input = input
        self.web = web
        self.program = program
        self.open = open
        self.keep = keep
        answers = web == nil ? nil : input.web?.failing.map(AnswerCheck.init)
        guard web != nil, !input.format.isTable, input.web?.member == nil else { return }
        form = PageForm(model, source: source, isCompared: input.web?.parents == nil && input.format == .json)
    }

    /// One of them.
    struct File {
        var index: Int
        var name: String
        var bytes: any ByteSource
    }

    /// The next one; nil after the last.
    func nextFile() throws(Failure) -> File? {
        guard !isOver else { return nil }
        defer { next += 1 }
        guard let web else {
            guard next < input.files.count else { return nil }
            if let program { return File(index: next, name: input.files[next], bytes: try keep(program, next)) }
            return File(index: next, name: input.files[next], bytes: try open(input.paths[next], next))
        }
        if let member = input.web?.member {
            guard next == 0 else { return nil }
            guard let bytes = try web.member(member) else {
                if input.mayBeMissing { return nil }
                throw Failure(.missing, "\(input.location) does not exist: the archive holds no such file")
            }
            return File(index: next, name: input.files[0], bytes: try keep(bytes, next))
        }
        guard let bytes = try web.nextPage() else { return nil }
        let name = input.feed.name(ofFile: next)
        guard let form else { return File(index: next, name: name, bytes: try keep(bytes, next)) }
        let watch = PageWatch(bytes, form.places, others: answers?.places ?? [])
        page = (watch, name)
        return File(index: next, name: name, bytes: try keep(watch, next))
    }

    /// Says how many records the last one had, which has been read: a page without records is the last, unless it says
    /// that there is another, and leads there.
    ///
    /// - Throws: what a service has sent instead of a page.
    func note(records: UInt64) throws(Failure) {
        guard let web else { return }
        if let page {
            do throws(Failure) {
                try answers?.check(page.watch.otherValues, beginning: page.watch.beginning, named: page.name)
                try form?.check(page.watch, named: page.name, records: records)
            } catch {
                throw Failure(error.kind, web.cleaned(error.message))
            }
        }
        guard records == 0, input.web?.parents == nil, input.web?.member == nil, !saysMore(web) else { return }
        isOver = true
        web.stop()
    }

    /// Whether the last page says that there is another, which is not that page itself.
    private func saysMore(_ web: WebFeed) -> Bool {
        let notes = web.pageNotes
        guard next > 0, next <= notes.count else { return false }
        return notes[next - 1].hasMore == true && !notes[next - 1].leadsBack
    }
}
