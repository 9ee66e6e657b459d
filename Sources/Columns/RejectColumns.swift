import SluiceRecords

/// The rejected records of one entity as columns: where each stands, and what identifies it. An object whose record is
/// a reject is not absent from the feed.
package struct RejectColumns {
    /// In the order of ``ParquetFile/buffers``.
    package let columns: [ParquetColumn]
    private let all: RecordColumns
    private let identifier: [Int]

    /// - Parameter model: the one that the entity is of.
    package init(_ entity: Entity, model: Model) {
        let all = RecordColumns(entity, model: model)
        self.all = all
        identifier = entity.identifier
        columns = all.places + entity.identifier.map { all.cells[$0].column }
    }

    /// Adds the rejected records of a batch, which has been transformed.
    package func add(
        _ section: EntityRecords, _ batch: RecordBatch, _ source: String, _ file: String, _ part: String,
        to output: ParquetFile
    ) {
        let rows = (0..<section.count).filter { section.status[$0] == .rejected }
        all.fillPlaces(rows, section, batch, [source, file, part], output.buffers)
        for (place, attribute) in identifier.enumerated() {
            let buffer = output.buffers[all.places.count + place]
            all.fill(buffer, all.cells[attribute], rows, section, batch)
        }
        output.endRows(rows.count)
    }
}
