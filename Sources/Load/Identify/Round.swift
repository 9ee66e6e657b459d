/// What the rows of a round are: rows by what their object is to the run. A row is in one of them, and those that come
/// after others of their object in the same batch have a round of their own.
struct Identification {
    /// Rows that become objects, in the order of the feed.
    var new: [Int] = []
    /// Rows that are the first of this run for their object of an earlier one.
    var first: [Int] = []
    /// Later copies: their object had a record of this run.
    var repeated: [Int] = []
    /// Rows for the next round.
    var later: [Int] = []
    /// Rows that are kept aside until the identifiers are indexed: see `LateIndex`.
    var aside: [Int] = []
    /// Rows that become objects in the order of their objectIDs: see `ScatteredRows`.
    var scattered: [Int] = []
    /// Rows that are kept until all are read: see `LateComparison`.
    var kept: [Int] = []
    /// Rows that are the first of this run for their object, and say that it is gone.
    var gone: [Int] = []
    /// Later copies that say that their object is gone.
    var goneAgain: [Int] = []
    /// Rows that say that their object is gone, which stays because a program has changed it.
    var spared: [Int] = []
    /// Rows that contradict what a program has changed, where this rejects them.
    var contradicting: [Int] = []
    /// Of the first and the new rows, those that come after records that said that the object is gone.
    var reviving: Set<Int> = []

    mutating func scatterNew() { swap(&new, &scattered) }

    /// Forgets the round before.
    mutating func removeAll() {
        new.removeAll(keepingCapacity: true)
        first.removeAll(keepingCapacity: true)
        repeated.removeAll(keepingCapacity: true)
        later.removeAll(keepingCapacity: true)
        aside.removeAll(keepingCapacity: true)
        scattered.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        gone.removeAll(keepingCapacity: true)
        goneAgain.removeAll(keepingCapacity: true)
        spared.removeAll(keepingCapacity: true)
        contradicting.removeAll(keepingCapacity: true)
        reviving.removeAll(keepingCapacity: true)
    }
}
