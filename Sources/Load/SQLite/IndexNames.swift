import Records

/// Creates indexes under names that say what they are on. Names that would be the same for two indexes (they share
/// one name space, and table and column names may hold anything) get a number.
struct IndexNames {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// What an index is called, unless something else has the name.
    static func name(on table: String, _ columns: [String]) -> String {
        "\(table)(\(columns.joined(separator: ", ")))"
    }

    func create(on table: String, _ columns: [String], unique: Bool) throws(Failure) {
        let name = try free(IndexNames.name(on: table, columns))
        let list = columns.map(quoted).joined(separator: ", ")
        try connection.execute("CREATE \(unique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table)) (\(list))")
    }

    private func free(_ wanted: String) throws(Failure) -> String {
        var name = wanted
        var number = 1
        while try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", name) != nil {
            number += 1
            name = "\(wanted) \(number)"
        }
        return name
    }
}
