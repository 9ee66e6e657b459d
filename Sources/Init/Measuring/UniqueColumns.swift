import SluiceRecords

/// Columns that may be unique together.
@safe
final class UniqueColumns {
    /// -1: the owner, of which there is one for each record of it.
    let columns: [Int]
    let unique: UniqueValues
    /// Whether records may lack them: then they identify nothing, but objects may be found by them.
    let isOptional: Bool
    /// Whether they are followed however often they are the same.
    let isLast: Bool
    /// Whether records may lack some of them: two that lack the same are the same.
    private let takesNone: Bool
    /// Whether they are too often the same.
    private(set) var isGone = false
    /// Whether they are unique since no object has a key twice.
    let isCertain: Bool
    private(set) var failure: Failure?
    /// Whether what another owner's records have is never the same.
    private let isWithin: Bool
    /// The columns once more, where they are read for each record: their places in rows.
    private let places: Table<Int>
    private let width: Int

    enum Step { case kept, gone, failed }

    /// - Parameter most: hashes in memory.
    init(
        _ columns: [Int], of entity: DraftEntity, isOptional: Bool = false, isLast: Bool = false,
        takesNone: Bool = false, most: Int = UniqueValues.most
    ) {
        self.columns = columns
        self.isOptional = isOptional
        self.isLast = isLast || takesNone
        self.takesNone = takesNone
        unique = UniqueValues(most: most)
        // In trees a record goes on after those in it.
        isWithin = columns.contains(-1) && !entity.isInTree
        isCertain = isWithin && UniqueColumns.areKeys(columns, of: entity)
        width = columns.count
        places = Table(capacity: columns.count)
        for (index, column) in columns.enumerated() { places[index] = column + 1 }
    }

    deinit {
        var places = places
        places.deallocate()
    }

    /// Whether columns are all the keys that lead from the owner to a record.
    private static func areKeys(_ columns: [Int], of entity: DraftEntity) -> Bool {
        guard let owner = entity.owner else { return false }
        let keys = entity.columns.filter(\.isKey).map(\.index)
        let hasLists = entity.place.steps(from: owner.place).contains(.element)
        return !keys.isEmpty && !hasLists && entity.place.kind == nil && keys.allSatisfy(columns.contains)
    }

    /// Whether so many records have them.
    func isComplete(_ records: Int) -> Bool { isCertain || unique.values == records }

    /// Whether some record has these values; nil: it is not known.
    func contains(_ hash: UInt64) -> Bool? { isWithin ? nil : unique.contains(hash) }

    /// How many records have what another one has.
    func repeats() throws(Failure) -> Int { isCertain ? 0 : try unique.finish() }

    @inline(__always)
    func add(_ row: UnsafePointer<UInt64>, _ records: Int) -> Step {
        var hash: UInt64 = 0
        for index in 0..<width {
            var value = unsafe row[places[index]]
            if value == ValueFingerprint.none {
                guard takesNone else { return lack() }
                value = UniqueColumns.nothing
            }
            hash = hash == 0 ? value : ValueFingerprint.joined(hash, value)
        }
        if isWithin { unique.begin(of: unsafe row[0]) }
        do throws(Failure) {
            try unique.add(hash)
        } catch {
            return fail(error)
        }
        // What comes close is told of; what does not is not followed.
        return unique.repeats > (width == 1 ? 20 : 4) + records / 100 && !isLast ? leave() : .kept
    }

    /// Stands for what a record lacks.
    private static let nothing: UInt64 = 0x9e37_79b9_7f4a_7c15

    private func lack() -> Step { isOptional ? .kept : leave() }

    /// Follows them no longer.
    func drop() {
        isGone = true
        unique.forget()
    }

    private func leave() -> Step {
        drop()
        return .gone
    }

    private func fail(_ error: Failure) -> Step {
        failure = error
        return .failed
    }
}
