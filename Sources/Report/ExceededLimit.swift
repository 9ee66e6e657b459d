import SluiceDefinition
import SluiceRecords

/// A limit that a run went beyond.
public struct ExceededLimit: Sendable, Hashable {
    /// What a limit is of.
    package enum Subject: Sendable, Hashable {
        /// What is counted of records, references, objects or fields.
        case count(Allowance.Kind)
        /// The rows that the check of that name finds.
        case check(String)
    }

    package var subject: Subject
    /// The entity, where the limit is a share, or the entity's own.
    public var entity: String?
    /// Those that the limit of the pipeline is about, where others have limits of their own; empty: all.
    package var entities: [String] = []
    /// How many the limit allows; of `records`, the fewest.
    public var allowed: Int
    /// How many there were.
    public var found: Int
    /// Of `records`: how many the last run had that succeeded.
    public var before: Int?
    /// Who says the limit; nil: the report of an earlier version does not tell.
    package var origin: LimitOrigin?
    /// The share that the limit is: `10%`.
    package var share: String?
    /// Of a share: of how many.
    package var total: Int?

    /// Of `deletes`: some of the objects.
    package var objects: [NamedObject] = []

    /// Of `missing`, `shape` and `type`: the fields; of a report that was read, some.
    package var fields: [NamedField] = []

    /// An attribute or a relationship of an entity; of `shape`, a path from its records.
    package struct NamedField: Sendable, Hashable {
        package var entity: String
        package var field: String

        /// From its parts.
        package init(entity: String, field: String) {
            self.entity = entity
            self.field = field
        }
    }

    /// An object by its identifier, which is JSON.
    package struct NamedObject: Sendable, Hashable {
        package var entity: String
        package var identifier: String

        /// From its parts.
        package init(entity: String, identifier: String) {
            self.entity = entity
            self.identifier = identifier
        }
    }

    /// More are not told of one limit.
    package static let namedObjects = 20

    /// From its parts.
    package init(_ kind: Allowance.Kind, entity: String? = nil, allowed: Int, found: Int, before: Int? = nil) {
        subject = .count(kind)
        self.entity = entity
        self.allowed = allowed
        self.found = found
        self.before = before
    }

    /// A check that found more rows than it may.
    package init(check name: String, allowed: Int, found: Int) {
        subject = .check(name)
        (self.allowed, self.found) = (allowed, found)
    }
}

extension ExceededLimit {
    /// The key of the definition: `rejects`, `unresolved`, `duplicates`, `deletes`, `records`, `missing`, `shape`,
    /// `type`, or `checks`.
    public var limit: String { kind?.rawValue ?? "checks" }

    /// Of `checks`: the name of the one.
    public var check: String? { if case .check(let name) = subject { name } else { nil } }

    /// What is counted; nil: the rows of a check.
    package var kind: Allowance.Kind? { if case .count(let kind) = subject { kind } else { nil } }

    /// A sentence without a full stop at its end.
    public var message: String { sentence("\(said); \(once)", objects: examples) }

    /// The same in short, for lists: only with the key that the definition has.
    package var summary: String { sentence(key) }

    /// - Parameter objects: some of those that are too many.
    private func sentence(_ origin: String, objects: String = "") -> String {
        guard let kind else {
            let check = check ?? ""
            let rows = found == 1 ? "1 row" : "\(grouped(found)) rows"
            return "the check \"\(check)\" finds \(rows), and may find \(allowed == 0 ? "none" : grouped(allowed)) "
                + "(\(origin))"
        }
        if kind == .records { return shortage(origin) }
        let place = entity.map { " of \($0)" } ?? ""
        return "the limit of \(grouped(allowed)) \(kind.counted)\(place)\(computed) is exceeded: "
            + "there \(found == 1 ? "is 1" : "are \(grouped(found))")\(objects) (\(origin))"
    }

