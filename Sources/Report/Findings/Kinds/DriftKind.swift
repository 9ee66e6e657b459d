import SluiceDefinition
import SluiceExtract
import SluiceRecords

extension FindingKind {
    static let drift = FindingKind(
        one: "field is not as the definition expects it", several: "fields are not as the definition expects them",
        keepsArrival: true, isOfObject: false,
        sentence: { finding, _, _ in
            guard case .drift(let drift, let field, let records) = finding.detail else { return nil }
            return drift.sentence(finding.entityName, field, records)
        },
        members: { finding in
            guard case .drift(let drift, let field, let records) = finding.detail else { return nil }
            return drift.members + [("field", JSONText.quoted(field)), ("records", String(records))]
        },
        read: { node in
            .drift(
                Finding.Drift(node), field: node["field"]?.text ?? "", records: UInt64(node.count("records")))
        },
        // It is compared field by field.
        identity: { _ in nil })
}

extension Finding.Drift {
    /// The attribute or the relationship that it is about; nil: the definition has none for it.
    package var member: String? {
        switch self {
        case .missing(let member), .retyped(let member, _, _), .fewer(let member, _, _, _): member
        case .unknown, .shape, .repeated, .untaken: nil
        }
    }

    fileprivate func sentence(_ entity: String, _ field: String, _ records: UInt64) -> String {
        let subject =
            records == 1 ? "1 record of \(entity) has" : "\(grouped(Int(records))) records of \(entity) have"
        switch self {
        case .unknown: return "\(subject) the field \(field), which the definition does not use"
        case .shape(let sought):
            let place = field == "@" ? "" : " as \(field)"
            return "\(subject) a value or a list\(place), in which the definition looks for \(sought)"
        case .missing(let member):
            let use = member.isIdentical(to: field) ? "" : ", of which \(member) is made"
            return "no \(entity) has \(field)\(use)"
        case .retyped(let member, let types, let before):
            return "\(subject) a value of the type \(types.joined(separator: " or ")) as \(member), which was"
                + " \(before.joined(separator: " or "))"
        case .fewer(let member, let among, let before, let all):
            let now = records == 0 ? "none" : grouped(Int(records))
            let has = records > 1 ? "have" : "has"
            return "\(now) of \(grouped(among)) records of \(entity) \(has) a value for \(member), and"
                + " \(grouped(before)) of \(grouped(all)) had one before"
        case .repeated where field.hasPrefix("$"):
            return "\(field), around records of \(entity), stands there more than once; the first value counts for"
                + " them, and of several lists all the records"
        case .repeated: return "\(subject) the field \(field) more than once; the last one counts"
        case .untaken:
            return "no entity takes \(grouped(Int(records))) \(records == 1 ? "element" : "elements") \(field)"
        }
    }

    fileprivate var members: [(String, String)] {
        switch self {
        case .unknown: [("reason", JSONText.quoted("unknown"))]
        case .shape(let sought): [("reason", JSONText.quoted("shape")), ("sought", JSONText.quoted(sought))]
        case .missing(let member): [("reason", JSONText.quoted("missing")), ("attribute", JSONText.quoted(member))]
        case .retyped(let member, let types, let before):
            [
                ("reason", JSONText.quoted("type")), ("attribute", JSONText.quoted(member)),
                ("types", JSONText.array(types.map(JSONText.quoted))),
                ("before", JSONText.array(before.map(JSONText.quoted))),
            ]
        case .fewer(let member, let among, let before, let all):
            [
                ("reason", JSONText.quoted("fewer")), ("attribute", JSONText.quoted(member)),
                ("among", String(among)),
                ("had", JSONText.object([("records", String(before)), ("among", String(all))])),
            ]
        case .repeated: [("reason", JSONText.quoted("repeated"))]
        case .untaken: [("reason", JSONText.quoted("untaken"))]
        }
    }

    fileprivate init(_ node: JSONNode) {
        self =
            switch node["reason"]?.text {
            case "missing": .missing(member: node["attribute"]?.text ?? "")
            case "fewer":
                .fewer(
                    member: node["attribute"]?.text ?? "", among: node.count("among"),
                    before: node["had"]?.count("records") ?? 0, all: node["had"]?.count("among") ?? 0)
            case "shape": .shape(sought: node["sought"]?.text ?? "")
            case "repeated": .repeated
            case "untaken": .untaken
            case "type":
                .retyped(
                    member: node["attribute"]?.text ?? "", types: node.texts("types"), before: node.texts("before"))
            default: .unknown
            }
    }
}
