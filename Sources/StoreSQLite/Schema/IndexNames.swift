import SluiceRecords
import SluiceSchema

/// Creates indexes under names that say what they are on. Names that would be the same for two indexes (they share
/// one name space, and table and column names may hold anything) get a number.
struct IndexNames {
    private let connection: Connection
    /// All names of the store. They are read once: SQLite would look through all of them for each.
    private var taken: Set<FoldedName>

    init(_ connection: Connection) throws(Failure) {
        self.connection = connection
        taken = Set(try connection.texts("SELECT name FROM sqlite_schema").map { FoldedName($0) })
    }

    /// What an index is called, unless something else has the name.
    static func name(on table: String, _ columns: [String]) -> String {
        "\(table)(\(columns.joined(separator: ", ")))"
    }

    mutating func create(on table: String, _ columns: [String], unique: Bool) throws(Failure) {
        let name = free(IndexNames.name(on: table, columns))
        let list = columns.map(quoted).joined(separator: ", ")
        try connection.execute("CREATE \(unique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table)) (\(list))")
    }

    private mutating func free(_ wanted: String) -> String {
        var name = wanted
        var number = 1
        while !taken.insert(FoldedName(name)).inserted {
            number += 1
            name = "\(wanted) \(number)"
        }
        return name
    }
}
