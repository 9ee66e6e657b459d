import SluiceDefinition

/// What a plan does with each key of a definition in ``KeyTable``: keys that are not planned are refused, so that a
/// plan never differs from a run.
enum PlanKeys {
    /// By object: keys that are planned, or belong to what `sluice extract` does.
    static let planned: [String: [String]] = byObject { keys in
        keys.filter { $0.planned == .asRuns }.map(\.name)
    }

    /// By object: keys that are refused, and why.
    static let refused: [String: [String: String]] = byObject { keys in
        var reasons: [String: String] = [:]
        for key in keys { if case .refused(let reason) = key.planned { reasons[key.name] = reason } }
        return reasons
    }

    /// Objects that stand only below keys that are refused.
    static let beyond = [
        "archive", "ledger", "history", "seed", "after", "hook", "auth", "basic", "aws", "oauth2", "pages", "fails",
        "since", "search", "check",
    ]

    private static func byObject<Value>(_ make: ([DefinitionKey]) -> Value) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: KeyTable.all.map { ($0.object, make($0.keys)) })
    }

    /// Why a key is refused; nil: it is planned.
    static func refusal(_ object: String, _ key: String) -> String? {
        if planned[object]?.contains(key) == true { return nil }
        return refused[object]?[key] ?? "it is not planned"
    }
}
