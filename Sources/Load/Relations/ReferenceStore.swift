import SluiceRecords

/// The references that objects of one entity have in the store, and what they wait for: the only code that changes
/// links and nullifies references. A to-one reference is a column of its object, and is written with the others
/// (`ObjectWriter.update`). Both append the changes of objects of earlier runs.
///
/// An object that is counted is reopened before its references change: here, where they are taken away, and in
/// `LinkPass`, where a later copy says something else. Other changes come before their object is counted.
struct ReferenceStore {
    private let state: EntityState
    private let work: RowScratch
    /// By relationship: what the links of a to-many one have of their own.
    private let values: [LinkValues?]

    init(_ state: EntityState, _ work: RowScratch, _ toMany: [(relationship: Int, links: ToManyReferences)]) {
        self.state = state
        self.work = work
        var values: [LinkValues?] = state.entity.relationships.map { _ in nil }
        for (relationship, links) in toMany { values[relationship] = links.values }
        self.values = values
    }

    /// What the links of a to-many relationship have of their own.
    func values(_ relationship: Int) -> LinkValues? { values[relationship] }

    // MARK: Reading

    /// The links of objects, where they have any.
    func links(_ objectIDs: [Int64], _ relationship: Int) throws(Failure) -> [Int64: [Link]] {
        var links: [Int64: [Link]] = [:]
        try state.store.links(
            of: objectIDs, entity: state.index, relationship: relationship, values[relationship]
        ) { source, link in
            links[source, default: []].append(link)
        }
        return links
    }

    /// How many links objects have, where they have any.
    func linkCounts(_ objectIDs: [Int64], _ relationship: Int) throws(Failure) -> [Int64: Int] {
        var counts: [Int64: Int] = [:]
        try state.store.links(of: objectIDs, entity: state.index, relationship: relationship, nil) { source, _ in
            counts[source, default: 0] += 1
        }
        return counts
    }

    /// What objects wait for by a relationship, where they wait for anything.
    func waits(_ objectIDs: [Int64], _ relationship: Int) throws(Failure) -> [Int64: [WaitingReference]] {
        var waits: [Int64: [WaitingReference]] = [:]
        try state.store.waits(of: objectIDs, entity: state.index, relationship: relationship) { objectID, waiting in
            waits[objectID, default: []].append(waiting)
        }
        return waits
    }

    /// How many references with a target objects hold, where they hold any; the batch is used for it.
    func heldCounts(
        _ objectIDs: [Int64], _ relationship: Int, _ batch: RecordBatch
    ) throws(Failure) -> [Int64: Int] {
        if state.traits.areToMany[relationship] { return try linkCounts(objectIDs, relationship) }
        try loadReferences(of: objectIDs, batch)
        var counts: [Int64: Int] = [:]
        for (row, objectID) in objectIDs.enumerated()
        where work.stored[row * work.relationshipCount + relationship].isKnown { counts[objectID] = 1 }
        return counts
    }

    /// Sets `work.stored` of a row for each object, in their order; the batch is used for it.
    private func loadReferences(of objectIDs: [Int64], _ batch: RecordBatch) throws(Failure) {
        batch.reset()
        let section = batch.sections[state.index]
        let rows = objectIDs.map { work.appendRow(to: section, $0) }
        try state.store.loadReferences(of: rows, section, work)
    }

    // MARK: Writing

    /// An object whose links change.
    struct ChangedLinks {
        var objectID: Int64
        var held: [Link]
        var links: [Link]
    }

    /// Gives objects that are new their first links, all rows of a batch at once.
    func insert(_ links: [SourceLink], _ relationship: Int) throws(Failure) {
        guard let values = values[relationship] else { return }
        try state.store.insertLinks(links, entity: state.index, relationship: relationship, values)
    }

    /// Gives objects other links than they have.
    func write(_ objects: [ChangedLinks], _ relationship: Int) throws(Failure) {
        let isSet = state.entity.relationships[relationship].isSet
        let changes = objects.map { LinkChange($0.objectID, from: $0.held, to: $0.links, isSet: isSet) }
            .filter { !$0.isEmpty }
        guard !changes.isEmpty, let values = values[relationship] else { return }
        try state.store.changeLinks(changes, entity: state.index, relationship: relationship, values)
        for object in objects where object.objectID <= state.traits.highestAtStart && object.held != object.links {
            let sum = (object.held + object.links).reduce(UInt64(0)) { sum, link in
                sum ^ hash(link.reference, link.position, values.hash(link.values, work.hash), relationship)
            }
            try state.tally.changes.append(object.objectID, sum)
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
        for referrer in referrers where referrer.objectID <= state.traits.highestAtStart {
            let reference = Reference(referrer.target, target: target)
            let own = values[relationship]?.hash(referrer.values, work.hash) ?? 0
            try state.tally.changes.append(
                referrer.objectID, hash(reference, referrer.position, own, relationship))
        }
    }

    /// Lets objects whose references are to change count when the run closes; the batch is used as a buffer.
    func reopen(_ objectIDs: [Int64], _ relationship: Int, _ batch: RecordBatch) throws(Failure) {
        let counted = objectIDs.filter { state.tally.state(of: $0, relationship) == .counted }
        if counted.isEmpty { return }
        let held = try heldCounts(counted, relationship, batch)
        for objectID in counted {
            state.tally.reopen(objectID, relationship, HeldReferences(links: held[objectID] ?? 0))
        }
    }

    /// A reference that an object has; `own`: the hash of what the link has of its own, or 0.
    private func hash(_ reference: Reference, _ position: Int64, _ own: UInt64, _ relationship: Int) -> UInt64 {
        let hash = work.hash.reference(reference, position: position, relationship)
        return own == 0 ? hash : work.hash.joined(hash, own)
    }
}
