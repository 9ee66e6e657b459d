import SluiceRecords

/// What an answer of a web service looks like around its records: answers of one service that look alike come in the
/// same pages.
struct AnswerShape {
    /// Whether the answer is a list.
    private let isList: Bool
    /// The ways to its lists, which are members of objects.
    private let lists: Set<[ShapeStep]>
    /// The other members at its top.
    private let others: Set<[ShapeStep]>

    /// Lists are looked for so many members deep.
    private static let mostLevels = 2

    init(_ tree: ShapeTree) {
        isList = tree[0].counts.arrays > 0
        var (lists, others): (Set<[ShapeStep]>, Set<[ShapeStep]>) = ([], [])
        var open: [(node: Int32, steps: [ShapeStep])] = [(0, [])]
        while let (node, steps) = open.popLast() {
            for member in tree.members(of: node) {
                let path = steps + [tree.step(to: member)]
                if tree[member].counts.arrays > 0 {
                    lists.insert(path)
                } else if path.count == 1 {
                    others.insert(path)
                }
                if tree[member].counts.objects > 0, path.count < AnswerShape.mostLevels { open.append((member, path)) }
            }
        }
        (self.lists, self.others) = (lists, others)
    }

    /// Whether both have their lists in the same place, or one list each under a name of its own, `tickets` and
    /// `users`, beside the same other members.
    func isLike(_ other: AnswerShape) -> Bool {
        if isList || other.isList { return isList && other.isList }
        if !lists.isEmpty, lists == other.lists { return true }
        return lists.count == 1 && other.lists.count == 1 && !others.isEmpty && others == other.others
    }

    /// Whether two addresses are of the same host.
    static func areOfOneService(_ one: String, _ other: String) -> Bool {
        host(of: one).isIdentical(to: host(of: other))
    }

    /// The scheme, the host and the port of an address.
    private static func host(of address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2 else { return address }
        return (parts[0] + "//" + parts[2].prefix { $0 != "?" && $0 != "#" }).lowercased()
    }
}
