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
            return areAlike(members) || areData && SharedNames(namesOfMembers(members)).areOfFew ? .objects : .mixed
        }
        if places.allSatisfy(\.counts.areLists) {
            let elements = places.map(\.element).filter { $0 >= 0 }
            if elements.allSatisfy(areRecords) { return .lists }
            if elements.allSatisfy({ shape[$0].counts.texts > 0 && shape[$0].counts.objects == 0 }) { return .scalars }
            guard elements.allSatisfy({ shape[$0].counts.objects > 0 && shape[$0].counts.scalars == 0 }) else {
                return .mixed
            }
            return areAlike(elements) ? .lists : .mixed
        }
        let isText = places.allSatisfy { $0.counts.texts > 0 && $0.counts.numbers == 0 && $0.counts.booleans == 0 }
        let isNumber = places.allSatisfy { $0.counts.numbers > 0 && $0.counts.texts == 0 && $0.counts.booleans == 0 }
        let isFlag = places.allSatisfy { $0.counts.booleans > 0 && $0.counts.numbers + $0.counts.texts == 0 }
        let isScalar = places.allSatisfy(\.counts.areScalars)
        return isScalar && (isText || isNumber || isFlag) ? .scalars : .mixed
    }

    /// Whether lists at a place are records.
    private func areRecords(_ node: Int32) -> Bool {
        let place = shape[node]
        guard place.positions.log >= 0, place.counts.objects == 0, place.counts.scalars == 0 else { return false }
        return shape.positionLogs[Int(place.positions.log)].areRecords(isTop: false)
    }

    private func namesOfMembers(_ nodes: [Int32]) -> [[String]] { nodes.map { shape.members(of: $0).map(shape.name) } }

    /// Whether objects at several places mostly have the same members.
    private func areAlike(_ nodes: [Int32]) -> Bool {
        let maps = nodes.count { shape[$0].anyMember >= 0 }
        if maps > 0 { return maps * 10 >= nodes.count * 9 }
        return SharedNames(namesOfMembers(nodes)).likeness >= SharedNames.leastAlike
    }
}
