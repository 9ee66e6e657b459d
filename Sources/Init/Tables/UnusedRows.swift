import SluiceExtract
import SluiceRecords

/// What the files of a table have, and no record or attribute of the draft.
struct UnusedRows {
    /// Rows that a run rejects, as their cells are not those of its columns.
    private(set) var rejected = 0
    /// The first of them, and what is wrong with it.
    private(set) var firstRejected: (place: CellPlace, reason: String)?
    /// Rows without a value.
    private(set) var blank = 0
    /// By column without a name, from 1 on: how many of its cells have a value.
    private(set) var unnamed: [Int: Int] = [:]

    mutating func add(_ unused: EventReader.UnusedCells, of file: Int) {
        let rows = unused.rejected
        if firstRejected == nil, rows.count > 0 {
            firstRejected = (CellPlace(file: file, offset: rows.offset), rows.reason)
        }
        rejected += rows.count
        blank += unused.blank.count
        for (column, values) in unused.unnamed { unnamed[column + 1, default: 0] += values }
    }
}
