import SluiceRecords

/// References to targets that are not there yet. Such a target is promised the objectID that it will have, so that the
/// reference is written at once. Mostly all targets come, and then nothing has to be written, or read, again.
final class PromisedReferences {
    private let state: EntityState
    private let work: RowScratch
    private let toOne: [(relationship: Int, references: ToOneReferences)]
    private let toMany: [(relationship: Int, links: ToManyReferences)]
    /// Both.
    private let all: [any RelationshipReferences]
    /// By relationship: whether targets that are not there yet may be promised their objectIDs.
    private(set) var areAllowed: [Bool] = []
    /// By row of the round: which of the relationships refer to a promised target, as bits.
    private(set) var byRow: [UInt64] = []

    init(
        _ state: EntityState, _ work: RowScratch, _ toOne: [(relationship: Int, references: ToOneReferences)],
        _ toMany: [(relationship: Int, links: ToManyReferences)], _ all: [any RelationshipReferences]
    ) {
        self.state = state
        self.work = work
        self.toOne = toOne
        self.toMany = toMany
        self.all = all
    }

    /// Forgets the rows of the round before.
    func startRound() { byRow.removeAll(keepingCapacity: true) }

    /// Allows promises: where all objects of the entity are created by this run.
    func decideAllowed() {
        guard state.traits.isAllNew, !state.traits.mayNullifyAny, !state.traits.hasCandidates,
            state.entity.relationships.count <= UInt64.bitWidth
        else { return }
        areAllowed = state.entity.relationships.map { _ in false }
        for references in all { areAllowed[references.relationship] = references.finder.canPromise }
    }

    /// Promises the targets of new rows that are not there yet their objectIDs.
    func promise(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) {
        guard areAllowed.contains(true) else { return }
        // Where there is no room for more, those that are promised can still be referred to.
        let mayAdd = all.allSatisfy { $0.finder.canPromiseMore }
        // A local variable, and not the property: each row would check whether the array has another owner.
        var promises: [UInt64] = []
        swap(&promises, &byRow)
        promises.append(contentsOf: repeatElement(0, count: max(0, section.count - promises.count)))
        for (relationship, finder) in toOne where areAllowed[relationship] {
            promise(rows, relationship, finder, section, arena, &promises, mayAdd: mayAdd)
        }
        // All links of a row or none: that there is room for one of them is not enough.
        for (relationship, links) in toMany where areAllowed[relationship] && mayAdd {
            links.promise(rows, arena) { promises[$0] |= 1 << UInt64(relationship) }
        }
        byRow = promises
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

    /// Forgets the promises of rows, which wait as others do.
    func forget(_ rows: [Int]) { if !byRow.isEmpty { for row in rows { byRow[row] = 0 } } }

    /// The relationships by which a row refers to promised targets, as bits.
    func relationships(of row: Int) -> UInt64 { byRow.isEmpty ? 0 : byRow[row] }

    /// Whether a row refers to a promised target by a relationship.
    func isPromised(_ row: Int, _ relationship: Int) -> Bool { relationships(of: row) >> UInt64(relationship) & 1 == 1 }

    /// Whether some target that was promised to references of this entity has not come.
    var areOpen: Bool {
        !areAllowed.isEmpty && all.contains { areAllowed[$0.relationship] && $0.finder.hasOpenPromises }
    }

    /// Counts the references whose promised targets have come, all of them.
    func countFulfilled() {
        state.tally.countFulfilledPromises()
        state.spools.forgetPromised()
    }

    // MARK: In a spool

    /// Marks the columns of a new row whose references are promised: a spool keeps them.
    func setColumns(_ row: Int, _ promises: UInt64) {
        work.clearDifferences(row)
        var rest = promises
        while rest != 0 {
            work.setDifferent(row, column: work.attributeCount + rest.trailingZeroBitCount)
            rest &= rest &- 1
        }
    }

    /// The relationships of a row from a spool that were promised, as bits; the row differs in nothing from then on.
    func removeColumns(_ row: Int) -> UInt64 {
        var promises: UInt64 = 0
        for relationship in areAllowed.indices
        where work.isDifferent(row, column: work.attributeCount + relationship) {
            promises |= 1 << UInt64(relationship)
        }
        work.clearDifferences(row)
        return promises
    }
}
