import SluiceRecords

/// A reference to what is in another list of a record around: `"mounts": [{ "volume": "data" }]` beside `"volumes": [{
/// "name": "data" }]`.
final class SiblingReference: RowListener {
    let column: DraftColumn
    let target: SiblingTarget
    /// The entities between: whose records are in those of the next one, and the last in those that have both lists.
    let between: [DraftEntity]
    private var values: [(owner: UInt64, value: UInt64)] = []
    private var isFull = false
    private static let most = 1 << 17

    init(_ column: DraftColumn, _ target: SiblingTarget, between: [DraftEntity]) {
        (self.column, self.target, self.between) = (column, target, between)
    }

    func take(_ row: UnsafePointer<UInt64>) {
        let value = unsafe row[column.index + 1]
        guard value != ValueFingerprint.none, !isFull else { return }
        unsafe values.append((row[0], value))
        isFull = values.count > SiblingReference.most
    }

    /// How many of the values are found in the record around, and how many there are.
    ///
    /// - Parameter owners: of each record between, the one around it.
    func figures(_ owners: [UInt64: UInt64]) -> (values: Int, found: Int, distinct: Int) {
        if isFull { return (0, 0, 0) }
        var known: Set<UInt64> = []
        var found = 0
        for (owner, value) in values {
            let around = between.reduce(Optional(owner)) { place, _ in place.flatMap { owners[$0] } }
            guard let around else { continue }
            known.insert(value)
            if target.identifiers.contains(ValueFingerprint.joined(around, value)) { found += 1 }
        }
        return (values.count, found, known.count)
    }
}

/// An entity in a list of records, each of which is known by one value in its list.
final class SiblingTarget: RowListener {
    let entity: DraftEntity
    let column: DraftColumn
    fileprivate(set) var identifiers = HashCounts(most: 1 << 20)

    /// Nil: it is not known so.
    init?(_ entity: DraftEntity) {
        guard !entity.isDropped, !entity.isTree, let identifier = entity.identifier, identifier.hasOwner,
            !identifier.hasIndex, identifier.columns.count == 1, let owner = entity.owner, !owner.isTree
        else { return nil }
        self.entity = entity
        column = identifier.columns[0]
    }

    deinit { identifiers.deallocate() }

    func take(_ row: UnsafePointer<UInt64>) {
        let value = unsafe row[column.index + 1]
        if value != ValueFingerprint.none { unsafe identifiers.add(ValueFingerprint.joined(row[0], value)) }
    }
}

/// Of each record of an entity, the one around it.
final class OwnerLog: RowListener {
    private(set) var owners: [UInt64: UInt64] = [:]
    /// Where a row has its own hash.
    private let place: Int
    private static let most = 1 << 17

    init(_ entity: DraftEntity) { place = entity.columns.count + 1 }

    func take(_ row: UnsafePointer<UInt64>) {
        if owners.count < OwnerLog.most { unsafe owners[row[place]] = unsafe row[0] }
    }
}
