import Extract
import Records

/// Counts the findings of a run, keeps the first of each kind as examples, and hands all to a writer, if there is one.
final class FindingCollector: FindingSink {
    static let kept = 20

    private(set) var counts: [Finding.Kind: Int] = [:]
    private var firsts: [Finding.Kind: [Finding]] = [:]
    private let writer: FindingsWriter?

    init(_ writer: FindingsWriter? = nil) { self.writer = writer }

    func report(_ kind: Finding.Kind, at position: RecordPositionKey, _ make: () -> Finding) {
        counts[kind, default: 0] += 1
        let isExample = isExample(kind, position)
        guard isExample || writer != nil else { return }
        let finding = make()
        if isExample { insert(finding, into: kind) }
        writer?.write(finding)
    }

    private func isExample(_ kind: Finding.Kind, _ position: RecordPositionKey) -> Bool {
        guard let list = firsts[kind], list.count == FindingCollector.kept, let last = list.last else { return true }
        return position < last.at.position
    }

    private func insert(_ finding: Finding, into kind: Finding.Kind) {
        var list = firsts[kind, default: []]
        let place = list.firstIndex { $0.at.position > finding.at.position } ?? list.count
        list.insert(finding, at: place)
        if list.count > FindingCollector.kept { list.removeLast() }
        firsts[kind] = list
    }

    /// To be called between two batches. Throws what has gone wrong with the file of findings.
    func batchEnded() throws(Failure) { try writer?.batchEnded() }

    /// Ends the findings: the examples get their records, and the file has everything.
    func finish(_ copies: FeedCopies) throws(Failure) {
        let rejects = firsts[.reject] ?? []
        RecordFetcher(copies).fetch(rejects.map(\.at.position)) { index, record in
            firsts[.reject]?[index].record = record
        }
        try writer?.finish()
    }

    /// The first findings of each kind, by position.
    var examples: [Finding] { Finding.Kind.allCases.flatMap { firsts[$0] ?? [] } }
}
