import SluiceRecords
import SluiceTransform

/// Takes the first rows of each entity out of the batches.
struct PreviewRows {
    private let model: Model
    private let rows: Int
    private var entities: [Preview.EntityRows]

    init(_ model: Model, rows: Int) {
        self.model = model
        self.rows = rows
        entities = model.entities.map { Preview.EntityRows(entity: $0) }
    }

    /// The rows by position: a record that encloses others ends after them.
    var sorted: [Preview.EntityRows] {
        entities.map { entity in
            var entity = entity
            entity.rows.sort { $0.at.position < $1.at.position }
            return entity
        }
    }

    /// Whether no entity of a source needs more.
    func hasEnough(ofSource source: Int) -> Bool {
        entities.allSatisfy { !$0.entity.sources.contains(source) || $0.rows.count >= rows }
    }

    mutating func add(_ batch: RecordBatch, _ transformer: Transformer) {
        for section in batch.sections where entities[section.entity].rows.count >= rows { drop(section) }
        transformer.transform(batch)
        for section in batch.sections where entities[section.entity].rows.count < rows { add(section, batch) }
    }

    /// Leaves rows out that are not wanted any more.
    private func drop(_ section: EntityRecords) {
        for row in 0..<section.count { section.status[row] = .dropped }
    }

    private mutating func add(_ section: EntityRecords, _ batch: RecordBatch) {
        for row in 0..<section.count where entities[section.entity].rows.count < rows {
            let at = FeedPosition(section.positions[row], in: batch.arena)
            switch section.status[row] {
            case .open: break
            case .dropped: entities[section.entity].left += 1
            case .complete:
                let values = RowValues(model, section, row, batch).all
                entities[section.entity].rows.append(Preview.Row(at: at, values: values))
            case .gone:
                let identifier = RowValues(model, section, row, batch).identifier
                entities[section.entity].rows.append(
                    Preview.Row(at: at, gone: .reference(entity: nil, identifier)))
            case .rejected:
                let faults = batch.faults.filter { $0.entity == section.entity && $0.row == row }
                entities[section.entity].rows.append(
                    Preview.Row(at: at, faults: faults.map { ($0.member, $0.reason) }))
            }
        }
    }
}
