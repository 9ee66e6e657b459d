import Records

/// Loads batches into a store in two passes: `load` for each batch, `finish` once all feeds are read.
///
/// The first pass creates and updates objects, and sets every reference whose target is known. What is not known waits
/// on disk: references alone, or whole records of entities that nothing refers to, since writing a row once costs less
/// than half of writing it twice. The second pass resolves what waited.
public final class Loader {
    public struct Options: Sendable {
        /// Records in a batch of the second pass.
        public var batchSize: Int
        public var shortcuts: Shortcuts
        /// Bytes that the objectID caches may take together, but for what one batch adds.
        public var cacheLimit: Int
        /// Called between the batches of the second pass: throws where the run is to end.
        public var checkCancelled: @Sendable () throws(Failure) -> Void

        public init(
            batchSize: Int, shortcuts: Shortcuts, cacheLimit: Int = Loader.defaultCacheLimit,
            checkCancelled: @escaping @Sendable () throws(Failure) -> Void = {}
        ) {
            self.cacheLimit = cacheLimit
            self.batchSize = batchSize
            self.shortcuts = shortcuts
            self.checkCancelled = checkCancelled
        }
    }

    /// A batch of the second pass ends at this many bytes, as one of the first does.
    static let batchBytes = 16 << 20
    /// Bytes that the objectID caches may take where nothing else is said: 1 GiB.
    public static let defaultCacheLimit = 1 << 30

    let model: Model
    let options: Options
    let loaders: [EntityLoader]
    let cacheLimit: CacheLimit
    let relations: [EntityRelations]
    let duplicates: [Duplicates]
    let sink: any FindingSink
    /// Targets first, so that references within a batch find their objects.
    private let order: [Int]
    let store: any ObjectStore
    var rows: [[Int]]

    public init(_ model: Model, _ store: any ObjectStore, _ options: Options, _ sink: any FindingSink) throws(Failure) {
        self.model = model
        self.store = store
        self.options = options
        self.sink = sink
        let losses = Losses(model)
        var loaders: [EntityLoader] = []
        let usesSequence = options.shortcuts.contains(.sequence)
        for index in model.entities.indices {
            loaders.append(try EntityLoader(model, index, store, losses, usesSequence: usesSequence))
        }
        self.loaders = loaders
        cacheLimit = CacheLimit(options.cacheLimit, loaders)
        relations = loaders.map { EntityRelations($0, all: loaders) }
        if options.shortcuts.contains(.promises) { for relations in relations { relations.allowPromises() } }
        duplicates = relations.map { Duplicates($0, sink) }
        let (targets, others) = (loaders.filter(\.facts.isTarget), loaders.filter { !$0.facts.isTarget })
        order = (targets + others).map(\.index)
        rows = Array(repeating: [], count: loaders.count)
    }

    /// What was done, by entity.
    public var counts: [EntityCounts] { loaders.map(\.tally.counts) }
    /// Objects of an entity before the run, where the run deleted some.
    public func countBefore(_ entity: Int) -> Int { loaders[entity].tally.countBefore ?? 0 }
    /// Bytes that the objectID caches take.
    public var cacheByteCount: Int { loaders.reduce(0) { $0 + $1.ids.cache.byteCount } }
    /// The most bytes that they have taken.
    public var cachePeakByteCount: Int { max(cacheLimit.peak, cacheByteCount) }
    /// Objects in the objectID caches.
    public var cacheCount: Int { loaders.reduce(0) { $0 + $1.ids.cache.count } }
    /// Of the bytes, those of the identifiers themselves.
    public var cacheIdentifierByteCount: Int { loaders.reduce(0) { $0 + $1.ids.cache.identifierByteCount } }

    // MARK: First pass

    /// Loads a batch that Transform has seen.
    public func load(_ batch: RecordBatch) throws(Failure) {
        for index in order { try collect(index, batch) }
        Rejects.report(batch, model, sink)
        try loadCollected(batch)
        cacheLimit.hold()
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
        loaders[index].tally.recorded.records += complete.count + rejected.count
        loaders[index].tally.recorded.rejected += rejected.count
        if !rejected.isEmpty { try loaders[index].notePresence(rejected, section, batch.arena) }
        rows[index] = complete
    }

    private func loadCollected(_ batch: RecordBatch) throws(Failure) {
        for index in order
        where !rows[index].isEmpty && loaders[index].facts.isTarget && loaders[index].waitingRows.candidates == nil {
            try identify(index, batch)
        }
        for index in order where !rows[index].isEmpty { try saveRounds(index, batch, from: .feed) }
    }

    func identify(_ index: Int, _ batch: RecordBatch) throws(Failure) {
        try loaders[index].identify(rows[index], batch.sections[index], batch.arena)
    }

    /// Where rows come from: those from a spool have waited, and do not wait again.
    enum Origin { case feed, spool }

    func saveRounds(_ index: Int, _ batch: RecordBatch, from origin: Origin) throws(Failure) {
        let loader = loaders[index]
        let section = batch.sections[index]
        if let spool = loader.waitingRows.candidates, origin == .feed {
            for row in rows[index] { try spool.append(row, section, batch) }
            try loader.notePresence(rows[index], section, batch.arena)
            return
        }
        if !loader.facts.isTarget {
            if let spool = loader.waitingRows.records, origin == .feed {
                for row in rows[index] { try spool.append(row, section, batch) }
                return
            }
            try identify(index, batch)
        }
        try resolve(loader, section, batch, from: origin)
        if origin == .feed, try deferRecords(loader, section, batch) { return }
        try save(loader, section, batch, from: origin)
        while !loader.round.later.isEmpty {
            try loader.identifyLater(section, batch.arena)
            try resolve(loader, section, batch, from: origin)
            try save(loader, section, batch, from: origin)
        }
    }

