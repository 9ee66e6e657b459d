import SluiceDefinition
import SluiceExtract
import SluiceRecords

extension FindingKind {
    static let duplicate = FindingKind(
        one: "duplicate", several: "duplicates",
        sentence: { finding, object, feeds in
            guard case .duplicate(let isConflicting, let differs) = finding.detail else { return nil }
            let again = "\(object) stands in the feed again\(finding.firstPlace(feeds))"
            if !isConflicting { return "\(again), with the same values" }
            // It says that its object is gone.
            if differs.isEmpty { return "\(again), and says something else of whether it is gone" }
            return "\(again), and differs in \(differs.map(finding.difference).joined(separator: ", "))"
        },
        members: { finding in
            guard case .duplicate(let isConflicting, let differs) = finding.detail else { return nil }
            return FindingLayout.duplicate(
                conflicting: String(isConflicting), differs: JSONText.array(differs.map(JSONText.quoted)))
        },
        read: { node in
            if case .boolean(false)? = node["conflicting"]?.kind { return .duplicate(conflicting: false, differs: []) }
            return .duplicate(conflicting: true, differs: node.texts("differs"))
        },
        identity: { finding in
            guard case .duplicate(let isConflicting, let differs) = finding.detail else { return nil }
            return ["\(isConflicting)"] + differs
        })
}

extension Finding {
    fileprivate func firstPlace(_ feeds: [Feed]) -> String {
        guard let first else { return "" }
        let position = first.position
        let isElsewhere = (position.source, position.file) != (at.position.source, at.position.file)
        let name = feeds.feed(at: position).name(ofFile: position.file)
        // The name of the same file stands before, and may be long.
        if let line = first.line, let column = first.column {
            return " (first at \(isElsewhere ? "\(name):" : "")\(line):\(column))"
        }
        return " (first at byte \(grouped(Int(position.offset)))\(isElsewhere ? " of \(name)" : ""))"
    }

    /// A member in which copies differ, with what they say.
    fileprivate func difference(_ member: String) -> String {
        guard let values = values.first(where: { $0.member.isIdentical(to: member) }) else { return member }
        return "\(member) (\(Finding.shown(values.first)) first, \(Finding.shown(values.here)) here)"
    }
}
