import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// What a plan does with each key of a definition: what is not planned is refused, so that nothing is ever done differently
/// from a run.
enum PlanKeys {
    /// By object: keys that are planned, or belong to what `sluice extract` does.
    static let planned: [String: [String]] = [
        "pipeline": [
            "$schema", "name", "source", "sources", "store", "batchSize", "commit", "limits", "findings", "bases",
            "entities",
        ],
        "source": ["file", "format"] + DefinitionKeys.table + ["maxText", "maxRecord", "maxDepth"],
        // No store is touched, so none is wrong.
        "store": ["sqlite", "postgresql"],
        "postgresql": ["database", "schema", "password", "tls", "certificates", "foreignKeys"],
        "limits": ["rejects", "unresolved", "duplicates", "deletes", "records", "missing"],
        "entity": [
            "source", "records", "where", "identifier", "attributes", "relationships", "table", "mode", "duplicates",
            "repeats", "absent", "within", "ignore", "limits", "like", "kind", "is", "orphans",
        ],
        "condition": ["present", "type", "<", "<=", ">", ">=", "match", "not"],
        "value": [
            "from", "value", "oneOrMany", "join", "with", "trim", "nullIf", "match", "matches", "map", "split",
            "default",
        ],
        "attribute": [
            "type", "from", "value", "oneOrMany", "join", "with", "trim", "nullIf", "match", "matches", "map", "split",
            "default",
            "many", "required", "format", "timeZone", "fraction", "scale", "as", "min", "max", "oneOf", "index",
            "onAbsent",
        ],
        "relationship": [
            "to", "from", "value", "oneOrMany", "join", "with", "trim", "nullIf", "match", "matches", "map", "split",
            "default",
            "identifier", "many", "entity", "missing", "onDelete", "onAbsent",
        ],
    ]

    /// By object: keys that are refused, and why.
    static let refused: [String: [String: String]] = [
        "pipeline": [
            "archive": "a plan saves no feeds", "ledger": "the runner's --keep says how many versions stay",
            "changes": "a plan notes no changes", "after": "a plan starts no commands",
            "views": "a plan makes no views", "seed": "a plan's state is not a store",
        ],
        "source": Dictionary(uniqueKeysWithValues: (["url"] + DefinitionKeys.web).map { ($0, services) }),
        "entity": [
            "deleteWhere": "records that say that their object is gone are not planned",
            "was": renaming, "except": names, "drift": names,
            "edits": "no program changes what a plan makes",
        ],
        "attribute": ["was": renaming],
        "relationship": [
            "by": identifiers, "across": "objects of programs are not planned",
            "was": renaming, "set": "links are a set in a plan",
            "stub": "stubs have just their identifiers in a plan",
        ],
    ]

    /// Objects that stand only below keys that are refused.
    static let beyond = ["archive", "ledger", "seed", "after", "hook", "auth", "basic", "oauth2", "pages", "since"]

    private static let services = "feeds of a plan are files that all workers see: save them with sluice fetch first"
    private static let renaming = "a plan renames nothing"
    static let names = "a plan needs all attributes by name"
    static let identifiers = "references are found by identifiers only"

    /// Why a key is refused; nil: it is planned.
    static func refusal(_ object: String, _ key: String) -> String? {
        if planned[object]?.contains(key) == true { return nil }
        return refused[object]?[key] ?? "it is not planned"
    }
}
