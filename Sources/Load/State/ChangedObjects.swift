import SluiceRecords

/// Objects that a run has changed, one after the other by their objectIDs.
package struct ChangedObjects: Equatable, Sendable {
    /// What became of them.
    package enum Kind: String, Sendable {
        case created, updated, deleted
    }

    package var kind: Kind
    package var first: Int64
    package var last: Int64
}

extension EntityLoader {
    /// Hands out what became of the objects of the entity; to be called when nothing changes any more.
    func changedObjects(highest: Int64, _ body: (ChangedObjects) throws(Failure) -> Void) throws(Failure) {
        let before = facts.highestAtStart
        var runs = ChangedRuns()
        for objectID in stride(from: before + 1, through: highest, by: 1) where !states.isNotThere(objectID) {
            // What this run has made and deleted was never there.
            if let objects = runs.add(objectID, .created) { try body(objects) }
        }
        try tally.changes.inChunks { chunk throws(Failure) in
            for objectID in chunk where objectID <= before && !states.deleted.contains(objectID) {
                if let objects = runs.add(objectID, .updated) { try body(objects) }
            }
        }
        try states.deleted.inChunks(of: 1000) { chunk throws(Failure) in
            for objectID in chunk where objectID <= before {
                if let objects = runs.add(objectID, .deleted) { try body(objects) }
            }
        }
        if let objects = runs.open { try body(objects) }
    }
}

/// Makes one of objects that follow one another.
private struct ChangedRuns {
    /// Those to which others may be added.
    private(set) var open: ChangedObjects?

    /// Adds an object; gives those before it that it does not follow.
    mutating func add(_ objectID: Int64, _ kind: ChangedObjects.Kind) -> ChangedObjects? {
        if let last = open, last.kind == kind, last.last + 1 == objectID {
            open?.last = objectID
            return nil
        }
        let before = open
        open = ChangedObjects(kind: kind, first: objectID, last: objectID)
        return before
    }
}
