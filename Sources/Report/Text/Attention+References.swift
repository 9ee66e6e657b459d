import SluiceRecords

// What is told of references, and of duplicates.
extension Attention {
    /// References without their targets: by relationship, those first of which most are.
    var unresolved: Section? {
        let count = report.found.counts[.unresolved, default: 0]
        guard count > 0 else { return nil }
        let groups = report.entities.flatMap { entity in
            zip(entity.relationships, entity.counts.relationships).map { (entity.name, $0, $1) }
        }.filter { $0.2.unresolved > 0 }.sorted { $0.2.unresolved > $1.2.unresolved }
        let over = report.outcome.exceeded.filter { $0.kind == .unresolved }
        let (failing, others) = (
            groups.filter { group in over.contains { $0.isOf(group.0) } },
            groups.filter { group in !over.contains { $0.isOf(group.0) } }
        )
        let isNew = report.found.examples.contains { $0.kind == .unresolved && $0.isNew == true }
        return Section(
            heading: report.heading(.unresolved, count) + (isNew ? news(.unresolved, count) : ""),
            items: (failing + others).map { item($0, $1, $2) }, isNew: isNew, isFailing: !failing.isEmpty,
            before: before(.unresolved, count))
    }

    private func item(_ entity: String, _ relationship: String, _ counts: RelationshipCounts) -> String {
        let examples = report.found.examples.newFirst.filter { finding in
            if case .unresolved(let name, _, _) = finding.detail {
                return finding.entity?.isIdentical(to: entity) == true && name.isIdentical(to: relationship)
            }
            return false
        }
        let first = examples.first
        if counts.unresolved == 1, let first { return sentence(first) }
        let all = counts.unresolved + counts.resolved
        var text = "\(entity).\(relationship): \(grouped(counts.unresolved)) of \(grouped(all))"
        let missing = report.found.missingTargets.filter {
            $0.entity.isIdentical(to: entity) && $0.relationship.isIdentical(to: relationship)
        }
        let several = examples.filter(\.isAmbiguous).compactMap(\.missingTarget)
        let most = missing.filter { target in
            target.references > 1 && !several.contains { $0.value.isIdentical(to: target.value) }
        }.prefix(3)
        if let target = several.first { text += "; there are several \(target.entities) \(target.value)" }
        if !most.isEmpty {
            text += "; most lack " + most.map { "\($0.value) (\(grouped($0.references)))" }.joined(separator: ", ")
        } else if let first, !first.isAmbiguous, let target = first.missingTarget {
            text += "; the first lacks the \(target.entities) \(target.value)"
        }
        if let first { text += ", first at \(first.at.toldPlace(report.found.feeds))" }
        return text.printable.wrapped(TextStyle.width, first: "  ", rest: "    ")
    }

    /// Records that differ from one before them with the same identifier.
    var conflicts: Section? {
        let count = report.entities.reduce(0) { $0 + $1.counts.conflicting }
        guard count > 0 else { return nil }
        let found = report.found.examples.filter(\.isConflict)
        let examples = failingFirst(found).prefix(Attention.shownExamples)
        let isNew = examples.contains { $0.isNew == true }
        return Section(
            heading: (count == 1 ? "1 conflicting duplicate" : "\(grouped(count)) conflicting duplicates")
                + (isNew ? news(.duplicate, count) : ""),
            items: examples.map(sentence), rest: count - examples.count, isNew: isNew,
            isFailing: found.contains(where: isFailing))
    }
}

extension Finding {
    /// What a reference leads to, as it is said.
    fileprivate var missingTarget: (entities: String, value: String)? {
        guard case .unresolved(_, let targets, let value) = detail else { return nil }
        return (targets.joined(separator: " or "), value)
    }
}
