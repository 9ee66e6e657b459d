import SluiceRecords

/// The objects of an entity in which a program has changed something that runs are to keep.
package final class EditedObjects {
    /// All of them.
    package let all = ObjectIDSet()
    /// Those that a program has created, and no feed has held yet.
    package let created = ObjectIDSet()

    package init() {}

    package var isEmpty: Bool { all.isEmpty }

    @inline(__always)
    package func contains(_ objectID: Int64) -> Bool { all.contains(objectID) }
}
