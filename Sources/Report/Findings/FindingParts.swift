import SluiceRecords

/// The first findings of each part of a kind, which are those of an entity, or of a check: what makes a run fail must
/// not hide behind what it may have.
struct FindingParts {
    typealias Example = FindingCollector.Example

    /// Findings of a kind that are looked at.
    private static let looked = 100_000
    /// Findings of each part.
    private static let most = 5

    private struct Part: Hashable {
        var kind: Finding.Kind
        var name: ExactText
    }

    private var seen: [Finding.Kind: Int] = [:]
    private var firsts: [Part: [Example]] = [:]

    /// Whether a finding is looked at.
    ///
    /// - Parameter isMinor: of duplicates, those have no limit.
    mutating func wants(_ kind: Finding.Kind, isMinor: Bool) -> Bool {
        switch kind {
        // There are few checks, and any of them may fail.
        case .check: return true
        case .duplicate where isMinor: return false
        case .reject, .unresolved, .duplicate: break
        case .unmatched, .conflict, .drift: return false
        }
        seen[kind, default: 0] += 1
        return seen[kind, default: 0] <= FindingParts.looked
    }

    /// Whether a finding may be one of the first of its part, if the run before did not have it.
    func takes(_ finding: Finding, _ rank: FindingCollector.Rank, into kind: Finding.Kind) -> Bool {
        let list = firsts[Part(kind: kind, name: ExactText(finding.part))] ?? []
        guard list.count == FindingParts.most, let last = list.last else { return true }
        return rank < last.rank
    }

    mutating func insert(_ example: Example, into kind: Finding.Kind) {
        let part = Part(kind: kind, name: ExactText(example.finding.part))
        var list = firsts[part, default: []]
        if list.count == FindingParts.most, let last = list.last, last.rank < example.rank { return }
        list.insert(example, at: list.firstIndex { example.rank < $0.rank } ?? list.count)
        firsts[part] = Array(list.prefix(FindingParts.most))
    }

    /// The examples of a kind, with some of all that makes the run fail, and of all checks. What makes it fail comes
    /// first.
    ///
    /// - Parameter examples: the first ones, wherever they are from.
    func selected(_ examples: [Example], of kind: Finding.Kind, _ exceeded: [ExceededLimit]) -> [Example] {
        let known = Set(examples.map(\.rank))
        let all = examples + firsts.filter { $0.key.kind == kind }.values.joined().filter { !known.contains($0.rank) }
        let sorted = all.sorted { $0.rank < $1.rank }
        let failing = exceeded.map { limit in sorted.filter { limit.counts($0.finding) } }.filter { !$0.isEmpty }
        let others = sorted.filter { example in !exceeded.contains { $0.counts(example.finding) } }
        guard kind == .check || !failing.isEmpty else { return examples }
        let most = max(ShownFindings.examples, examples.count)
        if kind == .check { return inTurn(failing + others.parted { $0.finding.part }, most: most) }
        let chosen = inTurn(failing, most: most)
        return chosen + others.prefix(most - chosen.count)
    }
}

/// Some of each of several lists, so many of each as can be, in the order of the lists.
func inTurn<Element>(_ lists: [[Element]], most: Int) -> [Element] {
    var counts = lists.map { _ in 0 }
    var left = most
    while left > 0, lists.indices.contains(where: { counts[$0] < lists[$0].count }) {
        for index in lists.indices where left > 0 && counts[index] < lists[index].count {
            counts[index] += 1
            left -= 1
        }
    }
    return zip(lists, counts).flatMap { $0.prefix($1) }
}

extension Array {
    /// Lists of those that have the same name, in the order of the first of each.
    func parted(by name: (Element) -> String) -> [[Element]] {
        var places: [ExactText: Int] = [:]
        var parts: [[Element]] = []
        for element in self {
            let key = ExactText(name(element))
            if let place = places[key] {
                parts[place].append(element)
            } else {
                places[key] = parts.count
                parts.append([element])
            }
        }
        return parts
    }
}

extension Finding {
    /// What it is of, where each such thing has limits of its own: the check, or the entity.
    var part: String {
        if case .check(let name, _) = detail { return name }
        return entity ?? ""
    }
}
