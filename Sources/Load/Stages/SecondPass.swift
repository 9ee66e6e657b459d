import SluiceRecords

/// What is done when all feeds are read: the stages, in the order that follows from what they need (`Stage`).
struct SecondPass {
    private let loader: Loader
    private let states: [EntityState]
    private let relations: [EntityRelations]
    private let context: LoadContext
    private let batch: RecordBatch

    init(_ loader: Loader) {
        self.loader = loader
        states = loader.states
        relations = loader.rounds.map(\.relations)
        context = loader.context
        batch = RecordBatch(model: context.model)
    }

    func run() throws(Failure) {
        let deletion = DeletionPass(relations, context)
        for stage in Stage.ordered { try run(stage, deletion) }
    }

    private func run(_ stage: Stage, _ deletion: DeletionPass) throws(Failure) {
        switch stage {
        case .deleteObjects: try deletion.run()
        case .loadCandidates: try CandidatePass(rounds: loader.rounds, context: context).run(batch)
        case .positionNullified: try deletion.positionNullified()
        case .loadDeferred: try loadDeferred()
        case .createStubs: try createStubs()
        case .linkWaiting: for rounds in loader.rounds { try linkWaiting(rounds) }
        case .linkLate:
            for relations in relations {
                try LatePass(relations, context, isStoreAsLeft: context.options.knowsItems).link(batch)
            }
        case .countOpen: for relations in relations { try OpenReferencePass(relations, context).run(batch) }
        case .finishEdits: for relations in relations { try EditPass(relations, context).run(batch) }
        case .addUpChanges: for state in states { try state.tally.changes.addUp(held: context.options.heldObjects) }
        case .buildIndexes: try context.store.finishIndexes()
        case .deleteOrphans: for state in states { try OrphanPass(state).run(batch) }
        case .recordChanges: if let store = context.store.changeStore { try recordChanges(store) }
        case .reportDuplicates: try reportDuplicates()
        }
    }

    func reportDuplicates() throws(Failure) {
        for rounds in loader.rounds { try rounds.duplicates.report(batch, limit: context.batchSize) }
    }

    private func recordChanges(_ store: any ChangeStore) throws(Failure) {
        for entity in states {
            var chunk: [ChangedObjects] = []
            try ChangedObjectsReading(entity).forEach(batch) { objects throws(Failure) in
                chunk.append(objects)
                guard chunk.count == LoadContext.chunk else { return }
                try store.recordChanges(chunk, entity: entity.index)
                chunk.removeAll(keepingCapacity: true)
            }
            try store.recordChanges(chunk, entity: entity.index)
        }
        try store.finishChanges()
    }

    /// Loads the records that have waited as a whole: a thread reads them, this one saves them.
    private func loadDeferred() throws(Failure) {
        var spools: [(entity: Int, spool: RowSpool)] = []
        for entity in states {
            guard case .deferring(let spool, let late) = entity.phase else { continue }
            spools.append((entity.index, spool))
            entity.advance(to: late.map { .indexingLate($0) } ?? .streaming)
        }
        if spools.isEmpty { return }
        let entities = spools.map(\.entity)
        let waiting = WaitingRecords(spools, batchSize: context.batchSize)
        let save = { (batch: RecordBatch) throws(Failure) in
            for entity in entities where batch.sections[entity].count > 0 {
                try loader.rounds[entity].loadSpooled(
                    Array(0..<batch.sections[entity].count), batch, targetsMayCome: false)
            }
            context.cacheLimit.evictIfOverLimit()
            try context.checkCancelled()
        }
        try BatchQueue<Void>(model: context.model).run(reader: { waiting.readAll($0) }, loader: save)
        for entity in entities { try PhaseEnd(rounds: loader.rounds[entity], context: context).indexIdentifiers(batch) }
    }

    private func createStubs() throws(Failure) {
        let creating = relations.filter(\.state.traits.createsStubs)
        if creating.isEmpty { return }
        let (rows, stubs) = (RecordBatch(model: context.model), StubMaker(context.model))
        for relations in creating {
            try StubPass(relations, rows, stubs, context).run()
        }
        try StubValuePass(relations, rows, context).run(batch)
    }

    private func linkWaiting(_ rounds: EntityRounds) throws(Failure) {
        let (entity, relations) = (rounds.state, rounds.relations)
        if !relations.promises.areOpen { relations.promises.countFulfilled() }
        let spools = [entity.spools.promised, entity.spools.references].compactMap { $0 }
        if spools.isEmpty { return }
        let pass = LinkPass(relations, rounds.duplicates, context)
        for spool in spools {
            try context.forEachBatch(spool, of: relations, batch, mayEnd: true) { rows, _ throws(Failure) in
                try pass.link(rows, batch)
            }
        }
        entity.spools.forgetReferences()
    }
}
