import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Watches a feed go by, and keeps what it is made of.
@safe
struct ShapeObserver {
    struct Frame: BitwiseCopyable {
        /// -1: a place that is not looked at.
        var node: Int32
        var isArray: Bool
        /// The member that was met last.
        var last: Int32 = -1
        var instance: UInt64
        /// The log of the list whose element this is, and its number there.
        var log: Int32 = -1
        var logEntry: Int32 = -1
        /// The same of the log of what objects in the elements say.
        var innerLog: Int32 = -1
        var innerEntry: Int32 = -1
        /// The log of what stands at the positions of this list.
        var positions: Int32 = -1
        /// Whether its positions are places of their own, and the next one.
        var isPositional = false
        var position = 0
        /// Of a list that says what is at the positions of others: the place of all of them.
        var header: Int32 = -1
    }

    var tree = ShapeTree()
    private(set) var tokens: UInt64 = 0
    var frames = Table<Frame>(capacity: 64)
    var depth = 0
    private let maxDepth: Int
    /// Where the value that follows a key goes.
    var target: Int32 = -1
    private var instances: UInt64 = 0
    var logs: [KindLog] = []
    /// What tells the elements of a list apart, by their node.
    private var splits: [Int32: ListSplit]
    private let isTable: Bool
    private let isSequence: Bool
    /// The texts that may say what is at the positions of lists.
    var titles: TitleLog?

    /// - Parameters:
    ///   - format: how the feed is written.
    ///   - isOfFiles: whether it is told as an object whose members are files.
    ///   - positional: lists whose positions are places of their own.
    init(
        maxDepth: Int, format: Source.Format, isOfFiles: Bool = false, splits: [ListSplit] = [],
        positional: [PositionalList] = []
    ) {
        self.maxDepth = maxDepth + (isOfFiles ? 1 : 0)
        isTable = format.isTable
        isSequence = format != .json
        self.splits = [:]
        if isOfFiles { _ = tree.enter([.file]) }
        if !positional.isEmpty { titles = TitleLog() }
        for one in positional {
            let list = tree.enter(one.steps)
            unsafe tree.pointer(list).pointee.positions.arePlaces = true
            unsafe tree.pointer(list).pointee.positions.hasHeader = one.hasHeader
        }
        for split in splits {
            let element = split.enter(&tree)
            self.splits[element] = split
            unsafe tree.pointer(element).pointee.kinds.own = ShapeObserver.splitMark
        }
    }

    /// Of a place whose objects are told apart.
    static let splitMark: Int32 = -2

    mutating func deallocate() {
        tree.deallocate()
        frames.deallocate()
    }

    /// Where a value at this point of the feed is; -1: nowhere.
    @inline(__always)
    private mutating func place() -> Int32 {
        tokens &+= 1
        guard depth > 0 else { return 0 }
        let top = frames[depth &- 1]
        guard top.isArray else { return target }
        guard top.node >= 0 else { return -1 }
        if top.isPositional { return positionalPlace() }
        let element = unsafe tree.pointer(top.node).pointee.element
        return element >= 0 ? element : tree.element(of: top.node)
    }

    @inline(__always)
    private mutating func facts(of node: Int32) -> UnsafeMutablePointer<ValueFacts> {
        if unsafe tree.pointer(node).pointee.facts < 0 { unsafe tree.pointer(node).pointee.facts = tree.facts.add() }
        return unsafe tree.facts.pointer(tree.pointer(node).pointee.facts)
    }

    mutating func null() {
        note(nil)
        let node = place()
        if node >= 0 { unsafe tree.pointer(node).pointee.counts.nulls &+= 1 }
    }

    package mutating func boolean() {
        note(.boolean)
        let node = place()
        if node >= 0 { unsafe tree.pointer(node).pointee.counts.booleans &+= 1 }
    }

    package mutating func number(_ text: UnsafePointer<UInt8>, _ length: Int) {
        unsafe note(number: text, length)
        let node = place()
        guard node >= 0 else { return }
        unsafe tree.pointer(node).pointee.counts.numbers &+= 1
        _ = unsafe facts(of: node).pointee.add(number: text, length)
    }

    mutating func string(_ text: UnsafePointer<UInt8>, _ length: Int) {
        note(.text)
        let node = place()
        guard node >= 0 else {
            let header = depth > 0 ? frames[depth &- 1].header : -1
            if header >= 0 { unsafe titles?.addHeader(text, length, of: header) }
            return
        }
        unsafe tree.pointer(node).pointee.counts.texts &+= 1
        unsafe titles?.note(text, length, at: node, tree)
        let facts = unsafe facts(of: node)
        _ = unsafe facts.pointee.add(text: text, length)
        if unsafe facts.pointee.forms == .address { unsafe addTail(text, length, node) }
        if unsafe tree.pointer(node).pointee.kinds.own >= 0 { unsafe noteKind(text, length, node) }
    }

