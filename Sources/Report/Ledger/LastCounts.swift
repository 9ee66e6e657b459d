import SluiceLoad
import SluiceRecords

/// What the last run of a pipeline that succeeded read of a whole feed: by it, the next one is judged.
package struct LastCounts {
    /// By the names that the entities have now; those without a count are missing.
    package private(set) var records: [ExactText: Int] = [:]

    /// Looks into the ledger of a store. Replays do not count: they may have read a part of a feed.
    package init(_ store: any OpenStore, _ model: Model) throws(Failure) {
        let last = try store.lastSucceeded { report, _ in report.task.isReplay ? nil : report }
        for facts in last?.entities ?? [] { records[ExactText(facts.name)] = facts.counts.records }
        for entity in model.entities where records[ExactText(entity.name)] == nil {
            let earlier = entity.was.compactMap { records[ExactText($0)] }.first
            if let earlier { records[ExactText(entity.name)] = earlier }
        }
    }
}
