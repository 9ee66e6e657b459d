/// What the past of the objects needs of the run under way.
struct PastOfRun {
    /// By entity: what notes where records stood, where that is kept.
    var placeLogs: [Int: PlaceLog] = [:]
    /// By entity: the highest objectID that any object has had, where the past is kept.
    var highestEver: [Int: Int64] = [:]
    /// Which objects the run has written; nil: that is not known, or not any more.
    var written: WrittenObjects?

    /// To be called before statements go that the logs hold.
    mutating func forgetLogs() { placeLogs = [:] }

    /// To be called where others may have written since the run began, or the connection is put to another use.
    mutating func forgetWritten() {
        written?.end()
        written = nil
    }
}
