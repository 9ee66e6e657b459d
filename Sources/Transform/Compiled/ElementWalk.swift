import SluiceRecords

/// A way through the elements of lists, in their order.
struct ElementWalk {
    let elements: CompiledElements
    /// Of the entries.
    var next = 0
    var end = 0
    /// Where the stack has the lists that the slots hold else.
    var saved: Int
    /// Whether no list was there.
    var isAbsent = true
    /// Whether there was an element, if only one that does not count.
    var hasElement = false
}

extension Evaluator {
    /// The value in the first element that has one.
    mutating func ofFirstElement(_ rule: CompiledRule) throws(Complaint) -> Cell {
        var walk = beginElements(Int(rule.elements))
        defer { endElements(walk) }
        // One of the elements is chosen: what is no list has none, as it has no first one.
        while nextElement(&walk) {
            let value = try evaluate(Int(rule.source))
            if value.kind != .absent { return value }
        }
        return .absent
    }

    /// The values in all elements.
    mutating func ofElements(_ rule: CompiledRule) throws(Complaint) -> Cell {
        let elements = compiled.elements[Int(rule.elements)]
        if isSingle(elements) { return try evaluate(Int(rule.source)) }
        try checkListed(elements)
        var walk = beginElements(Int(rule.elements))
        defer { endElements(walk) }
        var result = Cell(kind: .list)
        while nextElement(&walk) {
            let value = try evaluate(Int(rule.source))
            batch.append(value.isNull ? .null : value, to: &result)
        }
        if walk.hasElement { return result }
        leaveElements(walk)
        let value = try evaluate(Int(rule.source))
        if isNull(value) { return walk.isAbsent ? .absent : result }
        batch.append(value, to: &result)
        return result
    }

    /// Whether there is one value that is no list, where there may be one or a list.
    private func isSingle(_ elements: CompiledElements) -> Bool {
        for index in elements.singles..<elements.singles + elements.singleCount {
            let single = compiled.singles[index]
            let kind = raw[rowStart + single.slot].kind
            if kind != .absent && (kind != .array || single.takesArrays) { return true }
        }
        return false
    }

    /// Refuses what stands where a list was looked for.
    private func checkListed(_ elements: CompiledElements) throws(Complaint) {
        guard batch.hasUnlisted else { return }
        for member in 0..<elements.memberCount {
            let list = raw[rowStart + compiled.elementMembers[elements.members + member].slot]
            try checkListed(list, canBeOne: elements.singleCount == 0)
        }
    }

    /// Where there is no element, what is looked for in them is an empty list, or absent: what needs none has its value
    /// all the same.
    private func leaveElements(_ walk: ElementWalk) {
        fillMembers(walk.elements, with: walk.isAbsent ? .absent : Cell(kind: .list))
    }

    /// Fills the cells of a to-many relationship: a link for each element whose key is not null.
    mutating func fillElements(_ relationship: CompiledRelationship, _ typed: Table<Cell>, _ row: Int) throws(Complaint)
    {
        let elements = compiled.elements[relationship.elements]
        if isSingle(elements) { return try fillValues(relationship, typed, row) }
        try checkListed(elements)
        var walk = beginElements(relationship.elements)
        defer { endElements(walk) }
        for column in relationship.column..<(relationship.column + relationship.cellCount) {
            typed[row + column] = Cell(kind: .list)
        }
        while nextElement(&walk) {
            let base = stackCount
            defer { stackCount = base }
            for rule in 0..<relationship.ruleCount { push(try evaluate(relationship.key + rule)) }
            if lacksKey(relationship, base) { continue }
            if relationship.selector >= 0 { push(try evaluate(relationship.selector)) }
            try appendLink(relationship, base..<stackCount, typed, row)
        }
        if walk.hasElement { return }
        leaveElements(walk)
        withoutElement = walk.elements
        defer { withoutElement = nil }
        try fillValues(relationship, typed, row)
    }

    /// Gives the slots of all members a value.
    func fillMembers(_ elements: CompiledElements, with value: Cell) {
        for member in 0..<elements.memberCount {
            raw[rowStart + compiled.elementMembers[elements.members + member].slot] = value
        }
    }

