import SluiceRecords

// MARK: Places that turn out to be one

extension ShapeTree {
    /// Takes the members of an object together: their keys are data.
    mutating func collapse(_ node: Int32) {
        let all = anyMember(of: node)
        let keyFacts = self[node].sketches.keys
        for member in members(of: node) {
            let key = unsafe key(of: member)
            _ = unsafe facts.pointer(keyFacts).pointee.add(text: key.start, key.length)
            merge(member, into: all)
        }
        unsafe pointer(node).pointee.children = ShapeNode.Children()
    }

    /// Lets a list have elements of the kind in which it is itself: what was seen of its own is added to them.
    mutating func fold(_ list: Int32, into element: Int32) {
        let own = self[list].element
        unsafe pointer(list).pointee.element = element
        guard own >= 0, current(own) != current(element) else { return }
        addCounts(of: own, to: element)
        for member in members(of: own) {
            guard let same = namesake(of: member, in: element) else {
                link(member, to: element)
                continue
            }
            // A list like this one, one level below: it is this one.
            if same != list { merge(member, into: same) } else if member != list { addCounts(of: member, to: list) }
        }
    }

    /// Adds what was seen of one object's members, and in these, to those of the same name of another; both stay.
    mutating func addMembers(of node: Int32, to other: Int32) {
        for member in members(of: node) {
            guard let same = namesake(of: member, in: other), same != member else { continue }
            addCounts(of: member, to: same, owning: false)
            addMembers(of: member, to: same)
        }
    }

    /// Adds what was seen at one place to another, and takes the one away. Lists of trees share the elements that they
    /// lead back to: a place may be met that is one with the other already.
    mutating func merge(_ first: Int32, into second: Int32) {
        let (node, other) = (current(first), current(second))
        if node == other { return }
        // What is in the place may lead back to it: then it is the other one already.
        unsafe pointer(node).pointee.merged = other
        if self[other].anyMember >= 0, self[node].anyMember < 0 { collapse(node) }
        if self[node].anyMember >= 0, self[other].anyMember < 0 { collapse(other) }
        addCounts(of: node, to: other)
        for member in members(of: node) {
            if let same = namesake(of: member, in: other) {
                merge(member, into: same)
            } else {
                link(member, to: other)
            }
        }
        mergeChild(self[node].element, of: other, \.element)
        mergeChild(self[node].anyMember, of: other, \.anyMember)
        unsafe pointer(node).pointee.parent = -2
        room.merged.append(node)
    }

    /// The member of an object that is called as one of another object.
    private func namesake(of member: Int32, in node: Int32) -> Int32? {
        let key = unsafe key(of: member)
        return unsafe find(node, key.start, key.length)
    }

    var live: Int { count - room.free.count - room.merged.count }

    /// Whether there are many more places than when it was asked for maps last.
    var isCrowded: Bool { live > room.crowd }

    /// The place that another one has become.
    func current(_ node: Int32) -> Int32 {
        var node = node
        while node >= 0, self[node].merged >= 0 { node = self[node].merged }
        return node
    }

    /// Lets places that are none any more be used again: nobody asks for them now.
    mutating func tidy() {
        for node in room.merged { nodes[Int(node)] = ShapeNode(parent: -2, step: .member) }
        room.free += room.merged
        room.merged.removeAll()
        room.crowd = max(room.crowd, 2 * live)
        rehash()
    }

    private mutating func mergeChild(_ child: Int32, of other: Int32, _ path: WritableKeyPath<ShapeNode, Int32>) {
        guard child >= 0 else { return }
        let own = self[other][keyPath: path]
        if own >= 0 {
            merge(child, into: own)
        } else {
            self[other][keyPath: path] = child
            unsafe pointer(child).pointee.parent = other
        }
    }

    private mutating func addCounts(of node: Int32, to other: Int32, owning: Bool = true) {
        var sum = self[other]
        let added = self[node]
        sum.counts += added.counts
        sum.owners.count += added.owners.count
        sum.owners.repeated += added.owners.repeated
        sum.positions.log = mergedPositions(added.positions.log, sum.positions.log)
        if owning {
            sum.facts = facts.merge(added.facts, sum.facts)
            sum.sketches.tails = facts.merge(added.sketches.tails, sum.sketches.tails)
            sum.sketches.keys = facts.merge(added.sketches.keys, sum.sketches.keys)
            // They are the other's now, and nobody else's.
            unsafe pointer(node).pointee.facts = -1
            unsafe pointer(node).pointee.sketches = ShapeNode.Sketches()
        } else {
            facts.add(added.facts, to: sum.facts)
        }
        self[other] = sum
    }

    private mutating func mergedPositions(_ one: Int32, _ other: Int32) -> Int32 {
        if one < 0 || other < 0 { return max(one, other) }
        positionLogs[Int(other)].merge(positionLogs[Int(one)])
        return other
    }
}
