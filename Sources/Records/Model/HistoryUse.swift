/// What becomes of the past of a store's objects.
package enum HistoryUse: Sendable, Hashable {
    /// It is kept from the next run on: for ever, or for a while.
    case kept(HistoryKeep?)
    /// What the store has kept is forgotten with the next run, and nothing is kept any more.
    case forgotten
}

/// How much of the past stays.
package enum HistoryKeep: Sendable, Hashable {
    /// The store can be made as it was so many runs ago.
    case runs(Int)
    /// It can be made as it was so many days ago.
    case days(Int)
}
