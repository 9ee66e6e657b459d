import SluiceRecords

/// The questions of a schema check to a store: which tables the store has, and what they are for.
package protocol StoreCatalog: AnyObject {
    /// The store, for messages.
    var name: String { get }
    var dialect: any Dialect { get }
    /// The most columns that a table can have.
    var mostColumns: Int { get }

    /// Throws where something else has the name of one of the tool's own tables.
    func checkOwnTables() throws(Failure)

    /// What `sluice_model` holds.
    func modelRows() throws(Failure) -> [ModelRow]

    /// The table of that name, or nil.
    func table(_ name: String) throws(Failure) -> StoredTable?

    /// The kind of the thing with that name, a table or something else; nil: there is none.
    func kind(of name: String) throws(Failure) -> String?

    /// The names of the views of the past that sluice has made.
    func pastViews() throws(Failure) -> [String]

    /// The names of the other views whose own mark shows that sluice has made them. A run that failed may have left a
    /// view that no pipeline has described yet.
    func markedViews() throws(Failure) -> [String]

    /// Whether a table, by its present name, has any rows.
    func holdsRows(_ table: String) throws(Failure) -> Bool

    /// Likewise, any that meet a condition of SQL.
    func holdsRows(_ table: String, where condition: String) throws(Failure) -> Bool

    /// Looks at the values of columns whose form is to change, of a table by its present name. Changes nothing.
    func scan(_ table: String, _ columns: [FormColumn]) throws(Failure) -> FormScan

    /// Looks for two objects that would have the same values in a key, of a table by its present name, whose values all
    /// have an equal in their new form. Changes nothing.
    func twins(_ table: String, _ key: ChangingKey) throws(Failure) -> FormTwins?
}

extension StoreCatalog {
    package func pastViews() throws(Failure) -> [String] { [] }

    package func markedViews() throws(Failure) -> [String] { [] }
}

extension StoreCatalog {
    /// The attributes of a pipeline's entities, by the names of the entities: in the order of the columns, which is
    /// that of the feed from which the table was made.
    package func storedAttributes(
        of pipeline: String
    ) throws(Failure) -> [ExactText: [(name: String, form: StoredForm)]] {
        var entities: [ExactText: [(name: String, form: StoredForm)]] = [:]
        for row in try modelRows() where row.pipeline.isIdentical(to: pipeline) && !row.description.isLost {
            var places: [FoldedName: Int] = [:]
            for (place, column) in (try table(row.description.table)?.columns ?? []).enumerated() {
                places[FoldedName(column.name)] = place
            }
            let known = row.description.attributes.compactMap { attribute in
                attribute.isLost ? nil : attribute.form.map { (name: attribute.name, form: $0) }
            }
            let place = { (name: String) in places[FoldedName(name)] ?? places.count }
            entities[ExactText(row.description.name)] = known.sorted { place($0.name) < place($1.name) }
        }
        return entities
    }
}
