import SluiceRecords

/// The paths into lists that the values of one relationship have, each once.
final class ListPaths {
    struct Entry: Hashable {
        var path: Path
        /// The JSON text of what it finds is wanted.
        var json: Bool
    }

    private(set) var entries: [Entry] = []
    /// Those that lead to one value as they are written, where a list may stand instead.
    private(set) var possible: [Entry] = []

    func add(_ path: Path, json: Bool) {
        let entry = Entry(path: path, json: json)
        if !entries.contains(entry) { entries.append(entry) }
    }

    func addPossible(_ path: Path, json: Bool) { possible.append(Entry(path: path, json: json)) }

    /// The elements of the longest list.
    var element: Path? { entries.map(\.path.list).max { $0.steps.count < $1.steps.count } }
}

/// Finds what belongs to one element of a list: the values of several paths, and what filters look at.
///
/// There is one rule for attributes that are lists, relationships, their identifiers, and what links have. Where values
/// are taken element by element, the elements are those of the innermost list on the paths, all of them, whatever is in
/// them. What an element lacks is null there, and what is in an outer list, or around it, belongs to each element
/// within. A path alone is no element by element: it is the values that it finds.
struct ElementReader {
    let slots: SlotTable

    /// Has the values of a to-many relationship evaluated element by element, where it has several paths with the same
    /// list in them, or its links have values.
    ///
    /// - Parameter values: the paths into lists of what links have of their own. No link comes of an element for these.
    func gather(_ lists: ListPaths, _ values: ListPaths, in relationship: inout Relationship) {
        let rules = relationship.key + (relationship.selector.map { [$0] } ?? [])
        let keys = together(lists)
        let isNeeded = keys.count > 1 || !relationship.values.isEmpty || !relationship.stub.isEmpty
        // What `split` makes of a value has no element of its own.
        guard isNeeded, !rules.contains(where: \.splits),
            var elements = elements(of: keys, beside: values.entries)
        else { return }
        let found = Set(elements.members.filter(\.makesElements).map(\.slot))
        // Most need not be told of elements that lack what a link cannot be without.
        if relationship.canLink(without: found) { addEach(of: lists, to: &elements) }
        elements.singles = rules.flatMap { $0.singles(of: elements) }
        relationship.elements = elements
        for index in relationship.values.indices {
            relationship.values[index].value = relationship.values[index].value.withoutElements
        }
        for index in relationship.stub.indices {
            relationship.stub[index].value = relationship.stub[index].value.withoutElements
        }
        relationship.key = relationship.key.map(\.withoutElements)
        relationship.selector = relationship.selector?.withoutElements
    }

    /// Likewise of the value of an attribute that is a list.
    func gather(_ lists: ListPaths, in rule: ValueRule) -> ValueRule {
        let entries = together(lists)
        guard entries.count > 1, !rule.splits, var elements = elements(of: entries) else { return rule }
        addEach(of: lists, to: &elements)
        elements.singles = rule.singles(of: elements)
        return ValueRule(.elements(elements, rule.withoutElements, many: true))
    }

    /// The paths into lists that are taken together. Where a list may stand in place of one value, it is one of them if
    /// the others are in it: else the value belongs to each of their elements.
    private func together(_ lists: ListPaths) -> [ListPaths.Entry] {
        let possible = lists.possible.filter { !lists.entries.contains($0) }
        let isAround = possible.allSatisfy { one in
            lists.entries.allSatisfy { $0.path.parents == 0 && $0.path.steps.starts(with: one.path.steps) }
        }
        return isAround && !lists.entries.isEmpty ? lists.entries + possible : lists.entries
    }

    /// The elements that some paths have in common, those of the longest list; nil: there are none.
    ///
    /// - Parameter values: paths into them for which there need not be an element.
    func elements(of keys: [ListPaths.Entry], beside values: [ListPaths.Entry] = []) -> Elements? {
        let entries = keys + values
        let paths = entries.map(\.path)
        let lists = paths.map { $0.steps.lastIndex { !$0.isDefinite } ?? -1 }
        guard let end = lists.max(), end >= 0, let longest = lists.firstIndex(of: end) else { return nil }
        let steps = paths[longest].steps[...end]
        for (path, list) in zip(paths, lists) {
            guard list >= 0, path.parents == 0, path.steps[...list] == steps[...list],
                !steps[(list + 1)...].contains(where: \.isDescendant)
            else { return nil }
        }
        var result = Elements(members: [])
        for (index, (entry, list)) in zip(entries, lists).enumerated() {
            let rest = entry.path.steps.count - list - 1
            add(
                entry.path, rest: rest, above: end - list, json: entry.json,
                makesElements: list == end && index < keys.count, to: &result)
        }
        for (index, step) in steps.enumerated() {
            let list = Path(root: .record, steps: Array(steps[...index]))
            switch step {
            case .filter(let filter):
                result.conditions.append(condition(filter, in: list, above: end - index, &result))
            case .indexFromEnd(let number):
                let slot = addCount(list, above: end - index, to: &result)
                result.conditions.append(RecordCondition(slot: slot, values: [.number("\(number - 1)")]))
            case .name, .index, .wildcard, .descendantName, .descendantWildcard: break
            }
        }
        return result
    }

    /// Adds what a path matches to the elements; returns the slot.
    @discardableResult
    private func add(
        _ path: Path, rest: Int, above: Int, json: Bool = false, makesElements: Bool = false,
        to elements: inout Elements
    ) -> Int {
        let slot = slots.index(of: Slot(path: path.withAllElements, json: json, many: true))
        if let known = elements.members.firstIndex(where: { $0.slot == slot }) {
            if makesElements { elements.members[known].makesElements = true }
            return slot
        }
        elements.members.append(
            Elements.Member(
                slot: slot, places: places(of: path), rest: rest, above: above, makesElements: makesElements))
        return slot
    }

