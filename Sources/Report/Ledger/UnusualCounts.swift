import SluiceRecords

/// Tells how many records of an entity are unusual, by the runs before.
struct UnusualCounts {
    /// Runs that say what is usual, at the most.
    private static let most = 10
    /// Fewer say nothing.
    private static let least = 3

    private var earlier: [ExactText: [Int]] = [:]

    /// How many records an entity usually has, where a run has half of that or less, or twice as many or more; nil: it
    /// is as usual, or nobody can tell.
    func usual(_ entity: RunReport.EntityFacts) -> Int? {
        guard let counts = earlier[ExactText(entity.name)], counts.count >= UnusualCounts.least else { return nil }
        let usual = counts.sorted()[counts.count / 2]
        let records = entity.counts.records
        return usual > 0 && (records * 2 <= usual || records >= usual * 2) ? usual : nil
    }

    /// Learns from a run that has loaded what it read.
    mutating func add(_ entities: [RunReport.EntityFacts]) {
        for entity in entities {
            let name = ExactText(entity.name)
            earlier[name] = (earlier[name] ?? []).suffix(UnusualCounts.most - 1) + [entity.counts.records]
        }
    }
}
