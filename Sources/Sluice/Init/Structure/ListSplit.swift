import SluiceRecords

/// A list of objects that say of themselves what kind of thing they are: each kind is looked at by itself.
///
/// What an object says may stand at its end, so it is known from an earlier reading of the feed.
final class ListSplit {
    /// The way to the objects.
    let steps: [ShapeStep]
    /// The member that tells the kind.
    let member: String
    let log: KindLog
    /// Of each kind, in a tree.
    private(set) var nodes: [Int32] = []
    private(set) var element: Int32 = -1
    private var position = 0

    init(steps: [ShapeStep], member: String, log: KindLog) {
        self.steps = steps
        self.member = member
        self.log = log
    }

    /// Makes the kinds' nodes in a new tree, and returns the node of the objects.
    func enter(_ tree: inout ShapeTree) -> Int32 {
        element = tree.enter(steps)
        nodes = log.kinds.map { _ in tree.addKind(of: element) }
        position = 0
        return element
    }

    /// Starts again with the first object.
    func rewind() { position = 0 }

    /// The node of the next object.
    func next() -> Int32? {
        guard position < log.entries.count else { return nil }
        defer { position += 1 }
        let kind = Int(log.entries[position])
        return kind == 0 ? nil : nodes[kind - 1]
    }
}

extension ListSplit {
    private static let mostLists = 8

    /// The lists whose objects may be of several kinds: all of them say what they are, and many of their members are in
    /// some of them only.
    static func candidates(in observer: ShapeObserver) -> [ListSplit] {
        let tree = observer.tree
        var found: [ListSplit] = []
        for node in 0..<Int32(tree.count) where found.count < mostLists {
            let place = tree[node]
            guard place.step == .member, place.log >= 0, place.parent >= 0, tree[place.parent].log == place.log else {
                continue
            }
            let log = observer.logs[Int(place.log)]
            guard !log.isFull, log.kinds.count > 1, log.entries.count == tree[place.parent].objects,
                log.entries.count >= 2 * log.kinds.count, !log.entries.contains(0), isVaried(place.parent, tree)
            else { continue }
            let steps = tree.steps(to: place.parent)
            // What is in lists of other records is rarely of several kinds, and would be known by its owner.
            if steps.contains(.anyMember) || steps.filter({ $0 == .element }).count > 1 { continue }
            found.append(ListSplit(steps: steps, member: tree.name(node), log: log))
        }
        return found
    }

    /// Whether the kinds, now that each has been looked at, have different members after all.
    func isRight(in tree: ShapeTree) -> Bool {
        let names = nodes.map { node in
            tree.members(of: node).filter { tree[$0].owners.count * 2 >= tree[node].objects }.map(tree.name)
        }
        return MapFinder.likeness(names) < 0.85
    }

    private static func isVaried(_ element: Int32, _ tree: ShapeTree) -> Bool {
        let members = tree.members(of: element)
        let rare = members.count { tree[$0].owners.count * 2 <= tree[element].objects }
        return rare >= 3 && rare * 3 >= members.count
    }
}
