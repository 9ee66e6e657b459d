/// What differs in an object between two runs.
package struct ObjectDifference: Sendable {
    /// JSON; a list for several attributes.
    package var identifier: String
    /// By the names in `PastDiff.names`: JSON; nil: the object was not there. A to-many relationship is `null` in both
    /// where its links have not changed.
    package var before: [String]?
    package var after: [String]?
    /// The names whose values differ; none for an object that was created or deleted.
    package var changed: [Int] = []
    /// Whether the object's state at the earlier run was erased on demand: it is not known whether the object was
    /// there.
    package var isForgotten = false
}
