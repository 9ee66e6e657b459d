/// The keys of a definition's objects, in the order in which messages and the documentation name them.
enum DefinitionKeys {
    static let pipeline = [
        "$schema", "name", "source", "sources", "store", "batchSize", "commit", "limits", "archive", "ledger",
        "findings", "after", "entities",
    ]
    static let source = ["file", "format", "maxText", "maxDepth"]
    static let store = ["sqlite"]
    static let limits = ["rejects", "unresolved", "duplicates", "deletes"]
    static let archive = ["directory", "keep"]
    static let ledger = ["keep"]
    static let after = ["succeeded", "failed", "unchanged", "cancelled"]
    static let hook = ["run", "per", "timeout"]
    static let entity = [
        "source", "records", "where", "deleteWhere", "identifier", "attributes", "relationships", "table", "was",
        "mode", "duplicates", "absent", "within",
    ]
    static let value = ["from", "join", "with", "trim", "nullIf", "match", "map", "split", "default"]
    static let attribute =
        ["type"] + value.filter { $0 != "split" }
        + ["required", "format", "timeZone", "index", "onAbsent", "was"]
    static let relationship = ["to"] + value + ["identifier", "many", "entity", "missing", "onDelete", "was"]

    /// All of them, by the name of their object in the documentation and in the schema.
    static let all: [(object: String, keys: [String])] = [
        ("pipeline", pipeline), ("source", source), ("store", store), ("limits", limits), ("archive", archive),
        ("ledger", ledger), ("after", after), ("hook", hook), ("entity", entity), ("value", value),
        ("attribute", attribute),
        ("relationship", relationship),
    ]
}
