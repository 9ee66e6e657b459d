import SluiceRecords
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
        let lines = sentences(of: .unmatched) + shown.map(sentence) + more + sentences(of: .drift)
        return lines.map { $0 + "\n" }.joined()
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

extension FieldFacts {
    /// As the report has it.
    var jsonMembers: [(String, String)] {
        let types = ValueType.allCases.compactMap { type in self.types[type].map { (type.rawValue, String($0)) } }
        return [("records", String(records)), ("types", JSONText.object(types))]
    }
}
