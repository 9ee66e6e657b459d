import SluiceRecords

/// A limit that a run went beyond.
public struct ExceededLimit: Sendable, Hashable {
    /// The key of the definition: `rejects`, `unresolved`, `duplicates`, `deletes`, `records`, `missing`, or `checks`.
    public var limit: String
    /// Of `checks`: the name of the one.
    public var check: String?
    /// The entity, where the limit is a share, or the entity's own.
    public var entity: String?
    /// How many the limit allows; of `records`, the fewest.
    public var allowed: Int
    /// How many there were.
    public var found: Int
    /// Of `records`: how many the last run had that succeeded.
    public var before: Int?

    /// From its parts.
    package init(limit: String, entity: String? = nil, allowed: Int, found: Int, before: Int? = nil) {
        self.limit = limit
        self.entity = entity
        self.allowed = allowed
        self.found = found
        self.before = before
    }

    /// The key of the one limit that says how many there must be.
    package static let records = "records"

    /// A check that found more rows than it may.
    package init(check name: String, allowed: Int, found: Int) {
        self.init(limit: "checks", allowed: allowed, found: found)
        check = name
    }
}

extension ExceededLimit {
    /// A sentence without a full stop at its end.
    public var message: String {
        if limit == ExceededLimit.records { return shortage }
        if let check {
            let rows = found == 1 ? "1 row" : "\(grouped(found)) rows"
            return "the check \"\(check)\" finds \(rows), and may find \(allowed == 0 ? "none" : grouped(allowed)) "
                + "(checks.\(check).limit)"
        }
        let place = entity.map { " of \($0)" } ?? ""
        return "the limit of \(grouped(allowed)) \(limit)\(place) is exceeded: "
            + "there \(found == 1 ? "is 1" : "are \(grouped(found))") (\(key))"
    }

    /// Where the definition says it.
    private var key: String { "limits.\(limit)" }

    private var shortage: String {
        let records =
            switch found {
            case 0: "no record"
            case 1: "only 1 record"
            default: "only \(grouped(found)) records"
            }
        let last = before.map { ": the last run that succeeded had \(grouped($0))" } ?? ""
        return
            "the entity \(entity ?? "") has \(records), and at least \(grouped(allowed)) must be there (\(key))\(last)"
    }
}
