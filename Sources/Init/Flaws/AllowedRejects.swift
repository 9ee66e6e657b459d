import SluiceRecords

/// The rows of tables and lines of sequences that a run rejects: what is told of them, and what `limits` of the draft
/// allows for them.
struct AllowedRejects {
    private let entities: [DraftEntity]
    private(set) var sentences: [String] = []
    /// How many rejects a run has.
    private(set) var limit = 0

    init(_ feeds: [SurveyedFeed], _ entities: [DraftEntity]) throws(Failure) {
        self.entities = entities.filter { !$0.isDropped }
        let flawed = feeds.filter { $0.flaws.count > 0 }
        for feed in flawed { if let sentence = try feed.flawSentence() { sentences.append(sentence) } }
        let refused = flawed.filter { refusal(of: $0) != nil }
        sentences += refused.compactMap(refusal)
        let allowed = flawed.filter { refusal(of: $0) == nil }
        if allowed.isEmpty { return }
        // Each entity has a reject for a row: nobody knows of which of them it is.
        limit = allowed.reduce(0) { $0 + $1.flaws.count * takers(of: $1).count }
        let them = flawed.reduce(0) { $0 + $1.flaws.count } == 1 ? "it" : "them"
        sentences.append(
            "A run rejects \(refused.isEmpty ? them : "the others"), which \"limits\" allows: mend \(them), and take that away."
        )
    }

    private func takers(of feed: SurveyedFeed) -> [DraftEntity] {
        entities.filter { $0.place.feeds.contains(feed.index) }
    }

    /// Why a run fails with them, rather than reject them; nil: it does not.
    private func refusal(of feed: SurveyedFeed) -> String? {
        if feed.isMostlyRejected {
            return "Most rows of \(feed.location) are so, and a run fails with them: mend them, or see \"skip\" of"
                + " sources (sources.md), where the header stands below other lines."
        }
        guard feed.flaws.broken != nil, !takers(of: feed).allSatisfy({ DraftPaths.records(of: $0) == ["$"] }) else {
            return nil
        }
        let (lines, them) = feed.flaws.count == 1 ? ("this line", "it") : ("these lines", "them")
        return "A run fails with \(lines), as not each value of \(feed.location) is one record: mend \(them) first."
    }
}
