import SluiceDefinition
import SluiceRecords
import SluiceReport
import SluiceTransform

extension FeedCheck.Outcome {
    private static let shownRejects = 5

    /// What does not fit, then what each attribute and relationship has met.
    package var text: String {
        let parts = [attention] + entities.filter { $0.records > 0 }.map(table)
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var attention: String {
        let shown = findings.filter { $0.kind == .reject }.prefix(FeedCheck.Outcome.shownRejects)
        let rest = rejects - shown.count
        let more = rest > 0 ? ["… and \(grouped(rest)) more records would be rejected"] : []
        let lines = sentences(of: .unmatched) + shown.map(sentence) + more + drift
        return lines.map { $0 + "\n" }.joined()
    }

    /// A sentence for each; of fields that are not used one for each entity, where they are more than two.
    private var drift: [String] {
        let all = findings.filter { $0.kind == .drift }
        var told: Set<String?> = []
        return all.compactMap { finding in
            let unused = all.filter { $0.unusedField != nil && $0.entity == finding.entity }
            guard finding.unusedField != nil, unused.count > 2 else { return sentence(finding, beside: unused) }
            return told.insert(finding.entity).inserted ? sentence(unused) : nil
        }
    }

    /// - Parameter unused: the fields of the same records that the definition does not use.
    private func sentence(_ finding: Finding, beside unused: [Finding]) -> String {
        guard case .drift(.missing, let field, _) = finding.detail,
            let other = nearest(to: field, among: unused.compactMap(\.driftField))
        else { return sentence(finding) }
        return (finding.text(feeds) + ", but \(other), which the definition does not use: renamed?")
            .printable.wrapped(TextStyle.width, rest: "  ")
    }

    private func sentence(_ unused: [Finding]) -> String {
        let fields = unused.compactMap(\.unusedField).joined(separator: ", ")
        let text =
            "\(unused[0].at.toldPlace(feeds)): records of \(unused[0].entity ?? "any entity") have \(unused.count) fields"
            + " that the definition does not use: \(fields)"
        return text.printable.wrapped(TextStyle.width, rest: "  ")
    }

    private func sentences(of kind: Finding.Kind) -> [String] { findings.filter { $0.kind == kind }.map(sentence) }

    private func sentence(_ finding: Finding) -> String {
        finding.text(feeds).printable.wrapped(TextStyle.width, rest: "  ")
    }

    private func table(_ entity: FeedCheck.CheckedEntity) -> String {
        var table = TextTable(header: ["Field", "Records", "Types", "Example"])
        table.alignments = [.left, .right, .left]
        table.rows = entity.fields.map { field in
            [field.name.printable, grouped(field.records), types(field), (field.example ?? "").printable]
        }
        let count = entity.records == 1 ? "1 record" : "\(grouped(entity.records)) records"
        return "\(entity.name.printable): \(count)\n\(table.text)"
    }

    private func types(_ field: FieldFacts) -> String {
        let met = ValueType.allCases.compactMap { type in field.types[type].map { (type, $0) } }
        if met.count == 1, met[0].1 == field.records { return met[0].0.rawValue }
        return met.map { "\($0.0.rawValue) \(grouped($0.1))" }.joined(separator: ", ")
    }

    /// A line of JSON for each finding, as in a file of findings, and one for each entity.
    package var json: String {
        findings.map { $0.json(feeds) + "\n" }.joined() + entities.filter { $0.records > 0 }.map(json).joined()
    }

    private func json(_ entity: FeedCheck.CheckedEntity) -> String {
        let fields = entity.fields.map { field in
            let example = field.example.map { [("example", JSONText.quoted($0))] } ?? []
            return (field.name, JSONText.object(field.jsonMembers + example))
        }
        return JSONText.object([
            ("kind", JSONText.quoted("fields")), ("entity", JSONText.quoted(entity.name)),
            ("records", String(entity.records)), ("fields", JSONText.object(fields)),
        ]) + "\n"
    }
}

extension Finding {
    /// The field that drift is about.
    fileprivate var driftField: String? { if case .drift(_, let field, _) = detail { field } else { nil } }

    /// A field that the definition does not use, with the number of its records.
    fileprivate var unusedField: String? {
        guard case .drift(.unknown, let field, let records) = detail else { return nil }
        return "\(field) (\(grouped(Int(records))))"
    }
}
