import SluiceSchema

/// A schema of a server, in which a store has its tables; as text, what SQL has before their names.
struct ServerNamespace: CustomStringConvertible {
    let description: String

    /// - Parameter schema: the name of the schema.
    init(_ schema: String) { description = quoted(schema) }

    private init(sql: String) { description = sql }

    /// That of the tables that only the connection sees.
    static let temporary = ServerNamespace(sql: "pg_temp")

    /// A table, view, index or function that is in it, as SQL has it.
    func named(_ name: String) -> String { "\(self).\(quoted(name))" }
}
