import SluiceRecords

/// Nullifies dangling references in a store that is made, or changed, to be as it was at an earlier time: references to
/// objects whose past was erased on demand.
package struct ForgottenReferences {
    private let descriptions: [EntityDescription]
    private let spelled: (_ table: String) -> String
    private let column: (_ name: String, _ table: String) -> String?

    /// What clears the references to one table.
    struct Clearing {
        /// The table that has the references.
        var table: String
        var statement: String
    }

    /// - Parameters:
    ///   - descriptions: what the pipelines say of their entities in the store that is made.
    ///   - dialect: that of this store.
    package init(_ descriptions: [EntityDescription], _ dialect: any Dialect) {
        self.init(descriptions, spelled: dialect.table) { name, _ in name }
    }

    /// - Parameters:
    ///   - spelled: gives a table as SQL has it.
    ///   - column: gives the name that a column of a table has in the store; nil: the table has no such column there.
    init(
        _ descriptions: [EntityDescription], spelled: @escaping (_ table: String) -> String,
        column: @escaping (_ name: String, _ table: String) -> String?
    ) {
        self.descriptions = EntityDescription.joined(descriptions)
        self.spelled = spelled
        self.column = column
    }

    /// SQL for whether something may have been erased, as a number: the ledger says so, or has itself forgotten runs.
    ///
    /// - Parameter ledger: the table, as SQL has it.
    package static func mayBe(in ledger: String) -> String {
        "SELECT 1 FROM (SELECT 1) one WHERE EXISTS (SELECT 1 FROM \(ledger) WHERE status = '\(HistoryTable.forgot)')"
            + " OR NOT EXISTS (SELECT 1 FROM \(ledger) WHERE run = 1)"
    }

    /// The statements.
    ///
    /// - Parameter isThere: whether the store has a table.
    package func statements(_ isThere: (String) throws(Failure) -> Bool) throws(Failure) -> [String] {
        try clearings(isThere).map(\.statement)
    }

    func clearings(_ isThere: (String) throws(Failure) -> Bool) throws(Failure) -> [Clearing] {
        var found: [Clearing] = []
        for entity in descriptions where try isThere(entity.table) {
            for relationship in entity.relationships {
                let table = relationship.isMany ? entity.linkTable(of: relationship) : entity.table
                guard try isThere(table) else { continue }
                for target in relationship.targets {
                    guard let other = descriptions.first(where: { $0.name.isIdentical(to: target) }),
                        try isThere(other.table)
                    else { continue }
                    guard let statement = statement(relationship, in: table, target: target, other.table) else {
                        continue
                    }
                    found.append(Clearing(table: table, statement: statement))
                }
            }
        }
        return found
    }

    private func statement(
        _ relationship: EntityDescription.Relationship, in name: String, target: String, _ targetTable: String
    ) -> String? {
        let table = spelled(name)
        let isMany = relationship.isMany
        guard let reference = (isMany ? "target" : column(relationship.name, name)).map(quoted) else { return nil }
        let entity = (isMany ? "target_entity" : column(relationship.entityColumn, name)).map(quoted)
        guard let entity = relationship.isPolymorphic ? entity : "" else { return nil }
        let isOfTarget = relationship.isPolymorphic ? " AND \(entity) = \(quotedText(target))" : ""
        let leadsNowhere = """
            \(reference) IS NOT NULL\(isOfTarget) AND NOT EXISTS (
              SELECT 1 FROM \(spelled(targetTable)) t WHERE t."objectID" = \(table).\(reference))
            """
        if relationship.isMany { return "DELETE FROM \(table) WHERE \(leadsNowhere)" }
        let cleared = ([reference] + (relationship.isPolymorphic ? [entity] : [])).map { "\($0) = NULL" }
        return "UPDATE \(table) SET \(cleared.joined(separator: ", ")) WHERE \(leadsNowhere)"
    }
}
