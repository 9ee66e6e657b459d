import SluiceRecords

// Objects whose references count when the run closes.
extension EntityRelations {
    /// Lets objects whose references are to change count when the run closes; the batch is used as a buffer.
    func reopen(_ objectIDs: [Int64], _ relationship: Int, _ batch: RecordBatch) throws(Failure) {
        let counted = objectIDs.filter { state.tally.state(of: $0, relationship) == .counted }
        if counted.isEmpty { return }
        if state.facts.areToMany[relationship] {
            let links = try linkCounts(counted, relationship)
            for objectID in counted {
                state.tally.reopen(objectID, relationship, HeldReferences(links: links[objectID] ?? 0))
            }
        } else {
            try loadReferences(of: counted, batch)
            for (row, objectID) in counted.enumerated() {
                let links = stored(row, relationship).isKnown ? 1 : 0
                state.tally.reopen(objectID, relationship, HeldReferences(links: links))
            }
        }
    }

    /// Sets `work.stored` of a row for each object, in their order; the batch is used for it.
    func loadReferences(of objectIDs: [Int64], _ batch: RecordBatch) throws(Failure) {
        batch.reset()
        let section = batch.sections[state.index]
        work.ensure(objectIDs.count)
        for objectID in objectIDs { work.objectIDs[section.appendTypedRow()] = objectID }
        try state.store.loadReferences(of: Array(objectIDs.indices), section, work)
    }
}
