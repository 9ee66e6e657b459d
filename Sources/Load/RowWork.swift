import Records

/// What a reference is: an objectID (from 1) with the index of its target among the relationship's targets in the upper
/// bits, or one of the constants.
enum Reference {
    /// ObjectIDs below 2^48 leave room for the target.
    private static let objectIDBits: Int64 = 48

    @inline(__always)
    static func make(_ objectID: Int64, target: Int) -> Int64 { Int64(target) << objectIDBits | objectID }

    @inline(__always)
    static func objectID(_ reference: Int64) -> Int64 { reference & (1 << objectIDBits - 1) }

    @inline(__always)
    static func target(_ reference: Int64) -> Int { Int(reference >> objectIDBits) }

    /// The highest objectID that a store may have: those of a run follow it, and must leave room for the target, too.
    static let highestStored: Int64 = 1 << (objectIDBits - 1)

    /// Null.
    static let none: Int64 = 0
    /// Its target is not known, or not yet.
    static let pending: Int64 = -1
    /// The record says nothing of it: an existing object keeps what it has.
    static let keep: Int64 = -2
}

/// What Load works out about the rows of one section, by row; used again for each batch.
@safe
public final class RowWork {
    /// Relationships of the entity.
    let relationshipCount: Int
    /// Attributes of the entity.
    let attributeCount: Int
    /// 64-bit words of `differences` in a row.
    let wordCount: Int

    /// Behind a pointer: a property of a class is checked for exclusive access each time, which takes longer than the
    /// access itself.
    private let tables: UnsafeMutablePointer<Tables>

    private struct Tables {
        var objectIDs = Table<Int64>()
        var references = Table<Int64>()
        var stored = Table<Int64>()
        var differences = Table<UInt64>()
        var changes = Table<UInt64>()
        var stated = Table<UInt64>()
        var given = Table<UInt64>()
        var digests = Table<UInt64>()
    }

    var objectIDs: Table<Int64> { unsafe tables.pointee.objectIDs }
    /// By row and relationship: a reference (of a to-one relationship).
    var references: Table<Int64> { unsafe tables.pointee.references }
    /// By row and relationship: the reference that the store holds, or `Reference.none`.
    var stored: Table<Int64> { unsafe tables.pointee.stored }
    /// By row: a bit per column that differs; the attributes first, then the relationships, then whether the object is
    /// there at all.
    var differences: Table<UInt64> { unsafe tables.pointee.differences }

    /// By row: what becomes of the attributes that differ, as `ObjectChanges` adds it up.
    var changes: Table<UInt64> { unsafe tables.pointee.changes }

    /// By row, of duplicates and of what is compared with them: a bit per column of which the record says something.
    var stated: Table<UInt64> { unsafe tables.pointee.stated }
    /// By row, of duplicates: a bit per column to which the record gives a value.
    var given: Table<UInt64> { unsafe tables.pointee.given }
    /// By row and digested relationship: see `StatedColumns`.
    var digests: Table<UInt64> { unsafe tables.pointee.digests }

    let hash = ValueHash()
    /// The relationships whose references are compared by their digests.
    let digested: [Int]

    init(_ entity: Entity) {
        relationshipCount = entity.relationships.count
        attributeCount = entity.attributes.count
        digested = entity.digestedRelationships
        wordCount = entity.columnWords
        unsafe tables = .allocate(capacity: 1)
        unsafe tables.initialize(to: Tables())
    }

    /// The column that stands for the object's being there: it differs where the object is marked as deleted, or gone.
    var presenceColumn: Int { attributeCount + relationshipCount }

    deinit {
        unsafe tables.pointee.objectIDs.deallocate()
        unsafe tables.pointee.references.deallocate()
        unsafe tables.pointee.stored.deallocate()
        unsafe tables.pointee.differences.deallocate()
        unsafe tables.pointee.changes.deallocate()
        unsafe tables.pointee.stated.deallocate()
        unsafe tables.pointee.given.deallocate()
        unsafe tables.pointee.digests.deallocate()
        unsafe tables.deallocate()
    }

    /// Makes room for rows; what it holds is undefined until it is set.
    func ensure(_ rows: Int) {
        unsafe tables.pointee.objectIDs.ensure(rows)
        unsafe tables.pointee.references.ensure(rows * relationshipCount)
        unsafe tables.pointee.stored.ensure(rows * relationshipCount)
        unsafe tables.pointee.differences.ensure(rows * wordCount)
        unsafe tables.pointee.changes.ensure(rows)
        unsafe tables.pointee.stated.ensure(rows * wordCount)
        unsafe tables.pointee.given.ensure(rows * wordCount)
        unsafe tables.pointee.digests.ensure(rows * digested.count)
    }

    @inline(__always)
    func clearDifferences(_ row: Int) {
        for word in 0..<wordCount { differences[row * wordCount + word] = 0 }
        changes[row] = 0
    }

    /// Notes that a column differs; relationships come after the attributes.
    @inline(__always)
    func setDifferent(_ row: Int, column: Int) {
        differences[row * wordCount + (column >> 6)] |= 1 << UInt64(column & 63)
    }

    func setSame(_ row: Int, column: Int) {
        differences[row * wordCount + (column >> 6)] &= ~(1 << UInt64(column & 63))
    }

    func isDifferent(_ row: Int, column: Int) -> Bool {
        differences[row * wordCount + (column >> 6)] >> UInt64(column & 63) & 1 == 1
    }

    func isStated(_ row: Int, column: Int) -> Bool {
        stated[row * wordCount + (column >> 6)] >> UInt64(column & 63) & 1 == 1
    }

    @inline(__always)
    func hasDifferences(_ row: Int) -> Bool {
        for word in 0..<wordCount where differences[row * wordCount + word] != 0 { return true }
        return false
    }

    /// The differing columns of a row, as a value to be kept.
    func columnSet(_ row: Int) -> ColumnSet {
        ColumnSet(words: (0..<wordCount).map { differences[row * wordCount + $0] })
    }
}

/// A set of columns of one table.
struct ColumnSet: Hashable {
    var words: [UInt64]

    var columns: [Int] {
        words.enumerated().flatMap { index, word in
            (0..<64).filter { word >> UInt64($0) & 1 == 1 }.map { index * 64 + $0 }
        }
    }
}

extension Entity {
    /// 64-bit words that have a bit for each column, and for whether the object is there at all.
    var columnWords: Int { (attributes.count + relationships.count + 64) / 64 }

    /// The relationships whose references are compared as the records say them, since the store does not tell: where it
    /// is searched what a reference refers to, or where the object may be gone by then.
    var digestedRelationships: [Int] {
        relationships.indices.filter { index in
            !deletions.isEmpty || relationships[index].isPolymorphic && relationships[index].selector == nil
        }
    }
}
