import SluiceRecords

// References to targets that are not there yet. Such a target is promised the objectID that it will have, so that the
// reference is written at once. Mostly all targets come, and then nothing has to be written, or read, again.
extension EntityRelations {
    /// Allows promises: where all objects of the entity are created by this run.
    func allowPromises() {
        guard state.facts.isAllNew, !state.facts.mayNullifyAny, !state.facts.hasCandidates,
            state.entity.relationships.count <= UInt64.bitWidth
        else { return }
        promising = state.entity.relationships.map { _ in false }
        for (relationship, finder) in finders { promising[relationship] = finder.canPromise }
    }

    /// Promises the targets of new rows that are not there yet their objectIDs.
    func promise(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) {
        guard promising.contains(true) else { return }
        // Where there is no room for more, those that are promised can still be referred to.
        let mayAdd = finders.allSatisfy { $0.finder.canPromiseMore }
        // A local variable, and not the property: each row would check whether the array has another owner.
        var promises: [UInt64] = []
        swap(&promises, &self.promises)
        promises.append(contentsOf: repeatElement(0, count: max(0, section.count - promises.count)))
        for (relationship, finder) in toOne where promising[relationship] {
            promise(rows, relationship, finder, section, arena, &promises, mayAdd: mayAdd)
        }
        // All links of a row or none: that there is room for one of them is not enough.
        for (relationship, links) in toMany where promising[relationship] && mayAdd {
            links.promise(rows, arena) { promises[$0] |= 1 << UInt64(relationship) }
        }
        self.promises = promises
    }

    private func promise(
        _ rows: [Int], _ relationship: Int, _ finder: ToOneReferences, _ section: EntityRecords, _ arena: Arena,
        _ promises: inout [UInt64], mayAdd: Bool
    ) {
        if let ids = finder.finder.soleTarget {
            promise(rows, relationship, finder, section, arena, &promises) {
                finder.promise($0, ids, section, arena, mayAdd: mayAdd)
            }
        } else {
            promise(rows, relationship, finder, section, arena, &promises) {
                finder.promise($0, section, arena, mayAdd: mayAdd)
            }
        }
    }

    @inline(__always)
    private func promise(
        _ rows: [Int], _ relationship: Int, _ finder: ToOneReferences, _ section: EntityRecords, _ arena: Arena,
        _ promises: inout [UInt64], _ promise: (_ row: Int) -> Reference
    ) {
        let (references, count) = (work.references, work.relationshipCount)
        var (last, promised) = (-1, Reference.null)
        for (place, row) in rows.enumerated() {
            if place % ObjectIDCache.keysAhead == 0 {
                finder.prefetch(rows[place...].prefix(ObjectIDCache.keysAhead), section, arena)
            }
            if references[row * count + relationship] != .pending { continue }
            // Records that follow one another often refer to the same object.
            if last < 0 || !finder.isSame(last, row, section, arena) { promised = promise(row) }
            last = row
            if promised == .pending { continue }
            references[row * count + relationship] = promised
            promises[row] |= 1 << UInt64(relationship)
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

    /// Counts the references whose promised targets have come, all of them.
    func countFulfilledPromises() {
        state.tally.countFulfilledPromises()
        state.spools.forgetPromised()
    }

    // MARK: The spool

    /// Keeps the references of rows to promised targets, in case that a target does not come.
    func spoolPromised(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if rows.isEmpty { return }
        for (relationship, _) in toOne {
            state.tally.notePromised(rows.count { isPromised($0, relationship) }, relationship)
        }
        let spool = state.spools.madePromised
        // A local copy, so that the property is not accessed for each row.
        let promises = promises
        for row in rows {
            hideSettled(row, section, promises[row])
            markPromises(row, promises[row])
            try spool.append(row, section, batch, outcome: .promised, work: work)
        }
    }

    /// Marks the columns of a new row whose references are promised: a spool keeps them.
    func markPromises(_ row: Int, _ promises: UInt64) {
        work.clearDifferences(row)
        var rest = promises
        while rest != 0 {
            markDifferent(row, rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
    }

    /// The relationships of a row from a spool that were promised, as bits; the row differs in nothing from then on.
    func takePromises(_ row: Int) -> UInt64 {
        var promises: UInt64 = 0
        for relationship in promising.indices
        where work.isDifferent(row, column: work.attributeCount + relationship) {
            promises |= 1 << UInt64(relationship)
        }
        work.clearDifferences(row)
        return promises
    }
}
