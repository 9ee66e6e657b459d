import SluiceRecords

/// The objects of an entity in which a program has changed something that runs are to keep, or that it has created.
package final class EditedObjects {
    /// All of them.
    package let all = ObjectIDSet()
    /// Those that a program has created, and no feed has held yet.
    package let created = ObjectIDSet()
    /// Of all, those that the feed deletes, and that stay all the same.
    let spared = ObjectIDSet()

    package init() {}

    package var isEmpty: Bool { all.isEmpty }

    @inline(__always)
    package func contains(_ objectID: Int64) -> Bool { all.contains(objectID) }

    /// Whether an object that is to be deleted stays, because a program has changed or created it. What was created
    /// no feed has ever held, so that it contradicts nothing.
    func spares(_ objectID: Int64) -> Bool {
        guard contains(objectID) else { return false }
        if !created.contains(objectID) { spared.insert(objectID) }
        return true
    }
}
