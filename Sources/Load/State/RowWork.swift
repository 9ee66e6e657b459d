import SluiceRecords

/// What Load works out about the rows of one section, by row; used again for each batch.
@safe
package final class RowWork {
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
        var references = Table<Reference>()
        var stored = Table<Reference>()
        var differences = Table<UInt64>()
        var changes = Table<UInt64>()
        var stated = Table<UInt64>()
        var given = Table<UInt64>()
        var digests = Table<UInt64>()
    }

    var objectIDs: Table<Int64> { unsafe tables.pointee.objectIDs }
    /// By row and relationship: a reference (of a to-one relationship).
    var references: Table<Reference> { unsafe tables.pointee.references }
    /// By row and relationship: the reference that the store holds, or `.null`.
    var stored: Table<Reference> { unsafe tables.pointee.stored }
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
