import TestSupport

/// Makes random feeds of one shape: groups, which hold groups in lists and by key, fields that are like identifiers,
/// references, and texts.
struct FeedGenerator {
    var random: SeededRandom
    /// How many identifiers there are.
    let spread: Int
    /// Whether references may have keys twice that no path looks for around a record: else the feed would be refused.
    var repeatsKeys = true
    /// Whether groups may have keys twice, in which records are, and values around them.
    var repeatsGroups = false
    /// Whether the values are pages of a service, which all have lists where one has a list.
    var makesPages = false
    /// Whether a text, a number or a boolean may stand in place of groups: which they are, nobody knows then.
    var hidesGroups = false
    /// So many groups more are in each of the outermost lists, with identifiers that nothing else has: where all others
    /// meet each other, no night knows its feed by the night before.
    var loners = 0
    var loner = 1000
    /// Their numbers begin behind this one.
    var firstLoner = 1000
    /// What most of them have.
    var lonerMembers: Set<Text> = []

    /// A feed's value, with about so many groups.
    mutating func value(groups: Int) -> FeedNode {
        var left = groups
        return group(&left, depth: 0)
    }

    private mutating func group(_ left: inout Int, depth: Int) -> FeedNode {
        var members: [(Text, FeedNode)] = []
        func add(_ name: Text, _ node: FeedNode) { members.append((name, node)) }
        for (name, isThere) in [
            ("id", 15), ("ref", 10), ("n", 12), ("kind", 12), ("name", 10), ("date", 5), ("flag", 6),
        ]
        where random.below(16) < isThere { add(Text(name), field(name)) }
        if repeatsGroups, random.below(4) == 0 {
            let name = ["id", "ref", "n", "kind"][random.below(4)]
            add(Text(name), field(name))
        }
        if random.below(5) == 0 { add("x y", identifier()) }
        if random.below(5) == 0 { add("é", identifier()) }
        if random.below(5) == 0 { add("e\u{301}", identifier()) }
        if random.below(3) == 0 { add("tags", list(random.below(4)) { $0.identifier() }) }
        if random.below(3) == 0 { add("refs", list(random.below(4)) { $0.reference() }) }
        if random.below(3) == 0 { add("main", reference()) }
        if random.below(4) == 0 { add("codes", codes()) }
        var containers: [Text] = ["items", "parts", "index"]
        if repeatsGroups, random.below(2) == 0 { containers.append(containers[random.below(3)]) }
        let hasLoners = depth == 0 && loners > 0
        for name in containers
        where hasLoners || left > 0 && depth < 4 && random.below(depth == 0 ? 8 : 3) < (depth == 0 ? 7 : 1) {
            let count = min(left, random.below(depth == 0 ? left : min(left, 4)) + 1)
            left -= count
            if random.below(30) == 0 {
                add(name, noGroups())
                continue
            }
            var groups: [FeedNode] = []
            for _ in 0..<count { groups.append(group(&left, depth: depth + 1)) }
            if depth == 0, loners > 0 {
                groups += makeLoners()
                // Else no item would be the same bytes the next night.
                for group in groups { group.spelling = random.below(1 << 30) }
            }
            add(name, name == "index" ? keyed(groups) : FeedNode(.array(groups)))
        }
        var shuffled = members.shuffled(using: &random)
        if hasLoners, random.below(4) > 0 {
            // What is known is looked for in larger and larger pieces until a list begins.
            _ = shuffled.partition { !containers.contains($0.0) }
        }
        return FeedNode(.object(shuffled))
    }

    /// What stands in place of groups, where there are none.
    private mutating func noGroups() -> FeedNode {
        let kinds: [FeedNode.Kind] =
            [.null, makesPages ? .array([]) : .object([])]
            + (hidesGroups ? [.string("2"), .string(""), .number("1"), .boolean(true), .boolean(false)] : [])
        return FeedNode(kinds[random.below(kinds.count)])
    }

    private mutating func keyed(_ groups: [FeedNode]) -> FeedNode {
        var keys: [Text] = []
        for number in 0..<groups.count { keys.append(Text("\(number + random.below(2) * 100)")) }
        keys.shuffle(using: &random)
        return FeedNode(.object(Array(zip(keys, groups))))
    }

    private mutating func list(_ count: Int, _ element: (inout FeedGenerator) -> FeedNode) -> FeedNode {
        FeedNode(.array((0..<count).map { _ in element(&self) }))
    }

    /// A small object, whose keys may be repeated.
    private mutating func reference() -> FeedNode {
        if random.below(25) == 0 { return identifier() }
        var members: [(Text, FeedNode)] = []
        for name in ["id", "ref", "n", "kind", "name"] where random.below(5) > 0 {
            members.append((Text(name), field(name)))
            if repeatsKeys, ["kind", "name"].contains(name), random.below(8) == 0 {
                members.append((Text(name), field(name)))
            }
        }
        return FeedNode(.object(members.shuffled(using: &random)))
    }

    mutating func field(_ name: String) -> FeedNode {
        switch name {
        case "n": number()
        case "kind": kind()
        case "name": naming()
        case "date": date()
        case "flag": flag()
        default: identifier()
        }
    }

    mutating func identifier() -> FeedNode {
        let number = random.below(spread)
        switch random.below(40) {
        case 0...17: return FeedNode(.number("\(number)"))
        case 18...32: return FeedNode(.string(Text("\(number)")))
        case 33: return FeedNode(.number("\(number).0"))
        case 34: return FeedNode(.string(Text(" \(number) ")))
        case 35: return FeedNode(.string(Text("x\(number)")))
        case 36: return FeedNode(.boolean(random.below(2) == 0))
        case 37: return FeedNode(.number(["2.5", "-0", "1e1", "1e4000", "4294967296.5"][random.below(5)]))
        case 38: return FeedNode(random.below(2) == 0 ? .array([]) : .object([("id" as Text, FeedNode(.number("1")))]))
        default: return FeedNode(.null)
        }
    }

    private mutating func number() -> FeedNode {
        random.below(8) == 0 ? identifier() : FeedNode(.number(["0", "1", "2", "1.0", "-3", "0.125"][random.below(6)]))
    }

    private mutating func kind() -> FeedNode {
        let kinds: [Text] = ["a", "b", "B ", "x", ""]
        return random.below(10) == 0 ? FeedNode(.null) : FeedNode(.string(kinds[random.below(kinds.count)]))
    }

    private mutating func naming() -> FeedNode {
        let names: [Text] = [
            "", " ", "é", "e\u{301}", "a \"b\"\\", "🚉", "\u{a0}nbsp\u{2003}", "YWI=", "YQ", "two\nlines", "null", "x1",
        ]
        return random.below(10) == 0 ? FeedNode(.null) : FeedNode(.string(names[random.below(names.count)]))
    }

    private mutating func date() -> FeedNode {
        let dates = TestType.writtenMoments
        return random.below(8) == 0 ? number() : FeedNode(.string(dates[random.below(dates.count)]))
    }

    private mutating func flag() -> FeedNode {
        [
            FeedNode(.boolean(true)), FeedNode(.boolean(false)), FeedNode(.number("1")), FeedNode(.string("false")),
            FeedNode(.number("0.0")), FeedNode(.null),
        ][random.below(6)]
    }

    private mutating func codes() -> FeedNode {
        let parts = (0..<random.below(4)).map { _ in "\(random.below(spread))" + ["", " ", "x"][random.below(3)] }
        return FeedNode(.string(Text(parts.joined(separator: [",", ", ", ";", ",,"][random.below(4)]))))
    }
}
