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
            var generator = FeedGenerator(random: random, spread: spread)
            defer { random = generator.random }
            return generator.field(name?.description ?? "id")
        }
    }

    /// Elements, of which some go, and some come twice.
    mutating func list(_ elements: [FeedNode]) -> [FeedNode] {
        var list = elements.flatMap { element in
            chance() ? [] : chance() ? [element, element] : [element]
        }
        if reorders { list.shuffle(using: &random) }
        return list
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