    /// Takes the lists out of the slots of the members, and their elements together.
    private mutating func beginElements(_ index: Int) -> ElementWalk {
        let elements = compiled.elements[index]
        var walk = ElementWalk(elements: elements, saved: stackCount)
        memberEntries.ensure(elements.memberCount)
        for member in 0..<elements.memberCount {
            let description = compiled.elementMembers[elements.members + member]
            let list = raw[rowStart + description.slot]
            push(list)
            if list.kind == .list, description.makesElements { walk.isAbsent = false }
            addEntries(member, description, list, &walk)
            memberEntries[member] = -1
        }
        fillMembers(elements, with: walk.isAbsent ? .absent : .null)
        unsafe entries.sort(walk.end, converter.arena.base)
        for member in 0..<elements.memberCount where compiled.elementMembers[elements.members + member].countsFollowing
        {
            countFollowing(member, walk)
        }
        return walk
    }

    /// Gives the slots their lists back.
    private mutating func endElements(_ walk: ElementWalk) {
        // Two members may share a slot: the first has found the list in it.
        for member in (0..<walk.elements.memberCount).reversed() {
            raw[rowStart + compiled.elementMembers[walk.elements.members + member].slot] = stack[walk.saved + member]
        }
        stackCount = walk.saved
    }

    private mutating func addEntries(
        _ member: Int, _ description: CompiledElementMember, _ list: Cell, _ walk: inout ElementWalk
    ) {
        let listed = raw[rowStart + description.places]
        guard list.kind == .list, listed.kind == .list else { return }
        var (values, places) = (list, listed)
        while values.length > 0, places.length > 0 {
            let (value, place) = (pop(&values), pop(&places))
            if value.kind == .unlisted { continue }
            entries.ensure(walk.end + 1)
            entries[walk.end] = ElementEntry(
                place: place.offset, length: place.count - description.rest, member: member, value: value)
            walk.end += 1
        }
    }

    /// Gives the slots what the next element has that meets the conditions; false: there is none.
    private mutating func nextElement(_ walk: inout ElementWalk) -> Bool {
        while walk.next < walk.end {
            let first = entries[walk.next]
            var isElement = false
            while walk.next < walk.end, unsafe entries[walk.next].isBeside(first, converter.arena.base) {
                let member = entries[walk.next].member
                memberEntries[member] = walk.next
                if compiled.elementMembers[walk.elements.members + member].makesElements { isElement = true }
                walk.next += 1
            }
            guard isElement else { continue }
            walk.hasElement = true
            for member in 0..<walk.elements.memberCount { give(member, of: first, walk) }
            if meets(walk.elements.conditions..<walk.elements.conditions + walk.elements.conditionCount) { return true }
        }
        return false
    }

    /// Gives the slot of a member what an element has of it.
    private mutating func give(_ member: Int, of element: ElementEntry, _ walk: ElementWalk) {
        let description = compiled.elementMembers[walk.elements.members + member]
        let index = memberEntries[member]
        var value = Cell.absent
        if index >= 0, entries[index].length == element.length - description.above,
            unsafe entries[index].isAround(element, converter.arena.base)
        {
            value = entries[index].value
        }
        raw[rowStart + description.slot] = value
    }

    /// Replaces the indices of elements by how many follow. A member of an object has none.
    private mutating func countFollowing(_ member: Int, _ walk: ElementWalk) {
        var (last, following) = (-1, Int64(0))
        for index in (0..<walk.end).reversed() where entries[index].member == member {
            guard entries[index].value.kind == .integer else { continue }
            let isSame = last >= 0 && isSameList(entries[index], entries[last])
            following = isSame ? following + 1 : 0
            last = index
            entries[index].value = .integer(following)
        }
    }

    private func isSameList(_ one: ElementEntry, _ other: ElementEntry) -> Bool {
        var (one, other) = (one, other)
        (one.length, other.length) = (one.length - 4, other.length - 4)
        return unsafe one.isBeside(other, converter.arena.base)
    }
}
