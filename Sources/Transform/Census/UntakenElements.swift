import SluiceRecords

/// Counts the elements of feeds that no entity takes, where several entities share them, by their kind.
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
    private var numbers: [String: Int] = [:]

    /// Kinds that are told apart: a value may be another one in each element.
    private static let mostKinds = 100

    init(_ model: Model) { shared = SharedElements.all(model) }

    /// Whether an entity shares its elements with others.
    static func areShared(in model: Model) -> [Bool] {
        let entities = Set(SharedElements.all(model).flatMap(\.entities))
        return model.entities.indices.map(entities.contains)
    }

    /// Counts those of a batch that has been transformed, and notes them in the batch.
    mutating func add(_ batch: RecordBatch) {
        if batch.leftOut.isEmpty { return }
        for group in shared { add(group, batch) }
    }

    /// An element is of all its entities at the same place, and their rows come in the same order.
    private mutating func add(_ group: SharedElements, _ batch: RecordBatch) {
        let rows = group.entities.map { entity in
            batch.leftOut.filter { row in
                row.entity == entity && Int(batch.sections[entity].positions[row.row].source) == group.source
            }
        }
        var next = rows.map { _ in 0 }
        for row in rows[0] {
            let place = RecordPositionKey(batch.sections[row.entity].positions[row.row])
            let isUntaken = rows.indices.dropFirst().allSatisfy { other in
                while next[other] < rows[other].count, self.place(rows[other][next[other]], batch) < place {
                    next[other] += 1
                }
                return next[other] < rows[other].count && self.place(rows[other][next[other]], batch) == place
            }
            if isUntaken { add(row, group, batch) }
        }
    }

    private func place(_ row: RowReference, _ batch: RecordBatch) -> RecordPositionKey {
        RecordPositionKey(batch.sections[row.entity].positions[row.row])
    }

    private mutating func add(_ row: RowReference, _ group: SharedElements, _ batch: RecordBatch) {
        let section = batch.sections[row.entity]
        let number = number(of: row.entity, group.field(of: section, row.row, batch), orElse: group.path)
        kinds[number].elements += 1
        if kinds[number].first == nil { kinds[number].first = section.location(of: row.row, in: batch) }
        batch.untaken.append(UntakenElement(row: row, kind: number, field: kinds[number].field))
    }

    /// Counts elements that are known, and were not read.
    mutating func add(known count: Int, of entity: Int, _ field: String) {
        kinds[number(of: entity, field, orElse: field)].elements += count
    }

    /// The number of a kind, or of all that are too many.
    private mutating func number(of entity: Int, _ field: String, orElse path: String) -> Int {
        if let number = numbers["\(entity) \(field)"] { return number }
        let field = kinds.count < UntakenElements.mostKinds ? field : path
        if let number = numbers["\(entity) \(field)"] { return number }
        kinds.append(Kind(entity: entity, field: field))
        numbers["\(entity) \(field)"] = kinds.count - 1
        return kinds.count - 1
    }
}