    private func resolve(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch, from origin: Origin
    ) throws(Failure) {
        relations[loader.index].startRound(section)
        try relations[loader.index].resolve(loader.round.new, section, batch, among: .soFar)
        try relations[loader.index].resolve(loader.round.first, section, batch, among: .soFar)
        if origin == .spool { return }
        for rows in [loader.round.new, loader.round.first] { relations[loader.index].postponeSearched(rows) }
        relations[loader.index].promise(loader.round.new, section, batch.arena)
    }

    /// Whether the section's records, and all later ones of the entity, are to wait as a whole: where nothing refers to
    /// them, and most of this section lack a target.
    private func deferRecords(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) -> Bool {
        guard options.shortcuts.contains(.deferral), !loader.facts.isTarget, loader.facts.startsEmpty,
            !loader.facts.hasDeletions
        else { return false }
        let lacking = relations[loader.index].pendingCount(loader.round.new)
        guard lacking * 2 > loader.round.new.count else { return false }
        let spool = RowSpool(loader.entity, whole: true)
        for row in rows[loader.index] { try spool.append(row, section, batch) }
        loader.waitingRows.records = spool
        loader.takeBackObjectIDs()
        return true
    }

    private func save(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch, from origin: Origin
    ) throws(Failure) {
        try loader.insertNewRows(section, batch.arena)
        loader.tally.recorded.created += loader.round.new.count
        if origin == .feed { try notePositions(loader, section, batch) }
        try noteFirsts(loader, section, batch)
        try relations[loader.index].settleNew(loader.round.new, section, batch)
        try saveFirstRows(loader, section, batch)
        try saveDuplicates(loader, section, batch)
    }

    private func noteFirsts(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        let duplicates = duplicates[loader.index]
        for rows in [loader.round.new, loader.round.first] {
            let reviving = loader.round.reviving.isEmpty ? [] : rows.filter { loader.round.reviving.contains($0) }
            let others = reviving.isEmpty ? rows : rows.filter { !loader.round.reviving.contains($0) }
            try duplicates.noteFirsts(others, section, batch, areGone: false)
            for row in reviving {
                loader.stated.note(row, section, batch, loader.work)
                try duplicates.add(row, section, batch)
            }
        }
        try duplicates.noteFirsts(loader.round.gone, section, batch, areGone: true)
    }

    /// Keeps where records stood, of which something may have to be told when their batch is gone.
    private func notePositions(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        guard let positions = loader.waitingRows.positions else { return }
        for row in loader.round.new { try positions.append(row, section, batch, outcome: .created, work: loader.work) }
        for row in loader.round.first { try positions.append(row, section, batch, outcome: .found, work: loader.work) }
        guard loader.entity.duplicates == .last else { return }
        for row in loader.round.repeated {
            try positions.append(row, section, batch, outcome: .found, work: loader.work)
        }
    }

    /// Objects of earlier runs, which a record of this run describes for the first time.
    private func saveFirstRows(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        if loader.round.first.isEmpty { return }
        try relations[loader.index].compare(loader.round.first)
        if !loader.states.stubs.isEmpty { try completeStubs(loader) }
        if !loader.states.lostEarly.isEmpty {
            for row in loader.round.first where loader.states.lostEarly.contains(loader.work.objectIDs[row]) {
                relations[loader.index].restate(row)
            }
        }
        try relations[loader.index].settleFirst(loader.round.first, section, batch)
        try loader.updateRows(loader.round.first, section, batch.arena)
    }

    private func completeStubs(_ loader: EntityLoader) throws(Failure) {
        for row in loader.round.first where loader.states.stubs.contains(loader.work.objectIDs[row]) {
            try store.markStub(loader.work.objectIDs[row], entity: loader.index, false)
            loader.tally.changes.noteCertain(loader.work.objectIDs[row])
        }
    }

    /// Later copies, as the entity has them: with `last`, their attributes count at once, their references when all
    /// targets are known, after those of the copies before them.
    private func saveDuplicates(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        if loader.round.repeated.isEmpty, loader.round.goneAgain.isEmpty { return }
        if loader.entity.duplicates == .reject {
            for row in loader.round.repeated + loader.round.goneAgain { rejectDuplicate(row, loader, section, batch) }
            return
        }
        for row in loader.round.goneAgain {
            loader.condemnAgain(row)
            try duplicates[loader.index].add(row, section, batch)
        }
        let isApplied = loader.entity.duplicates == .last
        if isApplied { try loader.updateRows(loader.round.repeated, section, batch.arena) }
        for row in loader.round.repeated {
            loader.stated.note(row, section, batch, loader.work)
            if loader.entity.relationships.isEmpty {
                try duplicates[loader.index].add(row, section, batch)
            } else {
                if isApplied { _ = loader.states.duplicated.insert(loader.work.objectIDs[row]) }
                try relations[loader.index].spool(row, section, batch, .duplicate)
            }
        }
    }

    private func rejectDuplicate(
        _ row: Int, _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) {
        loader.tally.recorded.rejected += 1
        let position = section.positions[row]
        let attribute = loader.entity.attributes[loader.entity.identifier[0]].name
        sink.report(.reject, at: RecordPositionKey(position)) {
            .reject(
                [(attribute, "a record before has the same identifier")], loader.entity,
                identifier: loader.facts.identifier(of: row, section, batch.arena), row, section, batch.arena)
        }
    }
}
