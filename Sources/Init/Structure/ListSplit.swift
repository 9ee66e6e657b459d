import SluiceRecords

/// A list of objects that say of themselves what kind of thing they are: each kind is looked at by itself.
///
/// What an object says may stand at its end, so it is known from an earlier reading of the feed.
final class ListSplit {
    /// The way to the objects.
    let steps: [ShapeStep]
    /// The member that tells the kind, or the way to it.
    let member: [String]
    let log: KindLog
    /// Of each kind, in a tree.
    private(set) var nodes: [Int32] = []
    private(set) var element: Int32 = -1
    private var position = 0
    /// Whether their members do not say it clearly that they are of several kinds.
    private var isDoubtful = false

    init(steps: [ShapeStep], member: [String], log: KindLog) {
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
            guard place.step == .member, place.kinds.own >= 0, let element = element(of: node, tree) else { continue }
            let log = observer.logs[Int(place.kinds.own)]
            guard !log.isFull, log.kinds.count > 1, log.entries.count == tree[element].counts.objects,
                log.entries.count >= 2 * log.kinds.count, !log.entries.contains(0)
            else { continue }
            let isVaried = isVaried(element, tree)
            guard isVaried || place.parent == element && isVariedBesideOne(element, tree) else { continue }
            let steps = tree.steps(to: element)
            // What is in lists of other records is rarely of several kinds, and would be known by its owner.
            if steps.contains(.anyMember) || steps.filter({ $0 == .element }).count > 1 { continue }
            let member = place.parent == element ? [tree.name(node)] : [tree.name(place.parent), tree.name(node)]
            // What they say themselves counts more than what an object in them says.
            if member.count > 1, found.contains(where: { $0.steps == steps }) { continue }
            found.removeAll { $0.steps == steps }
            let split = ListSplit(steps: steps, member: member, log: log)
            split.isDoubtful = !isVaried
            found.append(split)
        }
        return found
    }

    /// The objects whose kind a member tells.
    private static func element(of member: Int32, _ tree: ShapeTree) -> Int32? {
        let (parent, log) = (tree[member].parent, tree[member].kinds.own)
        guard parent >= 0 else { return nil }
        if tree[parent].kinds.own == log { return parent }
        let above = tree[parent].parent
        return above >= 0 && tree[above].kinds.inner == log ? above : nil
    }

    /// Whether the kinds, now that each has been looked at, have different members after all.
    func isRight(in tree: ShapeTree) -> Bool {
        let names = nodes.map { node in
            ListSplit.members(of: node, tree, isDeep: member.count > 1)
                .filter { tree[$0].owners.count * 2 >= tree[node].counts.objects }.map {
                    ListSplit.name($0, below: node, tree)
                }
        }
        // Objects in them have members of their own, most of which are always there.
        if isDoubtful { return SharedNames(names).likeness < 0.75 }
        return SharedNames(names).likeness < (member.count > 1 ? 0.92 : 0.85) || haveOtherFields(tree)
    }

    /// Whether what the kinds have is in an object of one name, such as `attributes`, in which they have different
    /// fields.
    private func haveOtherFields(_ tree: ShapeTree) -> Bool {
        guard member.count == 1, let first = nodes.first, nodes.allSatisfy({ ListSplit.isEnvelope($0, tree) }) else {
            return false
        }
        return tree.members(of: first).map(tree.name).contains { name in
            let fields = nodes.map { node in
                tree.members(of: node).first { tree.name($0).isIdentical(to: name) && tree[$0].counts.areObjects }
                    .map { tree.members(of: $0).map(tree.name) } ?? []
            }
            return fields.allSatisfy { !$0.isEmpty } && SharedNames(fields).likeness < 0.85
        }
    }

    /// Whether the objects of a list say of themselves nothing but their kind and their identifier, and have the rest
    /// in objects.
    private static func isEnvelope(_ node: Int32, _ tree: ShapeTree) -> Bool {
        let members = tree.members(of: node)
        let own = members.filter { tree[$0].counts.scalars > 0 }.map(tree.name)
        return members.contains { tree[$0].counts.areObjects && !tree.members(of: $0).isEmpty }
            && own.contains(where: Names.isPlainIdentifier)
            && own.allSatisfy { Names.isPlainIdentifier($0) || KindLog.mayTell($0) }
    }

    private static func isVaried(_ element: Int32, _ tree: ShapeTree) -> Bool {
        if isVaried(element, tree.members(of: element), tree) || isEnvelope(element, tree) { return true }
        // What tells their kind in an object may say what that, or another one, has.
        return tree[element].kinds.inner >= 0
            && members(of: element, tree, isDeep: true).count { member in
                tree[member].owners.count * 20 <= tree[element].counts.objects * 19
            } >= 3
    }

    /// Whether most members of the objects are not in all of them, though hardly one is rare: where nearly all are of
    /// one kind, those that only this has are in most, such as the nodes beside a few ways and relations.
    private static func isVariedBesideOne(_ element: Int32, _ tree: ShapeTree) -> Bool {
        let (members, objects) = (tree.members(of: element), tree[element].counts.objects)
        let missing = members.count { tree[$0].owners.count * 10 <= objects * 9 }
        return missing >= 4 && missing * 2 >= members.count
            && members.contains { tree[$0].owners.count * 2 <= objects }
    }

    private static func isVaried(_ element: Int32, _ members: [Int32], _ tree: ShapeTree) -> Bool {
        let rare = members.count { tree[$0].owners.count * 2 <= tree[element].counts.objects }
        return rare >= 3 && rare * 3 >= members.count
    }

    /// - Parameter isDeep: whether those of the objects in it count, too.
    private static func members(of node: Int32, _ tree: ShapeTree, isDeep: Bool) -> [Int32] {
        let own = tree.members(of: node)
        return own + (isDeep ? own.filter { tree[$0].counts.objects > 0 }.flatMap { tree.members(of: $0) } : [])
    }

    private static func name(_ member: Int32, below node: Int32, _ tree: ShapeTree) -> String {
        let parent = tree[member].parent
        return parent == node ? tree.name(member) : tree.name(parent) + "\0" + tree.name(member)
    }
}
