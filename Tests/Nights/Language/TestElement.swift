import TestSupport

/// The list that the paths of a to-many relationship have in common.
struct TestList {
    /// The steps to its elements.
    let steps: [TestPath.Step]

    /// Nil: there is none.
    init?(_ relationship: TestDefinition.Relationship) {
        guard relationship.isMany else { return nil }
        let rules = relationship.key + (relationship.selector.map { [$0] } ?? [])
        var paths: [TestPath] = []
        for path in rules.flatMap(\.paths) where path.isList && !paths.contains(path) { paths.append(path) }
        guard paths.count > (relationship.values.isEmpty && relationship.stub.isEmpty ? 1 : 0),
            !rules.contains(where: \.splits),
            paths.allSatisfy({ $0.ups == 0 }),
            let longest = paths.map(\.listSteps).max(by: { $0.count < $1.count })
        else { return nil }
        for path in paths {
            let own = path.listSteps
            guard longest.starts(with: own) else { return nil }
            let isFar = longest[own.count...].contains { step in
                switch step {
                case .anywhere, .everywhere: true
                default: false
                }
            }
            if isFar { return nil }
        }
        steps = Array(longest)
    }

    func elements(of record: FeedNode) -> [FeedNode] { elements(steps, of: record) }

    /// Whether there are elements, be it ones that do not count.
    func hasElements(_ record: FeedNode) -> Bool {
        let all = steps.map { step -> TestPath.Step in
            switch step {
            case .fromEnd, .chosen: .each
            default: step
            }
        }
        return !elements(all, of: record).isEmpty
    }

    private func elements(_ steps: [TestPath.Step], of record: FeedNode) -> [FeedNode] {
        TestPath.follow(steps[...], from: record)
    }
}

/// An element of a list.
struct TestElement {
    let list: TestList
    let node: FeedNode

    /// What a path finds in the element, or in the one around it that the path is about.
    func find(_ path: TestPath) -> FeedNode? {
        let levels = list.steps.count - path.listSteps.count
        let own = levels == 0 ? node : node.ancestors[levels - 1]
        return TestPath.follow(path.steps[path.listSteps.count...], from: own).first
    }
}

extension TestDefinition.Relationship {
    /// Whether its links may have values of their own.
    var takesValues: Bool {
        let rules = key + (selector.map { [$0] } ?? [])
        guard isMany, !rules.contains(where: { $0.splits || $0.hasOneOrMany }) else { return false }
        // The separator of `join` has the same key.
        if ways.isEmpty, key.count == 1, case .joined(_, with: .some) = key[0].origin { return false }
        var valued = self
        valued.values = [.init(name: "v", type: .text, path: TestPath())]
        return TestList(valued) != nil || !rules.flatMap(\.paths).contains(where: \.isList)
    }
}

extension TestRule {
    var hasOneOrMany: Bool {
        if case .oneOrMany = origin { return true }
        return parts.contains(where: \.hasOneOrMany)
    }
}

extension TestPath {
    /// The steps to the elements of the last list in it.
    var listSteps: ArraySlice<Step> {
        let last = steps.lastIndex { step in !TestPath(steps: [step]).isDefinite }
        return steps[..<(last.map { $0 + 1 } ?? 0)]
    }

    /// Whether it is a path into a list in the record, or around it.
    var isList: Bool { !isTop && !isDefinite }
}

extension TestRule {
    var parts: [TestRule] {
        switch origin {
        case .own, .path, .oneOrMany, .constant: []
        case .first(let rules), .joined(let rules, _): rules
        }
    }

    var paths: [TestPath] {
        if case .path(let path) = origin { return [path] }
        return parts.flatMap(\.paths)
    }

    /// The rule, where the name of a relationship is no path.
    var withPath: TestRule {
        guard case .own(let name) = origin else { return self }
        var rule = self
        rule.origin = .path(.field(name))
        return rule
    }

    var splits: Bool { split != nil || matches != nil || parts.contains(where: \.splits) }
}
