import SluiceRecords

/// What Load works out about the rows of one section, by row; used again for each batch.
///
/// The code that reads or saves the rows owns it, and hands it to all functions that it calls: the relations of an
/// entity have one for the rows of its rounds and of the passes that resolve references; a pass that reads objects for
/// itself has one of its own.
@safe
package final class RowScratch {
    /// Relationships of the entity.
    package let relationshipCount: Int
    /// Attributes of the entity.
    package let attributeCount: Int
    /// 64-bit words of `differences` in a row.
    package let wordCount: Int

    @usableFromInline let tables: Unchecked<Tables>

    @usableFromInline struct Tables {
        @usableFromInline var objectIDs = Table<Int64>()
        @usableFromInline var references = Table<Reference>()
        @usableFromInline var stored = Table<Reference>()
        @usableFromInline var differences = Table<UInt64>()
        @usableFromInline var changes = Table<UInt64>()
        @usableFromInline var stated = Table<UInt64>()
        @usableFromInline var given = Table<UInt64>()
        @usableFromInline var digests = Table<UInt64>()
    }

    @inlinable package var objectIDs: Table<Int64> { tables.value.objectIDs }
    /// By row and relationship: a reference (of a to-one relationship).
    @inlinable package var references: Table<Reference> { tables.value.references }
    /// By row and relationship: the reference that the store holds, or `.null`.
    @inlinable package var stored: Table<Reference> { tables.value.stored }
    /// By row: a bit per column that differs; the attributes first, then the relationships, then whether the object is
    /// there at all.
    @inlinable package var differences: Table<UInt64> { tables.value.differences }

    /// By row: what becomes of the attributes that differ, as `ObjectChanges` adds it up.
    @inlinable package var changes: Table<UInt64> { tables.value.changes }

    /// By row, of duplicates and of what is compared with them: a bit per column of which the record says something.
    @inlinable package var stated: Table<UInt64> { tables.value.stated }
    /// By row, of duplicates: a bit per column to which the record gives a value.
    @inlinable package var given: Table<UInt64> { tables.value.given }
    /// By row and digested relationship: see `StatedColumns`.
    @inlinable package var digests: Table<UInt64> { tables.value.digests }

    /// Each has its own seed: what two of them have hashed is not compared.
    package let hash = ValueHash()
    /// The relationships whose references are compared by their digests.
    package let digested: [Int]

    init(_ entity: Entity) {
        relationshipCount = entity.relationships.count
        attributeCount = entity.attributes.count
        digested = entity.digestedRelationships
        wordCount = entity.columnWords
        tables = Unchecked(Tables())
    }

    /// The column of the object's presence: it differs where the object is marked as deleted, or gone.
    @inlinable package var presenceColumn: Int { attributeCount + relationshipCount }

    deinit {
        tables.value.objectIDs.deallocate()
        tables.value.references.deallocate()
        tables.value.stored.deallocate()
        tables.value.differences.deallocate()
        tables.value.changes.deallocate()
        tables.value.stated.deallocate()
        tables.value.given.deallocate()
        tables.value.digests.deallocate()
        tables.deallocate()
    }

    /// Makes room for rows; what it holds is undefined until it is set.
    package func ensure(_ rows: Int) {
        tables.value.objectIDs.ensure(rows)
        tables.value.references.ensure(rows * relationshipCount)
        tables.value.stored.ensure(rows * relationshipCount)
        tables.value.differences.ensure(rows * wordCount)
        tables.value.changes.ensure(rows)
        tables.value.stated.ensure(rows * wordCount)
        tables.value.given.ensure(rows * wordCount)
        tables.value.digests.ensure(rows * digested.count)
    }

    /// Appends a row without values to a section, for an object; it differs in nothing. Returns it.
    package func appendRow(to section: EntityRecords, _ objectID: Int64) -> Int {
        let row = section.appendTypedRow()
        for cell in 0..<section.width { section.typed[row * section.width + cell] = .absent }
        ensure(row + 1)
        clearDifferences(row)
        objectIDs[row] = objectID
        return row
    }

    @inlinable @inline(__always)
    package func clearDifferences(_ row: Int) {
        for word in 0..<wordCount { differences[row * wordCount + word] = 0 }
        changes[row] = 0
    }

    /// Sets that a column differs; relationships come after the attributes.
    @inlinable @inline(__always)
    package func setDifferent(_ row: Int, column: Int) {
        differences[row * wordCount + (column >> 6)] |= 1 << UInt64(column & 63)
    }

    @inlinable package func setSame(_ row: Int, column: Int) {
        differences[row * wordCount + (column >> 6)] &= ~(1 << UInt64(column & 63))
    }

    @inlinable package func isDifferent(_ row: Int, column: Int) -> Bool {
        differences[row * wordCount + (column >> 6)] >> UInt64(column & 63) & 1 == 1
    }

    func isStated(_ row: Int, column: Int) -> Bool {
        stated[row * wordCount + (column >> 6)] >> UInt64(column & 63) & 1 == 1
    }

    @inlinable @inline(__always)
    package func hasDifferences(_ row: Int) -> Bool {
        for word in 0..<wordCount where differences[row * wordCount + word] != 0 { return true }
        return false
    }

    /// The differing columns of a row, as a value to be kept.
    package func columnSet(_ row: Int) -> ColumnSet {
        ColumnSet(words: (0..<wordCount).map { differences[row * wordCount + $0] })
    }
}
