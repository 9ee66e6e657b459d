import SluiceExtract
import SluiceRecords

/// Downloads all pages of a feed, one after the other, on a thread of its own.
final class Fetcher {
    private let client: Client
    private let stream: PageStream
    private let conditions: Validators?

    init(
        _ request: WebRequest, _ stream: PageStream, _ settings: FetchSettings, conditions: Validators?
    ) throws(Failure) {
        self.stream = stream
        self.conditions = conditions
        client = try Client(request, stream, settings)
    }

    /// What the service says beside the content.
    enum Note {
        /// The version of a feed that is a single answer.
        case version(Validators)
        case page(PageNote)
    }

    /// Downloads until there is no further page, or nobody wants one.
    ///
    /// - Parameter note: is told what the service says beside the content.
    func perform(_ note: (Note) -> Void) throws(Failure) {
        var sequence = PageSequence(client)
        var address: WebAddress? = try sequence.first()
        var budget = client.request.maxBytes
        while let page = address, stream.beginPage() {
            client.body = sequence.body
            let download = try PageDownload(
                client, page, conditions: sequence.count == 0 ? conditions : nil, isFirst: sequence.count == 0,
                budget: budget, paths: sequence.paths)
            switch try download.perform() {
            case .cancelled: return
            case .notModified: return stream.note(.notModified)
            case .page(let page):
                budget -= page.bytes
                if client.request.pages == nil { note(.version(page.head.validators)) }
                address = try sequence.next(after: page)
                if let last = sequence.note { note(.page(last)) }
                stream.endPage()
            }
        }
    }
}
