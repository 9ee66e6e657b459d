import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceRecords

/// The pages that a web service gives, one after the other.
final class ServicePages {
    /// A web service that is read.
    enum Service {
        /// Its feed, in one page or in several.
        case whole(WebFeed)
        /// A feed for each record of an entity, with its pages.
        case parted(PartedFeed)
    }

    /// One of them.
    struct Page {
        var name: String
        var bytes: any ByteSource
        /// The number of the record that the service was asked for.
        var part: Int?
    }

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

    private let input: FeedInput
    private let paging: Paging?
    private let service: Service
    private let model: Model
    private let source: Int
    private var count = 0
    /// The feed whose pages come; nil: that of the next record, or none.
    private var sequence: Sequence?
    /// Looks at the pages, where they are JSON.
    private var form: PageForm?
    /// Likewise where they are tables.
    private let header: ForeignHeader?
    private let answers: AnswerCheck?
    /// The last one, where it is looked at.
    private var page: (watch: PageWatch, name: String)?
    /// What was taken of all of them.
    private var taken: [[UInt64]] = []
    /// What they say of one another.
    private(set) var yield = PageYield()

    /// - Parameter source: the index of the source in the model.
    init(_ input: FeedInput, _ web: WebSource, _ service: Service, of model: Model, source: Int) {
        self.input = input
        self.service = service
        self.model = model
        self.source = source
        paging = web.request.pages
        answers = web.failing.map(AnswerCheck.init)
        if case .whole(let feed) = service {
            sequence = Sequence(feed: feed, counts: PageCounts(model, source: source))
        }
        header = input.format.isTable ? ForeignHeader(input, of: model, source: source) : nil
        guard !input.format.isTable else { return }
        // Answers that are asked for one by one may have anything, or nothing.
        let isSeries = web.parents == nil || paging != nil
        let areParts = web.parents != nil && input.format == .json
        form = PageForm(model, source: source, isCompared: isSeries && input.format == .json, areParts: areParts)
    }

    /// The next one; nil after the last.
    func next() throws(Failure) -> Page? {
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
            defer { count += 1 }
            let name = pageName()
            let part = sequence?.part?.number
            if form == nil, header == nil { return Page(name: name, bytes: bytes, part: part) }
            let watch = PageWatch(
                bytes, form?.places ?? [], others: answers?.places ?? [], keepsLists: paging != nil)
            page = (watch, name)
            return Page(name: name, bytes: watch, part: part)
        }
    }

    /// What the page that has just come is called.
    private func pageName() -> String {
        guard let sequence, let part = sequence.part else { return input.feed.name(ofFile: count) }
        let name = paging == nil ? part.name : "\(part.name) (page \(sequence.pages))"
        input.pages?.append(name)
        return name
    }

    /// Turns to the next record that the service is asked for; false: there is none.
    private func beginPart() throws(Failure) -> Bool {
        guard case .parted(let parts) = service, let (number, feed) = try parts.next() else { return false }
        form?.beginAgain()
        sequence = Sequence(
            feed: feed, part: (number, feed.name), counts: PageCounts(model, source: source, before: taken))
        return true
    }

    /// Notes that no page follows.
    private func endSequence() {
        guard let ended = sequence else { return }
        sequence = nil
        if let paging {
            yield.add(ended.counts, ended.feed.pageNotes, paging, named: ended.part?.name)
        } else if let unasked = ended.feed.pageNotes.lazy.compactMap(\.unasked).first {
            yield.keepUnasked(unasked, records: ended.counts.records, isWhole: ended.part == nil)
        }
    }

    /// Notes how many records the last page had, which has been read: a page without records is the last, unless it
    /// says that there is another, and leads there.
    ///
    /// - Parameter taken: what was taken of all pages so far, by entity and path.
    /// - Throws: what the service has sent instead of a page.
    func endFile(records: UInt64, taken: [[UInt64]]) throws(Failure) {
        self.taken = taken
        guard let feed = sequence?.feed else { return }
        sequence?.counts.endPage(taken)
        if records == 0 { sequence?.emptyPages += 1 } else { sequence?.emptyPages = 0 }
        if let page {
            page.watch.hideSecrets(of: feed)
            try answers?.check(page.watch.otherValues, beginning: page.watch.beginning, named: page.name)
            try form?.check(page.watch, named: page.name, records: records)
            if records == 0, let text = header?.complaint(of: page.watch.beginning) {
                throw Failure(.data, "\(page.name) is no page: \(text)")
            }
            if let form { yield.strange = form.strange }
        }
        guard records == 0, !saysMore(feed) else { return }
        feed.stop()
        endSequence()
    }

    /// The first bytes of the last page, without the secrets that the service was sent.
    func cleaned(_ beginning: [UInt8]) -> [UInt8] { sequence?.feed.cleaned(beginning) ?? beginning }

    /// What is wrong with it, likewise.
    func cleaned(_ failure: Failure) -> Failure {
        var shown = failure
        if let feed = sequence?.feed { shown.message = feed.cleaned(failure.message) }
        return shown
    }

    /// Whether the last page says that there is another, or names one, which is not that page itself.
    private func saysMore(_ feed: WebFeed) -> Bool {
        let notes = feed.pageNotes
        guard let sequence, sequence.pages > 0, sequence.pages <= notes.count else { return false }
        let note = notes[sequence.pages - 1]
        return note.hasMore == true && !note.leadsBack || note.leadsOn && sequence.emptyPages <= PageNote.mostEmpty
    }
}
