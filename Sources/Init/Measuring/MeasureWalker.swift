import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Goes through a feed whose places are known, and measures the records of its entities.
@safe
struct MeasureWalker {
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

    struct Frame: BitwiseCopyable {
        var node: Int32
        var isArray: Bool
        var last: Int32 = -1
        /// The row of the record that begins here, and that of the record of the same entity around it.
        var entity: Int32 = -1
        var base: Int32 = 0
        var outer: Int32 = -1
        /// Whether its positions are places of their own, and the next one.
        var isPositional = false
        var position = 0
    }

    let tree: ShapeTree
    let splits: [Int32: ListSplit]
    let entities: [DraftEntity]
    /// By entity. The feed's survey counts their owners.
    let measures: Table<Unmanaged<RowTaker>>
    private(set) var counts: Table<HashCounts>
    var actions: Table<Action>
    var targets = CountedTable<Target>(capacity: 64)
    /// The row of the innermost record of each entity; -1: there is none.
    var current: Table<Int32>
    var rows = RowStack()
    private var frames = CountedTable<Frame>(capacity: 64)
    private var target: Int32 = -1
    /// By entity.
    var shapes: Table<RowShape>
    private(set) var tokens: UInt64 = 0
    var failure: Failure?
    /// The values of columns that are lists.
    private var lists = ColumnLists()

    /// - Parameters:
    ///   - counts: where values are counted, and for each column which of them it is.
    ///   - needed: the columns that are looked at; nil: all.
    init(
        _ tree: ShapeTree, splits: [ListSplit], entities: [DraftEntity], measures: [RowTaker],
        counts: Table<HashCounts>, counted: [ObjectIdentifier: Int], needed: Set<ObjectIdentifier>?
    ) {
        self.tree = tree
        self.splits = Dictionary(uniqueKeysWithValues: splits.map { ($0.element, $0) })
        self.entities = entities
        unsafe self.measures = unsafe Table(capacity: max(1, measures.count))
        self.counts = counts
        actions = Table(capacity: tree.count)
        current = Table(capacity: max(1, measures.count))
        shapes = Table(capacity: max(1, measures.count))
        for index in 0..<tree.count { actions[index] = Action(isHeader: tree[Int32(index)].positions.hasHeader) }
        for (index, measure) in measures.enumerated() {
            unsafe self.measures[index] = unsafe Unmanaged.passUnretained(measure)
            current[index] = -1
            shapes[index] = RowShape(measure.entity)
        }
        for entity in entities {
            for node in entity.place.nodes { unsafe actions.base[Int(node)].entity = Int32(entity.index) }
            for column in entity.columns where needed?.contains(ObjectIdentifier(column)) ?? true {
                add(column, counted[ObjectIdentifier(column)])
            }
        }
        for split in splits { split.rewind() }
        forgetWhatIsDone()
    }

