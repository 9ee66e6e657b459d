/// Which references of the waiting list are read together: those of a relationship, in the order of their objects and
/// positions.
package struct WaitingRange {
    package let entity: Int
    package let relationship: Int
    /// Whether only those are read that wait since this run.
    package let ofThisRun: Bool
    /// How many are read at the most.
    package let limit: Int
    /// The objectID and the position behind which they come.
    package var last: (objectID: Int64, position: Int64)
}
