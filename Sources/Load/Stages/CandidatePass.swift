import SluiceRecords

/// Loads the records with `missing: reject`, once all others are loaded.
struct CandidatePass {
    let rounds: [EntityRounds]
    let context: LoadContext

    /// Loads the records that have the targets they need, and rejects the others.
    func run(_ batch: RecordBatch) throws(Failure) {
        let waiting = rounds.filter { $0.state.phase.candidates != nil }
        if waiting.isEmpty { return }
        let elimination = CandidateElimination(rounds.map(\.relations), context)
        try elimination.run()
        // All faults are reported before anything is loaded: so the missing targets are those that were found missing.
        for rounds in waiting { try rejectCandidates(rounds, elimination, batch) }
        for rounds in waiting { try loadCandidates(rounds, elimination.failed(rounds.state.index), batch) }
    }

    private func rejectCandidates(
        _ rounds: EntityRounds, _ elimination: CandidateElimination, _ batch: RecordBatch
    ) throws(Failure) {
        let failed = elimination.failed(rounds.state.index)
        if failed.isEmpty { return }
        guard let spool = rounds.state.phase.candidates else { return }
        try read(spool, rounds.relations, batch, where: failed, is: true) { rows, section throws(Failure) in
            try rounds.relations.resolveAmongAll(rows, section, batch)
            for row in rows {
                Rejects.report(row, of: rounds.state, section, batch, context.sink) {
                    elimination.faults(row, section, batch.arena)
                }
            }
            try rounds.recordFallenOut(rows, batch)
        }
    }

    private func loadCandidates(
        _ rounds: EntityRounds, _ failed: ObjectIDSet, _ batch: RecordBatch
    ) throws(Failure) {
        guard let spool = rounds.state.phase.candidates else { return }
        rounds.state.advance(to: .saving(rounds.state.traits))
        try read(spool, rounds.relations, batch, where: failed, is: false) { rows, _ throws(Failure) in
            try rounds.loadSpooled(rows, batch, targetsMayCome: false)
        }
    }

    /// Reads the candidates of an entity that have fallen out, or those that have not, batch by batch.
    private func read(
        _ spool: RowSpool, _ relations: EntityRelations, _ batch: RecordBatch, where failed: ObjectIDSet,
        is hasFailed: Bool, _ body: ([Int], EntityRecords) throws(Failure) -> Void
    ) throws(Failure) {
        var place: Int64 = 0
        try context.forEachBatch(
            spool, of: relations, batch, areCandidates: true, mayEnd: true
        ) { read, section throws(Failure) in
            let wanted = read.indices.filter { failed.contains(place + Int64($0)) == hasFailed }.map { read[$0].row }
            place += Int64(read.count)
            if !wanted.isEmpty { try body(wanted, section) }
        }
    }
}
