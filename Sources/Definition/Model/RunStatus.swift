/// How a run ended: what its report says, and by what a definition starts commands in `after`.
public enum RunStatus: String, CaseIterable, Sendable {
    /// What it loaded is in the store.
    case succeeded
    /// It could not go on, or went beyond a limit.
    case failed
    /// It was asked to end.
    case cancelled
    /// The store has the feed already.
    case unchanged
}
