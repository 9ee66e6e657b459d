/// What of a feed is no record, or not as it should be.
struct FeedFlaws {
    /// Whether a text has half of a surrogate pair.
    var hasHalfPairs = false
    /// What is in a table, and in no record.
    var unused = UnusedRows()
    /// Of a sequence: lines that are no values, and are passed over; nil: there are none.
    var broken: BrokenLines?
    /// Of a table: rows that are no records, and are passed over; nil: there are none.
    var nonRecords: NonRecordRows?

    /// How many rows, or lines, are no records.
    var count: Int { unused.rejected + (broken?.count ?? 0) }
}
