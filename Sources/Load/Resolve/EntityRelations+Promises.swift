import SluiceRecords

// References to targets that are not there yet, which are promised the objectIDs that they will have: so the references
// are written at once. Mostly all targets come, and then nothing has to be written, or read, again.
extension EntityRelations {
    /// Allows promises: where all objects of the entity are created by this run.
    func allowPromises() {
        guard loader.facts.startsEmpty, !loader.facts.hasDeletions, !loader.facts.mayNullifyAny,
            loader.waitingRows.candidates == nil,
            loader.entity.relationships.count <= UInt64.bitWidth
        else { return }
        promising = loader.entity.relationships.map { _ in false }
        for (relationship, finder) in finders { promising[relationship] = finder.canPromise }
    }

    /// Promises the targets of new rows that are not there yet their objectIDs.
    func promise(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) {
        guard promising.contains(true), finders.allSatisfy({ $0.finder.canPromiseMore }) else { return }
        promises.append(contentsOf: repeatElement(0, count: section.count))
        let (references, count) = (loader.work.references, loader.work.relationshipCount)
        for (relationship, finder) in toOne where promising[relationship] {
            var last: (row: Int, promised: Reference)?
            for row in rows where references[row * count + relationship] == .pending {
                // Records that follow one another often refer to the same object.
                let isSame = last.map { finder.isSame($0.row, row, section, arena) } ?? false
                let promised = isSame ? last?.promised ?? .null : finder.promise(row, section, arena)
                last = (row, promised)
                if promised == .pending { continue }
                references[row * count + relationship] = promised
                promises[row] |= 1 << UInt64(relationship)
            }
        }
        for (relationship, links) in toMany where promising[relationship] {
            for row in rows where links.state(row) == .pending && links.promise(row, arena) {
                promises[row] |= 1 << UInt64(relationship)
            }
        }
    }

    /// Whether a row refers to targets that are not there yet.
    func isPromised(_ row: Int) -> Bool { !promises.isEmpty && promises[row] != 0 }

    func isPromised(_ row: Int, _ relationship: Int) -> Bool {
        !promises.isEmpty && promises[row] >> UInt64(relationship) & 1 == 1
    }

    /// Whether some target that was promised to references of this entity has not come.
    var hasOpenPromises: Bool {
        finders.contains { relationship, finder in
            !promising.isEmpty && promising[relationship] && finder.hasOpenPromises
        }
    }

    /// Counts the references whose promises were kept, all of them.
    func keepPromises() {
        loader.tally.keepPromises()
        loader.waitingRows.promised = nil
    }

    // MARK: The spool

    /// Keeps the references of a row that were promised a target, for the case that one does not come.
    func spoolPromised(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        for (relationship, _) in toOne where isPromised(row, relationship) {
            loader.tally.notePromised(1, relationship)
        }
        hideSettled(row, section)
        markPromises(row)
        if loader.waitingRows.promised == nil { loader.waitingRows.promised = RowSpool(loader.entity, whole: false) }
        try loader.waitingRows.promised?.append(row, section, batch, outcome: .promised, work: loader.work)
    }

    /// Marks the columns of a new row whose references are promised: a spool keeps them.
    func markPromises(_ row: Int) {
        loader.work.clearDifferences(row)
        for relationship in promising.indices where isPromised(row, relationship) { markDifferent(row, relationship) }
    }

    /// The relationships of a row from a spool that were promised, as bits; the row differs in nothing from then on.
    func takePromises(_ row: Int) -> UInt64 {
        var promises: UInt64 = 0
        for relationship in promising.indices
        where loader.work.isDifferent(row, column: loader.work.attributeCount + relationship) {
            promises |= 1 << UInt64(relationship)
        }
        loader.work.clearDifferences(row)
        return promises
    }
}
