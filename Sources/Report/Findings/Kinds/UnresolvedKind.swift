import SluiceExtract
import SluiceRecords

extension FindingKind {
    static let unresolved = FindingKind(
        one: "reference without its target", several: "references without their targets",
        sentence: { finding, object, _ in
            guard case .unresolved(let relationship, let targets, let value) = finding.detail else { return nil }
            let why = finding.isAmbiguous ? "of which there are several" : "which does not exist"
            return "\(object): \(relationship) refers to the \(targets.joined(separator: " or ")) \(value), \(why)"
        },
        members: { finding in
            guard case .unresolved(let relationship, let targets, let value) = finding.detail else { return nil }
            return FindingLayout.unresolved(
                relationship: JSONText.quoted(relationship), to: JSONText.array(targets.map(JSONText.quoted)),
                value: JSONText.shown(value)) + (finding.isAmbiguous ? [("ambiguous", "true")] : [])
        },
        read: { node in
            .unresolved(
                relationship: node["relationship"]?.text ?? "", targets: node.texts("to"),
                value: node["value"]?.spaced ?? "null")
        },
        identity: { finding in
            guard case .unresolved(let name, _, let value) = finding.detail else { return nil }
            return [name, value]
        })
}