    mutating func deallocate() {
        actions.deallocate()
        targets.deallocate()
        current.deallocate()
        shapes.deallocate()
        rows.deallocate()
        lists.deallocate()
        var measures = unsafe measures
        unsafe measures.deallocate()
        frames.deallocate()
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

    // MARK: Tokens

    @inline(__always)
    private mutating func place() -> Int32 {
        tokens &+= 1
        guard frames.count > 0 else { return 0 }
        let top = unsafe frames.last.pointee
        if !top.isArray { return target }
        if top.isPositional { return positionalPlace() }
        return top.node < 0 ? -1 : (unsafe tree.pointer(top.node).pointee.element)
    }

    private mutating func positionalPlace() -> Int32 {
        let position = unsafe frames.last.pointee.position
        unsafe frames.last.pointee.position = position + 1
        unsafe PositionName(position).withBytes { name, length in unsafe enterMember(name, length) }
        return target
    }

    mutating func scalar() -> Bool {
        let node = place()
        guard node >= 0 else { return true }
        // Null in the place of an object is no record.
        return isValue(node) ? unsafe value(node, ValueFingerprint.none, nil, 0) : true
    }

    package mutating func number(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let node = place()
        guard node >= 0, actions[Int(node)].target >= 0 else { return true }
        return unsafe value(node, ValueFingerprint.of(value: text, length), nil, 0)
    }

    mutating func string(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let node = place()
        guard node >= 0, actions[Int(node)].target >= 0 else { return true }
        return unsafe value(
            node, length == 0 ? ValueFingerprint.none : ValueFingerprint.of(value: text, length), text, length)
    }

    /// Whether a value at a place is a record by itself.
    private func isValue(_ node: Int32) -> Bool {
        let entity = actions[Int(node)].entity
        return entity >= 0 && shapes[Int(entity)].isOfValues
    }

    /// A scalar, which may be a record by itself.
    ///
    /// - Parameter text: nil: it is none.
    private mutating func value(
        _ node: Int32, _ hash: UInt64, _ text: UnsafePointer<UInt8>?, _ length: Int
    ) -> Bool {
        let entity = actions[Int(node)].entity
        if entity >= 0, shapes[Int(entity)].isOfValues {
            let (base, outer) = beginRow(entity)
            unsafe give(hash, text, length, to: actions[Int(node)].target)
            return endRow(entity, base, outer)
        }
        unsafe give(hash, text, length, to: actions[Int(node)].target)
        return true
    }

    @inline(__always)
    private mutating func give(
        _ hash: UInt64, _ text: UnsafePointer<UInt8>?, _ length: Int, to first: Int32
    ) {
        var next = first
        while next >= 0 {
            let target = targets[Int(next)]
            let hash = target.cut == nil ? hash : unsafe part(target, text, length)
            if target.slot >= 0, current[Int(target.entity)] >= 0 {
                rows.cells[Int(current[Int(target.entity)] &+ target.slot)] = hash
            }
            if target.counts >= 0, hash != ValueFingerprint.none {
                unsafe counts.base[Int(target.counts)].add(hash)
                if target.list >= 0 { note(hash, target) }
            }
            next = target.next
        }
    }

    /// Notes a value of a list, of which its record may have another one already.
    private func note(_ hash: UInt64, _ target: Target) {
        let (entity, row) = (Int(target.entity), current[Int(target.entity)])
        let list = unsafe lists.pointer(target.list)
        guard row >= 0 else { return unsafe list.pointee.lose() }
        unsafe list.pointee.add(hash, of: rows.cells[Int(row) + shapes[entity].width - 1])
    }

    /// Tells the columns that are lists what is known of them.
    func settleLists() { lists.settle() }

    /// The hash of the part that is wanted.
    private func part(_ target: Target, _ text: UnsafePointer<UInt8>?, _ length: Int) -> UInt64 {
        guard let text = unsafe text, let cut = target.cut else { return ValueFingerprint.none }
        let range = unsafe cut.range(text, length)
        return range.isEmpty
            ? ValueFingerprint.none : unsafe ValueFingerprint.of(value: text + range.lowerBound, range.count)
    }

    mutating func key(_ text: UnsafePointer<UInt8>, _ length: Int) {
        tokens &+= 1
        unsafe enterMember(text, length)
    }

    private mutating func enterMember(_ text: UnsafePointer<UInt8>, _ length: Int) {
        let frame = unsafe frames.last
        let parent = unsafe frame.pointee.node
        guard parent >= 0 else {
            target = -1
            return
        }
        let any = unsafe tree.pointer(parent).pointee.anyMember
        if any >= 0 {
            target = any
            var next = actions[Int(any)].keyTarget
            guard next >= 0 else { return }
            let hash = unsafe ValueFingerprint.of(value: text, length)
            while next >= 0 {
                let target = unsafe targets.base + Int(next)
                let hash = unsafe target.pointee.cut == nil ? hash : part(target.pointee, text, length)
                unsafe target.pointee.pending = hash
                let place = unsafe Int(target.pointee.counts)
                if place >= 0, hash != ValueFingerprint.none { unsafe counts.base[place].add(hash) }
                next = unsafe target.pointee.next
            }
            return
        }
        target = unsafe tree.member(of: parent, after: frame.pointee.last, text, length) ?? -1
        if target >= 0 { unsafe frame.pointee.last = target }
    }

    mutating func begin(isArray: Bool) {
        var node = place()
        if !isArray, node >= 0, unsafe tree.pointer(node).pointee.kinds.own == ShapeObserver.splitMark {
            node = splits[node]?.next() ?? node
        }
        if node >= 0, !actions[Int(node)].isNeeded { node = -1 }
        var frame = Frame(node: node, isArray: isArray)
        if isArray, node >= 0, unsafe tree.pointer(node).pointee.positions.arePlaces {
            if actions[Int(node)].isHeader {
                actions[Int(node)].isHeader = false
                frame.node = -1
                node = -1
            } else {
                frame.isPositional = true
            }
        }
        if node >= 0, actions[Int(node)].entity >= 0, !isArray || frame.isPositional || isValue(node) {
            frame.entity = actions[Int(node)].entity
            (frame.base, frame.outer) = beginRow(frame.entity)
        }
        frames.append(frame)
    }

    mutating func end() -> Bool {
        tokens &+= 1
        let frame = frames.removeLast()
        return frame.entity < 0 ? true : endRow(frame.entity, frame.base, frame.outer)
    }
}
