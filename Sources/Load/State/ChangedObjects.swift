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

extension ChangedObjects {
    /// One object that differs from what it was.
    package init(updated objectID: Int64) { self.init(kind: .updated, first: objectID, last: objectID) }
}
