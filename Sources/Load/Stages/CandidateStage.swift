import SluiceRecords

/// Loads the records with `missing: reject`, once all others are loaded.
struct CandidateStage {
    private let loader: Loader

    init(_ loader: Loader) { self.loader = loader }

    /// Loads the records that have the targets they need, and rejects the others.
    func run(_ batch: RecordBatch) throws(Failure) {
        let rounds = loader.rounds.filter { $0.state.phase.candidates != nil }
        if rounds.isEmpty { return }
        let pass = CandidatePass(
            loader.model, loader.rounds.map(\.relations), batchSize: loader.options.batchSize, loader.cacheLimit)
        try pass.run()
        // All faults are reported before anything is loaded: so the missing targets are those that the pass found
        // missing.
        for rounds in rounds { try rejectCandidates(rounds, pass, batch) }
        for rounds in rounds { try loadCandidates(rounds, pass.failed(rounds.state.index), batch) }
    }

    private func rejectCandidates(
        _ rounds: EntityRounds, _ pass: CandidatePass, _ batch: RecordBatch
    ) throws(Failure) {
        let failed = pass.failed(rounds.state.index)
        if failed.isEmpty { return }
        guard let spool = rounds.state.phase.candidates else { return }
        try read(spool, rounds.relations, batch, where: failed, is: true) { rows, section throws(Failure) in
            try rounds.relations.resolveAmongAll(rows, section, batch)
            for row in rows {
                Rejects.report(row, of: rounds.state, section, batch, loader.sink) {
                    pass.faults(row, section, batch.arena)
                }
            }
            try rounds.noteFallenOut(rows, section, batch)
        }
    }

    private func loadCandidates(
        _ rounds: EntityRounds, _ failed: SeenObjects, _ batch: RecordBatch
    ) throws(Failure) {
        guard let spool = rounds.state.phase.candidates else { return }
        rounds.state.advance(to: .saving(rounds.state.facts))
        try read(spool, rounds.relations, batch, where: failed, is: false) { rows, _ throws(Failure) in
            if rounds.state.facts.isTarget { try rounds.identify(rows, batch) }
            try rounds.save(rows, batch, from: .spool)
        }
    }

    /// Reads the candidates of an entity that have fallen out, or those that have not, batch by batch.
    private func read(
        _ spool: RowSpool, _ relations: EntityRelations, _ batch: RecordBatch, where failed: SeenObjects,
        is hasFailed: Bool, _ body: ([Int], EntityRecords) throws(Failure) -> Void
    ) throws(Failure) {
        let section = batch.sections[relations.state.index]
        var place: Int64 = 0
        try spool.forEachBatch(section, batch, limit: loader.options.batchSize) { read throws(Failure) in
            try loader.options.checkCancelled()
            let wanted = read.indices.filter { failed.contains(place + Int64($0)) == hasFailed }.map { read[$0].row }
            place += Int64(read.count)
            relations.work.ensure(section.count)
            if !wanted.isEmpty { try body(wanted, section) }
            loader.cacheLimit.evictIfOverLimit()
        }
    }
}
