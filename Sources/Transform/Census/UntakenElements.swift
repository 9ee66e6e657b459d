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

    /// An element of which not all rows have come: some wait for values around the records.
    private struct Open {
        var rows = 0
        var leftOut = 0
        /// Of the first entity, where it leaves the element out.
        var field: String?
        var first: FeedPosition?
    }

    private let shared: [SharedElements]
    /// By group.
    private var open: [[RecordPositionKey: Open]]
    private(set) var kinds: [Kind] = []
    private var numbers: [ExactText: Int] = [:]

    /// Kinds that are told apart: a value may be another one in each element.
    private static let mostKinds = 100
    /// Elements that wait; where there are more, those that wait are not told.
    private static let mostOpen = 100_000

    init(_ model: Model) {
        shared = SharedElements.all(model)
        open = shared.map { _ in [:] }
    }

    /// Whether an entity shares its elements with others.
    static func areShared(in model: Model) -> [Bool] {
        let entities = Set(SharedElements.all(model).flatMap(\.entities))
        return model.entities.indices.map(entities.contains)
    }

    /// Counts those of a batch that has been transformed, and notes them in the batch.
    mutating func add(_ batch: RecordBatch) {
        for group in shared.indices where !batch.leftOut.isEmpty || !open[group].isEmpty { add(group, batch) }
    }

    // MARK: One group

    /// A row of an element, which has one of each entity.
    private struct Row {
        var row: RowReference
        var place: RecordPositionKey
        var isLeftOut: Bool
    }

    private mutating func add(_ number: Int, _ batch: RecordBatch) {
        let group = shared[number]
        let rows = group.entities.map { self.rows(of: $0, group, batch) }
        // Usually all rows of an element are in one batch.
        let areTogether = rows.allSatisfy { $0.elementsEqual(rows[0]) { $0.place == $1.place } }
        if areTogether, open[number].isEmpty {
            for (index, row) in rows[0].enumerated() where rows.allSatisfy({ $0[index].isLeftOut }) {
                let field = group.field(of: batch.sections[row.row.entity], row.row.row, batch)
                let kind = add(field, group, at: batch.sections[row.row.entity].location(of: row.row.row, in: batch))
                batch.untaken.append(UntakenElement(row: row.row, kind: kind, field: kinds[kind].field))
            }
        } else {
            for (place, entity) in rows.enumerated() {
                for row in entity { note(row, isFirst: place == 0, number, batch) }
            }
        }
    }

    /// The rows of an entity that are read to their end, but for those that are in another batch.
    private func rows(of entity: Int, _ group: SharedElements, _ batch: RecordBatch) -> [Row] {
        let section = batch.sections[entity]
        var leftOut = batch.leftOut.lazy.filter { $0.entity == entity }.map(\.row).makeIterator()
        var next = leftOut.next()
        return (0..<section.count).compactMap { row in
            let isLeftOut = row == next
            if isLeftOut { next = leftOut.next() }
            let isOfGroup = group.sourceIndex == Int(section.positions[row].source)
            guard isOfGroup, section.status[row] != .open, section.status[row] != .dropped || isLeftOut else {
                return nil
            }
            return Row(
                row: RowReference(entity: entity, row: row), place: RecordPositionKey(section.positions[row]),
                isLeftOut: isLeftOut)
        }
    }

    /// Notes a row of an element whose rows are in several batches. Such elements are read each night.
    private mutating func note(_ row: Row, isFirst: Bool, _ number: Int, _ batch: RecordBatch) {
        var element = open[number][row.place] ?? Open()
        element.rows += 1
        if row.isLeftOut { element.leftOut += 1 }
        if isFirst, row.isLeftOut {
            let section = batch.sections[row.row.entity]
            element.field = shared[number].field(of: section, row.row.row, batch)
            element.first = section.location(of: row.row.row, in: batch)
        }
        guard element.rows == shared[number].entities.count else {
            if open[number].count < UntakenElements.mostOpen { open[number][row.place] = element }
            return
        }
        open[number][row.place] = nil
        if element.leftOut == element.rows, let field = element.field, let first = element.first {
            _ = add(field, shared[number], at: first)
        }
    }

    // MARK: Kinds

    /// Counts an element, and returns the number of its kind.
    private mutating func add(_ field: String, _ group: SharedElements, at place: FeedPosition) -> Int {
        let kind = number(of: group.entities[0], field, orElse: group.path)
        kinds[kind].elements += 1
        if let first = kinds[kind].first, first.position < place.position { return kind }
        kinds[kind].first = place
        return kind
    }

    /// Counts elements that are known, and were not read.
    mutating func add(known count: Int, of entity: Int, _ field: String) {
        kinds[number(of: entity, field, orElse: field)].elements += count
    }

    /// The number of a kind, or of all that are too many.
    private mutating func number(of entity: Int, _ field: String, orElse path: String) -> Int {
        if let number = numbers[ExactText("\(entity) \(field)")] { return number }
        let field = kinds.count < UntakenElements.mostKinds ? field : path
        if let number = numbers[ExactText("\(entity) \(field)")] { return number }
        kinds.append(Kind(entity: entity, field: field))
        numbers[ExactText("\(entity) \(field)")] = kinds.count - 1
        return kinds.count - 1
    }
}
