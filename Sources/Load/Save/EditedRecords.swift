import SluiceRecords

/// Records of objects that programs have changed.
struct EditedRecords {
    let state: EntityState
    let work: RowScratch
    let sink: any FindingSink

    /// Rejects the records that contradict an edit, with `edits: reject`.
    func rejectContradicting(
        _ round: borrowing Round, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        for row in round[.contradicting] { try reject(row, section, batch) }
    }

    /// Keeps the positions of the records of edited objects.
    func appendPositions(
        _ round: borrowing Round, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        if state.objects.edits.isEmpty { return }
        for row in round[.spared] { try appendPosition(row, section, batch) }
        for row in round.first + round[.copy] + round[.repeated] {
            let objectID = work.objectIDs[row]
            guard state.objects.edits.contains(objectID) else { continue }
            // The last copy counts.
            if state.entity.duplicates.lastCounts { state.objects.edits.spared.remove(objectID) }
            try appendPosition(row, section, batch)
        }
    }

    private func appendPosition(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        try state.spools.madeEditedPositions.append(row, section, batch, fate: .found, work: work)
    }

    private func reject(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        let faults = try faults(row, section, batch)
        Rejects.report(row, of: state, section, batch, sink) { faults }
    }

    /// Why a record is rejected. What the record says of the attributes is kept beside the edits, for the person who
    /// decides between them.
    private func faults(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) -> [(member: String, reason: String)] {
        let entity = state.entity
        if section.status[row] == .gone {
            let attribute = entity.attributes[entity.identifier[0]].name
            return [(attribute, "it says that the object is gone, which a program has changed")]
        }
        let attributes = try state.store.editStore?.conflicts(row, section, batch.arena, work) ?? []
        work.clearDifferences(row)
        for attribute in attributes { work.setDifferent(row, column: attribute) }
        try state.store.update([row], section, batch.arena, work)
        let names = attributes.map { entity.attributes[$0].name }
        let conflicts = try state.store.editStore?.conflicts(of: work.objectIDs[row], entity: state.index) ?? []
        return conflicts.filter { names.contains($0.attribute) }.map { ($0.attribute, $0.reason) }
    }
}

extension Finding.Edit {
    fileprivate var reason: String {
        "a program has set it to \(stored), and the feed says \(feed), where it said \(before)"
    }
}
