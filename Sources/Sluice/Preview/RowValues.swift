import SluiceRecords

/// The typed cells of a row as values that outlive their batch.
struct RowValues {
    private let model: Model
    private let entity: Entity
    private let layout: RowLayout
    private let batch: RecordBatch
    private let typed: Table<Cell>
    private let start: Int

    init(_ model: Model, _ section: EntityRecords, _ row: Int, _ batch: RecordBatch) {
        self.model = model
        self.batch = batch
        entity = model.entities[section.entity]
        layout = entity.layout
        typed = section.typed
        start = row * section.width
    }

    var all: [Preview.Value] {
        entity.attributes.indices.map { value(typed[start + $0]) }
            + entity.relationships.enumerated().map { value(of: $0.element, at: $0.offset) }
    }

    /// The values of the identifying attributes.
    var identifier: [Preview.Value] { entity.identifier.map { value(typed[start + $0]) } }

    private func value(_ cell: Cell) -> Preview.Value {
        switch cell.kind {
        case .absent: .absent
        case .integer: .integer(cell.integer)
        case .real: .real(cell.real)
        case .text: .text(batch.arena.text(of: cell))
        case .impossible: .impossible(batch.arena.text(of: cell))
        case .blob: .bytes(batch.arena.hexadecimal(of: cell))
        default: .null
        }
    }

    private func value(of relationship: Relationship, at index: Int) -> Preview.Value {
        let cells = blocks(of: relationship, at: index)
        guard relationship.isMany else { return reference(relationship, cells.selector, cells.keys) }
        guard let first = cells.keys.first?.first, first.kind == .list else { return value(cells.keys[0][0]) }
        let selectors = cells.selector.map(elements)
        let keys = cells.keys.map { $0.map(elements) }
        let start = start + layout.valueStart(relationship, at: index)
        let values = relationship.values.indices.map { elements(typed[start + $0]) }
        return .list(
            (0..<first.count).map { place in
                let target = reference(relationship, selectors?[place], keys.map { $0.map { $0[place] } })
                if values.isEmpty { return target }
                return .link(target, relationship.values.map(\.name), values.map { value($0[place]) })
            })
    }

    /// The cells of a relationship: its selector, and for each target the key.
    private func blocks(of relationship: Relationship, at index: Int) -> (selector: Cell?, keys: [[Cell]]) {
        let selector = relationship.selector.map { _ in typed[start + layout.relationshipStart[index]] }
        let keys = (0..<relationship.searchCount).map { way in
            let first = start + layout.keyStart(relationship, at: index, way: way)
            return (0..<relationship.keyWidth).map { typed[first + $0] }
        }
        return (selector, keys)
    }

    private func reference(_ relationship: Relationship, _ selector: Cell?, _ keys: [[Cell]]) -> Preview.Value {
        if let selector, selector.kind != .integer { return value(selector) }
        let possible = keys.indices.filter { target in !keys[target].contains { $0.kind == .impossible } }
        let target = selector.map { Int($0.integer) } ?? possible.first ?? 0
        let key = keys[target].map(value)
        if let nothing = key.first(where: { $0 == .null || $0 == .absent }) { return nothing }
        // Without a selector, which of several targets is meant turns out when all feeds are read.
        let isKnown = relationship.isPolymorphic && (selector != nil || possible.count == 1)
        let entity = relationship.targets[relationship.ways.isEmpty ? target : relationship.ways[target].target].entity
        return .reference(entity: isKnown ? model.entities[entity].name : nil, key)
    }

    private func elements(_ list: Cell) -> [Cell] {
        var cells: [Cell] = []
        var index = list.head
        for _ in 0..<list.count {
            cells.append(batch.elements[index].cell)
            index = Int(batch.elements[index].next)
        }
        return cells
    }
}
