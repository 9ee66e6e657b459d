import SluiceRecords

/// What the past of the objects needs of the run under way.
struct PastOfRun {
    /// By entity: what notes where records stood, where that is kept.
    var placeLogs: [Int: PlaceLog] = [:]
    /// By entity: the highest objectID that any object has had, where the past is kept.
    var highestEver: [Int: Int64] = [:]
    /// By entity: what keeps the objects that the run changes or deletes; none where triggers do.
    var rows: [Int: PastRows] = [:]
    /// Which objects the run has written; nil: that is not known, or not any more.
    var written: WrittenObjects?

    /// To be called before the connection is put to another use.
    mutating func forgetStatements() {
        placeLogs = [:]
        rows = [:]
    }

    /// Lets triggers keep what goes, from here on: to be called before others may write.
    mutating func leaveToTriggers() throws(Failure) {
        let ended = rows
        rows = [:]
        for (_, rows) in ended.sorted(by: { $0.key < $1.key }) { try rows.end() }
    }

    /// To be called where others may have written since the run began, or the connection is put to another use.
    mutating func forgetWritten() {
        written?.end()
        written = nil
    }
}
