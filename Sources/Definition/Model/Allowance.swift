import SluiceRecords

/// A limit for one run, instead of that of the definition: `deletes=500`.
package struct Allowance: Sendable, Hashable {
    /// What may be allowed: so many at the most; of `records`, so few.
    package enum Kind: String, CaseIterable, Sendable {
        case rejects, unresolved, duplicates, updates, deletes, records, missing, shape, type

        /// Whether it is about fields, of which there is no share.
        package var isOfFields: Bool {
            switch self {
            case .rejects, .unresolved, .duplicates, .updates, .deletes, .records: false
            case .missing, .shape, .type: true
            }
        }
    }

    package let kind: Kind
    /// A number, or a share such as `20%`.
    package let text: String
    private let limit: Limit

    /// Nil where the amount is neither a whole number nor a share up to 100 %; of fields, no whole number.
    package init?(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
        if !kind.isOfFields, let share = Share(text) {
            limit = .share(share)
        } else if let count = wholeNumber(text), count >= 0 {
            limit = .count(count)
        } else {
            return nil
        }
    }

    /// The limits of a run, those of entities included.
    func applied(to limits: Limits) -> Limits {
        var limits = limits
        switch kind {
        case .rejects: set(limit, \.rejects, \.rejects, in: &limits)
        case .unresolved: set(limit, \.unresolved, \.unresolved, in: &limits)
        case .duplicates: set(limit, \.duplicates, \.duplicates, in: &limits)
        case .updates: set(limit, \.updates, \.updates, in: &limits)
        case .deletes: set(limit, \.deletes, \.deletes, in: &limits)
        case .records: set(RecordLimit(limit), \.records, \.records, in: &limits)
        case .missing, .shape, .type:
            for place in FieldLimitPlace.all where place.kind == kind {
                set(fields, place.whole, place.own, in: &limits)
            }
        }
        return limits
    }

    private var fields: FieldLimit {
        if case .count(let most) = limit { .count(most) } else { .unlimited }
    }

    private func set<Amount>(
        _ amount: Amount, _ whole: WritableKeyPath<Limits, Amount>, _ own: WritableKeyPath<EntityLimits, Amount?>,
        in limits: inout Limits
    ) {
        limits[keyPath: whole] = amount
        for name in limits.entities.keys { limits.entities[name]?[keyPath: own] = nil }
    }
}

extension RecordLimit {
    /// As a definition says it.
    init(_ limit: Limit) {
        switch limit {
        case .none: self = .none
        case .count(let fewest): self = .count(fewest)
        case .share(let share): self = .share(share)
        }
    }
}
