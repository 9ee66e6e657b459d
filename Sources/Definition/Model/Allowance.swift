import SluiceRecords

/// A limit for one run, instead of that of the definition: `deletes=500`.
package struct Allowance: Sendable, Hashable {
    /// What may be allowed.
    package enum Kind: String, CaseIterable, Sendable {
        case rejects, unresolved, duplicates, deletes
    }

    package let kind: Kind
    /// A number, or a share such as `20%`.
    package let text: String
    private let limit: Limit

    /// Nil where the amount is neither a whole number nor a share up to 100 %.
    package init?(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
        if let percent = LimitsReader.share(text) {
            limit = .share(percent: percent)
        } else if let count = wholeNumber(text), count >= 0 {
            limit = .count(count)
        } else {
            return nil
        }
    }

    /// The limits of a run, those of entities included.
    package func applied(to limits: Limits) -> Limits {
        var limits = limits
        let (whole, own) = kind.paths
        limits[keyPath: whole] = limit
        for name in limits.entities.keys { limits.entities[name]?[keyPath: own] = nil }
        return limits
    }
}

extension Allowance.Kind {
    fileprivate var paths: (WritableKeyPath<Limits, Limit>, WritableKeyPath<EntityLimits, Limit?>) {
        switch self {
        case .rejects: (\.rejects, \.rejects)
        case .unresolved: (\.unresolved, \.unresolved)
        case .duplicates: (\.duplicates, \.duplicates)
        case .deletes: (\.deletes, \.deletes)
        }
    }
}
