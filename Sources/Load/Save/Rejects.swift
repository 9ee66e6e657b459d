import SluiceRecords

/// Reports the rows of a batch that could not become objects.
package enum Rejects {
    /// Reports each of them once, with all its faults.
    package static func report(_ batch: RecordBatch, _ model: Model, _ sink: any FindingSink) {
        for faults in grouped(batch.faults) {
            let section = batch.sections[faults[0].entity]
            let row = faults[0].row
            sink.report(.reject, at: RecordPositionKey(section.positions[row])) {
                let entity = model.entities[faults[0].entity]
                var finding = Finding.reject(
                    faults.map { ($0.member, $0.reason) }, entity,
                    identifier: identifier(entity, section, row, batch.arena), row, section, batch)
                finding.isOfBytes = faults.contains(where: \.isOfBytes)
                return finding
            }
        }
    }

    /// Counts and reports a row that turns out to be a reject only when its object, or its targets, are known.
    static func report(
        _ row: Int, of state: EntityState, _ section: EntityRecords, _ batch: RecordBatch, _ sink: any FindingSink,
        _ faults: () -> [(member: String, reason: String)]
    ) {
        state.tally.add(to: \.rejected)
        sink.report(.reject, at: RecordPositionKey(section.positions[row])) {
            .reject(
                faults(), state.entity, identifier: state.traits.identifier(of: row, section, batch.arena), row,
                section, batch)
        }
    }

    /// The faults, by row, in the order in which the rows were first found to be faulty.
    private static func grouped(_ faults: [Fault]) -> [[Fault]] {
        var groups: [[Fault]] = []
        var places: [RowReference: Int] = [:]
        for fault in faults {
            let key = RowReference(entity: fault.entity, row: fault.row)
            if let place = places[key] {
                groups[place].append(fault)
            } else {
                places[key] = groups.count
                groups.append([fault])
            }
        }
        return groups
    }

    /// The identifier as far as it is plain in the record: from the slot itself, since a rejected row has no typed
    /// cells.
    private static func identifier(_ entity: Entity, _ section: EntityRecords, _ row: Int, _ arena: Arena) -> String {
        var cells: [Cell] = []
        for attribute in entity.identifier {
            guard let slot = entity.attributes[attribute].value.plainSlot else { return "null" }
            let cell = section.raw[row * section.slotCount + slot]
            if cell.isNull { return "null" }
            cells.append(cell)
        }
        return arena.json(ofKey: cells)
    }
}

extension Finding {
    /// A record that could not become an object. Of the row's raw cells, those of enclosing values must be there.
    static func reject(
        _ faults: [(member: String, reason: String)], _ entity: Entity, identifier: String, _ row: Int,
        _ section: EntityRecords, _ batch: RecordBatch
    ) -> Finding {
        var finding = Finding(
            entity: entity.name, identifier: identifier, detail: .reject(faults: faults),
            at: FeedPosition(section.positions[row], in: batch.arena))
        finding.context = section.enclosingValues(of: row, entity, batch)
        return finding
    }
}

extension Entity {
    /// Whether a record may turn out to be a reject when its raw cells are gone.
    var rejectsLate: Bool {
        duplicates.areRejected || edits.rejectContradictions || relationships.contains { $0.missing.rejectsRecords }
    }
}
