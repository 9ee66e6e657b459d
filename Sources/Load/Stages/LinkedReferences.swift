import SluiceRecords

/// Counts the references of rows that the second pass links; those without a target are reported, and go to the waiting
/// list.
struct LinkedReferences {
    let relations: EntityRelations
    let sink: any FindingSink

    private var state: EntityState { relations.state }

    /// What becomes of the waiting list of one relationship.
    struct WaitingChanges {
        var ended: [SettledWaitingReference] = []
        var entries: [NewWaitingReference] = []

        /// Takes references off the list that an object waited for, and that are resolved now at the same position.
        mutating func end(_ waited: [WaitingReference], _ unresolved: [WaitingReference], _ objectID: Int64) {
            let positions = Set(unresolved.map(\.position))
            for entry in waited where !positions.contains(entry.position) {
                ended.append(SettledWaitingReference(objectID: objectID, position: entry.position))
            }
        }
    }

    /// Writes what becomes of the waiting list.
    func write(_ changes: WaitingChanges, _ relationship: Int) throws(Failure) {
        try state.store.stopWaiting(changes.ended, entity: state.index, relationship: relationship)
        try state.store.wait(changes.entries, entity: state.index, relationship: relationship)
    }

    /// Counts the references that a row states by a relationship, for good, unless its object has later copies: these
    /// count when the run closes. Unresolved references are reported and put on the waiting list as well.
    func count(
        _ row: Int, _ relationship: Int, links: Int, _ unresolved: [WaitingReference],
        _ section: EntityRecords, _ batch: RecordBatch, _ entries: inout [NewWaitingReference]
    ) {
        let objectID = relations.work.objectIDs[row]
        let isOpen = state.objects.duplicated.contains(objectID)
        if isOpen {
            state.tally.insertOpen(objectID, relationship)
        } else {
            state.tally.count(HeldReferences(links: links, unresolved: unresolved.count), relationship)
        }
        if unresolved.isEmpty { return }
        let at = FeedPosition(section.positions[row], in: batch.arena)
        let identifier = state.traits.identifier(of: row, section, batch.arena)
        for var entry in unresolved {
            entry.at = at
            entries.append(NewWaitingReference(objectID: objectID, waiting: entry, isMoved: isOpen))
            if isOpen { continue }
            sink.report(.unresolved, at: at.position) {
                .unresolved(relations, identifier, relationship, entry.value, at)
            }
        }
    }
}

extension Finding {
    /// A reference without its target.
    static func unresolved(
        _ relations: EntityRelations, _ identifier: String, _ relationship: Int, _ value: WaitingValue,
        _ at: FeedPosition
    ) -> Finding {
        let finder = relations[relationship].finder
        var finding = Finding(
            entity: relations.state.entity.name, identifier: identifier,
            detail: .unresolved(
                relationship: relations.state.entity.relationships[relationship].name,
                targets: value.target.map { [$0] } ?? finder.targetNames, value: value.json),
            at: at)
        finding.isAmbiguous = value.isAmbiguous
        return finding
    }
}
