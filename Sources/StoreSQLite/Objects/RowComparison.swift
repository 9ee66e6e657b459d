import SluiceLoad
import SluiceRecords

/// Compares rows of a section with the rows of a table: made for a round, so that what is the same for all rows is
/// looked up once.
@safe
struct RowComparison {
    private let table: SQLiteTable
    private let work: RowScratch
    private let stored: Table<Reference>
    /// The attributes that can differ: not the identifier's, by which the row was found.
    private let attributes: [Int]
    private let relationshipCount: Int
    /// By attribute.
    private let keepsAbsent: [Bool]
    private let markColumn: Int?
    private let hash: ValueHash
    private let edits: EditLayer?

    /// The memory of `work` must stay as it is.
    init(_ table: SQLiteTable, _ work: RowScratch, _ edits: EditLayer?) {
        self.edits = edits
        self.table = table
        self.work = work
        stored = work.stored
        attributes = table.layout.otherAttributes
        relationshipCount = work.relationshipCount
        keepsAbsent = table.layout.keepsAbsent
        markColumn = table.layout.markPlace
        hash = work.hash
    }

    /// Sets the attributes that differ from the statement's row, whose columns start at `first`, and the references
    /// that are stored.
    @inline(__always)
    func compare(
        _ statement: Statement, from first: Int, _ row: Int, _ cells: UnsafePointer<Cell>,
        _ arena: UnsafePointer<UInt8>
    ) throws(Failure) {
        work.clearDifferences(row)
        for attribute in attributes {
            let cell = unsafe cells[attribute]
            if cell.kind == .absent, keepsAbsent[attribute] { continue }
            if unsafe statement.compare(first + attribute, cell, arena) != 0 {
                work.setDifferent(row, column: attribute)
                unsafe work.changes[row] ^=
                    statement.hash(first + attribute, hash, attribute) ^ hash.cell(cell, arena, attribute)
            }
        }
        for relationship in 0..<relationshipCount {
            stored[row * relationshipCount + relationship] = try table.reference(statement, relationship, from: first)
        }
        if let markColumn, !statement.isNull(first + markColumn) {
            work.setDifferent(row, column: work.presenceColumn)
        }
        if let edits, edits.contains(work.objectIDs[row]) { try unsafe edits.compare(row, cells, arena, work) }
    }
}
