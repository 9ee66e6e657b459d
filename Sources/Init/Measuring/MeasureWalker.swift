import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Goes through a feed whose places are known, and measures the records of its entities.
@safe
struct MeasureWalker {
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
    var plan: MeasurePlan
    private(set) var counts: Table<HashCounts>
    /// The row of the innermost record of each entity; -1: there is none.
    var current: Table<Int32>
    var rows = RowStack()
    private var frames = CountedTable<Frame>(capacity: 64)
    private var target: Int32 = -1
    private(set) var tokens: UInt64 = 0
    var failure: Failure?

    /// - Parameters:
    ///   - counts: where values are counted, and for each column which of them it is.
    ///   - needed: the columns that are looked at; nil: all.
    init(
        _ tree: ShapeTree, splits: [ListSplit], entities: [DraftEntity], measures: [RowReceiver],
        counts: Table<HashCounts>, counted: [ObjectIdentifier: Int], needed: Set<ObjectIdentifier>?
    ) {
        self.tree = tree
        self.counts = counts
        plan = MeasurePlan(
            tree, splits: splits, entities: entities, measures: measures, counted: counted, needed: needed)
        current = Table(capacity: max(1, measures.count))
        for index in measures.indices { current[index] = -1 }
        for split in splits { split.rewind() }
    }

    mutating func deallocate() {
        plan.deallocate()
        current.deallocate()
        rows.deallocate()
        frames.deallocate()
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
        guard node >= 0, plan.actions[Int(node)].target >= 0 else { return true }
        return unsafe value(node, ValueFingerprint.of(value: text, length), nil, 0)
    }

    mutating func string(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let node = place()
        guard node >= 0, plan.actions[Int(node)].target >= 0 else { return true }
        return unsafe value(
            node, length == 0 ? ValueFingerprint.none : ValueFingerprint.of(value: text, length), text, length)
    }

    /// Whether a value at a place is a record by itself.
    private func isValue(_ node: Int32) -> Bool {
        let entity = plan.actions[Int(node)].entity
        return entity >= 0 && plan.shapes[Int(entity)].isOfValues
    }

    /// A scalar, which may be a record by itself.
    ///
    /// - Parameter text: nil: it is none.
    private mutating func value(
        _ node: Int32, _ hash: UInt64, _ text: UnsafePointer<UInt8>?, _ length: Int
    ) -> Bool {
        let entity = plan.actions[Int(node)].entity
        if entity >= 0, plan.shapes[Int(entity)].isOfValues {
            let (base, outer) = beginRow(entity)
            unsafe give(hash, text, length, to: plan.actions[Int(node)].target)
            return endRow(entity, base, outer)
        }
        unsafe give(hash, text, length, to: plan.actions[Int(node)].target)
        return true
    }

    @inline(__always)
    private mutating func give(
        _ hash: UInt64, _ text: UnsafePointer<UInt8>?, _ length: Int, to first: Int32
    ) {
        var next = first
        while next >= 0 {
            let target = plan.targets[Int(next)]
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
    private func note(_ hash: UInt64, _ target: MeasurePlan.Target) {
        let (entity, row) = (Int(target.entity), current[Int(target.entity)])
        let list = unsafe plan.lists.pointer(target.list)
        guard row >= 0 else { return unsafe list.pointee.lose() }
        unsafe list.pointee.add(hash, of: rows.cells[Int(row) + plan.shapes[entity].width - 1])
    }

    /// Tells the columns that are lists what is known of them.
    func settleLists() { plan.lists.settle() }

    /// The hash of the part that is wanted.
    private func part(_ target: MeasurePlan.Target, _ text: UnsafePointer<UInt8>?, _ length: Int) -> UInt64 {
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
            var next = plan.actions[Int(any)].keyTarget
            guard next >= 0 else { return }
            let hash = unsafe ValueFingerprint.of(value: text, length)
            while next >= 0 {
                let target = unsafe plan.targets.base + Int(next)
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
            node = plan.splits[node]?.next() ?? node
        }
        if node >= 0, !plan.actions[Int(node)].isNeeded { node = -1 }
        var frame = Frame(node: node, isArray: isArray)
        let isFirst = isArray && beginElement()
        if isArray, node >= 0, unsafe tree.pointer(node).pointee.positions.arePlaces {
            if plan.actions[Int(node)].isHeader, isFirst {
                frame.node = -1
                node = -1
            } else {
                frame.isPositional = true
            }
        }
        if node >= 0, plan.actions[Int(node)].entity >= 0, !isArray || frame.isPositional || isValue(node) {
            frame.entity = plan.actions[Int(node)].entity
            (frame.base, frame.outer) = beginRow(frame.entity)
        }
        frames.append(frame)
    }

    /// Counts the lists in a list whose positions are no places, and tells whether one is the first of these.
    private mutating func beginElement() -> Bool {
        guard frames.count > 0, unsafe !frames.last.pointee.isPositional else { return false }
        unsafe frames.last.pointee.position &+= 1
        return unsafe frames.last.pointee.position == 1
    }

    mutating func end() -> Bool {
        tokens &+= 1
        let frame = frames.removeLast()
        return frame.entity < 0 ? true : endRow(frame.entity, frame.base, frame.outer)
    }
}
