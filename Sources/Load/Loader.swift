import SluiceRecords

/// Loads batches into a store in two passes: `load` for each batch, `finish` once all feeds are read.
///
/// The first pass creates and updates objects, and sets every reference whose target is known. References to unknown
/// targets wait on disk: alone, or in whole records of entities that nothing refers to, since writing a row once costs
/// less than half of writing it twice. The second pass resolves them.
package final class Loader {
    package struct Options: Sendable {
        /// Records in a batch of the second pass.
        package var batchSize: Int
        package var shortcuts: Shortcuts
        /// Bytes that the objectID caches may take together; one batch may go beyond it.
        package var cacheLimit: Int
        /// The order in which the identifiers of new tables come.
        package var identifierOrder: IdentifierOrder
        /// Bytes that the filters for new identifiers may take together.
        package var filterBytes = IdentifierFilter.Budget.usual
        /// Objects whose waiting rows are read from disk into memory together.
        package var heldObjects = 1 << 16
        /// Makes a list of identifiers, for an entity that needs it.
        package var goneIdentifiers: @Sendable () throws(Failure) -> any GoneIdentifiers
        /// Whether the run records what became of the items of its feeds, so that the next run knows them.
        package var recordsItems: Bool
        /// Whether this run knows some items by the run before: then the store is as that run left it.
        package var knowsItems: Bool
        /// Called between the batches of the second pass: throws where the run is to end.
        package var checkCancelled: @Sendable () throws(Failure) -> Void

        package init(
            batchSize: Int, shortcuts: Shortcuts, cacheLimit: Int = Loader.defaultCacheLimit,
            identifierOrder: IdentifierOrder = .observed,
            goneIdentifiers: @escaping @Sendable () throws(Failure) -> any GoneIdentifiers,
            checkCancelled: @escaping @Sendable () throws(Failure) -> Void = {}, recordsItems: Bool = false,
            knowsItems: Bool = false
        ) {
            self.recordsItems = recordsItems
            self.knowsItems = knowsItems
            self.cacheLimit = cacheLimit
            self.goneIdentifiers = goneIdentifiers
            self.identifierOrder = identifierOrder
            self.batchSize = batchSize
            self.shortcuts = shortcuts
            self.checkCancelled = checkCancelled
        }
    }

    /// A batch of the second pass ends at this many bytes of values. Those of the first count their raw cells as well,
    /// which this one does not have.
    static let batchBytes = 16 << 20
    /// Bytes that the objectID caches may take where nothing else is said: 1 GiB.
    package static let defaultCacheLimit = 1 << 30

    let context: LoadContext
    let states: [EntityState]
    /// By entity.
    let rounds: [EntityRounds]
    /// Targets first, so that references within a batch find their objects.
    private let order: [Int]
    /// Whether objects were known without reading their records.
    var hasKnown = false
    /// By entity: the rows of the batch at hand that can become objects.
    private var rows: [[Int]]

    package init(_ model: Model, _ store: any ObjectStore, _ options: Options, _ sink: any FindingSink) throws(Failure)
    {
        var highest: [Int64] = []
        for index in model.entities.indices { highest.append(try store.highestObjectID(of: index)) }
        let deletability = Deletability(model, startsEmpty: highest.map { $0 == 0 })
        var states: [EntityState] = []
        let indexing = Indexing(options.identifierOrder, .init(options.filterBytes))
        for index in model.entities.indices {
            states.append(
                try EntityState(
                    EntityTraits(model, index, highestAtStart: highest[index], deletability), store, indexing, options))
        }
        self.states = states
        context = LoadContext(
            model: model, store: store, sink: sink, options: options,
            cacheLimit: CacheLimit(options.cacheLimit, states))
        rounds = states.map {
            EntityRounds(EntityRelations($0, RowScratch($0.entity), all: states), options.shortcuts, sink)
        }
        let (targets, others) = (states.filter(\.traits.isTarget), states.filter { !$0.traits.isTarget })
        order = (targets + others).map(\.index)
        rows = Array(repeating: [], count: states.count)
    }

    /// What was done, by entity.
    package var counts: [EntityCounts] { states.map(\.tally.counts) }
    /// Objects of an entity before the run, where the run deleted some, or they were asked for.
    package func countBefore(_ entity: Int) -> Int { states[entity].tally.countBefore ?? 0 }
    /// Asks how many objects an entity had before the run, if the run has updated some.
    package func countBeforeUpdates(of entity: Int) throws(Failure) {
        if states[entity].tally.counts.updated > 0 { try states[entity].countBefore() }
    }
    /// The identifiers, as JSON, of some objects of an entity that the run has deleted.
    package func firstDeleted(_ entity: Int) -> [String] { states[entity].tally.firstDeleted }
    /// Bytes that the objectID caches take.
    package var cacheByteCount: Int { states.reduce(0) { $0 + $1.ids.cache.byteCount } }
    /// The most bytes that they have taken.
    package var cachePeakByteCount: Int { max(context.cacheLimit.peak, cacheByteCount) }
    /// Objects in the objectID caches.
    package var cacheCount: Int { states.reduce(0) { $0 + $1.ids.cache.count } }
    /// Of the bytes, those of the identifiers themselves.
    package var cacheIdentifierByteCount: Int { states.reduce(0) { $0 + $1.ids.cache.identifierByteCount } }

    /// The second pass: resolves the references that waited, now that all feeds are read, and builds the indexes.
    package func finish() throws(Failure) {
        for index in order {
            let end = PhaseEnd(rounds: rounds[index], context: context)
            try end.compare(RecordBatch(model: context.model))
            // Deferred records are loaded after this; their identifiers are indexed afterwards.
            try end.indexIdentifiers(RecordBatch(model: context.model))
            context.cacheLimit.evictIfOverLimit()
        }
        try SecondPass(self).run()
        try checkKnown()
    }

    /// Lets no object of an entity be absent.
    package func insert(_ absence: UnknownAbsence, of entity: Int) {
        states[entity].objects.absence.unknown.insert(absence)
    }

    /// Reports the duplicates that have not been reported: at the end of a run, even of one that has failed.
    package func reportDuplicates() throws(Failure) { try SecondPass(self).reportDuplicates() }

    // MARK: First pass

    /// Loads a batch that Transform has seen.
    package func load(_ batch: RecordBatch) throws(Failure) {
        for index in order where states[index].mustIndexNow {
            try PhaseEnd(rounds: rounds[index], context: context).indexIdentifiers(RecordBatch(model: context.model))
        }
        try context.cacheLimit.fill(RecordBatch(model: context.model), context.batchSize)
        insertKnown(batch)
        try insertUnaskedOwners(batch)
        for index in order { try collect(index, batch) }
        Rejects.report(batch, context.model, context.sink)
        for index in order where !rows[index].isEmpty && rounds[index].isClassifiedFirst {
            try rounds[index].classify(rows[index], batch)
        }
        for index in order where !rows[index].isEmpty { try rounds[index].load(rows[index], batch) }
        context.cacheLimit.evictIfOverLimit()
        try checkKnown()
    }

    /// Inserts the objects of earlier runs of which no service was queried for what belongs to them.
    private func insertUnaskedOwners(_ batch: RecordBatch) throws(Failure) {
        for part in batch.unaskedParts { states[part].objects.absence.unknown.insert(.unaskedParts) }
        for part in Set(batch.unasked.map(\.part)) {
            let unasked = batch.unasked.filter { $0.part == part }
            guard let owner = unasked.first?.entity else { continue }
            try rounds[owner].earlier.find(unasked.map(\.row), batch) { _, objectID in
                states[part].objects.absence.unaskedOwners.insert(objectID)
            }
        }
    }

    /// The rows that can become objects, or say that objects are gone.
    private func collect(_ index: Int, _ batch: RecordBatch) throws(Failure) {
        let section = batch.sections[index]
        let (status, count) = (section.status, section.count)
        var complete = rows[index]
        rows[index] = []
        complete.removeAll(keepingCapacity: true)
        var rejected: [Int] = []
        for row in 0..<count {
            switch status[row] {
            case .complete, .gone: complete.append(row)
            case .rejected: rejected.append(row)
            case .open, .dropped: break
            }
        }
        states[index].tally.add(complete.count + rejected.count, to: \.records)
        states[index].tally.add(rejected.count, to: \.rejected)
        if !rejected.isEmpty { try rounds[index].earlier.insertPresent(rejected, batch) }
        rows[index] = complete
    }
}
