import SluiceRecords

/// Where objects of one kind may be: in each member of an object, by the same way.
struct CousinsPlace: Hashable {
    let node: Int32
    /// The members that lead from each member of the object to one of these; none: they are that.
    let path: [String]
}

// Whether objects beside one another, or each in a record of a map, are alike.
extension MapFinder {
    /// Whether the objects at a place share their members, under names that are no keys of the map around them.
    func areCousins(_ place: CousinsPlace) -> Bool {
        let others = shape.members(of: place.node)
        // Beside objects in one of them, lists and values say nothing of these.
        let cousins = others.compactMap { shape.member(at: place.path, in: $0) }.filter { shape[$0].counts.objects > 0 }
        guard cousins.allSatisfy(isPlain), !cousins.isEmpty else { return false }
        let names = cousins.map { shape.members(of: $0).map(shape.name) }
        let keys = Set(others.map { ExactText(shape.name($0)) })
        guard names.joined().contains(where: { !keys.contains(ExactText($0)) }) else { return false }
        if place.path.isEmpty {
            let areMany = cousins.count == others.count && others.count >= (place.node == 0 ? MapFinder.mostOfRoot : 3)
            return areMany && SharedNames(names).areShared || SharedNames(names).haveFields
        }
        return others.count >= 3 && others.allSatisfy { shape[$0].counts.areObjects } && cousins.count >= 3
            && SharedNames(names).areMostlyShared && !shape.tellsOf(names[0])
    }

    /// So many members has the object of an answer that are no records.
    private static let mostOfRoot = 12

    /// Whether objects beside this one, or as deep in what is beside the objects around it, have members of the same
    /// names, and not all of them values of one kind: then these are the names of fields, of which this object has but
    /// some. `names` are its own.
    mutating func isLikeRecords(_ node: Int32, _ names: [String]) -> Bool {
        let own = Set(names.map { ExactText($0) })
        var (around, levels) = (shape[node].parent, 1)
        while around >= 0, levels <= MapFinder.mostLevels {
            var nodes = [around]
            for _ in 0..<levels { nodes = nodes.flatMap(shape.members) }
            guard compare(nodes.count) else { return false }
            if nodes.contains(where: { $0 != node && isRecordOf(own, $0) }) { return true }
            (around, levels) = (shape[around].parent, levels + 1)
        }
        return false
    }

    private static let mostLevels = 3

    /// Whether an object has values of several kinds, under half of some names at least.
    private func isRecordOf(_ names: Set<ExactText>, _ node: Int32) -> Bool {
        guard isPlain(node) else { return false }
        let members = shape.members(of: node)
        let common = members.count { names.contains(ExactText(shape.name($0))) }
        guard common > 0, 2 * common >= min(names.count, members.count) else { return false }
        let counts = members.map { shape[$0].counts }.filter(\.hasValues)
        let kinds = [
            counts.contains { $0.texts > 0 }, counts.contains { $0.numbers > 0 }, counts.contains { $0.booleans > 0 },
        ]
        return kinds.count { $0 } > 1 || counts.contains { !$0.areScalars }
    }

    /// Whether there is an object at a place, and it is not known as a map.
    private func isPlain(_ node: Int32) -> Bool {
        shape[node].counts.objects > 0 && shape[node].counts.scalars + shape[node].counts.arrays == 0
            && shape[node].anyMember < 0 && !waiting.contains(node)
    }

    /// Whether the objects behind two keys have the same members, two or more, but for a few that one of them has: too
    /// few to be sure by themselves.
    func areTwins(_ members: [Int32]) -> Bool {
        guard members.count == 2, members.allSatisfy({ isPlain($0) && shape[$0].counts.areObjects }) else {
            return false
        }
        let names = members.map { Set(shape.members(of: $0).map { ExactText(shape.name($0)) }) }
        let common = names[0].intersection(names[1]).count
        return common > 1 && 5 * common >= 2 * names[0].union(names[1]).count
    }

    /// Whether an object is called as several of something are, and is there once: `servers`, `warehouses`.
    func isOfSeveral(_ node: Int32) -> Bool {
        guard node != 0, shape[node].step == .member, shape.isSingle(node),
            let last = Names.words(shape.name(node)).last
        else { return false }
        return !MapFinder.notSeveral.contains(last.lowercased())
            && !Names.singular(last).isIdentical(to: last)
    }

    /// Whether lists under names of one thing each have objects of one kind, in what is called as several are:
    /// `"groups": { "A": [ … ], "B": [ … ] }`.
    func areGroups(_ members: [Int32], of node: Int32) -> Bool {
        guard isOfSeveral(node), !Names.isGeneric(shape.name(node)), members.count > 1 else { return false }
        let elements = members.map { shape[$0].element }.filter { $0 >= 0 }
        guard elements.count > 1, elements.allSatisfy(isPlain) else { return false }
        let names = elements.map { shape.members(of: $0).map(shape.name) }
        return names[0].count > 1 && SharedNames(names).likeness >= 0.9
            && members.allSatisfy { Names.singular(shape.name($0)).isIdentical(to: shape.name($0)) }
    }

    /// Words of one object that seem to be those of several.
    private static let notSeveral: Set = [
        "bounds", "constraints", "coordinates", "credentials", "defaults", "details", "dimensions", "extents", "limits",
        "links", "metrics", "options", "params", "parameters", "preferences", "properties", "series", "settings",
        "specs", "statistics", "stats", "status", "terms", "totals",
    ]

    /// Whether the objects at the top of a feed have the same members, two or more, with values and nothing else: there
    /// is nothing beside them, and each is a record of its own.
    func areEqual(_ members: [Int32]) -> Bool {
        guard !isSequence, members.count > 1, members.allSatisfy({ isPlain($0) && shape[$0].counts.areObjects }) else {
            return false
        }
        let names = members.map { shape.members(of: $0).map(shape.name) }
        return names[0].count > 1 && SharedNames(names).likeness == 1
            && members.allSatisfy { shape.members(of: $0).allSatisfy { shape[$0].counts.areScalars } }
    }
}
