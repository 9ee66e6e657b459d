import SluiceRecords

// What is behind the keys of an object.
extension MapFinder {
    enum Content { case objects, lists, scalars, mixed }

    /// What all members are, if they are alike.
    ///
    /// - Parameter areData: whether their keys cannot well be names.
    func content(of members: [Int32], areData: Bool) -> Content {
        guard !members.isEmpty else { return .mixed }
        let places = members.map { shape[$0] }
        // Of lists whose positions are places, each counts as an object.
        let lists = places.map(\.element).filter { $0 >= 0 }.map { shape[$0] }
        if let first = lists.first,
            lists.contains(where: {
                $0.positions.arePlaces != first.positions.arePlaces
                    || $0.positions.hasHeader != first.positions.hasHeader
            })
        {
            return .mixed
        }
        if places.allSatisfy(\.counts.areObjects) {
            return areAlike(members, keys: members) || areData && SharedNames(namesOfMembers(members)).areOfFew
                ? .objects : .mixed
        }
        if places.allSatisfy(\.counts.areLists) {
            let elements = places.map(\.element).filter { $0 >= 0 }
            if elements.allSatisfy(areLists) { return .lists }
            if elements.allSatisfy({ shape[$0].counts.texts > 0 && shape[$0].counts.objects == 0 }) { return .scalars }
            guard elements.allSatisfy({ shape[$0].counts.objects > 0 && shape[$0].counts.scalars == 0 }) else {
                return .mixed
            }
            return areAlike(elements, keys: members) ? .lists : .mixed
        }
        let isText = places.allSatisfy { $0.counts.texts > 0 && $0.counts.numbers == 0 && $0.counts.booleans == 0 }
        let isNumber = places.allSatisfy { $0.counts.numbers > 0 && $0.counts.texts == 0 && $0.counts.booleans == 0 }
        let isFlag = places.allSatisfy { $0.counts.booleans > 0 && $0.counts.numbers + $0.counts.texts == 0 }
        let isScalar = places.allSatisfy(\.counts.areScalars)
        return isScalar && (isText || isNumber || isFlag) ? .scalars : .mixed
    }

    /// Whether lists at a place are records.
    private func areLists(_ node: Int32) -> Bool {
        let place = shape[node]
        guard place.positions.log >= 0, place.counts.objects == 0, place.counts.scalars == 0 else { return false }
        return shape.positionLogs[Int(place.positions.log)].areRecords(isTop: false)
    }

    private func namesOfMembers(_ nodes: [Int32]) -> [[String]] { nodes.map { shape.members(of: $0).map(shape.name) } }

    /// Whether objects at several places mostly have the same members.
    ///
    /// - Parameter keys: the members whose names may be the keys of a map.
    private func areAlike(_ nodes: [Int32], keys: [Int32]) -> Bool {
        let maps = nodes.count { shape[$0].anyMember >= 0 || waiting.contains($0) }
        if maps > 0 { return maps * 10 >= nodes.count * 9 || areRecords(nodes, keys: keys) || holdAlike(nodes) }
        let shared = SharedNames(namesOfMembers(nodes))
        return shared.likeness >= SharedNames.leastAlike || shared.areOfVeryFew || holdAlike(nodes)
    }

    /// Whether objects of which each by itself could be a map are records, some members of which are optional: one name
    /// is in all of them, or they have few names between them, and these are no keys of the map around them.
    private func areRecords(_ nodes: [Int32], keys: [Int32]) -> Bool {
        guard nodes.count >= 3, nodes.allSatisfy({ shape[$0].anyMember < 0 }) else { return false }
        let names = namesOfMembers(nodes)
        let around = Set(keys.map { ExactText(shape.name($0)) })
        guard !names.joined().allSatisfy({ around.contains(ExactText($0)) }) else { return false }
        let shared = SharedNames(names)
        return shared.areMostlyShared || shared.areOfVeryFew
    }

    /// Whether objects have each other members, and objects of one kind in these: maps with a key or two, each too
    /// small to be known as one, and perhaps larger ones that are.
    private func holdAlike(_ nodes: [Int32]) -> Bool {
        let maps = nodes.map { shape[$0].anyMember }.filter { $0 >= 0 }
        let members = nodes.flatMap(shape.members)
        let inner = maps + members
        guard nodes.count >= MapFinder.leastHolding, inner.allSatisfy({ shape[$0].counts.areObjects }) else {
            return false
        }
        let keys = Set(members.map { ExactText(shape.name($0)) })
        let names = SharedNames(namesOfMembers(inner))
        return 2 * keys.count >= members.count && names.areMostlyShared
            && !names.counts.keys.contains(where: keys.contains)
    }

    private static let leastHolding = 6

    /// Takes the values of a map for maps themselves where they could be, and are no records.
    mutating func collapseWaiting(in node: Int32) {
        let members = shape.members(of: node)
        guard members.contains(where: waiting.contains), !areRecords(members, keys: members) else { return }
        for member in members where waiting.remove(member) != nil { collapse(member) }
    }
}
