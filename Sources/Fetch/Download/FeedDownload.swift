import SluiceExtract
import SluiceRecords

/// Downloads all pages of a feed, one after the other.
struct FeedDownload {
    let client: Client
    /// What the service said of the version that is known.
    let conditions: Validators?
    /// Whether the feed is one of many: one that is not found has nothing.
    let isPart: Bool
    /// Which version is wanted of a feed in a single page.
    var etag: String?

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
        var address: WebAddress? = try sequence.first()
        while let page = address, stream.beginPage() {
            client.body = sequence.body
            let isFirst = sequence.count == 0
            client.page = isFirst ? nil : sequence.count + 1
            let download = try PageDownload(
                client, page, conditions: isFirst ? conditions : nil, isFirst: isFirst,
                mayBeMissing: isPart && isFirst && !client.request.isObject, paths: sequence.paths, etag: etag)
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
                address = try sequence.next(after: page)
            }
        }
    }
}
