import SluiceRecords

/// Finds the lists and maps of objects in a feed, and the columns that their objects have.
@safe
struct EntityFinder {
    let feed: Int
    let tree: ShapeTree
    let isLines: Bool
    let splits: [ListSplit]
    let trees: [Int32: Int32]
    let doubtful: Set<Int32>
    /// By the place of the objects in lists: that of the object which is there where there is only one.
    var alone: [Int32: Int32] = [:]
    /// What may say what is at the positions of lists.
    let titles: TitleLog?
    /// Whether the names of its files tell these apart.
    let fileNames: FileNames
    var entities: [DraftEntity] = []
    /// What is at the top of the feed, and in no list and no map.
    private(set) var left: [[ShapeStep]] = []

    /// So many columns has an entity: a table in SQLite takes 2,000, and one on a server 1,600.
    static let mostColumns = 1500

    init(
        feed: Int, _ tree: ShapeTree, isLines: Bool, splits: [ListSplit], trees: [Int32: Int32], doubtful: Set<Int32>,
        titles: TitleLog?, fileNames: FileNames = .differ
    ) {
        self.feed = feed
        self.tree = tree
        self.isLines = isLines
        self.splits = splits
        self.trees = trees
        self.doubtful = doubtful
        (self.titles, self.fileNames) = (titles, fileNames)
    }

    mutating func find() {
        visit(0, [], nil)
        // A single object without any list is a record, too.
        let (top, steps) = top
        if entities.allSatisfy(\.isSingle), tree[top].counts.objects > 0, !isEmptyAnswer(top) {
            (entities, left) = ([], [])
            add([top], steps, nil)
        }
    }

    /// The value of a feed, or that of each of its files.
    private var top: (node: Int32, steps: [ShapeStep]) {
        tree.isOfFiles ? (tree[0].anyMember, [.file]) : (0, [])
    }

    /// Looks for entities at a place.
    mutating func visit(_ node: Int32, _ steps: [ShapeStep], _ owner: DraftEntity?) {
        let place = tree[node]
        let kinds = splits.first { $0.element == node }
        if let kinds { return addKinds(kinds, steps, owner) }
        let isMany = place.step != .member && (place.step != .root || isLines)
        let isFile = steps == [.file]
        let isFrame = owner != nil && holdsOnlyRecords(node)
        if isMany, let inner = nodeOfEdge(node, steps) {
            owner?.objects.cursors += cursors(of: node, steps, owner)
            return add([inner], steps + [.member("node")], owner)
        }
        if isMany, isRecord(node), !isFrame, !isFile || isRecordOfFile(node) {
            return add([node], steps, owner)
        }
        if owner == nil, let inner = wrapped(in: node, steps) {
            return add([inner], steps + [.member(tree.name(inner))], nil)
        }
        if place.step == .anyMember, !isFile, place.counts.scalars > 0 || isScalarList(node) {
            // A map of scalars: an entity of its own within a map of maps, or where nothing encloses it.
            if steps.dropLast().last == .anyMember || owner == nil { addValues(node, steps, owner) }
            return
        }
        if owner == nil, isListOfTexts(node, steps) {
            addValues(node, steps, nil)
            entities[entities.count - 1].isDoubtful = true
            return
        }
        if place.counts.scalars > 0 { left.append(steps) }
        addSingle(node, steps)
        // A wildcard takes elements and members alike.
        if place.counts.objects == 0, let element = element(of: node) { visit(element, steps + [.element], owner) }
        if place.counts.arrays == 0, place.anyMember >= 0 {
            visit(place.anyMember, steps + [tree.step(to: place.anyMember)], owner)
        }
        if isMapOfLists(node, steps), owner == nil { addGroups(place.anyMember, steps + [.anyMember]) }
        for member in tree.members(of: node) {
            visit(member, steps + [tree.step(to: member)], owner)
        }
    }

    /// The elements of a list, but not those of a list around it.
    func element(of node: Int32) -> Int32? {
        let element = tree[node].element
        return element >= 0 && tree[element].parent == node ? element : nil
    }

