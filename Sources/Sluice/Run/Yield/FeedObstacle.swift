/// What stands in the way of paths that lead to no record.
struct FeedObstacle: CustomStringConvertible {
    /// What there is instead: `the document is a list`.
    var found: String
    /// The path that was probably meant.
    var proposal: String?

    var description: String { proposal.map { "\(found): did you mean `\($0)`?" } ?? found }
}
