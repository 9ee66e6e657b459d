import SluiceRecords

/// A target that is missing, to which references of a run lead.
public struct MissingTarget: Sendable, Hashable {
    /// The entity whose objects refer.
    public var entity: String
    /// The name of the relationship.
    public var relationship: String
    /// JSON: the identifier of the target.
    public var value: String
    /// How many references lead to it; of a run with more unresolved references than are looked at, at least so many.
    public var references: Int
}

/// Counts which targets are missing, in bounded memory: one missing parent explains a thousand findings.
struct MissingTargetCounter {
    /// Unresolved references that are looked at. Beyond these the picture does not change, and time is better spent.
    private static let looked = 100_000

    private struct Key: Hashable {
        var entity: ExactText
        var relationship: ExactText
    }

    private var counts: [Key: [ExactText: Int]] = [:]
    private var seen = 0

    /// Whether another finding would be counted.
    var wantsMore: Bool { seen < MissingTargetCounter.looked }

    mutating func count(_ finding: Finding) {
        guard case .unresolved(let relationship, _, let value) = finding.detail, let entity = finding.entity else {
            return
        }
        seen += 1
        let key = Key(entity: ExactText(entity), relationship: ExactText(relationship))
        counts[key, default: [:]][ExactText(value), default: 0] += 1
    }

    /// Those to which most references lead, of each relationship.
    var most: [MissingTarget] {
        let relationships = counts.keys.sorted { ($0.entity, $0.relationship) < ($1.entity, $1.relationship) }
        return relationships.flatMap { key in
            let targets = counts[key, default: [:]].sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            return targets.prefix(ShownFindings.missingTargets).map { value, references in
                MissingTarget(
                    entity: key.entity.string, relationship: key.relationship.string, value: value.string,
                    references: references)
            }
        }
    }
}
