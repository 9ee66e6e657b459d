import SluiceRecords

// Whether records tell of objects again and again.
extension RecordMeasure {
    /// Whether the same identifier is with the same values, and occurs more than once.
    var isObjectKeyConsistent: Bool {
        // Lists are not compared: where there is nothing else, they are what the objects are about.
        let isCompared =
            dependents.count > 1
            || entity.isEmbedded && objectKey.map { entity.columns[$0].meaning.rank == .own } ?? false
            || !entity.columns.contains { $0.content != .scalar && $0.cut == nil }
        let isNamed = objectKey.map { entity.columns[$0].meaning.rank < .code || contradictions == 0 } ?? false
        // Of one object nothing can be measured, and a key may well be that of something in it.
        let isSeveral = keys.distinct > 1 || objectKey.map { entity.columns[$0].meaning.rank < .usual } ?? false
        return isNamed && isCompared && isSeveral && keys.isExact && descriptions.isExact
            && keys.distinct * 10 < keys.total * 9 && contradictions * 100 <= keys.distinct
    }

    /// Whether there are too few objects to tell whether they are some of their own, but what they have is called as
    /// the identifier of such: `"milestone": { "id": …, "title": … }`, or is nothing but a name.
    var isKnownByNameAlone: Bool {
        guard let objectKey, keys.total > 0, areFew || isReference else { return false }
        let (key, isAlone) = (entity.columns[objectKey], entity.columns.count == 1)
        if !entity.isEmbedded {
            return isAlone && key.ownName.lowercased() == "name" && key.facts.integers.count == 0 && contradictions == 0
        }
        // What has lists may well be the record itself, unless some lack it, and so may what has its identifier.
        let isAlwaysThere = entity.records >= entity.owner?.records ?? 0
        let isRecord = isAlwaysThere && entity.columns.contains { $0.content != .scalar } || isOfOwner(key)
        // People change their names.
        let isAlike = contradictions == 0 || entity.columns.contains { Names.isName($0.ownName) }
        return dependents.count > 1 && !isRecord && isAlike
            && (Names.rank(key.ownName, of: "") == .own || Names.isRegistered(key.ownName) || isReference)
    }

    private var areFew: Bool { keys.total < RecordMeasure.fewest }

    /// Whether the objects are called as references, `CustomerRef`, and have what says which one and what it is called:
    /// there are such, however rarely the same is named.
    private var isReference: Bool {
        guard let objectKey, entity.isEmbedded, keys.isExact, descriptions.isExact else { return false }
        return Names.isReferenceObject(entity.place.name) && entity.columns[objectKey].meaning.rank == .own
            && contradictions == 0
    }

    /// What is told of objects that are known by their name alone.
    var remarkOfName: String {
        areFew
            ? "too few to tell whether several records have the same: by its name alone"
            : "no record, or hardly one, has the same as another: an object of its own by its name alone"
    }

    /// Whether the record around an object is known by what identifies the object.
    private func isOfOwner(_ key: DraftColumn) -> Bool {
        entity.owner?.identifier?.columns.contains { $0.node == key.node } ?? false
    }

    /// So many objects say by their values whether they are some of their own.
    private static let fewest = 5

    /// Whether the records of two entities tell of the same objects: they have the same members, and one identifier has
    /// the same values here and there.
    func isLike(_ other: RecordMeasure) -> Bool {
        guard let own = objectKey, let theirs = other.objectKey,
            entity.columns[own].origin == other.entity.columns[theirs].origin,
            dependents.count > 1, dependents.count == other.dependents.count, keys.isExact, descriptions.isExact,
            other.keys.isExact, other.descriptions.isExact
        else { return false }
        let pairs = zip(dependents.map { entity.columns[$0] }, other.dependents.map { other.entity.columns[$0] })
        guard pairs.allSatisfy({ $0.origin == $1.origin && RecordMeasure.areAlike($0, $1) }),
            !pairs.contains(where: RecordMeasure.areOfOtherKinds)
        else { return false }
        let all = keys.united(with: other.keys)
        // Where there is nothing but a name beside the identifier, the same objects are to be here and there.
        let (least, common) = (
            min(keys.distinct, other.keys.distinct), keys.distinct + other.keys.distinct - all
        )
        let isCalledAlike = entity.place.name.isIdentical(to: other.entity.place.name)
        if dependents.count == 2, isCalledAlike ? common == 0 : least < 3 || 2 * common < least { return false }
        // Two feeds may count alike, from 1 on, and mean others.
        if entity.place.feed != other.entity.place.feed, least < 3 || 2 * common < least { return false }
        return (descriptions.united(with: other.descriptions) - all) * 100 <= all
    }

    /// Whether two columns say of their records that these are of different kinds: each of all its records the same.
    private static func areOfOtherKinds(_ one: DraftColumn, _ other: DraftColumn) -> Bool {
        guard KindLog.names.contains(one.ownName), one.facts.sketch.count == 1, other.facts.sketch.count == 1 else {
            return false
        }
        return one.facts.sketch.comparison(with: other.facts.sketch).found == 0
    }

    /// Whether two columns have the same type.
    private static func areAlike(_ one: DraftColumn, _ other: DraftColumn) -> Bool {
        if one.counts.scalars == 0 || other.counts.scalars == 0 { return true }
        return DraftType(one, isName: false).isLike(DraftType(other, isName: false))
    }

    /// How often an identifier is with other values than before.
    var contradictions: Int { descriptions.distinct - keys.distinct }
}
