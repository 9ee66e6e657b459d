import SluiceRecords

extension RunReport {
    /// What has become of an entity as a whole since the last succeeded run: no record shows it.
    public enum EntityNews: String, Sendable, CaseIterable {
        /// It has half of the records that it had, or fewer: perhaps a part of the feed has not come.
        case fewer
        /// Its objects were all of the run before, and are all new ones now: perhaps the identifiers are others.
        case replaced
        /// Nearly all objects have changed, as where texts are in another encoding, or prices in another currency. A
        /// definition that takes more of the feed does so, too.
        case rewritten
    }
}

extension RunReport.EntityNews {
    /// What a person reads above the entities.
    func heading(_ count: Int) -> String {
        let entities = count == 1 ? "1 entity" : "\(grouped(count)) entities"
        return switch self {
        case .fewer: "\(entities) with half of \(count == 1 ? "its" : "their") records, or fewer"
        case .replaced: "\(entities) with new objects alone (are \(count == 1 ? "its" : "their") identifiers others?)"
        case .rewritten: "\(entities) of which nearly all objects have changed"
        }
    }

    /// How it shows.
    func detail(_ entity: RunReport.EntityFacts) -> String {
        let counts = entity.counts
        let facts =
            switch self {
            case .fewer: "\(grouped(counts.records)), and \(grouped(entity.recordsBefore ?? 0)) before"
            case .replaced:
                "all \(grouped(counts.created)) objects are new, and none of those before is in the feed"
            case .rewritten: "\(grouped(counts.updated)) updated, and \(grouped(counts.unchanged)) unchanged"
            }
        return "\(entity.name): \(facts)"
    }
}

extension RunReport {
    /// Each kind of news, with the entities that have it.
    var entityNews: [(news: EntityNews, entities: [EntityFacts])] {
        EntityNews.allCases.compactMap { news in
            let found = entities.filter { $0.news.contains(news) }
            return found.isEmpty ? nil : (news, found)
        }
    }
}