    /// Some of the objects or fields, for a sentence.
    private var examples: String {
        let things =
            objects.map { ($0.entity + " ", $0.identifier) } + fields.map { ($0.entity + ".", $0.field) }
        let shown = things.prefix(5).map { (entity == nil ? $0 : "") + $1.shortened(toColumns: 200) }
        if shown.isEmpty { return "" }
        return (shown.count < found ? ", among them " : ": ") + shown.joined(separator: ", ")
    }

    /// How a share has become a number.
    private var computed: String {
        guard let share, let total else { return "" }
        let ofWhat = [.updates, .deletes].contains(kind) ? "object" : kind == .unresolved ? "reference" : "record"
        return " (\(share) of \(grouped(total)) \(total == 1 ? ofWhat : ofWhat + "s"), rounded down)"
    }

    /// Who says the limit, and where.
    private var said: String {
        // Of records, a sentence of its own says what the share is of.
        let amount = total == nil ? share.map { " \($0)" } ?? "" : ""
        return switch origin {
        case .standard: "\(key), by default\(amount)"
        case .definition, nil: key + amount
        case .entity: "\(key) of the entity\(amount)"
        // Of an entity, nobody knows whether it was the limit of all.
        case .option: entity == nil && kind != nil ? "--allow \(limit)=\(share ?? String(allowed))" : "by --allow"
        }
    }

    /// What lets one run go on.
    private var once: String { "--allow \(shellWord(allowance)) for one run" }

    /// The limit for one run with which this one would have succeeded: `Stop.deletes=12%`.
    package var allowance: String {
        let place =
            switch subject {
            case .check(let name): Allowance.Place.check(name)
            case .count(let kind): entity.map { Allowance.Place.entity($0, kind) } ?? .all(kind)
            }
        guard kind != .records, share != nil, let total, total > 0 else {
            return "\(place.text)=\(found)"
        }
        // The least share in whole hundredths that allows for all that was found.
        return "\(place.text)=\((100 * found + total - 1) / total)%"
    }

    /// Where the definition says it.
    private var key: String { check.map { "checks.\($0).limit" } ?? "limits.\(limit)" }

    /// Whether a finding is one of those that are too many.
    package func counts(_ finding: Finding) -> Bool {
        if case .check(let name) = subject {
            guard case .check(let check, _) = finding.detail else { return false }
            return check.isIdentical(to: name)
        }
        if case .drift(let drift, let field, _) = finding.detail { return counts(drift, field, of: finding.entity) }
        switch (kind, finding.kind) {
        case (.rejects, .reject), (.unresolved, .unresolved): break
        case (.duplicates, .duplicate): if !finding.isConflict { return false }
        default: return false
        }
        return isOf(finding.entity)
    }

    private func counts(_ drift: Finding.Drift, _ path: String, of entity: String?) -> Bool {
        let field: String? =
            switch (kind, drift) {
            case (.missing, .missing), (.missing, .fewer), (.type, .retyped): drift.member
            case (.shape, .shape): path
            default: nil
            }
        guard let field, let entity else { return false }
        return fields.contains { $0.entity.isIdentical(to: entity) && $0.field.isIdentical(to: field) }
    }

    /// Whether what is found of an entity counts.
    package func isOf(_ entity: String?) -> Bool {
        guard let entity else { return true }
        if let own = self.entity { return own.isIdentical(to: entity) }
        return entities.isEmpty || entities.containsExactly(entity)
    }

    private func shortage(_ origin: String) -> String {
        let records =
            switch found {
            case 0: "no record"
            case 1: "only 1 record"
            default: "only \(grouped(found)) records"
            }
        let last = before.map { ": the last run that succeeded had \(grouped($0))" } ?? ""
        return
            "the entity \(entity ?? "") has \(records), and at least \(grouped(allowed)) must be there"
            + " (\(origin))\(last)"
    }
}

extension Allowance.Kind {
    /// What is counted, in the plural.
    fileprivate var counted: String {
        switch self {
        case .missing: "missing fields"
        case .shape: "fields of another shape"
        case .type: "fields of another type"
        case .rejects, .unresolved, .duplicates, .updates, .deletes, .records: rawValue
        }
    }
}
