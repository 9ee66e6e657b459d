import SluiceRecords

/// The references of one to-one relationship.
@safe
final class ToOneReferences {
    let finder: TargetFinder
    private let work: RowWork
    private let relationship: Int
    private let firstCell: Int
    private let width: Int

    init(_ state: EntityState, _ work: RowWork, relationship: Int, all: [EntityState]) {
        self.work = work
        self.relationship = relationship
        finder = TargetFinder(state.entity.relationships[relationship], all: all)
        firstCell = state.facts.layout.relationshipStart[relationship]
        width = state.facts.layout.width
    }

    /// Sets `work.references` of this relationship for the rows, as far as that is known; `finishResolving` sets the
    /// rest.
    func beginResolving(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, among known: KnownObjects
    ) throws(Failure) {
        let cells = unsafe UnsafePointer(section.typed.base) + firstCell
        let references = work.references
        let count = work.relationshipCount
        try unsafe finder.begin(
            rows.count, arena, among: known, block: { unsafe cells + rows[$0] * width },
            set: { references[rows[$0] * count + relationship] = $1 })
    }

    /// Sets what was not known; what still is not is `.pending`.
    func finishResolving(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, among known: KnownObjects
    ) throws(Failure) {
        let cells = unsafe UnsafePointer(section.typed.base) + firstCell
        let references = work.references
        let count = work.relationshipCount
        try unsafe finder.finish(
            arena, among: known, block: { unsafe cells + rows[$0] * width },
            set: { references[rows[$0] * count + relationship] = $1 })
    }

    /// Whether a row states a reference that is not null.
    func states(_ row: Int, _ section: EntityRecords) -> Bool {
        let kind = section.typed[row * width + firstCell].kind
        return kind != .absent && kind != .null
    }

    /// Whether a row says nothing of the reference, so that it stays what it is.
    func isSilent(_ row: Int, _ section: EntityRecords) -> Bool {
        section.typed[row * width + firstCell].kind == .absent
    }

    /// Whether two rows refer to the same target.
    @inline(__always)
    func isSame(_ one: Int, _ other: Int, _ section: EntityRecords, _ arena: Arena) -> Bool {
        let cells = unsafe UnsafePointer(section.typed.base) + firstCell
        return unsafe finder.layout.isSame(cells + one * width, cells + other * width, arena.base)
    }

    /// Marks what a row says of its reference absent, so that the second pass leaves it alone.
    func clearStated(_ row: Int, _ section: EntityRecords) {
        let start = row * width + firstCell
        for cell in start..<start + finder.layout.blockWidth { section.typed[cell] = .absent }
    }

    /// Announces to the cache the pending targets of rows that are looked for next, at most `keysAhead`.
    func prefetch(_ rows: ArraySlice<Int>, _ section: EntityRecords, _ arena: Arena) {
        let cells = unsafe UnsafePointer(section.typed.base) + firstCell
        let (references, count, first) = (work.references, work.relationshipCount, rows.startIndex)
        unsafe finder.prefetch(rows.count, arena) { place in
            let row = rows[first + place]
            return unsafe references[row * count + relationship] == .pending ? cells + row * width : nil
        }
    }

    /// The reference of a row to a target that is not there yet.
    func promise(_ row: Int, _ section: EntityRecords, _ arena: Arena, mayAdd: Bool) -> Reference {
        unsafe finder.promise(UnsafePointer(section.typed.base) + (row * width + firstCell), arena, mayAdd: mayAdd)
    }

    /// Likewise, where all targets are of one entity.
    @inline(__always)
    func promise(
        _ row: Int, _ ids: ObjectIDs, _ section: EntityRecords, _ arena: Arena, mayAdd: Bool
    ) -> Reference {
        unsafe finder.promise(
            UnsafePointer(section.typed.base) + (row * width + firstCell), 0, ids, arena, mayAdd: mayAdd)
    }

    /// The identifier of a row's missing target; nil where it cannot be one.
    func missingKey(of row: Int, _ section: EntityRecords) -> (target: EntityState, cells: [Cell])? {
        unsafe finder.missingKey(UnsafePointer(section.typed.base) + (row * width + firstCell))
    }

    /// The missing target of a row's reference.
    func missingTarget(of row: Int, _ section: EntityRecords, _ arena: Arena) -> MissingTarget {
        unsafe finder.missingTarget(UnsafePointer(section.typed.base) + (row * width + firstCell), arena)
    }

    /// What a row's reference refers to.
    func value(of row: Int, _ section: EntityRecords, _ arena: Arena) -> WaitingValue {
        unsafe finder.value(UnsafePointer(section.typed.base) + (row * width + firstCell), arena)
    }
}
