import Records

/// Counts the findings of a run, and keeps the first of each kind as examples.
final class FindingCollector: FindingSink {
    static let kept = 20

    private(set) var counts: [Finding.Kind: Int] = [:]
    private var firsts: [Finding.Kind: [Finding]] = [:]

    func report(_ kind: Finding.Kind, at position: RecordPositionKey, _ make: () -> Finding) {
        counts[kind, default: 0] += 1
        let list = firsts[kind, default: []]
        if list.count == FindingCollector.kept, let last = list.last, last.at.position <= position { return }
        insert(make(), into: kind)
    }

    private func insert(_ finding: Finding, into kind: Finding.Kind) {
        var list = firsts[kind, default: []]
        let place = list.firstIndex { $0.at.position > finding.at.position } ?? list.count
        list.insert(finding, at: place)
        if list.count > FindingCollector.kept { list.removeLast() }
        firsts[kind] = list
    }

    /// The first findings of each kind, by position.
    var examples: [Finding] { Finding.Kind.allCases.flatMap { firsts[$0] ?? [] } }
}
