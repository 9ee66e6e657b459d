import SluiceReport

/// How many nights there were, and what became of them.
struct NightTally {
    private var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - reports: one for each way in which the night was run.
    ///   - isKnowable: whether the history is one of those that may know their feeds.
    mutating func count(_ night: Night, _ reports: [RunReport], isKnowable: Bool) {
        counts["\(night.fault == .none ? "plain" : "\(night.fault)"): \(reports[0].outcome.status)", default: 0] += 1
        if night.growth > 0 { counts["with a changed definition", default: 0] += 1 }
        if reports.contains(where: { $0.entities.contains { !$0.converted.isEmpty } }) {
            counts["with values in another form", default: 0] += 1
        }
        if isKnowable { counts["of knowable histories", default: 0] += 1 }
        if reports.contains(where: { $0.known > 0 }) { counts["with known records", default: 0] += 1 }
        counts["known records", default: 0] += reports.last?.known ?? 0
        if night.edits { counts["with edits", default: 0] += 1 }
        counts["feeds changed: \(night.change)", default: 0] += 1
    }

    mutating func add(_ other: NightTally) { counts.merge(other.counts, uniquingKeysWith: +) }

    var text: String { counts.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }.joined(separator: "\n") }
}
