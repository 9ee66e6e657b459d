import SluiceExtract
import SluiceRecords

/// What the files of a table have, and no record or attribute of the draft.
struct UntoldRows {
    /// Rows that a run rejects, as their cells are not those of its columns.
    private(set) var rejected = 0
    /// The first of them, and what is wrong with it.
    private(set) var firstRejected: (place: CellPlace, reason: String)?
    /// Rows without a value.
    private(set) var blank = 0
    /// By column without a name, from 1 on: how many of its cells have a value.
    private(set) var unnamed: [Int: Int] = [:]

    mutating func add(_ untold: EventReader.UntoldCells, of file: Int) {
        let rows = untold.rejected
        if firstRejected == nil, rows.count > 0 {
            firstRejected = (CellPlace(file: file, offset: rows.offset), rows.reason)
        }
        rejected += rows.count
        blank += untold.blank.count
        for (column, values) in untold.unnamed { unnamed[column + 1, default: 0] += values }
    }
}
