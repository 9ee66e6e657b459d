import SluiceRecords

/// What a schema check asks of a store: which tables it has, and what they are for.
package protocol StoreCatalog: AnyObject {
    /// The store, for messages.
    var name: String { get }
    var dialect: any Dialect { get }
    /// The most columns that a table can have.
    var mostColumns: Int { get }

    /// Throws where the name of a table of the tool's own is that of something else.
    func checkOwnTables() throws(Failure)

    /// What `sluice_model` holds.
    func modelRows() throws(Failure) -> [ModelRow]

    /// The table of that name, or nil.
    func table(_ name: String) throws(Failure) -> StoredTable?

    /// What has that name, a table or something else; nil: nothing.
    func kind(of name: String) throws(Failure) -> String?

    /// The names of the views of the past that sluice has made.
    func pastViews() throws(Failure) -> [String]

    /// Whether a table, by its present name, has any rows.
    func holdsRows(_ table: String) throws(Failure) -> Bool

    /// Looks at the values of columns whose form is to change, of a table by its present name. Changes nothing.
    func scan(_ table: String, _ columns: [FormColumn]) throws(Failure) -> FormScan
}

extension StoreCatalog {
    package func pastViews() throws(Failure) -> [String] { [] }
}
