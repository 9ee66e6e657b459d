import SluiceRecords

/// A column of the past links of a to-many relationship: their targets, or one of the links' own values.
struct LinkColumn {
    let relationship: EntityDescription.Relationship
    /// Nil: the targets.
    let value: EntityDescription.Attribute?

    /// Of each relationship its targets, then its values.
    static func all(_ relationships: [EntityDescription.Relationship]) -> [LinkColumn] {
        relationships.flatMap { relationship in
            [LinkColumn(relationship: relationship, value: nil)]
                + relationship.values.filter { !$0.isLost }.map { LinkColumn(relationship: relationship, value: $0) }
        }
    }

    var name: String { value.map { "\(relationship.name).\($0.name)" } ?? relationship.name }

    /// A JSON list, in the order of the positions.
    ///
    /// - Parameters:
    ///   - links: as SQL has them.
    ///   - columns: those of the links; a value may have come later.
    func list(of links: String, with columns: [String], _ view: EntityView, _ dialect: any Dialect) -> String {
        guard let value else { return view.list(relationship, of: links) }
        let isThere = columns.contains { $0.isSameName(as: value.name) }
        let element =
            isThere
            ? dialect.element([KeyPart(column: "l.\(quoted(value.name))", form: value.form)]) : dialect.null("text")
        return dialect.list("SELECT \(element) AS value, l.\"position\" FROM \(links) l")
    }
}
