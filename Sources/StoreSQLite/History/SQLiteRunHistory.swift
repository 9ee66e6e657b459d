import SluiceRecords

/// What the run under way must hold to keep the past of the objects.
struct SQLiteRunHistory {
    /// By entity: the log of where records stood, where the store keeps that.
    var placeLogs: [Int: PlaceLog] = [:]
    /// By entity: the highest objectID that any object has had, where the past is kept.
    var highestEver: [Int: Int64] = [:]
    /// By entity: the keeper of the objects that the run changes or deletes; none where triggers keep them.
    var rows: [Int: ChangedRowKeeper] = [:]
    /// Which objects the run has written; nil: that is not known, or not any more.
    var written: WrittenObjects?

    /// To be called before the connection is put to another use.
    mutating func forgetStatements() {
        placeLogs = [:]
        rows = [:]
    }

    /// From here on, triggers keep what is changed or deleted: must be called before other programs may write.
    mutating func leaveToTriggers() throws(Failure) {
        let ended = rows
        rows = [:]
        for (_, rows) in ended.sorted(by: { $0.key < $1.key }) { try rows.end() }
    }

    /// Must be called where other programs may have written since the run began, or before the connection is put to
    /// another use.
    mutating func forgetWritten() {
        written?.end()
        written = nil
    }
}
