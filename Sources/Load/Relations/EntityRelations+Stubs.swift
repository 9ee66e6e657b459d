import SluiceRecords

// The attributes of stubs that references state.
extension EntityRelations {
    /// A relationship that states attributes of stubs: of which entity, and which ones.
    struct DescribedStubs {
        var relationship: Int
        var state: EntityState
        var attributes: [Int]
    }

    /// Whether a row says something of stubs.
    func describesStubs(_ row: Int, _ section: EntityRecords) -> Bool {
        described.contains { described in
            let first = state.facts.layout.stubStart(
                state.entity.relationships[described.relationship], at: described.relationship)
            return described.attributes.indices.contains { index in
                !section.typed[row * section.width + first + index].isNull
            }
        }
    }

    /// The attributes of stubs that a row states, by the place of the reference.
    func stubCells(
        _ row: Int, _ relationship: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) -> [[Cell]] {
        let definition = state.entity.relationships[relationship]
        let first = row * section.width + state.facts.layout.stubStart(definition, at: relationship)
        let cells = definition.stub.indices.map { section.typed[first + $0] }
        guard definition.isMany else { return [cells] }
        guard cells[0].kind == .list else { return [] }
        var heads = cells.map(\.head)
        return (0..<cells[0].count).map { _ in
            cells.indices.map { index in
                let element = batch.elements[heads[index]]
                heads[index] = Int(element.next)
                return element.cell
            }
        }
    }

    /// The parts of the stubs that a row describes.
    func parts(_ row: Int, _ target: EntityState, _ parts: ObjectParts) -> Set<Int> {
        var found: Set<Int> = []
        for described in described where described.state === target {
            for reference in targets(row, described.relationship) where reference.isKnown {
                if let part = parts.part(of: reference.objectID) { found.insert(part) }
            }
        }
        return found
    }

    /// What a row refers to, by place.
    func targets(_ row: Int, _ relationship: Int) -> [Reference] {
        if let links = toMany.first(where: { $0.relationship == relationship })?.links { return links.targets(row) }
        return [reference(row, relationship)]
    }
}