    /// Whether the objects at a place are records. A few other values among them are not, and a member that all objects
    /// have tells them from these.
    func isRecord(_ node: Int32) -> Bool {
        let counts = tree[node].counts
        guard counts.objects > 0, tree[node].children.first >= 0 else { return false }
        if counts.values == counts.objects { return true }
        return counts.objects * 2 > counts.values
            && tree.members(of: node).contains { member in
                let own = tree[member]
                return own.owners.count == counts.objects && own.counts.nulls == 0 && own.counts.areScalars
            }
    }

    /// Whether the values are texts of a list that is no member of an object which may be an entity.
    private func isListOfTexts(_ node: Int32, _ steps: [ShapeStep]) -> Bool {
        let counts = tree[node].counts
        guard tree[node].step == .element, counts.texts > 2, counts.values == counts.texts, !steps.contains(.anyMember)
        else { return false }
        if ParallelLists(of: tree[tree[node].parent].parent, tree) != nil { return false }
        let around = Array(steps.dropLast(2))
        return !entities.contains { $0.isSingle && $0.place.steps == around }
    }

    private func isScalarList(_ node: Int32) -> Bool {
        guard tree[node].counts.hasLists, let element = element(of: node) else { return false }
        return tree[element].counts.areScalars && !splits.contains { $0.element == element }
    }

    private mutating func addKinds(_ split: ListSplit, _ steps: [ShapeStep], _ owner: DraftEntity?) {
        for (node, value) in zip(split.nodes, split.log.kinds) where tree[node].counts.objects > 0 {
            add([node], steps, owner, kind: (split.member, value))
        }
    }

    /// Objects that are in a list, or alone in its place.
    mutating func addOneOrMany(_ element: Int32, _ node: Int32, _ steps: [ShapeStep], _ owner: DraftEntity) {
        add([element, node], steps + [.element], owner)
        guard let entity = entities.last(where: { $0.place.nodes == [element, node] }) else { return }
        entity.place.others = [steps]
        entity.place.isOneOrMany = true
    }

    private mutating func add(
        _ nodes: [Int32], _ steps: [ShapeStep], _ owner: DraftEntity?, kind: ([String], String)? = nil
    ) {
        let root = trees[nodes[0]]
        let all = nodes + (root.map { $0 >= 0 ? [$0] : [] } ?? [])
        let records = all.reduce(0) { $0 + tree[$1].counts.objects }
        let entity = DraftEntity(feed: feed, steps: steps, nodes: all, records: records, owner: owner)
        entity.place.kind = kind
        entity.place.isOfEdges =
            ShapeStep.members(steps).last == "edges"
            && tree.members(of: nodes[0]).contains { tree.name($0) == "node" && tree[$0].counts.hasObjects }
        if root != nil {
            entity.role = .levels
            let around = tree[tree[nodes[0]].parent].parent
            let others = around < 0 ? [] : tree.members(of: around).filter { !tree[$0].counts.areScalars }
            entity.place.membersAbove = Set(others.map { ExactText(tree.name($0)) })
        }
        entities.append(entity)
        entity.place.isOfSequence = isLines
        entity.omissions.strangers = nodes.reduce(0) { $0 + tree[$1].counts.values - tree[$1].counts.objects }
        addKeys(entity)
        if tree[nodes[0]].positions.arePlaces {
            addPositions(of: nodes[0], entity)
        } else {
            addMembers(of: nodes[0], [], [], entity)
        }
        settleColumns(of: entity)
    }

    /// Takes away what is too much, and notes it.
    func settleColumns(of entity: DraftEntity) {
        entity.keepColumns(EntityFinder.mostColumns)
        for node in entity.place.nodes {
            guard let others = tree.omittedMembers(of: node) else { continue }
            entity.omissions.omit(Int(others.sketch.distinct.rounded()), records: tree[node].counts.objects)
        }
    }

