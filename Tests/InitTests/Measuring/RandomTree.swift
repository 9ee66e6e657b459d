import TestSupport

/// A small feed whose texts are all different, with what drafting has to guess about: maps, maps in maps, members
/// that only some objects have, lists in lists, values among objects, trees, and objects and lists that are empty.
struct RandomTree {
    /// A text of the feed, and where it stands in its value.
    struct Leaf {
        var text: String
        var path: [Step]
    }

    enum Step: Hashable {
        case name(String)
        case index(Int)
    }

    private var random: SeededRandom
    private(set) var leaves: [Leaf] = []

    init(_ random: SeededRandom) { self.random = random }

    private indirect enum Shape {
        case text, number, date, nothing
        case object([(String, Shape)])
        case list(Shape)
        case map([String], Shape)
        /// Objects that may have such objects in a list.
        case tree(String, [(String, Shape)])
    }

    private static let names = [
        "title", "count", "status", "owner", "name", "note", "price", "items", "children", "files", "labels", "props",
        "members", "value", "key", "type",
    ]
    private static let keys = [
        ["22", "80", "443", "8080"], ["u0", "u1", "u2", "u3"], ["web-1", "db-1", "mail"], ["de", "en", "fr"],
        ["2026-01-01", "2026-01-02"], ["a", "b", "c", "d", "e"], ["title", "count", "status"],
    ]

    private mutating func members(_ depth: Int) -> [(String, Shape)] {
        var names: Set<String> = []
        return (0...random.below(4)).compactMap { _ in
            let name = RandomTree.names[random.below(RandomTree.names.count)]
            return names.insert(name).inserted ? (name, shape(depth + 1)) : nil
        }
    }

    private mutating func shape(_ depth: Int) -> Shape {
        switch random.below(depth > 3 ? 6 : 14) {
        case 0...2: return .text
        case 3: return .number
        case 4: return .date
        case 5: return .nothing
        case 6, 7: return .object(members(depth))
        case 8, 9: return .list(shape(depth + 1))
        case 13: return .tree(["items", "children"][random.below(2)], members(depth + 1))
        default:
            return .map(RandomTree.keys[random.below(RandomTree.keys.count)], shape(depth + 1))
        }
    }

    private mutating func text(_ path: [Step]) -> String {
        let digits = String(leaves.count)
        let text = "VALUE" + String(repeating: "0", count: 5 - digits.count) + digits
        leaves.append(Leaf(text: text, path: path))
        return "\"\(text)\""
    }

    private mutating func value(_ shape: Shape, _ path: [Step], _ depth: Int = 0) -> String {
        // Of some things there is something else.
        if !path.isEmpty, random.below(30) == 0 {
            return random.below(2) == 0 ? text(path) : ["null", "{}", "[]", "7"][random.below(4)]
        }
        switch shape {
        case .text: return text(path)
        case .number: return String(random.below(1000))
        case .date: return "\"2026-0\(1 + random.below(9))-1\(random.below(10))\""
        case .nothing: return ["null", "{}", "[]"][random.below(3)]
        case .object(let members): return object(members, path, depth)
        case .list(let shape):
            return "["
                + (0..<random.below(4)).map { value(shape, path + [.index($0)], depth) }.joined(separator: ",") + "]"
        case .map(let keys, let shape):
            return object(keys.filter { _ in random.below(3) > 0 }.map { ($0, shape) }, path, depth, lacking: 0)
        case .tree(let name, let members):
            let levels = depth < 2 ? [(name, Shape.list(shape))] : []
            return object(members.filter { $0.0 != name } + levels, path, depth + 1)
        }
    }

    /// - Parameter lacking: how many of ten members are not there.
    private mutating func object(
        _ members: [(String, Shape)], _ path: [Step], _ depth: Int, lacking: Int? = nil
    ) -> String {
        let lacking = lacking ?? [0, 0, 3][random.below(3)]
        let parts = members.filter { _ in random.below(10) >= lacking }.map { name, shape in
            "\"\(name)\":\(value(shape, path + [.name(name)], depth))"
        }
        return "{" + parts.joined(separator: ",") + "}"
    }

    /// The feed, and the ending of its file.
    mutating func make() -> (text: String, ending: String) {
        let shape = shape(0)
        if random.below(4) == 0 {
            let values = (0...random.below(5)).map { _ in value(shape, []) }
            return (values.joined(separator: "\n"), "ndjson")
        }
        return (value(.object([("data", .list(shape))] + members(0).filter { $0.0 != "data" }), []), "json")
    }
}
