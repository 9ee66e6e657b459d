import SluiceExtract
import SluiceRecords

extension FindingKind {
    static let check = FindingKind(
        one: "row that a check should not find", several: "rows that checks should not find",
        keepsArrival: true, isToldByExamples: true,
        sentence: { finding, object, _ in
            guard case .check(let check, let values) = finding.detail else { return nil }
            let isOfEntity = finding.entity != nil
            // What identifies the object has been said.
            var others = values
            if isOfEntity, let said = values.firstIndex(where: { $0.value.isIdentical(to: finding.identifier) }) {
                others.remove(at: said)
            }
            let row = others.map { "\($0.name) \(Finding.shown($0.value))" }.joined(separator: ", ")
            let parts = (isOfEntity ? [object] : []) + (row.isEmpty ? [] : [row])
            return "the check \"\(check)\" finds \(parts.joined(separator: ": "))"
        },
        members: { finding in
            guard case .check(let name, let values) = finding.detail else { return nil }
            return FindingLayout.check(
                name: JSONText.quoted(name),
                row: JSONText.object(values.map { ($0.name, JSONText.shown($0.value)) }))
        },
        read: { node in
            let row = node["row"]?.members.map { ($0.key, $0.value.spaced) }
            return .check(name: node["check"]?.text ?? "", values: row ?? [])
        },
        identity: { finding in
            guard case .check(let name, let values) = finding.detail else { return nil }
            return [name] + values.map(\.value)
        })
}
