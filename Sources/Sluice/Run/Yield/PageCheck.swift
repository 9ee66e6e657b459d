import SluiceFetch
import SluiceRecords
import SluiceReport

/// Compares what the pages of a source had with what they said of one another.
struct PageCheck {
    /// The index of the source.
    let source: Int
    let input: FeedInput
    let pages: PageCounts
    let notes: [PageNote]

    private var paging: Paging? { input.web?.request.pages }

    /// The paths that are on no page, though they should be.
    func report(to sink: any FindingSink) {
        guard let paging else { return }
        if let size = paging.size, pages.recordsOfFirstPage >= size,
            !notes.contains(where: { $0.hasWay || $0.hasMore != nil })
        {
            switch paging.style {
            case .next(let path): report(.next, path.description, sink)
            case .cursor(let path, _): report(.cursor, path.description, sink)
            case .link(let relation): report(.link, relation, sink)
            case .number, .offset, .each: break
            }
        }
        if let path = paging.total, promised == nil { report(.total, path.description, sink) }
        if let path = paging.more, !notes.isEmpty, notes.allSatisfy({ $0.hasMore == nil }) {
            report(.more, path.description, sink)
        }
    }

    private func report(_ reason: Finding.Unmatched, _ path: String, _ sink: any FindingSink) {
        let at = FeedPosition.beginning(of: source)
        sink.report(.unmatched, at: at.position) {
            Finding(entity: nil, identifier: "null", detail: .unmatched(reason, path: path), at: at)
        }
    }

    /// Throws where fewer records came than were promised.
    func check() throws(Failure) {
        guard let path = paging?.total, let promised, pages.records < promised,
            !notes.contains(where: \.isLastAllowed)
        else { return }
        throw Failure(
            .data,
            "the source \(input.source.name) (\(input.location)) has \(grouped(Int(clamping: promised))) records, as its"
                + " pages say at `\(path)`, but only \(grouped(Int(clamping: pages.records))) came")
    }

    /// How many records there are: a feed may change while its pages are read, and the last one with records knows best.
    private var promised: UInt64? {
        notes.prefix(pages.lastPage + 1).last { $0.total != nil }?.total ?? notes.first { $0.total != nil }?.total
    }
}
