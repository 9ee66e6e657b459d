import SluiceRecords

/// What the parts of both passes have in common: `Loader` makes it once.
struct LoadContext {
    /// Objects, or references, that are looked at together.
    static let chunk = 1000

    let model: Model
    let store: any ObjectStore
    let sink: any FindingSink
    let options: Loader.Options
    let cacheLimit: CacheLimit

    /// Records in a batch.
    var batchSize: Int { options.batchSize }

    func checkCancelled() throws(Failure) { try options.checkCancelled() }

    /// Reads the rows of an entity that wait on disk, a batch at a time. What the caches have beyond their limit goes
    /// behind each batch: `body` may have looked objects up.
    ///
    /// - Parameters:
    ///   - areCandidates: whether the rows are records whose objects are not known yet.
    ///   - mayEnd: whether a run that is to end does so before a batch.
    func forEachBatch(
        _ spool: RowSpool, of relations: EntityRelations, _ batch: RecordBatch, areCandidates: Bool = false,
        mayEnd: Bool = false, _ body: ([RowSpool.ReadRow], EntityRecords) throws(Failure) -> Void
    ) throws(Failure) {
        let section = batch.sections[relations.state.index]
        let work = areCandidates ? nil : relations.work
        try spool.forEachBatch(section, batch, work: work, limit: batchSize) { rows throws(Failure) in
            if mayEnd { try checkCancelled() }
            if areCandidates { relations.work.ensure(section.count) }
            try body(rows, section)
            cacheLimit.evictIfOverLimit()
        }
    }
}
