import SluiceDefinition
import SluiceRecords

// What is told of fields.
extension Attention {
    enum DriftKind { case missing, emptied, retyped, shape, untaken, repeated }

    func drift(_ kind: DriftKind) -> Section? {
        let found = failingFirst(report.found.examples.filter { $0.driftKind == kind })
        guard !found.isEmpty else { return nil }
        let isNew = found.contains { $0.isNew == true }
        let failing = found.count(where: isFailing)
        let shown = isNew || failing > 0 ? found.filter { $0.isNew == true || isFailing($0) } : found
        let one = shown.count == 1
        let heading =
            switch kind {
            case .missing: one ? "1 field that no record has" : "\(shown.count) fields that no record has"
            case .emptied:
                one
                    ? "1 field of which far fewer records have a value"
                    : "\(shown.count) fields of which far fewer records have a value"
            case .retyped:
                one ? "1 field with values of another type" : "\(shown.count) fields with values of other types"
            case .shape:
                one
                    ? "1 field with a value or a list where the definition looks into an object"
                    : "\(shown.count) fields with values or lists where the definition looks into objects"
            case .untaken:
                one
                    ? "1 kind of elements that no entity takes"
                    : "\(shown.count) kinds of elements that no entity takes"
            case .repeated:
                one ? "1 field that stands twice in records" : "\(shown.count) fields that stand twice in records"
            }
        let items = kind == .missing ? shown.map(gone) : shown.map(sentence)
        return Section(heading: heading, items: items, isNew: isNew, isFailing: failing > 0, least: max(1, failing))
    }

    /// A field that no record has, with one that may be it under another name.
    private func gone(_ finding: Finding) -> String {
        guard case .drift(_, let field, _) = finding.detail, let name = finding.entity,
            let entity = report.entities.first(where: { $0.name.isIdentical(to: name) })
        else { return sentence(finding) }
        let others = entity.unused.filter { $0.isNew != false && $0.sought == nil }.map(\.name)
        // One name cannot be the new one of several fields.
        let only = others.count == 1 && finding.isNew == true && isOnlyGone(of: entity) ? others[0] : nil
        guard let other = nearest(to: field, among: others) ?? only else { return sentence(finding) }
        return (finding.text(report.found.feeds) + ", but \(other), which the definition does not use: renamed?")
            .printable.wrapped(TextStyle.width, first: "  ", rest: "    ")
    }

    /// Whether no other field of an entity has gone, too.
    private func isOnlyGone(of entity: RunReport.EntityFacts) -> Bool {
        let gone = report.found.examples.filter { $0.driftKind == .missing && $0.isNew == true }
        return gone.count { $0.entity?.isIdentical(to: entity.name) == true } == 1
    }

    /// Fields that the definition does not use: a line for each entity.
    var unused: Section? {
        let isNew = report.entities.contains { $0.unused.contains { $0.isNew == true && $0.sought == nil } }
        let found = report.entities.compactMap { entity -> (owner: String, names: [String])? in
            let names = entity.unused.filter { $0.sought == nil && (!isNew || $0.isNew == true) }.map(\.name)
            return names.isEmpty ? nil : (entity.name, names)
        }
        return section(found, isNew: isNew) { count in
            count == 1
                ? "1 field that the definition does not use"
                : "\(grouped(count)) fields that the definition does not use"
        }
    }

    /// Lists at the top of feeds of which no entity has records: a line for each source.
    var unusedLists: Section? {
        let isNew = report.sources.contains { $0.unused?.contains { $0.isNew == true } == true }
        let found = report.sources.compactMap { source -> (owner: String, names: [String])? in
            let paths = (source.unused ?? []).filter { !isNew || $0.isNew == true }.map(\.path)
            return paths.isEmpty ? nil : (source.name, paths)
        }
        return section(found, isNew: isNew) { count in
            count == 1
                ? "1 list at the top of the feed of which no entity has records"
                : "\(grouped(count)) lists at the top of feeds of which no entity has records"
        }
    }

    /// A line for each owner of some names; nil: there are none.
    private func section(
        _ found: [(owner: String, names: [String])], isNew: Bool, heading: (Int) -> String
    ) -> Section? {
        if found.isEmpty { return nil }
        let count = found.reduce(0) { $0 + $1.names.count }
        return Section(heading: heading(count), items: found.map { line($0.owner, $0.names) }, isNew: isNew)
    }

    /// As many names as fit a line.
    private func line(_ owner: String, _ names: [String]) -> String {
        let start = "  \(owner.printable): "
        var line = start
        for (index, name) in names.enumerated() {
            let next = (index == 0 ? "" : ", ") + name.printable
            let rest = names.count - index - 1
            let end = rest == 0 ? "" : " and \(grouped(rest)) more"
            if index > 0, (line + next + end).columns > TextStyle.width {
                return line + " and \(grouped(names.count - index)) more"
            }
            line += next
        }
        return line
    }
}

extension Finding {
    fileprivate var driftKind: Attention.DriftKind? {
        guard case .drift(let drift, _, _) = detail else { return nil }
        return switch drift {
        case .missing: .missing
        case .fewer: .emptied
        case .retyped: .retyped
        case .repeated: .repeated
        case .shape: .shape
        case .untaken: .untaken
        case .unknown: nil
        }
    }
}
