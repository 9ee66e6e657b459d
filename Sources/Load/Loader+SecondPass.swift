import Records

// What is done when all feeds are read.
extension Loader {
    /// Resolves what waited, now that all objects are there, and builds the indexes.
    public func finish() throws(Failure) {
        try DeletionPass(model, relations, store, cacheLimit).run()
        try loadCandidates()
        try loadWaitingRecords()
        try createStubs()
        // Only now all objects are there, stubs included.
        let batch = RecordBatch(model: model)
        for loader in loaders { try linkWaiting(loader, batch) }
        for relations in relations { try LatePass(relations, sink, cacheLimit).link(batch, limit: options.batchSize) }
        for loader in loaders { try loader.tally.changes.addUp() }
        try store.finishIndexes()
        try reportDuplicates()
    }

    private func createStubs() throws(Failure) {
        let creating = relations.filter(\.createsStubs)
        if creating.isEmpty { return }
        let (rows, batch) = (RecordBatch(model: model), RecordBatch(model: model))
        for relations in creating {
            let pass = StubPass(relations, rows, batch, cacheLimit)
            if relations.hasOpenPromises, let spool = relations.loader.waitingRows.promised {
                try pass.findMissing(spool, limit: options.batchSize)
            }
            if let spool = relations.loader.waitingRows.references {
                try pass.findMissing(spool, limit: options.batchSize)
            }
            try pass.createRest()
        }
    }

    /// Reports the duplicates that wait for it: at the end of a run, also of one that has failed.
    public func reportDuplicates() throws(Failure) {
        let batch = RecordBatch(model: model)
        for duplicates in duplicates { try duplicates.report(batch, limit: options.batchSize) }
    }

    /// Loads the records that have the targets they need, and rejects the others.
    private func loadCandidates() throws(Failure) {
        guard loaders.contains(where: { $0.waitingRows.candidates != nil }) else { return }
        let pass = CandidatePass(model, relations, batchSize: options.batchSize, cacheLimit)
        try pass.run()
        // All faults are told before anything is loaded: then what is missing is what the pass found missing.
        let batch = RecordBatch(model: model)
        for loader in loaders { try rejectCandidates(loader, pass, batch) }
        for loader in loaders { try loadCandidates(loader, pass.failed(loader.index), batch) }
    }

    private func rejectCandidates(
        _ loader: EntityLoader, _ pass: CandidatePass, _ batch: RecordBatch
    ) throws(Failure) {
        let failed = pass.failed(loader.index)
        if failed.isEmpty { return }
        try readCandidates(loader, batch, where: failed, is: true) { rows, section throws(Failure) in
            try relations[loader.index].resolveAmongAll(rows, section, batch)
            for row in rows { reject(row, loader, section, batch, pass) }
        }
    }

    private func reject(
        _ row: Int, _ loader: EntityLoader, _ section: EntityRecords, _ batch: RecordBatch, _ pass: CandidatePass
    ) {
        loader.tally.recorded.rejected += 1
        let position = section.positions[row]
        sink.report(.reject, at: RecordPositionKey(position)) {
            .reject(
                pass.faults(row, section, batch.arena), loader.entity,
                identifier: loader.facts.identifier(of: row, section, batch.arena), row, section, batch.arena)
        }
    }

    private func loadCandidates(
        _ loader: EntityLoader, _ failed: SeenObjects, _ batch: RecordBatch
    ) throws(Failure) {
        try readCandidates(loader, batch, where: failed, is: false) { rows, _ throws(Failure) in
            self.rows[loader.index] = rows
            if loader.facts.isTarget { try identify(loader.index, batch) }
            try saveRounds(loader.index, batch, from: .spool)
        }
        loader.waitingRows.candidates = nil
    }

    /// Reads the candidates of an entity that have fallen out, or those that have not, batch by batch.
    private func readCandidates(
        _ loader: EntityLoader, _ batch: RecordBatch, where failed: SeenObjects, is hasFailed: Bool,
        _ body: ([Int], EntityRecords) throws(Failure) -> Void
    ) throws(Failure) {
        guard let spool = loader.waitingRows.candidates else { return }
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
            if !wanted.isEmpty { try body(wanted, section) }
            cacheLimit.hold()
        }
    }

    private func loadWaitingRecords() throws(Failure) {
        let loaders = loaders.filter { $0.waitingRows.records != nil }
        if loaders.isEmpty { return }
        let spools = loaders.compactMap { loader in loader.waitingRows.records.map { (loader.index, $0) } }
        let waiting = WaitingRecords(spools, batchSize: options.batchSize)
        let save = { (batch: RecordBatch) throws(Failure) in
            for loader in loaders where batch.sections[loader.index].count > 0 {
                self.rows[loader.index] = Array(0..<batch.sections[loader.index].count)
                try self.saveRounds(loader.index, batch, from: .spool)
            }
            self.cacheLimit.hold()
            try self.options.checkCancelled()
        }
        try BatchQueue<Void>(model: model).run(reader: { waiting.readAll($0) }, loader: save)
        for loader in loaders { loader.waitingRows.records = nil }
    }

    private func linkWaiting(_ loader: EntityLoader, _ batch: RecordBatch) throws(Failure) {
        let relations = relations[loader.index]
        if !relations.hasOpenPromises { relations.keepPromises() }
        let spools = [loader.waitingRows.promised, loader.waitingRows.references].compactMap { $0 }
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
        loader.waitingRows.promised = nil
        loader.waitingRows.references = nil
    }
}
