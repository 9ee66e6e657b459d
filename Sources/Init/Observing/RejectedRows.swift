import SluiceExtract
import SluiceRecords

/// Rows of a table that a run rejects, as their cells are not those of its columns: no records.
struct RejectedRows {
    private(set) var count = 0
    /// The first of them: in which of the files, and from which byte on.
    private(set) var first: (file: Int, offset: UInt64, reason: String)?

    mutating func add(_ rows: EventReader.RejectedRows, of file: Int) {
        if first == nil, rows.count > 0 { first = (file, rows.offset, rows.reason) }
        count += rows.count
    }
}
