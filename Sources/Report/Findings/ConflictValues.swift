import SluiceExtract
import SluiceRecords

/// What two records with one identifier say where they differ, read from the feed again: a run does not keep records.
struct ConflictValues {
    private let model: Model

    init(_ model: Model) { self.model = model }

    /// Fills the values of the conflicting duplicates among some findings.
    func fill(_ findings: inout [Finding], _ copies: FeedCopies) throws(Failure) {
        let wanted = findings.indices.filter { findings[$0].isConflict && findings[$0].first != nil }
        let places = wanted.flatMap { index in
            [findings[index].first?.position, findings[index].at.position].compactMap { $0 }
        }
        // Of thousands of records, their values are kept, and not they.
        var said = [[String?]?](repeating: nil, count: places.count)
        try RecordFetcher(copies).fetch(places) { index, record in
            guard case .whole(let text)? = record,
                let root = (try? JSONTree.read(Array(text.utf8), file: "the feed"))?.root
            else { return }
            said[index] = members(of: findings[wanted[index / 2]]).map { root.value(at: $0.path)?.minified }
        }
        for (place, index) in wanted.enumerated() {
            guard let first = said[2 * place], let here = said[2 * place + 1] else { continue }
            findings[index].values = zip(members(of: findings[index]), zip(first, here)).compactMap { member, values in
                // Of several copies, another one may be that from which this one differs.
                values.0 == values.1 ? nil : (member.name, values.0, values.1)
            }
        }
    }

    /// What differs, with where it stands.
    private func members(of finding: Finding) -> [(name: String, path: Path)] {
        guard case .duplicate(_, let differs) = finding.detail,
            let name = finding.entity, let entity = model.entities.first(where: { $0.name.isIdentical(to: name) })
        else { return [] }
        return differs.compactMap { member in path(of: member, entity).map { (member, $0) } }
    }

    /// Where a member of an entity finds its value, if that is one place in the record.
    private func path(of member: String, _ entity: Entity) -> Path? {
        let attribute = entity.attributes.first { $0.name.isIdentical(to: member) }
        let relationship = entity.relationships.first { $0.name.isIdentical(to: member) }
        guard let rule = attribute?.value ?? relationship?.key.first, rule.slots.count == 1 else { return nil }
        let path = entity.slots[rule.slots[0]].path
        return path.root == .record && path.parents == 0 && !path.isKey ? path : nil
    }
}

extension Finding {
    /// Whether it is a duplicate that differs from the records before it.
    var isConflict: Bool {
        if case .duplicate(true, _) = detail { true } else { false }
    }
}

extension JSONNode {
    /// The value to which names and indices lead; before a wildcard, what it would look through.
    fileprivate func value(at path: Path) -> JSONNode? {
        var node = self
        for step in path.definiteSteps {
            let next: JSONNode? =
                switch (step, node.kind) {
                case (.name(let name), _): node[name]
                case (.index(let index), .array(let elements)): elements.indices.contains(index) ? elements[index] : nil
                default: nil
                }
            guard let next else { return nil }
            node = next
        }
        return node
    }
}
