import SluiceRecords

/// What the references of one entity say of their targets, beside the identifiers: attributes of stubs.
struct StubDescriptions {
    /// A relationship that states attributes of stubs: of which entity, and which ones.
    struct Statement {
        var relationship: Int
        var target: EntityState
        var attributes: [Int]
    }

    let statements: [Statement]
    private let state: EntityState
    private let work: RowWork
    private let toMany: [(relationship: Int, links: ToManyReferences)]

    init(
        _ state: EntityState, _ work: RowWork, _ toMany: [(relationship: Int, links: ToManyReferences)],
        all: [EntityState]
    ) {
        self.state = state
        self.work = work
        self.toMany = toMany
        statements = state.entity.relationships.enumerated().filter { !$1.stub.isEmpty }.map { index, relationship in
            let target = all[relationship.targets[0].entity]
            return Statement(
                relationship: index, target: target,
                attributes: relationship.stub.compactMap { said in
                    target.entity.attributes.firstIndex { $0.name.isIdentical(to: said.name) }
                })
        }
    }

    /// What is said of the stubs of an entity.
    func about(_ target: EntityState) -> [Statement] { statements.filter { $0.target === target } }

    /// Whether a row says something of stubs.
    func isSaid(by row: Int, _ section: EntityRecords) -> Bool {
        statements.contains { statement in
            let first = state.facts.layout.stubStart(
                state.entity.relationships[statement.relationship], at: statement.relationship)
            return statement.attributes.indices.contains { index in
                !section.typed[row * section.width + first + index].isNull
            }
        }
    }

    /// The attributes of stubs that a row states, by the place of the reference.
    func cells(
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
        for statement in about(target) {
            for reference in targets(row, statement.relationship) where reference.isKnown {
                if let part = parts.part(of: reference.objectID) { found.insert(part) }
            }
        }
        return found
    }

    /// What a row refers to, by place.
    func targets(_ row: Int, _ relationship: Int) -> [Reference] {
        if let links = toMany.first(where: { $0.relationship == relationship })?.links { return links.targets(row) }
        return [work.references[row * work.relationshipCount + relationship]]
    }
}
