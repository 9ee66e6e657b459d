import SluicePostgreSQL
import SluiceRecords

/// Rejects records whose values a server cannot hold, before they are loaded: what SQLite can hold is no measure.
package struct ServerFit: Sendable {
    /// Bytes of what is indexed: the server refuses an entry that is longer than a third of a page.
    static let longestKey = 2600

    private let model: Model
    private let forms: [[CellForm]]
    private let layouts: [RowLayout]
    /// By entity: the attributes that are indexed, each by itself.
    private let indexed: [[Int]]
    /// By entity: what the cells of references are looked for as, by their place in a row.
    private let references: [[(cell: Int, form: CellForm)]]

    init(_ model: Model) {
        self.model = model
        layouts = model.entities.map(\.layout)
        forms = model.entities.map { $0.attributes.map { CellForm($0.conversion.stored) } }
        indexed = model.entities.map { entity in
            entity.attributes.indices.filter { entity.attributes[$0].isIndexed && !entity.identifier.contains($0) }
        }
        references = model.entities.map { entity in
            let layout = entity.layout
            return entity.relationships.enumerated().flatMap { index, relationship in
                relationship.searches(in: model).enumerated().flatMap { way, search in
                    search.conversions.enumerated().map { part, conversion in
                        (layout.keyStart(relationship, at: index, way: way) + part, CellForm(conversion.stored))
                    }
                }
            }
        }
    }

    /// Looks at all records of a batch that can become objects.
    package func check(_ batch: RecordBatch) {
        let before = batch.faults.count
        for section in batch.sections {
            for row in 0..<section.count {
                switch section.status[row] {
                case .complete:
                    checkValues(row, section, batch)
                    checkReferences(row, section, batch)
                    checkLinks(row, section, batch)
                case .gone: checkIdentifier(row, section, batch)
                default: break
                }
            }
        }
        guard batch.faults.count > before else { return }
        // By entity and row, as those of the transformation are; none of these has faults of both.
        batch.faults.sort { ($0.entity, $0.row) < ($1.entity, $1.row) }
    }

    private func reject(_ row: Int, _ member: String, _ reason: String, _ section: EntityRecords, _ batch: RecordBatch)
    {
        batch.faults.append(Fault(entity: section.entity, row: row, member: member, reason: reason))
        section.status[row] = .rejected
    }

    private func checkValues(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) {
        let (entity, start) = (model.entities[section.entity], row * section.width)
        for attribute in entity.attributes.indices {
            let cell = section.typed[start + attribute]
            guard let misfit = misfit(cell, forms[section.entity][attribute], batch.arena) else { continue }
            if entity.identifier.contains(attribute) { section.typed[start + attribute] = .absent }
            reject(row, entity.attributes[attribute].name, misfit, section, batch)
        }
        for attribute in indexed[section.entity] {
            if let reason = tooLong(section.typed[start + attribute], entity.attributes[attribute]) {
                reject(row, entity.attributes[attribute].name, reason, section, batch)
            }
        }
        checkLength(row, section, batch)
    }

    private func checkIdentifier(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) {
        let (entity, start) = (model.entities[section.entity], row * section.width)
        for attribute in entity.identifier {
            let cell = section.typed[start + attribute]
            guard let misfit = misfit(cell, forms[section.entity][attribute], batch.arena) else { continue }
            section.typed[start + attribute] = .absent
            reject(row, entity.attributes[attribute].name, misfit, section, batch)
        }
        checkLength(row, section, batch)
    }

    private func checkLength(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) {
        let (entity, start) = (model.entities[section.entity], row * section.width)
        let count = entity.identifier.reduce(0) { sum, attribute in
            let cell = section.typed[start + attribute]
            return sum + (cell.hasBytes ? cell.count : 8)
        }
        guard count > ServerFit.longestKey else { return }
        for attribute in entity.identifier { section.typed[start + attribute] = .absent }
        reject(
            row, entity.attributes[entity.identifier[0]].name,
            "an identifier of \(count) bytes, and PostgreSQL takes \(ServerFit.longestKey)", section, batch)
    }

    // MARK: References

    /// A reference to what no object on a server can have is one that cannot exist.
    private func checkReferences(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) {
        let start = row * section.width
        for (place, form) in references[section.entity] {
            let cell = section.typed[start + place]
            if cell.kind == .list {
                var index = cell.head
                for _ in 0..<cell.count {
                    let element = batch.elements[index]
                    if isImpossible(element.cell, form, batch.arena) {
                        batch.elements[index].cell.kind = .impossible
                    }
                    index = Int(element.next)
                }
            } else if isImpossible(cell, form, batch.arena) {
                section.typed[start + place] = Cell(kind: .impossible, payload: cell.payload, length: cell.length)
            }
        }
    }

    /// What links have of their own, and what is said of stubs, are values as any other.
    private func checkLinks(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) {
        for (index, relationship) in model.entities[section.entity].relationships.enumerated() {
            let start = row * section.width + layouts[section.entity].valueStart(relationship, at: index)
            for (column, value) in (relationship.values + relationship.stub).enumerated() {
                let form = CellForm(value.conversion.stored)
                for cell in cells(section.typed[start + column], batch) {
                    guard let misfit = misfit(cell, form, batch.arena) ?? tooLong(cell, value) else { continue }
                    return reject(row, relationship.name, misfit, section, batch)
                }
            }
        }
    }

    /// The elements of a list, or the cell itself.
    private func cells(_ cell: Cell, _ batch: RecordBatch) -> [Cell] {
        guard cell.kind == .list else { return [cell] }
        var index = cell.head
        return (0..<cell.count).map { _ in
            let element = batch.elements[index]
            index = Int(element.next)
            return element.cell
        }
    }

    private func tooLong(_ cell: Cell, _ attribute: Attribute) -> String? {
        guard attribute.isIndexed, cell.hasBytes, cell.count > ServerFit.longestKey else { return nil }
        return "an indexed value of \(cell.count) bytes, and PostgreSQL takes \(ServerFit.longestKey)"
    }

    private func isImpossible(_ cell: Cell, _ form: CellForm, _ arena: Arena) -> Bool {
        cell.kind == .text && (cell.count > ServerFit.longestKey || misfit(cell, form, arena) != nil)
    }

    private func misfit(_ cell: Cell, _ form: CellForm, _ arena: Arena) -> String? {
        switch unsafe form.misfit(cell, UnsafePointer(arena.base)) {
        case nil: nil
        case .nul: "text with U+0000, which PostgreSQL cannot hold"
        case .leapSecond: "a leap second, which PostgreSQL cannot hold"
        case .tooPrecise: "a time finer than microseconds, which PostgreSQL cannot hold"
        }
    }
}