    /// An object that the feed has once, as what all its lists belong to: only what refers to it, or what it refers to,
    /// shows that it is more than what is said of the feed.
    private mutating func addSingle(_ node: Int32, _ steps: [ShapeStep]) {
        let place = tree[node]
        let name = if case .member(let name)? = steps.last { name } else { "" }
        let scalars = tree.members(of: node).filter { tree[$0].counts.scalars > 0 }
        guard place.counts.objects == 1, place.counts.arrays == 0, place.anyMember < 0, !place.positions.arePlaces,
            tree.isSingle(node), !trees.values.contains(node),
            scalars.count > 2, scalars.contains(where: { Names.rank(tree.name($0), of: name) == .own })
        else { return }
        let entity = DraftEntity(feed: feed, steps: steps, nodes: [node], records: 1, owner: nil)
        (entity.role, entity.isDoubtful) = (.single, true)
        entities.append(entity)
        for member in tree.members(of: node) where tree[member].counts.scalars > 0 || isScalarList(member) {
            addMember(member, [tree.name(member)], [], entity, entity)
        }
        for member in tree.members(of: node) where tree[member].counts.scalars == 0 {
            addIdentifier(of: member, entity)
        }
        settleColumns(of: entity)
    }

    /// A map of scalars, or of lists of them.
    ///
    /// - Parameter isTaken: whether what the values hold is drafted elsewhere.
    mutating func addValues(_ node: Int32, _ steps: [ShapeStep], _ owner: DraftEntity?, isTaken: Bool = false) {
        let place = tree[node]
        let records = place.counts.scalars + place.counts.nulls + place.counts.arrays
        let entity = DraftEntity(feed: feed, steps: steps, nodes: [node], records: records, owner: owner)
        entity.isDoubtful = doubtful.contains(place.parent)
        entity.place.isOfSequence = isLines
        entities.append(entity)
        addKeys(entity)
        let isScalar = place.counts.areScalars
        let content: DraftColumn.Content = isScalar ? .scalar : isTaken ? .inner : .json
        append(column(.record, content, at: node, present: records, entity))
    }

    /// Whether there are lists of objects behind the keys of a map that the feed has once.
    private func isMapOfLists(_ node: Int32, _ steps: [ShapeStep]) -> Bool {
        let value = tree[node].anyMember
        let isOnce = steps.allSatisfy { if case .member = $0 { true } else { false } }
        guard isOnce, !isLines, value >= 0, tree.step(to: value) == .anyMember, tree[node].counts.arrays == 0 else {
            return false
        }
        guard tree[value].counts.areLists, let element = element(of: value) else { return false }
        return entities.contains { $0.place.nodes == [element] }
    }

    /// What the keys of a map of lists name: `"releases": { "1.0": [ … ] }`. Only what refers to the keys from
    /// elsewhere shows that they are more than a part of what names the objects in the lists.
    private mutating func addGroups(_ node: Int32, _ steps: [ShapeStep]) {
        addValues(node, steps, nil, isTaken: hasObjects(node))
        let groups = entities[entities.count - 1]
        (groups.role, groups.isDoubtful) = (.groups, true)
    }

    /// The keys by which a record, and what is around it below its owner, is in maps.
    private func addKeys(_ entity: DraftEntity) {
        var node = entity.place.nodes[0]
        var count = entity.place.steps.count
        let above = entity.owner?.place.steps.count ?? 0
        var keys: [DraftColumn] = []
        while count > above, node > 0 {
            if tree[node].step == .anyMember {
                let map = tree[node].parent
                keys.append(
                    DraftColumn(
                        entity, .key(steps: count), .scalar, node: node, facts: tree.keyFactsOf(map),
                        place: tree[node], present: entity.records))
            }
            node = tree[node].parent
            count -= 1
        }
        for key in keys.reversed() { append(key) }
    }

    func append(_ column: DraftColumn) {
        column.index = column.entity.columns.count
        column.entity.columns.append(column)
    }
}
