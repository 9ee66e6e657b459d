import SluiceLoad
import SluiceRecords

/// A number for each finding of a run, by which the next run tells what is new from what was so before: more findings
/// than a report has examples of.
package struct FindingDigests: Sendable {
    /// Of a kind with more findings than these, no numbers are kept.
    static let most = 1000
    private static let bytesOfNumber = 8

    private var numbers: [Finding.Kind: Set<UInt64>] = [:]
    /// The kinds that have too many.
    private var isOver: Set<Finding.Kind> = []

    init() {}

    /// Whether findings of a kind are still noted.
    func wants(_ kind: Finding.Kind) -> Bool { !isOver.contains(kind) }

    mutating func add(_ finding: Finding) {
        guard wants(finding.kind), let number = FindingDigests.number(of: finding) else { return }
        numbers[finding.kind, default: []].insert(number)
        guard numbers[finding.kind, default: []].count > FindingDigests.most else { return }
        isOver.insert(finding.kind)
        numbers[finding.kind] = nil
    }

    /// Whether a finding was noted; nil: that is not known of its kind.
    func contains(_ finding: Finding) -> Bool? {
        guard let noted = numbers[finding.kind], let number = FindingDigests.number(of: finding) else { return nil }
        return noted.contains(number)
    }

    private static func number(of finding: Finding) -> UInt64? {
        // What a feed says can be made to look like something else: then it is not new, in the text of a report.
        finding.identity.map { StoreStamp.number(of: $0.string.utf8) }
    }
}

// As a report has them.
extension FindingDigests {
    /// By kind: Base64 of the numbers, in their order; of kinds of which the examples of a report are not all. Several
    /// findings may have one number: where there are few numbers, there may be many findings all the same.
    func members(_ found: RunReport.Found) -> [(String, String)] {
        Finding.Kind.allCases.compactMap { kind in
            let examples = found.examples.count { $0.kind == kind }
            guard wants(kind), kind != .drift, found.counts[kind, default: 0] > examples else { return nil }
            let bytes = numbers[kind, default: []].sorted().flatMap { number in
                (0..<FindingDigests.bytesOfNumber).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
            }
            return (kind.rawValue, JSONText.quoted(Base64Text.text(of: bytes)))
        }
    }

    /// - Parameter texts: what ``members`` has of a kind; nil: nothing.
    init(_ texts: (Finding.Kind) -> String?) {
        for kind in Finding.Kind.allCases {
            guard let bytes = texts(kind).flatMap(Base64Text.bytes), bytes.count % FindingDigests.bytesOfNumber == 0
            else { continue }
            numbers[kind] = Set(
                stride(from: 0, to: bytes.count, by: FindingDigests.bytesOfNumber).map { start in
                    bytes[start..<start + FindingDigests.bytesOfNumber].reduce(0) { $0 << 8 | UInt64($1) }
                })
        }
    }
}

extension Finding {
    /// What it tells of what, wherever the records stand: two runs have the same finding where this is the same. Nil
    /// for drift, which is compared field by field.
    var identity: ExactText? {
        guard let parts = kind.row.identity(self) else { return nil }
        return ExactText(([kind.rawValue, entity ?? "", identifier] + parts).joined(separator: "\0"))
    }
}
