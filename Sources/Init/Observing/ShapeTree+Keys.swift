import SluiceRecords

// Objects at the top of a feed, or in one there, whose members are objects: what is told of by its key.
extension ShapeTree {
    /// Whether one of them has a member under each of some names.
    func tellsOf(_ names: [String]) -> Bool {
        let hashes = names.map(ValueFingerprint.of(text:))
        let wanted = Set(names.map { ExactText($0) })
        return keyed.contains { node in
            if let known = keysOfObjects(node) { return hashes.allSatisfy(known.sketch.contains) }
            let members = members(of: node)
            return members.count >= wanted.count && members.allSatisfy { self[$0].counts.areObjects }
                && wanted.isSubset(of: members.map { ExactText(name($0)) })
        }
    }

    /// Whether a map at the top has all the keys of another one.
    func tellsOfKeys(of map: Int32) -> Bool {
        guard let own = keyFactsOf(map), own.sketch.count > 1 else { return false }
        return keyed.contains { node in
            guard node != map, let known = keysOfObjects(node) else { return false }
            let (values, found) = own.sketch.comparison(with: known.sketch)
            return values > 0 && found == values
        }
    }

    /// The keys of a map of objects; nil: it is none.
    private func keysOfObjects(_ node: Int32) -> ValueFacts? {
        guard self[node].anyMember >= 0, self[self[node].anyMember].counts.areObjects else { return nil }
        return keyFactsOf(node)
    }

    private var keyed: [Int32] {
        let top = members(of: 0)
        guard top.count <= ShapeTree.mostKeyed else { return [] }
        return (top + top.flatMap { members(of: $0).prefix(ShapeTree.mostKeyed) }).filter {
            self[$0].counts.objects == 1
        }
    }

    /// The objects at the top of answers have few members.
    private static let mostKeyed = 50
}
