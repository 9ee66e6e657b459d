import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// All that a report says of a kind of findings: a row of a table, in a file for each kind. The texts, the page, JSON,
/// its reading and the comparison with the run before follow from the row.
///
/// | kind | counts | where findings come from | told as |
/// | --- | --- | --- | --- |
/// | `unmatched` | paths | `Sluice/Run/Yield` | examples |
/// | `reject` | records | `Load/Save/Rejects`, `Load/Stages/CandidatePass` | examples |
/// | `check` | rows | `Sluice/Run/Questions` | examples |
/// | `conflict` | objects | `Load/Stages/EditPass` | examples |
/// | `unresolved` | references | `Load/Stages/LinkPass`, `OpenReferencePass` | by relationship (`Attention`) |
/// | `duplicate` | records | `Load/Save/Duplicates` | conflicting ones (`Attention`) |
/// | `drift` | fields | `Sluice/Drift/DriftFindings` | by what has changed (`Attention`) |
///
/// A new kind is a case of `Finding.Kind` and of `Finding.Detail`, a row here, and its place of origin. What the
/// documents must say of it, `FindingKindTests` tell; the runners of plans have a list of the kinds (`KINDS`).
struct FindingKind: Sendable {
    /// Whatever has one of the detail's cases as its subject gives nil for the others.
    typealias Of<Result> = @Sendable (Finding) -> Result?

    /// What one of them is, behind its number, and what several are.
    let one: String
    let several: String
    /// Whether its findings are told in the order in which they come, else by what is new, then by place.
    var keepsArrival = false
    /// Whether a finding is about one object: then JSON has its identifier.
    var isOfObject = true
    /// Whether JSON says which source a finding is about.
    var isOfSource = false
    /// Whether the text of a report shows the first findings: else `Attention` has a section of its own for the kind.
    var isToldByExamples = false

    /// A finding as a sentence, without its place; with what it calls the object, and the feeds.
    let sentence: @Sendable (Finding, String, [Feed]) -> String?
    /// The members that JSON has of a finding's detail.
    let members: Of<[(String, String)]>
    /// The detail that these members say; nil: they say none.
    let read: @Sendable (JSONNode) -> Finding.Detail?
    /// What it tells beside the object, wherever the record stands; nil: it is not compared as a whole.
    let identity: Of<[String]>

    /// The number of findings with what they are.
    func heading(_ count: Int) -> String { count == 1 ? "1 \(one)" : "\(grouped(count)) \(several)" }
}

extension Finding.Kind {
    /// The row of the kind.
    var row: FindingKind {
        switch self {
        case .unmatched: .unmatched
        case .duplicate: .duplicate
        case .unresolved: .unresolved
        case .conflict: .conflict
        case .reject: .reject
        case .drift: .drift
        case .check: .check
        }
    }

    /// All kinds, with what is worst first.
    static let byWeight: [Finding.Kind] = [.unmatched, .reject, .check, .conflict, .unresolved, .duplicate, .drift]
}

extension Finding {
    /// A value of JSON, cut where it is long.
    static func shown(_ value: String?) -> String {
        guard let value else { return "nothing" }
        return value.count > 60 ? value.prefix(59) + "…" : value
    }

    /// Of the entity.
    var entityName: String { entity ?? "any entity" }
}
