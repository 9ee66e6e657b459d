import Extract
import Records

/// Counts the findings of a run, keeps the first of each kind as examples, and hands all to a writer, if there is one.
final class FindingCollector: FindingSink {
    static let kept = 20

    private(set) var counts: [Finding.Kind: Int] = [:]
    private var firsts: [Finding.Kind: [Example]] = [:]
    private let writer: FindingsWriter?

    private struct Example {
        var rank: Rank
        var finding: Finding
    }

    /// The order of examples.
    private struct Rank: Comparable {
        var isMinor: Bool
        var position: RecordPositionKey

        static func < (a: Rank, b: Rank) -> Bool {
            a.isMinor == b.isMinor ? a.position < b.position : !a.isMinor
        }
    }

    init(_ writer: FindingsWriter? = nil) { self.writer = writer }

    func report(_ kind: Finding.Kind, at position: RecordPositionKey, isMinor: Bool, _ make: () -> Finding) {
        counts[kind, default: 0] += 1
        let rank = Rank(isMinor: isMinor, position: position)
        let isExample = isExample(kind, rank)
        guard isExample || writer != nil else { return }
        let finding = make()
        if isExample { insert(Example(rank: rank, finding: finding), into: kind) }
        writer?.write(finding)
    }

    private func isExample(_ kind: Finding.Kind, _ rank: Rank) -> Bool {
        guard let list = firsts[kind], list.count == FindingCollector.kept, let last = list.last else { return true }
        return rank < last.rank
    }

    private func insert(_ example: Example, into kind: Finding.Kind) {
        var list = firsts[kind, default: []]
        let place = list.firstIndex { $0.rank > example.rank } ?? list.count
        list.insert(example, at: place)
        if list.count > FindingCollector.kept { list.removeLast() }
        firsts[kind] = list
    }

    /// To be called between two batches. Throws what has gone wrong with the file of findings.
    func batchEnded() throws(Failure) { try writer?.batchEnded() }

    /// Ends the findings: the examples get their records, and the file has everything.
    func finish(_ copies: FeedCopies) throws(Failure) {
        let rejects = firsts[.reject] ?? []
        RecordFetcher(copies).fetch(rejects.map(\.finding.at.position)) { index, record in
            firsts[.reject]?[index].finding.record = record
        }
        try writer?.finish()
    }

    /// The first findings of each kind, by position; conflicting duplicates before the others.
    var examples: [Finding] { Finding.Kind.allCases.flatMap { (firsts[$0] ?? []).map(\.finding) } }
}
