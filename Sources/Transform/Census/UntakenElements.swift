import SluiceRecords

/// Counts the elements of feeds of kinds that no entity takes, where several entities share them.
struct UntakenElements {
    /// Elements of one kind.
    struct Kind {
        /// The first of the entities that might take them.
        var entity: Int
        /// Where they are, as a path.
        var field: String
        var elements = 0
        /// Nil: all of them are known, and were not read.
        var first: FeedPosition?
    }

    private let shared: [SharedElements]
    private(set) var kinds: [Kind] = []
    private var numbers: [Key: Int] = [:]

    private struct Key: Hashable {
        var entity: Int
        var field: ExactText
    }

    /// Kinds that are told apart: a value may be another one in each element.
    private static let mostKinds = 1000

    init(_ shared: [SharedElements]) { self.shared = shared }

    /// Counts those of a batch that has been transformed, and notes them in the batch.
    mutating func add(_ batch: RecordBatch) {
        for row in batch.unclaimed {
            let section = batch.sections[row.entity]
            let source = Int(section.positions[row.row].source)
            guard let group = shared.first(where: { $0.entities[0] == row.entity && $0.sourceIndex == source }) else {
                continue
            }
            let kind = number(of: row.entity, group.field(of: section, row.row, batch), orElse: group.path)
            add(kind, at: section.location(of: row.row, in: batch))
            batch.untaken.append(UntakenElement(row: row, kind: kind, field: kinds[kind].field))
        }
    }

    private mutating func add(_ kind: Int, at place: FeedPosition) {
        kinds[kind].elements += 1
        // Records that wait for values around them come in another order.
        if let first = kinds[kind].first, first.position < place.position { return }
        kinds[kind].first = place
        // It is no record of the entity, and has no number among these.
        kinds[kind].first?.record = 0
    }

    /// Counts elements that are known, and were not read.
    mutating func add(known count: Int, of entity: Int, _ field: String) {
        kinds[number(of: entity, field, orElse: field)].elements += count
    }

    /// The number of a kind, or of all that are too many.
    private mutating func number(of entity: Int, _ field: String, orElse path: String) -> Int {
        let key = Key(entity: entity, field: ExactText(field))
        if let number = numbers[key] { return number }
        if kinds.count >= UntakenElements.mostKinds, !field.isIdentical(to: path) {
            return number(of: entity, path, orElse: path)
        }
        kinds.append(Kind(entity: entity, field: field))
        numbers[key] = kinds.count - 1
        return kinds.count - 1
    }
}
