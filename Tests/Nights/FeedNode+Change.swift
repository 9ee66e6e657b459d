import TestSupport

/// How much of a feed is another by the next night.
struct FeedChange {
    var random: SeededRandom
    let spread: Int
    /// Of a thousand scalars, how many get another value; of a thousand elements of lists, how many go, come twice or
    /// are replaced.
    let amount: Int
    /// Whether lists and members come in another order.
    var reorders: Bool

    mutating func changed(_ node: FeedNode, named name: Text? = nil) -> FeedNode {
        if node.spelling == nil { return another(node, named: name) }
        // Within what is spelled the same each time, nothing changes its place.
        let reordered = reorders
        reorders = false
        defer { reorders = reordered }
        let copy = another(node, named: name)
        copy.spelling = node.spelling
        return copy
    }

    private mutating func another(_ node: FeedNode, named name: Text?) -> FeedNode {
        switch node.kind {
        case .array(let elements): return FeedNode(.array(list(elements).map { changed($0) }))
        case .object(let members):
            var kept = members.filter { _ in !chance() }.map { ($0.0, changed($0.1, named: $0.0)) }
            if reorders { kept.shuffle(using: &random) }
            return FeedNode(.object(kept))
        default:
            guard chance() else { return FeedNode(node.kind) }
            if let near = near(node) { return near }
            var generator = FeedGenerator(random: random, spread: spread)
            defer { random = generator.random }
            return generator.field(name?.description ?? "id")
        }
    }

    /// Elements, of which some go, and some come twice.
    mutating func list(_ elements: [FeedNode]) -> [FeedNode] {
        var list = elements.flatMap { element in
            chance() ? [] : chance() ? [element, twin(of: element) ?? element] : [element]
        }
        if reorders { list.shuffle(using: &random) }
        return list
    }

    /// A number that nothing else has becomes one that a neighbour has; nil: it is another one.
    private mutating func near(_ node: FeedNode) -> FeedNode? {
        guard let number = FeedChange.lonely(node), random.below(2) == 0 else { return nil }
        return FeedNode(.number("\(number + 1 + random.below(3))"))
    }

    /// Another object with all that a lonely one has but its identifier: what refers to it by something else means
    /// neither any more. Nil: it is not lonely, or comes as it is.
    private mutating func twin(of node: FeedNode) -> FeedNode? {
        guard case .object(let members) = node.kind, random.below(3) > 0,
            let number = members.first(where: { $0.0 == "id" }).flatMap({ FeedChange.lonely($0.1) })
        else { return nil }
        return FeedNode(
            .object(
                members.map { name, member in
                    // A node stands in one place.
                    name == "id" ? (name, FeedNode(.number("\(number + 7000)"))) : (name, changed(member, named: name))
                }))
    }

    /// The number of a loner.
    private static func lonely(_ node: FeedNode) -> Int? {
        guard case .number(let text) = node.kind, let number = Int(text), number >= 1000 else { return nil }
        return number
    }

    private mutating func chance() -> Bool { amount > 0 && random.below(1000) < amount }
}

extension FeedNode {
    /// A copy without some elements of lists and members of indices.
    ///
    /// - Parameters:
    ///   - count: counts all of them, from the first on.
    ///   - isKept: whether the one with this number stays.
    func thinned(_ count: inout Int, _ isKept: (Int) -> Bool) -> FeedNode {
        let copy = thinnedOnce(&count, isKept)
        copy.spelling = spelling
        return copy
    }

    private func thinnedOnce(_ count: inout Int, _ isKept: (Int) -> Bool) -> FeedNode {
        switch kind {
        case .array(let elements):
            var kept: [FeedNode] = []
            for element in elements {
                count += 1
                let isThere = isKept(count)
                let copy = element.thinned(&count, isKept)
                if isThere { kept.append(copy) }
            }
            return FeedNode(.array(kept))
        case .object(let members):
            var kept: [(Text, FeedNode)] = []
            for (name, member) in members {
                count += 1
                let isThere = isKept(count)
                let copy = member.thinned(&count, isKept)
                if isThere { kept.append((name, copy)) }
            }
            return FeedNode(.object(kept))
        default: return FeedNode(kind)
        }
    }
}
