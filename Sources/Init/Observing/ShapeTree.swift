import SluiceRecords

/// All places of a feed.
@safe
struct ShapeTree {
    var nodes = CountedTable<ShapeNode>(capacity: 256)
    var facts = FactsPool()
    var room: Room
    /// Of lists in lists.
    var positionLogs: [PositionLog] = []
    var keys = Arena(capacity: 1 << 12)
    private var index = MemberIndex()
    /// Whether the top is no value of the feed, but its files, by their names.
    var isOfFiles = false

    static let mostNodes = 200_000
    /// An object with more different keys is a map, its keys are data, unless it is one of many with the same ones.
    static let mostMembers: Int32 = 1000
    /// So many members of a record are looked at.
    static let mostOfRecord: Int32 = 2000

    /// How many places there may be, and which may be used again.
    struct Room {
        let most: Int
        /// What merged places have left behind, for others to use.
        var free: [Int32] = []
        var merged: [Int32] = []
        /// At so many places it is time to look for maps among them.
        var crowd = 1 << 12
        /// Whether the feed has more places than these: what is in them was not looked at.
        var isFull = false
    }

    init(most: Int = ShapeTree.mostNodes) {
        room = Room(most: most)
        _ = add(ShapeNode(parent: -1, step: .root))
    }

    mutating func deallocate() {
        nodes.deallocate()
        facts.deallocate()
        keys.deallocate()
        index.deallocate()
    }

    subscript(_ node: Int32) -> ShapeNode {
        get { nodes[Int(node)] }
        nonmutating set { nodes[Int(node)] = newValue }
    }

    var count: Int { nodes.count }

    func pointer(_ node: Int32) -> UnsafeMutablePointer<ShapeNode> { unsafe nodes.base + Int(node) }

    func name(_ node: Int32) -> String {
        let (start, length) = unsafe key(of: node)
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    /// The name of a member, as bytes.
    func key(of node: Int32) -> (start: UnsafePointer<UInt8>, length: Int) {
        let key = self[node].key
        return unsafe (UnsafePointer(keys.base + Int(key.start)), Int(key.length))
    }

    /// The members of an object, in the order in which they were met first.
    func members(of node: Int32) -> [Int32] {
        var members: [Int32] = []
        var next = self[node].children.first
        while next >= 0 {
            members.append(next)
            next = self[next].siblings.next
        }
        return members
    }

    func factsOf(_ node: Int32) -> ValueFacts? { facts[self[node].facts] }

    func tailFactsOf(_ node: Int32) -> ValueFacts? { facts[self[node].sketches.tails] }

    func keyFactsOf(_ node: Int32) -> ValueFacts? { facts[self[node].sketches.keys] }

    /// The keys of a record's members that are not looked at, as there are too many; nil: there are none.
    func omittedMembers(of node: Int32) -> ValueFacts? { self[node].anyMember < 0 ? keyFactsOf(node) : nil }

    /// Notes a member that is not looked at.
    mutating func omit(_ key: UnsafePointer<UInt8>, _ length: Int, of node: Int32) {
        if self[node].sketches.keys < 0 {
            unsafe pointer(node).pointee.sketches.keys = facts.add()
        }
        _ = unsafe facts.pointer(self[node].sketches.keys).pointee.add(text: key, length)
    }

    private mutating func add(_ node: ShapeNode) -> Int32 {
        if let free = room.free.popLast() {
            nodes[Int(free)] = node
            return free
        }
        nodes.append(node)
        return Int32(count - 1)
    }

    // MARK: Where a parent leads to

    /// What the elements of a list are; made where it is not there. -1: there are too many places.
    mutating func element(of node: Int32) -> Int32 {
        if self[node].element >= 0 { return self[node].element }
        guard hasRoom() else { return -1 }
        let element = add(ShapeNode(parent: node, step: .element))
        unsafe pointer(node).pointee.element = element
        return element
    }

    mutating func anyMember(of node: Int32) -> Int32 {
        if self[node].anyMember >= 0 { return self[node].anyMember }
        let member = add(ShapeNode(parent: node, step: .anyMember))
        let known = self[node].sketches.keys
        let facts = known >= 0 ? known : facts.add()
        unsafe pointer(node).pointee.anyMember = member
        unsafe pointer(node).pointee.sketches.keys = facts
        return member
    }

    /// Another node for some of the objects that are at a place.
    mutating func addKind(of node: Int32) -> Int32 {
        add(ShapeNode(parent: self[node].parent, step: self[node].step))
    }

    private mutating func hasRoom() -> Bool {
        if live >= room.most { room.isFull = true }
        return !room.isFull
    }

    /// The member of an object by its key; nil: it is not there yet. Members come in the same order in most objects.
    @inline(__always)
    func member(of node: Int32, after last: Int32, _ key: UnsafePointer<UInt8>, _ length: Int) -> Int32? {
        let guess = unsafe last < 0 ? pointer(node).pointee.children.first : pointer(last).pointee.siblings.follower
        if guess >= 0, unsafe pointer(guess).pointee.parent == node, unsafe isKey(guess, key, length) { return guess }
        return unsafe find(node, key, length)
    }

    func find(_ node: Int32, _ key: UnsafePointer<UInt8>, _ length: Int) -> Int32? {
        var bucket = unsafe index.bucket(node, key, length)
        while let found = index[bucket] {
            if unsafe pointer(found).pointee.parent == node && isKey(found, key, length) { return found }
            bucket = index.next(bucket)
        }
        return nil
    }

    /// A new member of an object; -1: there are too many places.
    mutating func addMember(of node: Int32, _ key: UnsafePointer<UInt8>, _ length: Int) -> Int32 {
        guard hasRoom() else { return -1 }
        var member = ShapeNode(parent: node, step: .member)
        member.key = ShapeNode.Key(start: Int32(unsafe keys.append(key, length)), length: Int32(length))
        let index = add(member)
        link(index, to: node)
        return index
    }

    mutating func link(_ member: Int32, to node: Int32) {
        unsafe pointer(member).pointee.parent = node
        unsafe pointer(member).pointee.siblings.next = -1
        unsafe pointer(member).pointee.siblings.follower = -1
        let last = self[node].children.last
        if last < 0 {
            unsafe pointer(node).pointee.children.first = member
        } else {
            unsafe pointer(last).pointee.siblings.next = member
        }
        unsafe pointer(node).pointee.children.last = member
        unsafe pointer(node).pointee.children.count += 1
        enter(member)
    }

    private mutating func enter(_ member: Int32) {
        if index.isCrowded { rehash(index.size * 2) }
        let key = unsafe key(of: member)
        unsafe index.enter(member, of: self[member].parent, key.start, key.length)
    }

    /// Enters all members anew.
    mutating func rehash() { rehash(index.size) }

    private mutating func rehash(_ size: Int) {
        index.clear(size)
        for member in 0..<Int32(count) where self[member].step == .member && self[member].parent >= 0 { enter(member) }
    }

    @inline(__always)
    private func isKey(_ node: Int32, _ key: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let own = unsafe pointer(node).pointee.key
        return unsafe Int(own.length) == length && haveSameBytes(keys.base + Int(own.start), key, length)
    }
}
