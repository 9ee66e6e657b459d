import SluiceExtract
import SluiceRecords

/// Downloads all pages of a feed, one after the other.
struct FeedDownload {
    let client: Client
    /// Which version is wanted of the first page.
    let version: WantedVersion
    /// Whether the feed is one of many: one that is not found has nothing.
    let isPart: Bool

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
        let stream = client.stream
        var sequence = PageSequence(client)
        var next: PageRequest? = try sequence.first()
        while let page = next, stream.beginPage() {
            let download = try PageDownload(
                client, page, page.isFirst ? version : .any,
                mayBeMissing: isPart && page.isFirst && !client.request.isObject, paths: sequence.paths)
            switch try download.perform() {
            case .cancelled: return
            case .notModified: return stream.begin(with: .notModified)
            case .page(let page):
                if client.request.pages == nil { note(.version(page.head.validators)) }
                try sequence.end(page)
                if let last = sequence.note { note(.page(last)) }
                note(.secrets(client.access.authorizer.credentials.redaction))
                // Whether a page without a record is the last, who reads it finds out.
                stream.endPage()
                next = try sequence.next(after: page)
            }
        }
    }
}
