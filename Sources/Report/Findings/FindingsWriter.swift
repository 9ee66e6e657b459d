import SluiceExtract
import SluiceRecords

/// Writes findings as they come, in no particular order; only rejects wait a while, so that their records are fetched
/// in the order of the feed, and duplicates that differ, until the end of the run, so that the feed tells how.
package final class FindingsWriter {
    /// How many rejects wait at the most, and for how many it is worth while to fetch.
    private static let most = 1 << 14
    private static let enough = 1 << 12
    /// Duplicates of which it is told how they differ: the feed is read again for them, once.
    private static let mostConflicts = 1 << 12

    let file: FindingsFile
    private let feeds: [Feed]
    private let copies: FeedCopies
    /// Nil: nothing tells where values stand.
    private let model: Model?
    private let fetcher: RecordFetcher
    private var waiting: [Finding] = []
    private var conflicts: [Finding] = []
    /// Why the records of rejects cannot be fetched.
    private var failure: Failure?

    package init(_ file: FindingsFile, _ feeds: [Feed], _ copies: FeedCopies, _ model: Model? = nil) {
        self.file = file
        self.feeds = feeds
        self.copies = copies
        self.model = model
        fetcher = RecordFetcher(copies)
    }

    func write(_ finding: Finding) {
        if model != nil, finding.isConflict, finding.first != nil, conflicts.count < FindingsWriter.mostConflicts {
            conflicts.append(finding)
            return
        }
        guard finding.kind == .reject else { return file.write(finding.json(feeds)) }
        waiting.append(finding)
        if waiting.count >= FindingsWriter.most { writeWaiting() }
    }

    /// To be called between two batches, as rejects of several entities come in several orders. Throws what has gone
    /// wrong with the file.
    package func batchEnded() throws(Failure) {
        if waiting.count >= FindingsWriter.enough { writeWaiting() }
        try check()
    }

    /// Writes what waits; the file then has everything, and only lacks its name.
    package func finish() throws(Failure) {
        writeWaiting()
        writeConflicts()
        try check()
        try file.finish()
    }

    private func check() throws(Failure) {
        if let failure { throw failure }
        try file.check()
    }

    private func writeConflicts() {
        guard let model, !conflicts.isEmpty else { return }
        do throws(Failure) {
            try ConflictValues(model).fill(&conflicts, copies)
        } catch { failure = failure ?? error }
        conflicts.placeFirsts(copies)
        for finding in conflicts { file.write(finding.json(feeds)) }
        conflicts.removeAll()
    }

    private func writeWaiting() {
        let ofBytes = Set(waiting.indices.filter { waiting[$0].isOfBytes })
        do throws(Failure) {
            try fetcher.fetch(waiting.map(\.at.position), ofBytes: ofBytes) { index, record in
                waiting[index].record = record
                file.write(waiting[index].json(feeds))
                // Memory holds no more records than it must.
                waiting[index].record = nil
            }
        } catch { failure = failure ?? error }
        waiting.removeAll(keepingCapacity: true)
    }
}
