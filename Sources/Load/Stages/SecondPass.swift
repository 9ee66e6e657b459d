import SluiceRecords

/// What is done when all feeds are read, in this order.
struct SecondPass {
    private let loader: Loader
    private let loaders: [EntityLoader]
    private let relations: [EntityRelations]
    private let options: Loader.Options
    private let batch: RecordBatch

    init(_ loader: Loader) {
        self.loader = loader
        loaders = loader.loaders
        relations = loader.rounds.map(\.relations)
        options = loader.options
        batch = RecordBatch(model: loader.model)
    }

    func run() throws(Failure) {
        let deletion = DeletionPass(loader.model, relations, loader.store, loader.cacheLimit)
        try deletion.run()
        try CandidateStage(loader).run(batch)
        try deletion.positionNullified()
        try loadWaitingRecords()
        try createStubs()
        // Only now all objects are there, stubs included.
        for rounds in loader.rounds { try linkWaiting(rounds) }
        for relations in relations { try LatePass(relations, loader.cacheLimit).link(batch, limit: options.batchSize) }
        for relations in relations { try ClosingPass(relations, loader.sink).run(batch) }
        for entity in loaders { try EditPass(entity, loader.sink).run(batch) }
        for loader in loaders { try loader.tally.changes.addUp(held: options.heldObjects) }
        try loader.store.finishIndexes()
        // The indexes of references tell what has none.
        for loader in loaders { try OrphanPass(loader).run(batch) }
        if loader.store.keepsChanges { try noteChanges() }
        try reportDuplicates()
    }

    func reportDuplicates() throws(Failure) {
        for rounds in loader.rounds { try rounds.duplicates.report(batch, limit: options.batchSize) }
    }

    private func noteChanges() throws(Failure) {
        for entity in loaders {
            var chunk: [ChangedObjects] = []
            try entity.changedObjects(batch) { objects throws(Failure) in
                chunk.append(objects)
                guard chunk.count == 1000 else { return }
                try loader.store.noteChanges(chunk, entity: entity.index)
                chunk.removeAll(keepingCapacity: true)
            }
            try loader.store.noteChanges(chunk, entity: entity.index)
        }
        try loader.store.finishChanges()
    }

    private func loadWaitingRecords() throws(Failure) {
        let loaders = loaders.filter { $0.waitingRows.records != nil }
        if loaders.isEmpty { return }
        let spools = loaders.compactMap { loader in loader.waitingRows.records.map { (loader.index, $0) } }
        let waiting = WaitingRecords(spools, batchSize: options.batchSize)
        let save = { (batch: RecordBatch) throws(Failure) in
            for entity in loaders.map(\.index) where batch.sections[entity].count > 0 {
                try loader.rounds[entity].save(Array(0..<batch.sections[entity].count), batch, from: .spool)
            }
            loader.cacheLimit.hold()
            try options.checkCancelled()
        }
        try BatchQueue<Void>(model: loader.model).run(reader: { waiting.readAll($0) }, loader: save)
        for entity in loaders {
            entity.waitingRows.records = nil
            try loader.rounds[entity.index].endLateIndex(batch, options)
        }
    }

    private func createStubs() throws(Failure) {
        let creating = relations.filter(\.createsStubs)
        if creating.isEmpty { return }
        let (rows, stubs) = (RecordBatch(model: loader.model), StubMaker(loader.model))
        for relations in creating {
            try StubPass(relations, rows, stubs, loader.cacheLimit, limit: options.batchSize).run()
        }
        try StubValuePass(relations, rows, loader.cacheLimit, limit: options.batchSize).run(batch)
    }

    private func linkWaiting(_ rounds: EntityRounds) throws(Failure) {
        let (entity, relations) = (rounds.loader, rounds.relations)
        if !relations.hasOpenPromises { relations.keepPromises() }
        let spools = [entity.waitingRows.promised, entity.waitingRows.references].compactMap { $0 }
        if spools.isEmpty { return }
        let pass = LinkPass(relations, loader.sink, rounds.duplicates)
        for spool in spools {
            try spool.forEachBatch(
                batch.sections[entity.index], batch, work: entity.work, limit: options.batchSize
            ) { rows throws(Failure) in
                try options.checkCancelled()
                try pass.link(rows, batch)
                loader.cacheLimit.hold()
            }
        }
        entity.waitingRows.promised = nil
        entity.waitingRows.references = nil
    }
}
