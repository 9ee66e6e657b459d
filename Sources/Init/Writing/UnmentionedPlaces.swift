import SluiceRecords

/// The places of a feed whose values neither an attribute of the draft has nor a comment tells of: nothing may be lost
/// without a word, whatever the rules of drafting make of a feed.
struct UnmentionedPlaces {
    private let feed: SurveyedFeed
    private let tree: ShapeTree
    /// Places whose own values are mentioned.
    private var mentioned: Set<Int32> = []
    /// Places of which all that is in them is mentioned.
    private var whole: Set<Int32> = []

    /// - Parameter entities: all of the draft, with those that were dropped.
    init(_ feed: SurveyedFeed, _ entities: [DraftEntity]) {
        (self.feed, tree) = (feed, feed.tree)
        for entity in entities where entity.place.feeds.contains(feed.index) { note(entity) }
    }

    /// The ways to them, in the order of the feed.
    var all: [[ShapeStep]] {
        var found: [[ShapeStep]] = []
        let known = Set(feed.left)
        find(0, [], known, &found)
        return found
    }

    // MARK: What is mentioned

    private mutating func note(_ entity: DraftEntity) {
        guard isMentioned(entity) else { return }
        let isOwn = entity.place.feed == feed.index
        for column in entity.columns where column.cut == nil && !column.isOfStrangers && isMentioned(column) {
            if isOwn { note(column.node, column.content) }
            // Records at other places, of other feeds too, have their values under the same names.
            guard let path = column.origin.members else { continue }
            for node in nodes(of: entity) {
                if let member = tree.member(at: path, in: node) { note(member, column.content) }
            }
        }
        guard isOwn else { return }
        for node in entity.place.nodes { noteEdge(around: node) }
        if entity.leavesOutStrangers || entity.isLost { mentioned.formUnion(entity.place.nodes) }
        mentioned.formUnion(entity.omissions.texts)
        // A comment counts the members that are no columns.
        if entity.omissions.members > 0 { whole.formUnion(entity.place.nodes) }
    }

    /// What an edge of GraphQL says of its place on the page says nothing of the object.
    private mutating func noteEdge(around node: Int32) {
        let isNode = tree[node].step == .member && tree.name(node) == "node"
        let edge = isNode ? tree[node].parent : node
        guard ShapeStep.members(tree.steps(to: edge)).last == "edges" else { return }
        for name in ["cursor", "__typename"] {
            if let member = tree.member(at: [name], in: edge), isNode || name == "cursor" { mentioned.insert(member) }
        }
    }

    /// The places of its records in this feed.
    private func nodes(of entity: DraftEntity) -> [Int32] {
        let place = entity.place
        let own = place.feed == feed.index ? place.nodes : []
        let ways = (place.feed == feed.index ? [] : [place.steps]) + place.others
        return own + ways.compactMap(tree.node(at:))
    }

    private func isMentioned(_ entity: DraftEntity) -> Bool {
        !entity.isDropped || entity.isLost || entity.whole != nil || entity.same != nil
    }

    /// Whether what a column has is in an attribute; what became records of another entity, only if that has it, too.
    private func isMentioned(_ column: DraftColumn) -> Bool {
        guard let other = column.entity.same else { return true }
        return other.columns.contains { $0.cut == nil && $0.origin == column.origin }
    }

    private mutating func note(_ node: Int32, _ content: DraftColumn.Content) {
        switch content {
        case .inner: return
        case .scalar: mentioned.insert(node)
        case .list:
            mentioned.insert(node)
            if tree[node].element >= 0 { mentioned.insert(tree[node].element) }
        case .json:
            // What stays whole after all has no place of its own.
            if node > 0 { whole.insert(node) }
        }
    }

    // MARK: What is not

    private func find(
        _ node: Int32, _ steps: [ShapeStep], _ known: Set<[ShapeStep]>, _ found: inout [[ShapeStep]]
    ) {
        if whole.contains(node) { return }
        let place = tree[node]
        if place.counts.scalars > 0, !mentioned.contains(node), !known.contains(steps), !isEmptyText(place) {
            found.append(steps)
        }
        for member in tree.members(of: node) { find(member, steps + [tree.step(to: member)], known, &found) }
        if place.element >= 0, tree[place.element].parent == node {
            find(place.element, steps + [.element], known, &found)
        }
        if place.anyMember >= 0, tree[place.anyMember].parent == node {
            find(place.anyMember, steps + [tree.step(to: place.anyMember)], known, &found)
        }
        if let split = feed.splits.first(where: { $0.element == node }) {
            for kind in split.nodes { find(kind, steps, known, &found) }
        }
    }

    /// Whether there is nothing but texts that say nothing.
    private func isEmptyText(_ place: ShapeNode) -> Bool {
        place.counts.scalars == place.counts.texts && tree.facts[place.facts]?.empties == place.counts.texts
    }
}