    private mutating func addTail(_ text: UnsafePointer<UInt8>, _ length: Int, _ node: Int32) {
        let tail = unsafe TextCut.addressTail.range(text, length)
        guard !tail.isEmpty else { return }
        if tree[node].sketches.tails < 0 {
            unsafe tree.pointer(node).pointee.sketches.tails = tree.facts.add()
        }
        _ = unsafe tree.facts.pointer(tree[node].sketches.tails).pointee.add(text: text + tail.lowerBound, tail.count)
    }

    mutating func key(_ text: UnsafePointer<UInt8>, _ length: Int) {
        tokens &+= 1
        unsafe enterMember(text, length)
    }

    mutating func enterMember(_ text: UnsafePointer<UInt8>, _ length: Int) {
        let frame = unsafe frames.base + (depth &- 1)
        let parent = unsafe frame.pointee.node
        guard parent >= 0 else {
            target = -1
            return
        }
        let any = unsafe tree.pointer(parent).pointee.anyMember
        if any >= 0 {
            target = any
            let keys = unsafe tree.pointer(parent).pointee.sketches.keys
            _ = unsafe tree.facts.pointer(keys).pointee.add(text: text, length)
            return
        }
        let last = unsafe frame.pointee.last
        let known = unsafe tree.member(of: parent, after: last, text, length)
        if known == nil, tree.isCrowded {
            settle()
            return unsafe enterMember(text, length)
        }
        let node = unsafe known ?? newMember(parent, text, length)
        target = node
        guard node >= 0 else { return }
        let instance = unsafe frame.pointee.instance
        let member = unsafe tree.pointer(node)
        if unsafe member.pointee.owners.last != instance {
            unsafe member.pointee.owners.last = instance
            unsafe member.pointee.owners.count &+= 1
        } else {
            unsafe member.pointee.owners.repeated &+= 1
        }
        if last >= 0 { unsafe tree.pointer(last).pointee.siblings.follower = node }
        unsafe frame.pointee.last = node
    }

    /// The maps that were found so far, and could as well be single objects.
    private(set) var doubtful: Set<Int32> = []

    /// Takes the members of maps together.
    mutating func settle() {
        // The columns of a table have names.
        let tops = isTable ? [] : [0] + splits.values.flatMap(\.nodes)
        let isSequence = isSequence
        let found = unsafe withUnsafeMutablePointer(to: &tree) { tree in
            var maps = unsafe MapFinder(tree, isSequence: isSequence)
            for top in tops { maps.settle(top) }
            maps.settleWaiting()
            return maps.doubtful
        }
        doubtful.formUnion(found)
        for index in 0..<depth {
            unsafe frames.base[index].node = tree.current(frames[index].node)
            unsafe frames.base[index].last = -1
        }
        tree.tidy()
    }

    private mutating func newMember(_ parent: Int32, _ text: UnsafePointer<UInt8>, _ length: Int) -> Int32 {
        switch tree.width(of: parent, isTable: isTable, isSequence: isSequence) {
        case .more: break
        case .full:
            unsafe tree.omit(text, length, of: parent)
            return -1
        case .map:
            tree.collapse(parent)
            unsafe frames.base[depth - 1].last = -1
            _ = unsafe tree.facts.pointer(tree[parent].sketches.keys).pointee.add(text: text, length)
            return tree[parent].anyMember
        }
        let node = unsafe tree.addMember(of: parent, text, length)
        if node >= 0, KindLog.mayTell(tree.name(node)) { watchKinds(node) }
        return node
    }

    mutating func begin(isArray: Bool) -> Bool {
        guard depth < maxDepth else { return false }
        note(isArray ? .array : .object)
        var node = place()
        instances &+= 1
        var frame = Frame(node: node, isArray: isArray, instance: instances)
        if node >= 0 {
            if isArray {
                beginList(node, &frame)
            } else {
                if unsafe tree.pointer(node).pointee.kinds.own == ShapeObserver.splitMark {
                    node = splits[node]?.next() ?? node
                }
                let place = unsafe tree.pointer(node)
                unsafe place.pointee.counts.objects &+= 1
                frame.node = node
                let log = unsafe place.pointee.step == .member ? -1 : place.pointee.kinds.own
                if log >= 0 {
                    frame.log = log
                    frame.logEntry = logs[Int(log)].begin()
                }
                let inner = unsafe place.pointee.kinds.inner
                if inner >= 0 {
                    frame.innerLog = inner
                    frame.innerEntry = logs[Int(inner)].begin()
                }
            }
        }
        frames.ensure(depth + 1)
        frames[depth] = frame
        depth &+= 1
        return true
    }

    mutating func end() {
        tokens &+= 1
        depth &-= 1
        let positions = frames[depth].positions
        if positions >= 0 { tree.positionLogs[Int(positions)].end() }
    }
}
