import SluiceDefinition
import SluiceRecords

/// Names of a draft that are words of SQL: a query that has them as they are is none, or another one. `SELECT * FROM
/// Order` is refused, and `SELECT * FROM User` says in PostgreSQL who has asked.
struct SQLWords {
    private let entities: [DraftEntity]

    init(_ entities: [DraftEntity]) { self.entities = entities.filter { !$0.isDropped } }

    /// What is told of them; nothing: there are none.
    var sentences: [String] {
        let tables = entities.map(\.name).filter(SQLWords.isOne)
        let names = tables + columns.filter { !tables.contains($0) }
        guard let first = names.first else { return [] }
        let shown = names.prefix(SQLWords.mostNamed).map(quoted)
        let more = names.count > shown.count ? ["\(grouped(names.count - shown.count)) more"] : []
        let example = tables.isEmpty ? "SELECT \(quoted(first)) FROM …" : "SELECT * FROM \(quoted(first))"
        let why = names.count == 1 ? "a word" : "words"
        return ["A query has \(listed(shown + more)) in quotes, as \(why) of SQL: \(example)."]
    }

    private static let mostNamed = 8

    /// Members of any entity, each name once.
    private var columns: [String] {
        var known: Set<String> = []
        return entities.flatMap { entity in
            let members = EntityMembers(entity)
            return (members.attributes + members.relationships).map(\.name)
        }.filter { SQLWords.isOne($0) && known.insert($0).inserted }
    }

    private static func isOne(_ name: String) -> Bool { words.contains(name.lowercased()) }

    /// What SQLite or PostgreSQL take for no name.
    private static let words: Set = [
        "add", "all", "alter", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric",
        "authorization", "between", "binary", "both", "case", "cast", "check", "collate", "collation", "column",
        "commit", "concurrently", "constraint", "create", "cross", "default", "deferrable", "delete", "desc",
        "distinct", "do", "drop", "else", "end", "escape", "except", "exists", "false", "fetch", "for", "foreign",
        "freeze", "from", "full", "grant", "group", "having", "ilike", "in", "index", "initially", "inner", "insert",
        "intersect", "into", "is", "isnull", "join", "lateral", "leading", "left", "like", "limit", "localtime",
        "localtimestamp", "natural", "not", "nothing", "notnull", "null", "offset", "on", "only", "or", "order",
        "outer", "overlaps", "placing", "primary", "references", "returning", "right", "select", "set", "similar",
        "some", "symmetric", "table", "then", "to", "trailing", "transaction", "true", "union", "unique", "update",
        "user", "using", "values", "variadic", "verbose", "when", "where", "window", "with",
    ]
}
