import SluiceExtract
import SluiceRecords

/// Downloads all pages of a feed, one after the other, on a thread of its own.
final class Fetcher {
    private let client: Client
    private let stream: PageStream
    private let conditions: Validators?

    init(
        _ request: WebRequest, _ stream: PageStream, _ settings: FetchSettings, conditions: Validators?,
        onRetry: @escaping @Sendable (Retry) -> Void
    ) throws(Failure) {
        self.stream = stream
        self.conditions = conditions
        client = try Client(request, stream, settings, onRetry: onRetry)
    }

    /// What the service says beside the content.
    enum Note {
        /// The version of a feed that is a single answer.
        case version(Validators)
        case page(PageNote)
        /// What nobody may see of an answer.
        case secrets(Redaction)
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
                try sequence.end(page)
                if let last = sequence.note { note(.page(last)) }
                note(.secrets(client.authorizer.credentials.redaction))
                // A page without a record is the last, wherever it leads: who reads it finds out, and asks for no other.
                stream.endPage()
                address = try sequence.next(after: page)
            }
        }
    }
}
