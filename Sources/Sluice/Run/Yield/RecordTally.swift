import Records

/// Which entities have had a record of which source, as far as `where` takes it.
///
/// To see it, the rows of a batch are looked through only until each entity has one.
struct RecordTally: Sendable {
    private let model: Model
    /// By source and entity.
    private var found: [[Bool]]
    /// By entity: the sources that are being read, or have been, and gave none yet.
    private var open: [[Int]]

    init(_ model: Model, sources: Int) {
        self.model = model
        found = Array(repeating: model.entities.map { _ in false }, count: sources)
        open = model.entities.map { _ in [] }
    }

    /// Says that a source is read from now on.
    mutating func begin(_ source: Int) {
        for (index, entity) in model.entities.enumerated() where entity.sources.contains(source) {
            open[index].append(source)
        }
    }

    /// Looks at a batch that has been transformed.
    mutating func note(_ batch: RecordBatch) {
        for section in batch.sections where !open[section.entity].isEmpty {
            for row in 0..<section.count where section.status[row] != .dropped {
                note(Int(section.positions[row].source), section.entity)
                if open[section.entity].isEmpty { break }
            }
        }
    }

    private mutating func note(_ source: Int, _ entity: Int) {
        guard !found[source][entity] else { return }
        found[source][entity] = true
        open[entity].removeAll { $0 == source }
    }

    /// By entity, whether a source gave it a record.
    func entities(of source: Int) -> [Bool] { found[source] }
}
