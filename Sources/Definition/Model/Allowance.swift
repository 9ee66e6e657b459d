import SluiceRecords

/// A limit for one run, instead of that of the definition: `deletes=500`, `Stop.deletes=500`, `checks.no overlap=7`.
package struct Allowance: Sendable, Hashable {
    /// Which limit it stands for.
    package enum Place: Sendable, Hashable {
        /// That of the pipeline.
        case all(Kind)
        /// That of one entity.
        case entity(String, Kind)
        /// That of a check.
        case check(String)
    }

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

    package let place: Place
    /// A number, or a share such as `20%`.
    package let text: String
    private let limit: Limit

    /// Nil where the amount is neither a whole number nor a share up to 100 %; of fields and checks, no whole number.
    package init?(_ place: Place, _ text: String) {
        self.place = place
        self.text = text
        if place.mayBeShare, let share = Share(text) {
            limit = .share(share)
        } else if let count = wholeNumber(text), count >= 0 {
            limit = .count(count)
        } else {
            return nil
        }
    }

    /// What is counted; nil: the rows of a check.
    package var kind: Kind? { place.kind }

    /// The limits of a run.
    func applied(to limits: Limits) -> Limits {
        var limits = limits
        switch place.kind {
        case .rejects: set(limit, \.rejects, \.rejects, in: &limits)
        case .unresolved: set(limit, \.unresolved, \.unresolved, in: &limits)
        case .duplicates: set(limit, \.duplicates, \.duplicates, in: &limits)
        case .updates: set(limit, \.updates, \.updates, in: &limits)
        case .deletes: set(limit, \.deletes, \.deletes, in: &limits)
        case .records: set(RecordLimit(limit), \.records, \.records, in: &limits)
        case .missing, .shape, .type:
            for place in FieldLimitPlace.all where place.kind == kind {
                set(fields(in: limits, place), place.whole, place.own, in: &limits)
            }
        case nil: break
        }
        return limits
    }

    /// The check, if it is that one, with the rows that it may find.
    func applied(to question: Question) -> Question {
        guard case .check(let name) = place, name.isIdentical(to: question.name), case .count(let most) = limit else {
            return question
        }
        var question = question
        question.limit = most
        return question
    }

    /// What it allows of fields counts what the limit counts in whose place it stands: a run that goes on with the
    /// number that a message says must not fail for others.
    private func fields(in limits: Limits, _ fields: FieldLimitPlace) -> FieldLimit {
        guard case .count(let most) = limit else { return .unlimited }
        var said = limits[keyPath: fields.whole]
        if case .entity(let name, _) = place { said = limits.entities[ExactText(name)]?[keyPath: fields.own] ?? said }
        if case .expected = said { return .expected(most) }
        return .count(most)
    }

    private func set<Amount>(
        _ amount: Amount, _ whole: WritableKeyPath<Limits, Amount>, _ own: WritableKeyPath<EntityLimits, Amount?>,
        in limits: inout Limits
    ) {
        switch place {
        case .all(let kind):
            limits[keyPath: whole] = amount
            limits.allowedOfAll.insert(kind)
        case .entity(let name, _): limits.entities[ExactText(name), default: EntityLimits()][keyPath: own] = amount
        case .check: break
        }
    }
}

extension Allowance.Place {
    /// What is counted; nil: the rows of a check.
    package var kind: Allowance.Kind? {
        switch self {
        case .all(let kind), .entity(_, let kind): kind
        case .check: nil
        }
    }

    fileprivate var mayBeShare: Bool { kind.map { !$0.isOfFields } ?? false }

    /// As it is written.
    package var text: String {
        switch self {
        case .all(let kind): kind.rawValue
        case .entity(let name, let kind): "\(name).\(kind.rawValue)"
        case .check(let name): "checks.\(name)"
        }
    }

    /// - Parameter text: as `text` says it; nil where it says nothing of that.
    package init?(text: String) {
        if let kind = Allowance.Kind(rawValue: text) {
            self = .all(kind)
            return
        }
        guard let dot = text.lastIndex(of: "."), text.startIndex < dot else { return nil }
        if text.utf8.starts(with: "checks.".utf8) {
            self = .check(String(text.dropFirst("checks.".count)))
        } else if let kind = Allowance.Kind(rawValue: String(text[text.index(after: dot)...])) {
            self = .entity(String(text[..<dot]), kind)
        } else {
            return nil
        }
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
