import SluiceRecords

/// Finds the objects whose keys are data: they are maps, and what they hold is taken together.
@safe
struct MapFinder {
    private let tree: UnsafeMutablePointer<ShapeTree>
    /// Maps that could as well be single objects: only what refers to their keys tells.
    private(set) var doubtful: Set<Int32> = []
    /// Objects of values that the feed has once so far, and that could be such maps: what they stand beside may yet
    /// show that they are records.
    var waiting: Set<Int32> = []

    let isSequence: Bool
    /// How many members were compared with those of others.
    private var lookedAt = 0
    /// Likewise of those around each other.
    private var compared = 0
    /// By place, and the way from each of its members to an object: whether all these objects have the same members.
    private var uniform: [CousinsPlace: Bool] = [:]

    /// - Parameter isSequence: whether the feed is a sequence of values.
    init(_ tree: UnsafeMutablePointer<ShapeTree>, isSequence: Bool) {
        unsafe self.tree = tree
        self.isSequence = isSequence
    }

    var shape: ShapeTree { unsafe tree.pointee }

    /// Looks at a place and all that is in it, from below.
    mutating func settle(_ node: Int32) {
        for child in children(of: node) { settle(child) }
        guard shape[node].children.count > 0, shape[node].anyMember < 0, !shape[node].positions.arePlaces, isMap(node)
        else { return }
        collapseWaiting(in: node)
        collapse(node)
        // What was told apart before may be a map as a whole.
        settle(shape[node].anyMember)
    }

    mutating func collapse(_ node: Int32) { unsafe tree.pointee.collapse(node) }

    private func children(of node: Int32) -> [Int32] {
        let place = shape[node]
        return shape.members(of: node) + [place.element, place.anyMember].filter { $0 >= 0 }
    }

    private mutating func isMap(_ node: Int32) -> Bool {
        if isOfDocument(node) { return false }
        let members = withoutListOfKeys(shape.members(of: node), of: node)
        let names = members.map(shape.name)
        let objects = max(1, shape[node].counts.objects)
        // One or two keys may be data where others of the kind have more; what there is once has a name.
        let sayKeys = sayTheirKeys(members)
        let areVersions = DataKeys.areVersions(names)
        if members.count == 1, objects >= MapFinder.enough, DataKeys.isSpan(names[0]) { return false }
        let areDays = DataKeys.areDays(names) || DataKeys.areLetterCodes(names)
        let areNamed = areTwins(members) && isOfSeveral(node) || node == 0 && areEqual(members)
        guard
            members.count >= 3 || sayKeys || areVersions || areNamed
                || names.allSatisfy(DataKeys.isData) && (!shape.isSingle(node) || areTwins(members))
        else {
            return false
        }
        let isData = names.count(where: DataKeys.isData) * 2 >= names.count
        let share = Double(members.reduce(0) { $0 + shape[$1].owners.count }) / Double(members.count * objects)
        // What a value of a sequence has under a key can only be known by the key.
        if node == 0, isSequence, share * Double(objects) > 1.1 { return false }
        // Under data, null is no value of a kind of its own: `{ "80/tcp": [ … ], "443/tcp": null }`.
        let valued = isData || areDays ? members.filter { shape[$0].counts.hasValues } : members
        switch content(of: valued, areData: names.allSatisfy(DataKeys.isData)) {
        case .mixed: return false
        case .objects where isOfLinks(members, names): return false
        case .objects:
            return isData || sayKeys || areVersions || areDays || areNamed || DataKeys.areNumbered(names)
                || objects == 1 && node != 0
                || share < 0.5
                || members.count >= 12 && !areFields(members, of: node) || comeAndGo(members, of: node)
        case .lists:
            return isData || sayKeys || areVersions || areDays || DataKeys.areNumbered(names) || members.count >= 12
                || areGroups(members, of: node)
        case .scalars:
            if isRecord(node, members) { return false }
            if isData || members.count > 64 && share < 0.3 || areAmounts(members, of: node) { return true }
            if areOfOthers(members, names, of: node) { return true }
            if members.count >= 12, objects >= 8, areRareTexts(members, of: node) { return true }
            guard objects == 1, node != 0, shape.isSingle(node), !isOneOfMany(node, names),
                members.allSatisfy({ shape[$0].counts.booleans == 0 }), !isLikeRecords(node, names)
            else { return false }
            waiting.insert(node)
            return false
        }
    }

    /// Takes those for maps that nothing has shown to be records.
    mutating func settleWaiting() {
        for node in waiting.sorted() where shape.current(node) == node && shape.isSingle(node) {
            collapse(node)
            doubtful.insert(node)
        }
        waiting.removeAll()
    }

    /// So many objects show what is always there.
    private static let enough = 8

    /// What objects of JSON:API have but their kind and their identifier.
    static let documents: Set = ["attributes", "relationships"]

    /// Whether an object has what another one around it, which says its kind and its identifier, says of itself: its
    /// members have names, be they alike.
    private func isOfDocument(_ node: Int32) -> Bool {
        let parent = shape[node].parent
        guard parent >= 0, shape[node].step == .member, MapFinder.documents.contains(shape.name(node)) else {
            return false
        }
        let names = Set(shape.members(of: parent).filter { shape[$0].counts.areScalars }.map(shape.name))
        return names.isSuperset(of: ["id", "type"])
    }

    /// Whether an object says where its page, or what it is in, has its neighbors, each by an address: `_links` of HAL.
    private func isOfLinks(_ members: [Int32], _ names: [String]) -> Bool {
        Names.areLinks(names)
            && members.allSatisfy { member in shape.members(of: member).contains { shape.name($0) == "href" } }
    }

    /// So many members an object may have whose kind is known by them.
    private static let mostFields = 64

    /// Whether an object with few members is one of several that share these, in a map or each in a record of one: then
    /// they are names. Where they are the keys of the map as well, as in a table of distances, they are keys.
    private mutating func isOneOfMany(_ node: Int32, _ names: [String]) -> Bool {
        guard names.count <= MapFinder.mostFields else { return false }
        var (child, path): (Int32, [String]) = (node, [])
        while shape[child].step == .member, shape[child].parent >= 0, path.count < 3 {
            if isUniform(CousinsPlace(node: shape[child].parent, path: path)) { return true }
            path.insert(shape.name(child), at: 0)
            child = shape[child].parent
        }
        return false
    }

    private mutating func isUniform(_ place: CousinsPlace) -> Bool {
        if let known = uniform[place] { return known }
        // Of very many objects in objects, the first ones tell.
        lookedAt += shape.members(of: place.node).count
        let found = lookedAt <= MapFinder.mostLookedAt && areCousins(place)
        uniform[place] = found
        return found
    }

    private static let mostLookedAt = 10_000_000

    /// Whether so many objects may be compared yet.
    mutating func compare(_ objects: Int) -> Bool {
        compared += objects
        return compared <= MapFinder.mostLookedAt
    }
}
