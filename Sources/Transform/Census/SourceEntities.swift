import SluiceRecords

/// Which entities have had a record of which source, as far as `where` takes it.
///
/// To see it, the rows of a batch are looked through only until each entity has one.
struct SourceEntities {
    private let model: Model
    /// By entity: the sources that gave it a record.
    private var found: [Set<Int>]
    /// By entity: the sources that are being read, or have been, and gave none yet.
    private var open: [[Int]]

    init(_ model: Model) {
        self.model = model
        found = model.entities.map { _ in [] }
        open = model.entities.map { _ in [] }
    }

    /// Says that a source is read from now on.
    mutating func begin(_ source: Int) {
        for (index, entity) in model.entities.enumerated() where entity.sources.contains(source) {
            open[index].append(source)
        }
    }

    /// Looks at the records of an entity that a batch has, once they are transformed.
    mutating func note(_ section: EntityRecords) {
        guard !open[section.entity].isEmpty else { return }
        for row in 0..<section.count where section.status[row] != .dropped {
            note(Int(section.positions[row].source), section.entity)
            if open[section.entity].isEmpty { break }
        }
    }

    private mutating func note(_ source: Int, _ entity: Int) {
        guard found[entity].insert(source).inserted else { return }
        open[entity].removeAll { $0 == source }
    }

    /// By entity, whether a source gave it a record.
    func entities(of source: Int) -> [Bool] { found.map { $0.contains(source) } }
}
