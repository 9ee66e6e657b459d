import SluiceRecords

/// Which rows of `sluice_model` claim a name of an entity or of a table. A store may hold thousands of entities: an
/// entity is compared only with the rows that share a name with it.
struct TableClaims {
    private let rows: [ModelRow]
    private var byEntity: [ExactText: [Int]] = [:]
    /// By table, that of an entity or of links.
    private var byTable: [FoldedName: [Int]] = [:]

    init(_ rows: [ModelRow]) {
        self.rows = rows
        for (index, row) in rows.enumerated() {
            let description = row.description
            byEntity[ExactText(description.name), default: []].append(index)
            byTable[FoldedName(description.table), default: []].append(index)
            for links in description.relationships where links.isMany {
                byTable[FoldedName(description.linkTable(of: links)), default: []].append(index)
            }
        }
    }

    /// The rows of the same entity, and those that have one of its tables, in their order.
    func rows(concerning entity: Entity) -> [ModelRow] {
        var found = Set(byEntity[ExactText(entity.name)] ?? [])
        found.formUnion(byTable[FoldedName(entity.table)] ?? [])
        for links in entity.relationships where links.isMany {
            found.formUnion(byTable[FoldedName(entity.linkTable(of: links))] ?? [])
        }
        return found.sorted().map { rows[$0] }
    }
}
