import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The temporary copies that a dry run has of parts of the store: tables, views, and functions that find objects, in
/// the temporary schema of its connection. Queries that name parts of the store get these.
struct TemporaryCopies {
    /// The name of the schema of the store.
    let schema: String
    private let relations: Set<ExactText>
    private let functions: Set<ExactText>

    /// Reads what is there.
    init(_ connection: ServerConnection, of schema: String) throws(Failure) {
        self.schema = schema
        relations = try TemporaryCopies.names(
            connection, "SELECT relname::text FROM pg_class WHERE relnamespace = pg_my_temp_schema()")
        functions = try TemporaryCopies.names(
            connection, "SELECT proname::text FROM pg_proc WHERE pronamespace = pg_my_temp_schema()")
    }

    private static func names(_ connection: ServerConnection, _ sql: String) throws(Failure) -> Set<ExactText> {
        let found = try connection.query(sql)
        return Set((0..<found.count).map { ExactText(found.text($0, 0)) })
    }

    /// The replacement for a name, as SQL has it; nil: the name stays. A server does not look for functions in the
    /// temporary schema, unless the name says so.
    func replacement(for name: QuestionText.Name) -> String? {
        let own = ExactText(name.word.folded)
        if let qualifier = name.schema, !qualifier.folded.isIdentical(to: schema) { return nil }
        if name.schema == nil, !name.isCall { return nil }
        guard (name.isCall ? functions : relations).contains(own) else { return nil }
        return "pg_temp." + quoted(own.string)
    }

    /// The name that the server has given to the temporary schema.
    static func schemaName(_ connection: ServerConnection) throws(Failure) -> String {
        try connection.query("SELECT nspname::text FROM pg_namespace WHERE oid = pg_my_temp_schema()").text(0, 0)
    }
}
