import SluiceRecords
import SluiceSchema

/// The two columns of a reference to one of several entities, which no foreign key looks after.
struct ReferenceToAny: Hashable {
    var entity: ExactText
    var table: String
    var column: String
    var entityColumn: String
    /// The entities that it may lead to.
    var targets: [String]
}

extension ColumnList {
    /// The columns of each value: a reference to one of several entities has two.
    var values: [Range<Int>] {
        columns.indices.filter { !columns[$0].isEntityName }.map { index in
            let hasName = index + 1 < columns.count && columns[index + 1].isEntityName
            return index..<index + (hasName ? 2 : 1)
        }
    }

    /// Where the columns of a value are those of a reference to one of several entities; nil: they are none.
    func referenceToAny(at value: Range<Int>) -> ReferenceToAny? {
        guard value.count == 2, let relationship = columns[value.lowerBound].relationship else { return nil }
        return ReferenceToAny(
            entity: ExactText(Object.entity), table: table, column: columns[value.lowerBound].name,
            entityColumn: columns[value.lowerBound + 1].name, targets: relationship.targets)
    }

    /// All of them.
    var referencesToAny: [ReferenceToAny] { values.compactMap(referenceToAny) }
}

/// Looks where references to one of several entities lead that a transaction has set, once all is written.
struct ReferenceCheck {
    let connection: StoreConnection

    /// - Throws: `reference` where one leads to no object, or to an entity that it may not lead to.
    func check(_ references: [ReferenceToAny: Set<Int64>]) throws(StoreError) {
        if references.isEmpty { return }
        let entities = try connection.withConnection { connection throws(Failure) in try StoredEntity.all(connection) }
        for (reference, objectIDs) in references { try check(reference, objectIDs.sorted(), entities) }
    }

    private func check(
        _ reference: ReferenceToAny, _ objectIDs: [Int64], _ entities: [StoredEntity]
    ) throws(StoreError) {
        let (target, name) = ("r.\(quoted(reference.column))", "r.\(quoted(reference.entityColumn))")
        var leadsNowhere = Fragment("CASE \(name)")
        for entity in reference.targets {
            guard let table = entities.first(where: { $0.name.isIdentical(to: entity) })?.table else { continue }
            leadsNowhere.append(" WHEN " + Fragment(value: .text(entity)) + " THEN NOT EXISTS (SELECT 1 FROM ")
            leadsNowhere.append(Fragment(table: table) + " t WHERE t.\"objectID\" = \(target))")
        }
        leadsNowhere.append(" ELSE 1 END")
        // Both are null, or neither is.
        let query: Fragment =
            "SELECT r.\"objectID\", \(target), \(name) FROM " + Fragment(table: reference.table)
            + " r WHERE r.\"objectID\" IN " + Fragment(objectIDs: objectIDs)
            + " AND (\(target) IS NOT NULL OR \(name) IS NOT NULL) AND " + leadsNowhere + " LIMIT 1"
        try connection.run(query) { row throws(StoreError) in
            let (objectID, target, name): (Int, Int?, String?) = (
                try row.value(0), try row.value(1), try row.value(2)
            )
            throw StoreError(
                .reference,
                "\(reference.entity.string).\(reference.column) of object \(objectID) leads to no object:"
                    + " \(name ?? "no entity") \(target.map { String($0) } ?? "")")
        }
    }
}
