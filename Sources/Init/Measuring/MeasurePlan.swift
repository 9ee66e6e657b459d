import SluiceRecords

/// What is measured at each place of a feed.
@safe
struct MeasurePlan {
    /// What is done at a place.
    struct Action: BitwiseCopyable {
        /// The entity whose record begins here; -1: none.
        var entity: Int32 = -1
        /// The first of the columns that get the values here.
        var target: Int32 = -1
        /// The first of the columns that get the keys here.
        var keyTarget: Int32 = -1
        /// Whether something is done here, or in what is here.
        var isNeeded = true
        /// Whether the next list here says what the others are, and is none of them.
        var isHeader = false
    }

    struct Target: BitwiseCopyable {
        var entity: Int32
        /// In a row; -1: the values are only counted.
        var slot: Int32
        /// Where they are counted; -1: nowhere.
        var counts: Int32
        /// The part of a text that is wanted; nil: all of it.
        var cut: TextCut?
        var next: Int32
        /// Of a column that gets keys: the next one of its entity, and the key around the place.
        var nextKey: Int32 = -1
        var pending = ValueFingerprint.none
        /// Of the values of lists: where it is noted which of them a record has already; -1: nowhere.
        var list: Int32 = -1
    }

    /// What the rows of an entity are like.
    struct RowShape: BitwiseCopyable {
        var width: Int
        /// The entity in whose records these are, and where its rows have their own hash; -1: there is none.
        var owner = -1
        var ownerInstance = 0
        /// The first of the columns that get keys around the record; -1: there is none.
        var key: Int32 = -1
        /// How many entities have it as their owner, whose rows are still made.
        var dependants = 0
        var isForgotten = false
        /// Whether each record is a value in a map, whatever it is.
        let isOfValues: Bool

        init(_ entity: DraftEntity) {
            width = entity.columns.count + 2
            isOfValues = entity.isOfValues
            guard let owner = entity.owner else { return }
            self.owner = owner.index
            ownerInstance = owner.columns.count + 1
        }
    }

    let tree: ShapeTree
    let splits: [Int32: ListSplit]
    let entities: [DraftEntity]
    /// By entity. The feed's survey counts their owners.
    let measures: Table<Unmanaged<RowReceiver>>
    /// By place.
    var actions: Table<Action>
    var targets = CountedTable<Target>(capacity: 64)
    /// By entity.
    var shapes: Table<RowShape>
    /// The values of columns that are lists.
    var lists = ColumnLists()

    /// - Parameters:
    ///   - counted: for each column, where its values are counted.
    ///   - needed: the columns that are looked at; nil: all.
    init(
        _ tree: ShapeTree, splits: [ListSplit], entities: [DraftEntity], measures: [RowReceiver],
        counted: [ObjectIdentifier: Int], needed: Set<ObjectIdentifier>?
    ) {
        (self.tree, self.entities) = (tree, entities)
        self.splits = Dictionary(uniqueKeysWithValues: splits.map { ($0.element, $0) })
        unsafe self.measures = unsafe Table(capacity: max(1, measures.count))
        actions = Table(capacity: tree.count)
        shapes = Table(capacity: max(1, measures.count))
        for index in 0..<tree.count { actions[index] = Action(isHeader: tree[Int32(index)].positions.hasHeader) }
        for (index, measure) in measures.enumerated() {
            unsafe self.measures[index] = unsafe Unmanaged.passUnretained(measure)
            shapes[index] = RowShape(measure.entity)
        }
        for entity in entities {
            for node in entity.place.nodes { unsafe actions.base[Int(node)].entity = Int32(entity.index) }
            for column in entity.columns where needed?.contains(ObjectIdentifier(column)) ?? true {
                add(column, counted[ObjectIdentifier(column)])
            }
        }
        forgetWhatIsDone()
    }

    mutating func deallocate() {
        actions.deallocate()
        targets.deallocate()
        shapes.deallocate()
        lists.deallocate()
        var measures = unsafe measures
        unsafe measures.deallocate()
    }

    private mutating func add(_ column: DraftColumn, _ counts: Int?) {
        guard column.content != .json else { return }
        let entity = column.entity
        var target = Target(
            entity: Int32(entity.index), slot: column.content != .scalar ? -1 : Int32(column.index + 1),
            counts: Int32(counts ?? -1), cut: column.cut, next: -1)
        if counts != nil, column.content != .scalar {
            target.list = lists.add(column)
        }
        let action = unsafe actions.base + Int(column.node)
        if column.isKey {
            target.next = unsafe action.pointee.keyTarget
            target.nextKey = shapes[entity.index].key
            unsafe shapes.base[entity.index].key = Int32(targets.count)
            unsafe action.pointee.keyTarget = Int32(targets.count)
        } else {
            target.next = unsafe action.pointee.target
            unsafe action.pointee.target = Int32(targets.count)
        }
        targets.append(target)
        // The top of a tree has members of its own.
        guard entity.place.nodes.count > 1, let path = column.path else { return }
        var node = entity.place.nodes[1]
        for name in path {
            guard let member = tree.members(of: node).first(where: { tree.name($0) == name }) else { return }
            node = member
        }
        if column.content == .list { node = tree[node].element }
        guard node >= 0, node != column.node else { return }
        target.next = unsafe actions.base[Int(node)].target
        unsafe actions.base[Int(node)].target = Int32(targets.count)
        targets.append(target)
    }
}
