/// The keys of a definition's objects, in the order in which messages and the documentation name them.
package enum DefinitionKeys {
    static let pipeline = [
        "$schema", "name", "source", "sources", "store", "batchSize", "commit", "limits", "archive", "ledger",
        "changes",
        "findings", "after", "views", "seed", "bases", "entities",
    ]
    static let source = ["file", "url", "format"] + table + ["maxText", "maxRecord", "maxDepth"] + web
    /// Of a source that is a table.
    package static let table = ["delimiter", "quotes", "header", "names", "empty"]
    /// Of a source that is a web service.
    package static let web = [
        "for", "headers", "query", "auth", "body", "pages", "since", "timeout", "retries", "rate", "maxBytes",
        "parallel",
    ]
    static let secret = ["file"]
    static let auth = ["bearer", "basic", "header", "oauth2"]
    static let basic = ["user", "password"]
    static let oauth2 = ["tokenUrl", "clientId", "clientSecret", "scope"]
    static let pages = [
        "next", "link", "cursor", "parameter", "number", "first", "offset", "limit", "last", "size", "total",
    ]
    static let since = ["parameter", "attribute", "overlap", "format"]
    static let store = ["sqlite", "postgresql"]
    static let postgresql = ["database", "schema", "password", "tls", "certificates", "foreignKeys"]
    static let limits = ["rejects", "unresolved", "duplicates", "deletes", "records", "missing"]
    static let archive = ["directory", "keep"]
    static let ledger = ["keep"]
    static let seed = ["directory", "keep", "level", "sign"]
    static let after = ["succeeded", "failed", "unchanged", "cancelled"]
    static let hook = ["run", "per", "timeout"]
    static let entity = [
        "source", "records", "where", "deleteWhere", "identifier", "attributes", "relationships", "table", "was",
        "mode", "duplicates", "repeats", "absent", "within", "ignore", "limits", "like", "kind", "is", "except",
        "drift", "orphans", "edits",
    ]
    static let condition = ["present", "type", "<", "<=", ">", ">=", "match", "not"]
    static let value = [
        "from", "value", "oneOrMany", "join", "with", "trim", "nullIf", "match", "map", "split", "matches", "default",
    ]
    static let attribute =
        ["type"] + value
        + [
            "many", "required", "format", "timeZone", "fraction", "scale", "as", "min", "max", "oneOf", "index",
            "onAbsent",
            "was",
        ]
    static let relationship =
        ["to", "by"] + value
        + ["identifier", "many", "set", "across", "entity", "missing", "stub", "onDelete", "onAbsent", "was"]
    /// Of a value that each link has, in `with`.
    static let linkValue = attribute.filter {
        !["many", "oneOrMany", "split", "matches", "index", "onAbsent", "was"].contains($0)
    }
    /// Of a way to find a target, which has the name of an entity besides.
    static let way = value + ["identifier"]

    /// All of them, by the name of their object in the documentation and in the schema.
    static let all: [(object: String, keys: [String])] = [
        ("pipeline", pipeline), ("source", source), ("store", store), ("postgresql", postgresql), ("limits", limits),
        ("archive", archive),
        ("ledger", ledger), ("seed", seed), ("after", after), ("hook", hook), ("auth", auth), ("basic", basic),
        ("oauth2", oauth2), ("pages", pages), ("since", since), ("entity", entity), ("condition", condition),
        ("value", value), ("attribute", attribute),
        ("relationship", relationship),
    ]
}
