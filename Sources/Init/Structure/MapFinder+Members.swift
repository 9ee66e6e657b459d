import SluiceRecords

// What the members of one object say of their keys.
extension MapFinder {
    /// Whether objects that all have the same keys hold something else under each: `"Due": { "type": "date", "date": …
    /// }` and `"Done": { "type": "checkbox", "checkbox": … }`.
    func areFields(_ members: [Int32], of node: Int32) -> Bool {
        let objects = shape[node].counts.objects
        guard objects > 1, members.allSatisfy({ shape[$0].owners.count * 10 >= objects * 9 }) else { return false }
        let names = members.map { shape.members(of: $0).map(shape.name) }
        let counts = SharedNames(names).counts
        return names.count { $0.contains { counts[ExactText($0)] == 1 } } * 2 > members.count
    }

    /// The members of an object without one that has, in a list, the keys of just the others, in the order that is
    /// meant: `{ "uids": ["27", "9"], "27": { … }, "9": { … } }`.
    func withoutListOfKeys(_ members: [Int32], of node: Int32) -> [Int32] {
        guard members.count > 1, shape[node].counts.objects == 1 else { return members }
        let lists = members.filter { shape[$0].counts.arrays == 1 && shape[$0].counts.values == 1 }
        guard lists.count == 1, shape[lists[0]].element >= 0, shape[shape[lists[0]].element].counts.areScalars,
            let facts = shape.factsOf(shape[lists[0]].element), facts.sketch.isExact,
            facts.sketch.count == members.count - 1
        else { return members }
        let others = members.filter { $0 != lists[0] }
        let areKeys = others.allSatisfy { member in
            let key = unsafe shape.key(of: member)
            return unsafe facts.sketch.contains(ValueFingerprint.of(value: key.start, key.length))
        }
        return areKeys ? others : members
    }

    /// Whether objects that all have the same members stand under keys of which none is always there:
    /// `"files": { "sonoma": { "url": …, "sha256": … } }`.
    func comeAndGo(_ members: [Int32], of node: Int32) -> Bool {
        let objects = shape[node].counts.objects
        guard objects >= 8, members.allSatisfy({ shape[$0].owners.count < objects }) else { return false }
        let names = members.map { shape.members(of: $0).map(shape.name) }
        return names.allSatisfy { $0.count > 1 } && SharedNames(names).likeness == 1
    }

    /// Whether an object in a record has whole numbers under keys of which none is always there: how many of each there
    /// are, `"capacity": { "bike": 6, "cargo": 2 }`.
    func areAmounts(_ members: [Int32], of node: Int32) -> Bool {
        let (place, objects) = (shape[node], shape[node].counts.objects)
        guard place.step == .member, objects >= 12, !shape.isSingle(node) else { return false }
        return members.allSatisfy { member in
            guard let facts = shape.factsOf(member), facts.integers.count == shape[member].counts.numbers,
                facts.integers.least >= 0
            else { return false }
            return shape[member].counts.texts == 0 && shape[member].owners.count * 10 <= objects * 9
        }
    }

    /// Whether objects have nothing but booleans, or numbers, under keys by which the feed tells of something
    /// elsewhere: a set of these, `"rooms": { "r7": true }`, or how many each has, `"votes": { "spd": 12 }`.
    func areOfOthers(_ members: [Int32], _ names: [String], of node: Int32) -> Bool {
        shape[node].counts.objects > 1
            && members.allSatisfy { member in
                let counts = shape[member].counts
                return counts.scalars > 0 && [counts.booleans, counts.numbers].contains(counts.values)
            }
            && shape.tellsOf(names)
    }

    /// Whether texts are under names of which none is in more than one of ten objects: what depends on which version of
    /// what. A name that many have is one, and so are those beside it.
    func areRareTexts(_ members: [Int32], of node: Int32) -> Bool {
        let most = max(2, shape[node].counts.objects / 10)
        return members.allSatisfy { member in
            let counts = shape[member].counts
            return counts.texts > 0 && counts.numbers + counts.booleans == 0 && shape[member].owners.count <= most
        }
    }

    /// Whether the objects of a list have a member in common that is called as members are.
    func isRecord(_ node: Int32, _ members: [Int32]) -> Bool {
        let place = shape[node]
        guard place.step == .element || place.step == .root, place.counts.objects > 1 else { return false }
        return members.contains { member in
            shape[member].owners.count * 10 >= place.counts.objects * 9 && !DataKeys.isData(shape.name(member))
        }
    }

    /// Whether the objects behind keys have them in a member, too: `"en": { "language": "en", "value": "Berlin" }`.
    func sayTheirKeys(_ members: [Int32]) -> Bool {
        guard members.count >= 2 else { return false }
        var common: Set<ExactText>?
        for member in members {
            let names = namesOfKey(member)
            common = common.map { $0.intersection(names) } ?? names
            if common?.isEmpty ?? true { return false }
        }
        return true
    }

    /// The members in which all objects behind a key have that key.
    private func namesOfKey(_ member: Int32) -> Set<ExactText> {
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
        return Set(inner.map { ExactText(shape.name($0)) })
    }
}
