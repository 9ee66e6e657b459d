import TestSupport

extension FeedGenerator {
    /// Groups whose identifiers are their own, and that refer to others such.
    mutating func makeLoners() -> [FeedNode] {
        if lonerMembers.isEmpty {
            lonerMembers = drawMembers()
            // Values and files have groups of the same entities, which would all be duplicates.
            if random.below(4) > 0 { firstLoner += 100 * random.below(100) }
            loner = firstLoner
        }
        // Lists are of different entities, mostly, which all find those that they refer to.
        if random.below(4) > 0 { loner = firstLoner }
        return (0..<loners).map { _ in makeLoner() }
    }

    private mutating func makeLoner() -> FeedNode {
        loner += 1
        // Items are known once one with the same fields has been read.
        let names = random.below(8) == 0 ? drawMembers() : lonerMembers
        var members: [(Text, FeedNode)] = []
        for name in FeedGenerator.lonerNames where names.contains(name) {
            if let node = member(name) { members.append((name, node)) }
        }
        return FeedNode(.object(members))
    }

    private static let lonerNames: [Text] = ["id", "n", "name", "ref", "kind", "flag", "main", "parts", "refs"]

    private mutating func drawMembers() -> Set<Text> {
        Set(FeedGenerator.lonerNames.filter { ["id", "n", "name"].contains($0) || random.below(2) == 0 })
    }

    private mutating func member(_ name: Text) -> FeedNode? {
        // A node stands in one place.
        func own() -> FeedNode { FeedNode(.number("\(loner)")) }
        switch name {
        case "id", "n": return own()
        case "name": return FeedNode(.string(Text("l\(loner)")))
        case "ref": return lonerReference()
        case "kind": return field("kind")
        case "flag": return FeedNode(.boolean(random.below(2) == 0))
        case "main": return FeedNode(.object([("id" as Text, own()), ("ref" as Text, own())]))
        default:
            let first = 10 * loner + (name == "parts" ? 1 : 3)
            let numbers = first...first + 1
            return FeedNode(
                .array(
                    numbers.map { number in
                        FeedNode(
                            .object([
                                ("id" as Text, FeedNode(.number("\(number)"))), ("n" as Text, own()),
                                ("ref" as Text, lonerReference()),
                            ]))
                    }))
        }
    }

    /// To one of the first, mostly: they are in the list of items.
    private mutating func lonerReference() -> FeedNode {
        FeedNode(.number("\(firstLoner + 1 + random.below(random.below(4) == 0 ? 3 * loners : loners))"))
    }
}
