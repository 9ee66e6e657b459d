import SluiceRecords

/// The references of one to-one relationship.
@safe
final class ToOneReferences: RelationshipReferences {
    let finder: TargetFinder
    private let work: RowScratch
    let relationship: Int
    private let firstCell: Int
    private let width: Int

    init(_ state: EntityState, _ work: RowScratch, relationship: Int, all: [EntityState]) {
        self.work = work
        self.relationship = relationship
        finder = TargetFinder(state.entity.relationships[relationship], all: all)
        firstCell = state.traits.layout.relationshipStart[relationship]
        width = state.traits.layout.width
    }

    /// Sets `work.references` of this relationship for the rows.
    func beginResolving(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, among scope: TargetScope
    ) throws(Failure) {
        let cells = unsafe UnsafePointer(section.typed.base) + firstCell
        let (references, count) = (work.references, work.relationshipCount)
        try unsafe finder.begin(
            rows.count, batch.arena, among: scope, block: { unsafe cells + rows[$0] * width },
            set: { references[rows[$0] * count + relationship] = $1 })
    }

    func finishResolving(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, among scope: TargetScope
    ) throws(Failure) {
        let cells = unsafe UnsafePointer(section.typed.base) + firstCell
        let (references, count) = (work.references, work.relationshipCount)
        try unsafe finder.finish(
            batch.arena, among: scope, block: { unsafe cells + rows[$0] * width },
            set: { references[rows[$0] * count + relationship] = $1 })
    }

    private func place(_ row: Int) -> Int { row * work.relationshipCount + relationship }

    func state(_ row: Int) -> TargetState {
        switch work.references[place(row)] {
        case .unstated: .unstated
        case .pending: .pending
        default: .settled
        }
    }

    /// A null is no target that can be deleted.
    func postpone(_ row: Int) {
        if work.references[place(row)].isKnown { work.references[place(row)] = .pending }
    }

    func targets(_ row: Int) -> [Reference] { [work.references[place(row)]] }

    func links(_ row: Int) -> [Link] {
        let reference = work.references[place(row)]
        return reference.isKnown ? [Link(reference: reference, position: 0)] : []
    }

    func brokenPromises(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [Link] {
        guard state(row) == .pending else { return [] }
        return [Link(reference: unsafe finder.promised(cells(row, section), arena), position: 0)]
    }

    /// An object that holds a reference waits for none.
    func found(
        _ waited: [WaitingReference], _ row: Int, _ section: EntityRecords, _ arena: Arena
    ) -> [(position: Int64, link: Link)] {
        guard let link = links(row).first, !work.stored[place(row)].isKnown else { return [] }
        let value = value(of: row, section, arena)
        return waited.filter { $0.value.isSame(as: value) }.map { ($0.position, link) }
    }

    func areSame(_ waited: [WaitingReference], _ unresolved: [WaitingReference]) -> Bool {
        waited.map(\.value).areSame(as: unresolved.map(\.value))
    }

    func unresolved(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [WaitingReference] {
        state(row) == .pending ? [WaitingReference(position: 0, value: value(of: row, section, arena))] : []
    }

    func missingTargets(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> [MissingTargetKeys] {
        state(row) == .pending ? [unsafe finder.missingTarget(cells(row, section), arena)] : []
    }

    func missingKeys(_ row: Int, _ section: EntityRecords) -> [(target: EntityState, cells: [Cell])] {
        guard finder.isMissing(work.references[place(row)]) else { return [] }
        return (unsafe finder.missingKey(cells(row, section))).map { [$0] } ?? []
    }

    /// The key of a row.
    @inline(__always)
    private func cells(_ row: Int, _ section: EntityRecords) -> UnsafePointer<Cell> {
        unsafe UnsafePointer(section.typed.base) + (row * width + firstCell)
    }

    /// Whether a row states a reference that is not null.
    func states(_ row: Int, _ section: EntityRecords) -> Bool {
        !section.typed[row * width + firstCell].isNull
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

    func clearStated(_ row: Int, _ section: EntityRecords) {
        let start = row * width + firstCell
        for cell in start..<start + finder.layout.blockWidth { section.typed[cell] = .absent }
    }

    /// Prefetches from the cache the pending targets of rows that are looked for next, at most `keysAhead`.
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
        unsafe finder.promise(cells(row, section), arena, mayAdd: mayAdd)
    }

    /// Likewise, where all targets are of one entity.
    @inline(__always)
    func promise(
        _ row: Int, _ ids: ObjectIDs, _ section: EntityRecords, _ arena: Arena, mayAdd: Bool
    ) -> Reference {
        unsafe finder.promise(cells(row, section), 0, ids, arena, mayAdd: mayAdd)
    }

    /// What a row's reference refers to.
    func value(of row: Int, _ section: EntityRecords, _ arena: Arena) -> WaitingValue {
        unsafe finder.value(cells(row, section), arena)
    }
}
