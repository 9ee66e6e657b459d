// What of a feed is looked at.
extension MeasurePlan {
    /// Lets the records of some entities go by, of which nothing is asked.
    mutating func forgetWhatIsDone() {
        for index in 0..<entities.count where shapes[entities[index].index].owner >= 0 {
            unsafe shapes.base[shapes[entities[index].index].owner].dependants += 1
        }
        for entity in entities.reversed() {
            let isDone = unsafe measures[entity.index]._withUnsafeGuaranteedRef { $0.isDone }
            if isDone { drop(entity.index) }
        }
        noteNeeds()
    }

    /// Lets the records of an entity go by from now on.
    mutating func forget(_ entity: Int) {
        drop(entity)
        noteNeeds()
    }

    private mutating func drop(_ index: Int) {
        guard !shapes[index].isForgotten, shapes[index].dependants == 0,
            let entity = entities.first(where: { $0.index == index })
        else { return }
        unsafe shapes.base[index].isForgotten = true
        for node in entity.place.nodes { unsafe actions.base[Int(node)].entity = -1 }
        for column in entity.columns { prune(Int(column.node), of: Int32(index)) }
        let owner = shapes[index].owner
        guard owner >= 0 else { return }
        unsafe shapes.base[owner].dependants -= 1
        let isDone = unsafe measures[owner]._withUnsafeGuaranteedRef { $0.isDone }
        if isDone { drop(owner) }
    }

    /// Takes away those of an entity's columns whose values are not counted.
    private mutating func prune(_ node: Int, of entity: Int32) {
        actions[node].target = pruned(actions[node].target, of: entity)
        actions[node].keyTarget = pruned(actions[node].keyTarget, of: entity)
    }

    private mutating func pruned(_ first: Int32, of entity: Int32) -> Int32 {
        guard first >= 0 else { return -1 }
        let target = targets[Int(first)]
        let next = pruned(target.next, of: entity)
        if target.entity == entity, target.counts < 0 { return next }
        targets[Int(first)].next = next
        return first
    }

    // MARK: Places

    /// Notes the places in which, at some level, something is to be done.
    private mutating func noteNeeds() { _ = noteNeeds(of: 0) }

    private mutating func noteNeeds(of node: Int32) -> Bool {
        let action = actions[Int(node)]
        let place = tree[node]
        var isNeeded = action.entity >= 0 || action.target >= 0 || action.keyTarget >= 0
        var member = place.children.first
        while member >= 0 {
            if noteNeeds(of: member) { isNeeded = true }
            member = tree[member].siblings.next
        }
        for inner in [place.element, place.anyMember] where inner >= 0 {
            // The levels of a tree lead back to it.
            if tree[inner].parent != node || noteNeeds(of: inner) { isNeeded = true }
        }
        // The kinds of a list have places of their own, and are counted.
        if place.kinds.own == ShapeObserver.splitMark {
            for kind in splits[node]?.nodes ?? [] { _ = noteNeeds(of: kind) }
            isNeeded = true
        }
        actions[Int(node)].isNeeded = isNeeded
        return isNeeded
    }
}