    /// Adds each element of the innermost list, whatever is in it: its place is all that there is to it.
    private func addEach(of lists: ListPaths, to elements: inout Elements) {
        guard let innermost = lists.element else { return }
        let place = places(of: innermost)
        elements.members.append(Elements.Member(slot: place, places: place, rest: 0, above: 0, makesElements: true))
    }

    /// Adds how many elements of a list follow.
    private func addCount(_ list: Path, above: Int, to elements: inout Elements) -> Int {
        var path = list.withAllElements
        path.isKey = true
        let slot = slots.add(Slot(path: path, many: true))
        elements.members.append(
            Elements.Member(slot: slot, places: places(of: list), rest: 0, above: above, countsFollowing: true))
        return slot
    }

    private func places(of path: Path) -> Int {
        var path = path.withAllElements
        path.isKey = false
        var slot = Slot(path: path, many: true)
        slot.isPlace = true
        slot.label = ""
        return slots.index(of: slot)
    }

    /// What a filter asks of the elements of a list.
    private func condition(
        _ filter: PathFilter, in list: Path, above: Int, _ elements: inout Elements
    ) -> RecordCondition {
        func slot(_ path: Path) -> Int {
            let whole = Path(root: .record, steps: list.steps + path.steps, isKey: path.isKey)
            return add(whole, rest: path.steps.count, above: above, to: &elements)
        }
        switch filter {
        case .exists(let path): return .value(slot: slot(path), .isPresent)
        case .compares(let path, let comparison, let literal):
            return .value(slot: slot(path), comparison.test(literal))
        case .not(let part): return .not(condition(part, in: list, above: above, &elements))
        case .all(let parts): return .all(parts.map { condition($0, in: list, above: above, &elements) })
        case .any(let parts): return .any(parts.map { condition($0, in: list, above: above, &elements) })
        }
    }
}

extension PathFilter.Operator {
    fileprivate func test(_ literal: Literal) -> ValueTest {
        switch self {
        case .equal: .isOne(of: [literal])
        case .notEqual: .not(.isOne(of: [literal]))
        case .less: .compares(.less, literal)
        case .lessOrEqual: .compares(.lessOrEqual, literal)
        case .greater: .compares(.greater, literal)
        case .greaterOrEqual: .compares(.greaterOrEqual, literal)
        }
    }
}

extension Path {
    /// The path with `[*]` where it chooses among elements: what it chooses is known only when all of them are.
    var withAllElements: Path {
        guard isChoosing else { return self }
        var path = self
        path.steps = steps.map { $0.isChoosing ? .wildcard : $0 }
        return path
    }
}

extension Path {
    /// The path to the elements of the last list in it.
    fileprivate var list: Path {
        let end = steps.lastIndex { !$0.isDefinite }.map { $0 + 1 } ?? 0
        return Path(root: .record, steps: Array(steps[..<end]))
    }
}

extension Relationship {
    /// Whether a link may come of an element in which some slots have no value: of several ways, one is enough.
    fileprivate func canLink(without slots: Set<Int>) -> Bool {
        ways.isEmpty
            ? key.allSatisfy { $0.canBe(without: slots) } : key.contains { $0.canBe(without: slots) }
    }
}

extension ValueRule {
    /// Whether it, or a part of it, becomes several values.
    var splits: Bool {
        if split != nil || matches != nil { return true }
        switch origin {
        case .slot, .oneOrMany, .constant, .line, .fileName: return false
        case .first(let rules), .joined(let rules, _): return rules.contains(where: \.splits)
        case .elements(_, let rule, _): return rule.splits
        }
    }

    /// The slots in it of one value that may stand in place of the list of some elements.
    fileprivate func singles(of elements: Elements) -> [Elements.Single] {
        switch origin {
        case .slot, .constant, .line, .fileName: return []
        case .oneOrMany(let one, let many, let form):
            guard elements.members.contains(where: { $0.slot == many }) else { return [] }
            return [Elements.Single(slot: one, takesArrays: form == .within)]
        case .first(let rules), .joined(let rules, _): return rules.flatMap { $0.singles(of: elements) }
        case .elements(_, let rule, _): return rule.singles(of: elements)
        }
    }

    /// Whether it may have a value where some slots have none.
    fileprivate func canBe(without slots: Set<Int>) -> Bool {
        if fallback != nil { return true }
        switch origin {
        case .slot(let slot): return !slots.contains(slot)
        case .oneOrMany(_, let many, _): return !slots.contains(many)
        case .constant, .line, .fileName: return true
        case .first(let rules): return rules.contains { $0.canBe(without: slots) }
        case .joined(let rules, _): return rules.allSatisfy { $0.canBe(without: slots) }
        case .elements(_, let rule, _): return rule.canBe(without: slots)
        }
    }

    /// The rule for one element, where all that it looks at is of that element.
    fileprivate var withoutElements: ValueRule {
        var rule = self
        switch origin {
        case .slot, .oneOrMany, .constant, .line, .fileName: break
        case .first(let rules): rule.origin = .first(rules.map(\.withoutElements))
        case .joined(let rules, let separator):
            rule.origin = .joined(rules.map(\.withoutElements), separator: separator)
        case .elements(_, let inner, _): rule.origin = inner.origin
        }
        return rule
    }
}
