import SluiceFetch
import SluiceRecords
import SluiceReport

/// Compares what the pages of a source had with what they said of one another.
struct PageCheck {
    /// The index of the source.
    let source: Int
    let input: FeedInput
    let yield: PageYield

    private var paging: Paging? { input.web?.request.pages }

    /// The paths that are on no page, though they should be; and pages that are not asked for.
    func report(to sink: any FindingSink) {
        guard let paging else {
            guard let pages = yield.unasked else { return }
            sink.report(
                pages.total == nil ? .pages : .count, path: pages.place, at: .beginning(of: source),
                found: pages.certainty == .likely ? "the last page may have that, too" : nil)
            return
        }
        switch paging.style {
        case .next(let path): reportWay(.next, path.description, sink)
        case .cursor(let path, _): reportWay(.cursor, path.description, sink)
        case .link(let relation): reportWay(.link, relation, sink)
        case .number, .offset: break
        }
        if yield.isBlank { report(.blank, input.location, sink) }
        if yield.isShort, case .offset(_, let limit, let size) = paging.style {
            report(.limit, "\(limit)=\(size)", sink)
        }
        // Where nothing was asked for, nothing is missing.
        let isExpected = yield.hasPages || input.web?.parents == nil
        if let path = paging.total, !yield.hasTotal, isExpected { report(.total, path.description, sink) }
        if let path = paging.more, !yield.hasMore, yield.hasPages { report(.more, path.description, sink) }
    }

    /// What the way to the next page has led to.
    private func reportWay(_ reason: Finding.Unmatched, _ path: String, _ sink: any FindingSink) {
        if yield.lacksWay { report(reason, path, sink) }
        if yield.isGivenUp { report(.end, path, sink) }
    }

    private func report(_ reason: Finding.Unmatched, _ path: String, _ sink: any FindingSink) {
        sink.report(reason, path: path, at: .beginning(of: source))
    }

    /// Throws where fewer records came than were promised.
    func check() throws(Failure) {
        guard let path = paging?.total, let lack = yield.lack else { return }
        throw Failure(
            .data,
            "the source \(input.source.name) (\(lack.name ?? input.location)) has"
                + " \(grouped(Int(clamping: lack.promised))) records, as its pages say at `\(path)`, but only"
                + " \(grouped(Int(clamping: lack.records))) came")
    }
}
