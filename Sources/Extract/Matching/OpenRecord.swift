import SluiceRecords

/// A node whose end is still to come: a record, one around records, or both. It has a row for each part of its
/// template.
struct OpenRecord: BitwiseCopyable {
    /// Its frame; a scalar has none.
    var depth: Int
    var rowStart: Int
    /// Whether it is a record, and not just around some.
    var isRecord: Bool
    /// Of all nodes that have been open, from 1.
    var number: UInt64
    var isRejected = false
    /// The row that has its notes until it ends: its first one that has any; negative: none has.
    var notingRow = -1
}

/// A row of an open record; or the values of a node around records, for the rows of these.
@safe
struct OpenRow: BitwiseCopyable {
    /// Negative: it is about a node around records.
    var entity: Int
    /// Among the rows of the entity in the batch, or among the open nodes around records.
    var row: Int
    /// Its raw cells. They move when the table grows.
    var cells: UnsafeMutablePointer<Cell>
}
