import SluiceExtract
import SluiceRecords

extension FindingKind {
    static let conflict = FindingKind(
        one: "object that a program has changed, and the feed, too",
        several: "objects that programs have changed, and the feed, too", isToldByExamples: true,
        sentence: { finding, object, _ in
            switch finding.detail {
            case .conflict(let edits):
                "\(object) stays as a program has changed it: \(edits.map(\.sentence).joined(separator: "; "))"
            case .conflictingDeletion: "\(object) is gone from the feed, and stays: a program has changed it"
            default: nil
            }
        },
        members: { finding in
            switch finding.detail {
            case .conflict(let edits): [("deletion", "false"), ("edits", JSONText.array(edits.map(\.json)))]
            case .conflictingDeletion: [("deletion", "true"), ("edits", "[]")]
            default: nil
            }
        },
        read: { node in
            if node.isTrue("deletion") { return .conflictingDeletion }
            return .conflict(node["edits"]?.list.map(Finding.Edit.init) ?? [])
        },
        identity: { finding in
            switch finding.detail {
            case .conflict(let edits): edits.flatMap { [$0.attribute, $0.before, $0.stored, $0.feed] }
            case .conflictingDeletion: ["deletion"]
            default: nil
            }
        })
}

extension Finding.Edit {
    /// What three say of an attribute.
    fileprivate var sentence: String {
        let (stored, said, before) = (Finding.shown(stored), Finding.shown(feed), Finding.shown(before))
        return "\(attribute) is \(stored), and the feed says \(said), where it said \(before)"
    }

    fileprivate var json: String {
        JSONText.object([
            ("attribute", JSONText.quoted(attribute)), ("before", JSONText.shown(before)),
            ("stored", JSONText.shown(stored)), ("feed", JSONText.shown(feed)),
        ])
    }

    fileprivate init(_ node: JSONNode) {
        func value(_ key: String) -> String { node[key]?.spaced ?? "null" }
        self.init(
            attribute: node["attribute"]?.text ?? "", before: value("before"), stored: value("stored"),
            feed: value("feed"))
    }
}
