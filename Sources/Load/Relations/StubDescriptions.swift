import SluiceRecords

/// What the references of one entity say of their targets, beside the identifiers: attributes of stubs.
struct StubDescriptions {
    /// A relationship that states attributes of stubs: of which entity, and which ones.
    struct Statement {
        let references: any RelationshipReferences
        let target: EntityState
        let attributes: [Int]
        /// The first cell of these in a row.
        fileprivate let start: Int
        fileprivate let isMany: Bool

        var relationship: Int { references.relationship }

        /// The attributes of stubs that a row states, by the place of the reference.
        func cells(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch) -> [[Cell]] {
            let cells = attributes.indices.map { section.typed[row * section.width + start + $0] }
            guard isMany else { return [cells] }
            guard cells[0].kind == .list else { return [] }
            var lists = ListsBeside(cells)
            return (0..<cells[0].count).map { _ in
                lists.advance(batch)
                return lists.cells
            }
        }
    }

    let statements: [Statement]

    init(_ state: EntityState, _ references: [any RelationshipReferences], all states: [EntityState]) {
        let all = references.map { ($0, state.entity.relationships[$0.relationship]) }
        let describing = all.filter { !$1.stub.isEmpty }
        statements = describing.sorted { $0.0.relationship < $1.0.relationship }.map { references, relationship in
            let target = states[relationship.targets[0].entity]
            return Statement(
                references: references, target: target,
                attributes: relationship.stub.compactMap { said in
                    target.entity.attributes.firstIndex { $0.name.isIdentical(to: said.name) }
                }, start: state.traits.layout.stubStart(relationship, at: references.relationship),
                isMany: relationship.isMany)
        }
    }

    /// What is said of the stubs of an entity.
    func statements(about target: EntityState) -> [Statement] { statements.filter { $0.target === target } }

    /// Whether a row says something of stubs.
    func isStated(by row: Int, _ section: EntityRecords) -> Bool {
        statements.contains { statement in
            statement.attributes.indices.contains { index in
                !section.typed[row * section.width + statement.start + index].isNull
            }
        }
    }

    /// The parts of the stubs that a row describes.
    func parts(_ row: Int, _ target: EntityState, _ parts: ObjectParts) -> Set<Int> {
        let references = statements(about: target).flatMap { $0.references.targets(row) }
        return Set(references.filter(\.isKnown).compactMap { parts.part(of: $0.objectID) })
    }
}
