import SluiceDefinition
import SluiceRecords

// Further readings of a feed, once it is known what it is made of.
extension SurveyedFeed {
    /// Measures some columns of the records, in those feeds of which something is asked.
    static func measure(_ feeds: [SurveyedFeed], _ rows: [RowReceiver], _ columns: [DraftColumn]) throws(Failure) {
        let concerned = Set(rows.filter { !$0.isDone }.map(\.entity.place.feed))
        for feed in feeds where concerned.contains(feed.index) { try feed.measure(rows, columns) }
    }

    /// Measures some columns of the records.
    ///
    /// - Parameter onFile: is told which of the files comes next.
    func measure(_ rows: [RowReceiver], _ columns: [DraftColumn], onFile: (Int) -> Void = { _ in }) throws(Failure) {
        var counts = Table<HashCounts>(capacity: 0)
        defer { counts.deallocate() }
        let needed = Set(columns.map(ObjectIdentifier.init))
        try measure(rows, counts: &counts, counted: [:], needed: needed, onFile: onFile)
    }

    /// Measures the records.
    func measure(
        _ measures: [RowReceiver], counts: inout Table<HashCounts>, counted: [ObjectIdentifier: Int],
        needed: Set<ObjectIdentifier>? = nil, onFile: (Int) -> Void = { _ in }
    ) throws(Failure) {
        let walker = UnsafeMutablePointer<MeasureWalker>.allocate(capacity: 1)
        unsafe walker.initialize(
            to: MeasureWalker(
                tree, splits: splits, entities: entities, measures: measures, counts: counts, counted: counted,
                needed: needed))
        defer {
            unsafe walker.pointee.deallocate()
            unsafe walker.deinitialize(count: 1)
            unsafe walker.deallocate()
        }
        do throws(Failure) {
            try unsafe read(MeasureWalker.events, walker, tokens: { unsafe walker.pointee.tokens }, onFile: onFile)
        } catch {
            throw unsafe walker.pointee.failure ?? error
        }
        unsafe walker.pointee.settleLists()
    }
}
