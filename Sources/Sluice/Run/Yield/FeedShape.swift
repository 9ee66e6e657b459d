import SluiceExtract
import SluiceRecords

/// The structure of a feed, for a message about a feed in which no records were found.
struct FeedShape {
    /// The first value, as far as it is known.
    private let root: JSONNode?
    private let isEmpty: Bool

    private static let mostKeys = 5

    /// - Parameter beginning: the first bytes of the feed.
    init(beginning: [UInt8]) {
        isEmpty = beginning.allSatisfy { $0 <= 0x20 }
        root = JSONBeginning.root(of: beginning)
    }

    /// What stands in the way of paths, where the one that leads farthest ends: `the list at $.data is empty`. nil:
    /// nothing that is known.
    func obstacle(for paths: [Path]) -> FeedObstacle? {
        if isEmpty { return FeedObstacle(found: "the feed is empty") }
        guard let root else { return nil }
        let places = paths.compactMap { place(of: $0, in: root) }
        return places.max { $0.steps.count < $1.steps.count }.map(FeedShape.obstacle)
    }

    /// Whether a path of names and indices leads to a list that begins with an object.
    func hasObjects(in path: Path) -> Bool {
        guard path.isDefinite, let root, let place = (path.steps + [.index(0)]).reduce(Optional(root), FeedShape.step)
        else {
            return false
        }
        if case .object = place.kind { return true }
        return false
    }

    /// Whether a path leads through a list that has no elements, or to one of which it takes these.
    func hasEmptyList(on path: Path) -> Bool {
        guard let root, let place = place(of: path, in: root), case .array(let elements) = place.node.kind else {
            return false
        }
        return elements.isEmpty
    }

    /// What is at a path of records that takes elements of something: an object whose members they are, or elements
    /// that are no objects. nil: objects in a list, or nothing that is known.
    func foreignRecords(at path: Path) -> FeedObstacle? {
        let outer = path.steps.dropLast()
        guard path.steps.last == .wildcard, let root, let around = outer.reduce(Optional(root), FeedShape.step) else {
            return nil
        }
        if case .object = around.kind {
            return FeedShape.obstacle(Place(node: around, steps: Array(outer), next: .wildcard))
        }
        guard let first = FeedShape.node(behind: .wildcard, in: around) else { return nil }
        if case .object = first.kind { return nil }
        return FeedShape.obstacle(Place(node: first, steps: path.steps, next: .wildcard))
    }

    private static func step(_ node: JSONNode?, _ step: Path.Step) -> JSONNode? {
        node.flatMap { FeedShape.node(behind: step, in: $0) }
    }

    /// A node to which the first steps of a path lead, but not the next.
    private struct Place {
        var node: JSONNode
        var steps: [Path.Step]
        /// The one that leads to nothing.
        var next: Path.Step
        /// The steps behind that one.
        var rest: [Path.Step] = []

        /// The path that leads on behind some more steps from there.
        func path(behind more: [Path.Step]) -> String { path(to: more + [next] + rest) }

        /// The path that leads some more steps from there.
        func path(to more: [Path.Step]) -> String {
            Path(root: .feed, steps: steps + more).description.printable
        }
    }

    private func place(of path: Path, in root: JSONNode) -> Place? {
        var (node, steps) = (root, [Path.Step]())
        for (index, step) in path.steps.enumerated() {
            guard let next = FeedShape.node(behind: step, in: node) else {
                return Place(node: node, steps: steps, next: step, rest: Array(path.steps[(index + 1)...]))
            }
            node = next
            steps.append(step)
        }
        return nil
    }

    /// The first node to which a step leads.
    private static func node(behind step: Path.Step, in node: JSONNode) -> JSONNode? {
        switch (step, node.kind) {
        case (.name(let name), .object(let members)):
            members.last { $0.key.isIdentical(to: name) }?.value
        case (.index(let index), .array(let elements)): index < elements.count ? elements[index] : nil
        case (.wildcard, .array(let elements)): elements.first
        case (.wildcard, .object(let members)): members.first?.value
        default: nil
        }
    }

    private static func obstacle(_ place: Place) -> FeedObstacle {
        let path = "`\(Path(root: .feed, steps: place.steps).description)`".printable
        let what = place.steps.isEmpty ? "the document" : path
        switch place.node.kind {
        case .null: return FeedObstacle(found: "\(what) is null")
        case .boolean(let value): return FeedObstacle(found: "\(what) is \(value)")
        case .number: return FeedObstacle(found: "\(what) is a number")
        case .string: return FeedObstacle(found: "\(what) is a text")
        case .array(let elements):
            guard let first = elements.first else {
                let found = place.steps.isEmpty ? "the document is an empty list" : "the list at \(path) is empty"
                return FeedObstacle(found: found)
            }
            return FeedObstacle(found: "\(what) is a list", proposal: proposal(place, first: first))
        case .object(let members):
            return FeedObstacle(
                found: "\(what) is \(described(members.map(\.key)))", proposal: proposal(place, members))
        }
    }

    /// The elements of a list of objects, where a key of it was looked for.
    private static func proposal(_ place: Place, first: JSONNode) -> String? {
        guard case .name = place.next, case .object = first.kind else { return nil }
        return node(behind: place.next, in: first) == nil
            ? place.path(to: [.wildcard]) : place.path(behind: [.wildcard])
    }

    /// The key that may have been meant, or the object in which it is now, as a service that wraps its answers has it.
    private static func proposal(_ place: Place, _ members: [JSONMember]) -> String? {
        guard case .name(let name) = place.next else { return nil }
        for member in members where node(behind: place.next, in: member.value) != nil {
            return place.path(behind: [.name(member.key)])
        }
        return nearestWord(to: name, among: members.map(\.key)).map { place.path(to: [.name($0)]) }
    }

    private static func described(_ keys: [String]) -> String {
        guard !keys.isEmpty else { return "an empty object" }
        let shown = keys.prefix(mostKeys).map { "`\(String($0.prefix(60)).printable)`" }
        let rest = keys.count > mostKeys ? " and others" : ""
        return "an object with the \(keys.count == 1 ? "key" : "keys") \(shown.joined(separator: ", "))\(rest)"
    }
}
