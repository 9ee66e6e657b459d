import SluiceRecords

// The only code that changes links and nullifies references. A to-one reference is a column of its object, and is
// written with the others (`ObjectWriter.update`). Both note the changes of objects of earlier runs.
//
// An object that is counted is reopened before its references change: here, where they are taken away, and in
// `LinkPass`, where a later copy says something else. Other changes come before their object is counted.
extension EntityRelations {
    /// An object whose links change.
    struct ChangedLinks {
        var objectID: Int64
        var held: [Link]
        var links: [Link]
    }

    /// Gives objects that are new their first links, all rows of a batch at once.
    func insert(_ links: [SourceLink], _ relationship: Int) throws(Failure) {
        guard let values = values(relationship) else { return }
        try state.store.insertLinks(links, entity: state.index, relationship: relationship, values)
    }

    /// Gives objects other links than they have.
    func write(_ objects: [ChangedLinks], _ relationship: Int) throws(Failure) {
        let isSet = state.entity.relationships[relationship].isSet
        let changes = objects.map { LinkChange($0.objectID, from: $0.held, to: $0.links, isSet: isSet) }
            .filter { !$0.isEmpty }
        guard !changes.isEmpty, let values = values(relationship) else { return }
        try state.store.changeLinks(changes, entity: state.index, relationship: relationship, values)
        for object in objects where object.objectID <= state.facts.highestAtStart && object.held != object.links {
            let sum = (object.held + object.links).reduce(UInt64(0)) { sum, link in
                sum ^ hash(link.reference, link.position, values.hash(link.values, work.hash), relationship)
            }
            try state.tally.changes.note(object.objectID, sum)
        }
    }

    /// Nullifies the references to deleted objects in the objects that refer to them; the batch is used as a buffer.
    /// Objects of this run count when the run closes.
    ///
    /// - Parameter target: the index of the deleted objects' entity among the targets of the relationship.
    func nullify(
        _ referrers: [Referrer], _ relationship: Int, target: Int, _ batch: RecordBatch
    ) throws(Failure) {
        let described = Set(referrers.map(\.objectID)).filter(state.objects.isDescribed).sorted()
        try reopen(described, relationship, batch)
        try state.store.nullify(
            referrers, target: state.entity.relationships[relationship].targets[target].entity, entity: state.index,
            relationship: relationship)
        for referrer in referrers where referrer.objectID <= state.facts.highestAtStart {
            let reference = Reference(referrer.target, target: target)
            let own = values(relationship)?.hash(referrer.values, work.hash) ?? 0
            try state.tally.changes.note(
                referrer.objectID, hash(reference, referrer.position, own, relationship))
        }
    }

    /// A reference that an object has; `own`: the hash of what the link has of its own, or 0.
    private func hash(_ reference: Reference, _ position: Int64, _ own: UInt64, _ relationship: Int) -> UInt64 {
        let hash = work.hash.reference(reference, position: position, relationship)
        return own == 0 ? hash : work.hash.joined(hash, own)
    }
}
