import Records

/// Links what waits since earlier runs: references of objects without a record in this run, whose target this run has
/// brought.
struct LatePass {
    private let loader: EntityLoader
    private let references: [References]

    init(_ loader: EntityLoader, _ references: [References]) {
        self.loader = loader
        self.references = references
    }

    func link(_ batch: RecordBatch, limit: Int) throws(Failure) {
        for relationship in references.indices where loader.waiting[relationship].count > 0 {
            // Without new objects there are no new targets.
            if references[relationship].targetsGained { try link(relationship, batch, limit) }
        }
    }

    private func link(_ relationship: Int, _ batch: RecordBatch, _ limit: Int) throws(Failure) {
        let section = batch.sections[loader.index]
        var last: Int64 = .min
        repeat {
            batch.reset()
            try loader.store.appendWaiting(
                entity: loader.index, relationship: relationship, after: last, limit: limit, section, batch, loader.work
            )
            if section.count > 0 { last = loader.work.objectIDs[section.count - 1] }
            // What an object of this run waits for was resolved with its record.
            let rows = (0..<section.count).filter { !isOfThisRun(loader.work.objectIDs[$0]) }
            try references[relationship].resolve(rows, section, batch.arena)
            try link(rows.filter { loader.reference($0, relationship) > 0 }, relationship, section, batch)
        } while section.count > 0
    }

    private func isOfThisRun(_ objectID: Int64) -> Bool {
        !loader.waiting.contains { $0.contains(objectID) } || loader.hasSeen(objectID)
    }

    private func link(
        _ rows: [Int], _ relationship: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        for row in rows {
            loader.work.setDifferent(row, column: loader.work.attributeCount + relationship)
            loader.counts.relationships[relationship].late += 1
        }
        try loader.updateRows(rows, section, batch.arena)
        for row in rows { try loader.store.stopWaiting(loader.place(row, relationship)) }
    }
}
