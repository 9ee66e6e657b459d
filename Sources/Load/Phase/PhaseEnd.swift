import SluiceRecords

/// Ends the phases of an entity that end when all feeds are read, and saves what waited because of them.
struct PhaseEnd {
    let rounds: EntityRounds
    let context: LoadContext
    private var state: EntityState { rounds.state }
    private var work: RowScratch { rounds.relations.work }

    // MARK: Identifiers that were indexed late

    /// Indexes the entity's identifiers, if that has waited, and saves the records that awaited the index, in
    /// the order in which they came; batches are used for it.
    func indexIdentifiers(_ batch: @autoclosure () -> RecordBatch) throws(Failure) {
        guard case .indexingLate(let late) = state.phase else { return }
        if let rows = late.removeScattered() { try save(rows, batch()) }
        // Where no record needs the index before, it is built with all others.
        guard let spool = late.awaitingIndex else { return state.advance(to: .streaming) }
        try state.store.lateIndexStore?.indexIdentifiers(of: state.index)
        state.advance(to: .loadingReserved)
        try save(spool, nil, batch())
        state.advance(to: .streaming)
    }

    /// Saves the rows that wait for the order of their objectIDs; the batch is used for it.
    private func save(_ rows: ScatteredRows, _ batch: RecordBatch) throws(Failure) {
        let section = batch.sections[state.index]
        try rows.forEachBatch(section, batch, work: work) { rows throws(Failure) in
            try context.checkCancelled()
            try rounds.loadNew(rows, section, batch)
        }
    }

    // MARK: Records that are compared

    /// Compares the records of the phase with their objects, and saves those that do not say the same; the batch is
    /// used for it.
    func compare(_ batch: @autoclosure () -> RecordBatch) throws(Failure) {
        guard case .comparing(let compared) = state.phase else { return }
        if compared.spool.count == 0 { return state.advance(to: .streaming) }
        let batch = batch()
        guard compared.isWorthReading(state) else {
            state.advance(to: .streaming)
            return try save(compared.spool, nil, batch)
        }
        let (others, new) = try LateComparison(compared: compared, rounds: rounds, context: context).run(batch)
        state.advance(to: .streaming)
        if !others.isEmpty { try save(compared.spool, others, batch) }
        if new.isEmpty { return }
        try ComparedRecords.dropIndexes(new.count, state)
        state.advance(to: .creating)
        try save(compared.spool, new, batch)
        state.advance(to: .streaming)
    }

    /// Saves the records of a spool, in their order: all of them, or those that have some numbers.
    private func save(_ spool: RowSpool, _ numbers: ObjectIDSet?, _ batch: RecordBatch) throws(Failure) {
        try spool.forEachBatch(
            of: numbers, batch.sections[state.index], batch, work: work, limit: context.batchSize
        ) { read throws(Failure) in
            try context.checkCancelled()
            var rows = read.map(\.row)
            if let numbers { rows.removeAll { !numbers.contains(work.objectIDs[$0]) } }
            if rows.isEmpty { return }
            try rounds.loadSpooled(rows, batch, targetsMayCome: true)
        }
    }
}
