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
    private let cacheLimit: CacheLimit
    private let relations: [EntityRelations]
    private let duplicates: [Duplicates]
    private let sink: any FindingSink
    /// Targets first, so that references within a batch find their objects.
    private let order: [Int]
    private let store: any ObjectStore
    private var rows: [[Int]]
    private var isSecondPass = false

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
        let (targets, others) = (loaders.filter(\.isTarget), loaders.filter { !$0.isTarget })
        order = (targets + others).map(\.index)
        rows = Array(repeating: [], count: loaders.count)
    }

    /// What was done, by entity.
    public var counts: [EntityCounts] { loaders.map(\.counts) }
    /// Objects of an entity before the run, where the run deleted some.
    public func countBefore(_ entity: Int) -> Int { loaders[entity].countBefore ?? 0 }
    /// Bytes that the objectID caches take.
    public var cacheByteCount: Int { loaders.reduce(0) { $0 + $1.cache.byteCount } }
    /// The most bytes that they have taken.
    public var cachePeakByteCount: Int { max(cacheLimit.peak, cacheByteCount) }
    /// Objects in the objectID caches.
    public var cacheCount: Int { loaders.reduce(0) { $0 + $1.cache.count } }
    /// Of the bytes, those of the identifiers themselves.
    public var cacheIdentifierByteCount: Int { loaders.reduce(0) { $0 + $1.cache.identifierByteCount } }

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
        loaders[index].counts.records += complete.count + rejected.count
        loaders[index].counts.rejected += rejected.count
        if !rejected.isEmpty { try loaders[index].notePresence(rejected, section, batch.arena) }
        rows[index] = complete
    }

    private func loadCollected(_ batch: RecordBatch) throws(Failure) {
        for index in order where !rows[index].isEmpty && loaders[index].isTarget && loaders[index].candidates == nil {
            try identify(index, batch)
        }
        for index in order where !rows[index].isEmpty { try saveRounds(index, batch) }
    }

    private func identify(_ index: Int, _ batch: RecordBatch) throws(Failure) {
        try loaders[index].identify(rows[index], batch.sections[index], batch.arena)
    }

    private func saveRounds(_ index: Int, _ batch: RecordBatch) throws(Failure) {
        let loader = loaders[index]
        let section = batch.sections[index]
        if let spool = loader.candidates, !isSecondPass {
            for row in rows[index] { try spool.append(row, section, batch) }
            try loader.notePresence(rows[index], section, batch.arena)
            return
        }
        if !loader.isTarget {
            if let spool = loader.recordSpool, !isSecondPass {
                for row in rows[index] { try spool.append(row, section, batch) }
                return
            }
            try identify(index, batch)
        }
        try resolve(loader, section, batch)
        if try deferRecords(loader, section, batch) { return }
        try save(loader, section, batch)
        while !loader.laterRows.isEmpty {
            try loader.identifyLater(section, batch.arena)
            try resolve(loader, section, batch)
            try save(loader, section, batch)
        }
    }

    private func resolve(_ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        relations[loader.index].startRound(section)
        try relations[loader.index].resolve(loader.newRows, section, batch)
        try relations[loader.index].resolve(loader.firstRows, section, batch)
        if !isSecondPass { relations[loader.index].promise(loader.newRows, section, batch.arena) }
    }

    /// Whether the section's records, and all later ones of the entity, are to wait as a whole: where nothing refers to
    /// them, and most of this section lack a target.
    private func deferRecords(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) -> Bool {
        guard options.shortcuts.contains(.deferral), !isSecondPass, !loader.isTarget, loader.startsEmpty,
            !loader.hasDeletions
        else { return false }
        let lacking = relations[loader.index].pendingCount(loader.newRows)
        guard lacking * 2 > loader.newRows.count else { return false }
        let spool = try RowSpool(loader.entity, whole: true)
        for row in rows[loader.index] { try spool.append(row, section, batch) }
        loader.recordSpool = spool
        loader.takeBackObjectIDs()
        return true
    }

    private func save(_ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        try loader.insertNewRows(section, batch.arena)
        loader.counts.created += loader.newRows.count
        try notePositions(loader, section, batch)
        try noteFirsts(loader, section)
        try relations[loader.index].settleNew(loader.newRows, section, batch)
        try saveFirstRows(loader, section, batch)
        try saveDuplicates(loader, section, batch)
    }

    private func noteFirsts(_ loader: EntityLoader, _ section: EntityRecords) throws(Failure) {
        let duplicates = duplicates[loader.index]
        try duplicates.noteFirsts(loader.newRows, section)
        let firstRows = loader.firstRows
        try duplicates.noteFirsts(
            loader.revivingRows.isEmpty ? firstRows : firstRows.filter { !loader.revivingRows.contains($0) }, section)
        try duplicates.noteFirsts(loader.goneRows, section)
    }

    /// Keeps where records stood, of which something may have to be told when their batch is gone.
    private func notePositions(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        guard let positions = loader.positions, !isSecondPass else { return }
        for row in loader.newRows { try positions.append(row, section, batch, outcome: .created, work: loader.work) }
        for row in loader.firstRows { try positions.append(row, section, batch, outcome: .updated, work: loader.work) }
        guard loader.entity.duplicates == .last else { return }
        for row in loader.duplicateRows {
            try positions.append(row, section, batch, outcome: .updated, work: loader.work)
        }
    }

    /// Objects of earlier runs, which a record of this run describes for the first time.
    private func saveFirstRows(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        if loader.firstRows.isEmpty { return }
        try relations[loader.index].compare(loader.firstRows)
        if loader.mayFindChangesElsewhere {
            for row in loader.firstRows { try saveFirstRow(row, loader, section, batch) }
        } else {
            loader.countFirstRows()
            try relations[loader.index].settleFirst(loader.firstRows, section, batch)
        }
        try loader.updateRows(loader.firstRows, section, batch.arena)
    }

    private func saveFirstRow(
        _ row: Int, _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        let isStub = loader.stubs.contains(loader.work.objectIDs[row])
        if isStub { try store.markStub(loader.work.objectIDs[row], entity: loader.index, false) }
        let isReviving = loader.revivingRows.contains(row)
        let hasLost = loader.lostEarly.contains(loader.work.objectIDs[row])
        if hasLost { relations[loader.index].restate(row) }
        let changed = isStub || isReviving || hasLost || loader.work.hasDifferences(row)
        if isReviving {
            try duplicates[loader.index].add(row, section, batch, conflicting: true)
        } else if changed {
            loader.counts.updated += 1
            if loader.hasDeletions, !isStub, !loader.work.hasOwnDifferences(row) {
                _ = loader.changedByLinks.insert(loader.work.objectIDs[row])
            }
        } else {
            loader.counts.unchanged += 1
            if loader.mayLoseTargets { _ = loader.unchanged.insert(loader.work.objectIDs[row]) }
        }
        try relations[loader.index].settle(row, section, batch, changed ? .updated : .unchanged)
    }

    /// Later copies, as the entity has them: with `last`, their attributes count at once, their references when all
    /// targets are known, after those of the copies before them.
    private func saveDuplicates(
        _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        if loader.duplicateRows.isEmpty, loader.goneAgainRows.isEmpty { return }
        if loader.entity.duplicates == .reject {
            for row in loader.duplicateRows + loader.goneAgainRows { rejectDuplicate(row, loader, section, batch) }
            return
        }
        for row in loader.goneAgainRows {
            try duplicates[loader.index].add(row, section, batch, conflicting: loader.condemnAgain(row))
        }
        let isApplied = loader.entity.duplicates == .last
        if isApplied { try loader.updateRows(loader.duplicateRows, section, batch.arena) }
        for row in loader.duplicateRows {
            if loader.entity.relationships.isEmpty {
                try duplicates[loader.index].add(
                    row, section, batch, conflicting: loader.work.hasDifferences(row))
            } else {
                if isApplied { _ = loader.duplicated.insert(loader.work.objectIDs[row]) }
                try relations[loader.index].spool(row, section, batch, .duplicate)
            }
        }
    }

    private func rejectDuplicate(
        _ row: Int, _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch
    ) {
        loader.counts.rejected += 1
        let position = section.positions[row]
        let attribute = loader.entity.attributes[loader.entity.identifier[0]].name
        sink.report(.reject, at: RecordPositionKey(position)) {
            .reject(
                [(attribute, "a record before has the same identifier")], loader.entity,
                identifier: loader.identifier(of: row, section, batch.arena), row, section, batch.arena)
        }
    }

    // MARK: Second pass

    /// Resolves what waited, now that all objects are there, and builds the indexes.
    public func finish() throws(Failure) {
        isSecondPass = true
        try DeletionPass(model, relations, store, cacheLimit).run()
        try loadCandidates()
        for loader in loaders { try loadWaitingRecords(loader) }
        for relations in relations where relations.createsStubs {
            let pass = StubPass(relations, model: model, cacheLimit)
            if relations.hasOpenPromises, let spool = relations.loader.promiseSpool {
                try pass.findMissing(spool, limit: options.batchSize)
            }
            if let spool = relations.loader.linkSpool { try pass.findMissing(spool, limit: options.batchSize) }
            try pass.createRest()
        }
        // Only now all objects are there, stubs included.
        for relations in relations { relations.startSecondPass() }
        let batch = RecordBatch(model: model)
        for loader in loaders { try linkWaiting(loader, batch) }
        for relations in relations { try LatePass(relations, sink, cacheLimit).link(batch, limit: options.batchSize) }
        try store.finishIndexes()
        try reportDuplicates()
    }

    /// Reports the duplicates that wait for it: at the end of a run, also of one that has failed.
    public func reportDuplicates() throws(Failure) {
        let batch = RecordBatch(model: model)
        for duplicates in duplicates { try duplicates.report(batch, limit: options.batchSize) }
    }

    /// Loads the records that have the targets they need, and rejects the others.
    private func loadCandidates() throws(Failure) {
        guard loaders.contains(where: { $0.candidates != nil }) else { return }
        let pass = CandidatePass(model, relations, batchSize: options.batchSize, cacheLimit)
        try pass.run()
        // All faults are told before anything is loaded: then what is missing is what the pass found missing.
        for loader in loaders { try rejectCandidates(loader, pass) }
        for loader in loaders { try loadCandidates(loader, pass.failed(loader.index)) }
    }

    private func rejectCandidates(_ loader: EntityLoader, _ pass: CandidatePass) throws(Failure) {
        let failed = pass.failed(loader.index)
        if failed.isEmpty { return }
        try readCandidates(loader, where: failed, is: true) { rows, section, batch throws(Failure) in
            try relations[loader.index].resolveAmongAll(rows, section, batch)
            for row in rows { reject(row, loader, section, batch, pass) }
        }
    }

    private func reject(
        _ row: Int, _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch, _ pass: CandidatePass
    ) {
        loader.counts.rejected += 1
        let position = section.positions[row]
        sink.report(.reject, at: RecordPositionKey(position)) {
            .reject(
                pass.faults(row, section, batch.arena), loader.entity,
                identifier: loader.identifier(of: row, section, batch.arena), row, section, batch.arena)
        }
    }

    private func loadCandidates(_ loader: EntityLoader, _ failed: SeenObjects) throws(Failure) {
        try readCandidates(loader, where: failed, is: false) { rows, section, batch throws(Failure) in
            self.rows[loader.index] = rows
            if loader.isTarget { try identify(loader.index, batch) }
            try saveRounds(loader.index, batch)
        }
        loader.candidates = nil
    }

    /// Reads the candidates of an entity that have fallen out, or those that have not, batch by batch.
    private func readCandidates(
        _ loader: EntityLoader, where failed: SeenObjects, is hasFailed: Bool,
        _ body: ([Int], EntityRecords, RecordBatch) throws(Failure) -> Void
    ) throws(Failure) {
        guard let spool = loader.candidates else { return }
        let batch = RecordBatch(model: model)
        let section = batch.sections[loader.index]
        try spool.rewind()
        var place: Int64 = 0
        while true {
            try options.checkCancelled()
            batch.reset()
            var wanted: [Int] = []
            while section.count < options.batchSize, batch.byteCount < Loader.batchBytes,
                let (row, _) = try spool.read(into: section, batch)
            {
                if failed.contains(place) == hasFailed { wanted.append(row) }
                place += 1
            }
            if section.count == 0 { return }
            loader.work.ensure(section.count)
            if !wanted.isEmpty { try body(wanted, section, batch) }
            cacheLimit.hold()
        }
    }

    private func loadWaitingRecords(_ loader: EntityLoader) throws(Failure) {
        guard let spool = loader.recordSpool else { return }
        let waiting = WaitingRecords(spool, entity: loader.index, batchSize: options.batchSize)
        let save = { (batch: RecordBatch) throws(Failure) in
            let section = batch.sections[loader.index]
            self.rows[loader.index] = Array(0..<section.count)
            if section.count > 0 { try self.saveRounds(loader.index, batch) }
            self.cacheLimit.hold()
            try self.options.checkCancelled()
        }
        try BatchQueue<Void>(model: model).run(reader: { waiting.readAll($0) }, loader: save)
        loader.recordSpool = nil
    }

    private func linkWaiting(_ loader: EntityLoader, _ batch: RecordBatch) throws(Failure) {
        let relations = relations[loader.index]
        if !relations.hasOpenPromises { relations.keepPromises() }
        let spools = [loader.promiseSpool, loader.linkSpool].compactMap { $0 }
        if spools.isEmpty { return }
        let section = batch.sections[loader.index]
        let pass = LinkPass(relations, sink, duplicates[loader.index])
        for spool in spools {
            try spool.rewind()
            repeat {
                try options.checkCancelled()
                batch.reset()
                try pass.link(spool, batch, limit: options.batchSize)
                cacheLimit.hold()
            } while section.count > 0
        }
        try pass.reportDuplicated()
        loader.promiseSpool = nil
        loader.linkSpool = nil
    }
}
