import SluiceRecords

/// Finds the objects whose keys are data: they are maps, and what they hold is taken together.
@safe
struct MapFinder {
    private let tree: UnsafeMutablePointer<ShapeTree>
    /// Maps that could as well be single objects: only what refers to their keys tells.
    private(set) var doubtful: Set<Int32> = []

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
        unsafe tree.pointee.collapse(node)
        // What was told apart before may be a map as a whole.
        settle(shape[node].anyMember)
    }

    private func children(of node: Int32) -> [Int32] {
        let place = shape[node]
        return shape.members(of: node) + [place.element, place.anyMember].filter { $0 >= 0 }
    }

    private mutating func isMap(_ node: Int32) -> Bool {
        if isOfDocument(node) { return false }
        let members = shape.members(of: node)
        let names = members.map(shape.name)
        let objects = max(1, shape[node].counts.objects)
        // One or two keys may be data where others of the kind have more; what there is once has a name.
        let sayKeys = sayTheirKeys(members)
        let areVersions = MapFinder.areVersions(names)
        if members.count == 1, objects >= MapFinder.enough, MapFinder.isSpan(names[0]) { return false }
        let areDays = MapFinder.areDays(names)
        let areNamed = areTwins(members) && isOfSeveral(node) || node == 0 && areEqual(members)
        guard
            members.count >= 3 || sayKeys || areVersions || areNamed
                || names.allSatisfy(MapFinder.isData) && (!shape.isSingle(node) || areTwins(members))
        else {
            return false
        }
        let isData = names.count(where: MapFinder.isData) * 2 >= names.count
        let share = Double(members.reduce(0) { $0 + shape[$1].owners.count }) / Double(members.count * objects)
        // What a value of a sequence has under a key can only be known by the key.
        if node == 0, isSequence, share * Double(objects) > 1.1 { return false }
        // Under data, null is no value of a kind of its own: `{ "80/tcp": [ … ], "443/tcp": null }`.
        switch content(of: isData || areDays ? members.filter { shape[$0].counts.hasValues } : members) {
        case .mixed: return false
        case .objects where isOfLinks(members, names): return false
        case .objects:
            return isData || sayKeys || areVersions || areDays || areNamed || MapFinder.areNumbered(names)
                || objects == 1 && node != 0
                || share < 0.5
                || members.count >= 12 && !areFields(members, of: node) || comeAndGo(members, of: node)
        case .lists:
            return isData || sayKeys || areVersions || areDays || MapFinder.areNumbered(names) || members.count >= 12
                || areGroups(members, of: node)
        case .scalars:
            if isRecord(node, members) { return false }
            if isData || members.count > 64 && share < 0.3 || areAmounts(members, of: node) { return true }
            if members.count >= 12, objects >= 8, areRareTexts(members, of: node) { return true }
            guard objects == 1, node != 0, shape.isSingle(node), !isOneOfMany(node, names),
                members.allSatisfy({ shape[$0].counts.booleans == 0 }), !isLikeRecords(node, names)
            else { return false }
            doubtful.insert(node)
            return true
        }
    }

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

    /// Whether objects that all have the same keys hold something else under each: `"Due": { "type": "date", "date": …
    /// }` and `"Done": { "type": "checkbox", "checkbox": … }`.
    private func areFields(_ members: [Int32], of node: Int32) -> Bool {
        let objects = shape[node].counts.objects
        guard objects > 1, members.allSatisfy({ shape[$0].owners.count * 10 >= objects * 9 }) else { return false }
        let names = members.map { shape.members(of: $0).map(shape.name) }
        let counts = MapFinder.counts(names)
        return names.count { $0.contains { counts[$0] == 1 } } * 2 > members.count
    }

    /// Whether objects that all have the same members stand under keys of which none is always there:
    /// `"files": { "sonoma": { "url": …, "sha256": … } }`.
    private func comeAndGo(_ members: [Int32], of node: Int32) -> Bool {
        let objects = shape[node].counts.objects
        guard objects >= 8, members.allSatisfy({ shape[$0].owners.count < objects }) else { return false }
        let names = members.map { shape.members(of: $0).map(shape.name) }
        return names.allSatisfy { $0.count > 1 } && MapFinder.likeness(names) == 1
    }

    /// Whether an object in a record has whole numbers under keys of which none is always there: how many of each there
    /// are, `"capacity": { "bike": 6, "cargo": 2 }`.
    private func areAmounts(_ members: [Int32], of node: Int32) -> Bool {
        let (place, objects) = (shape[node], shape[node].counts.objects)
        guard place.step == .member, objects >= 12, !shape.isSingle(node) else { return false }
        return members.allSatisfy { member in
            guard let facts = shape.factsOf(member), facts.integers.count == shape[member].counts.numbers,
                facts.integers.least >= 0
            else { return false }
            return shape[member].counts.texts == 0 && shape[member].owners.count * 10 <= objects * 9
        }
    }

    /// Whether texts are under names of which none is in more than one of ten objects: what depends on which version of
    /// what. A name that many have is one, and so are those beside it.
    private func areRareTexts(_ members: [Int32], of node: Int32) -> Bool {
        let most = max(2, shape[node].counts.objects / 10)
        return members.allSatisfy { member in
            let counts = shape[member].counts
            return counts.texts > 0 && counts.numbers + counts.booleans == 0 && shape[member].owners.count <= most
        }
    }

    /// Whether the objects of a list have a member in common that is called as members are.
    private func isRecord(_ node: Int32, _ members: [Int32]) -> Bool {
        let place = shape[node]
        guard place.step == .element || place.step == .root, place.counts.objects > 1 else { return false }
        return members.contains { member in
            shape[member].owners.count * 10 >= place.counts.objects * 9 && !MapFinder.isData(shape.name(member))
        }
    }

    /// Whether the objects behind keys have them in a member, too: `"en": { "language": "en", "value": "Berlin" }`.
    private func sayTheirKeys(_ members: [Int32]) -> Bool {
        guard members.count >= 2 else { return false }
        var common: Set<String>?
        for member in members {
            let names = namesOfKey(member)
            common = common.map { $0.intersection(names) } ?? names
            if common?.isEmpty ?? true { return false }
        }
        return true
    }

    /// The members in which all objects behind a key have that key.
    private func namesOfKey(_ member: Int32) -> Set<String> {
        let node = shape[member].counts.arrays > 0 ? shape[member].element : member
        guard node >= 0, shape[node].counts.objects > 0 else { return [] }
        let key = unsafe shape.key(of: member)
        let hash = unsafe ValueFingerprint.of(value: key.start, key.length)
        let inner = shape.members(of: node).filter { inner in
            // What says its kind says no key: `"project": { "resource_type": "project" }`.
            if KindLog.names.contains(shape.name(inner)) { return false }
            guard shape[inner].owners.count == shape[node].counts.objects, let facts = shape.factsOf(inner) else {
                return false
            }
            return facts.sketch.count == 1 && facts.empties == 0 && facts.sketch.contains(hash)
        }
        return Set(inner.map(shape.name))
    }

    private enum Content { case objects, lists, scalars, mixed }

    /// What all members are, if they are alike.
    private func content(of members: [Int32]) -> Content {
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
            return areAlike(members) ? .objects : .mixed
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

    /// Whether objects at several places mostly have the same members.
    private func areAlike(_ nodes: [Int32]) -> Bool {
        let maps = nodes.count { shape[$0].anyMember >= 0 }
        if maps > 0 { return maps * 10 >= nodes.count * 9 }
        return MapFinder.likeness(nodes.map { shape.members(of: $0).map(shape.name) }) >= 0.6
    }

    /// Whether objects have the same names, but for a few that only some have: two or more that hardly one lacks, and
    /// no more others.
    static func shareNames(_ names: [[String]]) -> Bool {
        if likeness(names) == 1 { return true }
        let counts = counts(names)
        let common = counts.values.count { $0 * 20 >= names.count * 19 }
        return common > 1 && counts.count <= 2 * common && likeness(names) >= leastShared
    }

    /// Of records with members that some lack, so many share each name on average.
    private static let leastShared = 0.75

    /// By name: how many have it.
    static func counts(_ names: [[String]]) -> [String: Int] {
        Dictionary(names.joined().map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// How many of the others have a name, on average over all names: 1 where all have the same.
    static func likeness(_ names: [[String]]) -> Double {
        let counts = counts(names)
        let total = counts.values.reduce(0, +)
        guard total > 0 else { return 0 }
        return Double(counts.values.reduce(0) { $0 + $1 * $1 }) / Double(total * names.count)
    }

    /// Whether keys are versions of one: `metricV2`, `metricV31`.
    private static func areVersions(_ names: [String]) -> Bool {
        guard names.count > 1 else { return false }
        let stems = names.map { name -> Substring in
            let digits = name.reversed().prefix { $0.isNumber || $0 == "." || $0 == "_" }
            let stem = name.dropLast(digits.count)
            guard digits.contains(where: \.isNumber), let last = stem.last, last == "V" || last == "v" else {
                return ""
            }
            return stem.dropLast()
        }
        return stems[0].utf8.count > 2 && stems.allSatisfy { $0.utf8.elementsEqual(stems[0].utf8) }
    }

    /// Whether keys are letters and a number, which is not the place in a row: `P31`, `P569`.
    private static func areNumbered(_ names: [String]) -> Bool {
        let numbers = names.compactMap { name -> Int? in
            let letters = name.utf8.prefix { $0 | 0x20 &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: "-") }
            return letters.count <= 4 ? Int(name.dropFirst(letters.count)) : nil
        }
        return numbers.count >= 3 && numbers.count == names.count && (numbers.max() ?? 0) >= 2 * names.count
    }

    /// Whether a key is a name with its number in front, as Alpha Vantage has them: `1. open`.
    private static func isItem(_ key: String) -> Bool {
        let digits = key.utf8.prefix(while: \.isDigit).count
        let rest = key.utf8.dropFirst(digits)
        return (1...2).contains(digits) && rest.starts(with: ". ".utf8)
            && (rest.dropFirst(2).first.map { $0 | 0x20 &- UInt8(ascii: "a") < 26 } ?? false)
    }

    /// Whether a key cannot well be the name of a field.
    static func isData(_ key: String) -> Bool {
        guard let first = key.utf8.first else { return true }
        if isItem(key) { return false }
        if first.isDigit || key.utf8.count > 60 { return true }
        return key.utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "/") }
    }
}
