/// What stands among the records of an entity, or in them, and is not drafted.
struct Omissions {
    /// How many values in the places of records are none: null, texts, lists.
    var strangers = 0
    /// How many rows of a table have no value.
    var blankRows = 0
    /// Rows of a table that are sums or notes; nil: there are none.
    var nonRecords: NonRecordRows?
    /// Whether the first record is none, but says what the others have.
    var hasHeader = false
    /// Places of objects in the records at which a few texts are, of which a remark tells.
    var texts: Set<Int32> = []
    /// Members that are no columns, as there are too many.
    private(set) var members = 0
    /// How many records have one of these members, at the most.
    private(set) var records = 0

    /// Notes members, and how many records have one of them.
    mutating func omit(_ members: Int, records: Int) {
        self.members += members
        self.records = max(self.records, records)
    }
}
