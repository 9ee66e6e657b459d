import SluiceRecords

// Whether records tell of objects again and again.
extension RecordMeasure {
    /// Whether the same identifier is with the same values, and occurs more than once.
    var isDecided: Bool {
        // Lists are not compared: where there is nothing else, they are what the objects are about.
        let isCompared =
            decided.count > 1 || entity.isEmbedded && deciding.map { entity.columns[$0].meaning.rank == .own } ?? false
            || !entity.columns.contains { $0.content != .scalar && $0.cut == nil }
        let isNamed = deciding.map { entity.columns[$0].meaning.rank < .code || undecided == 0 } ?? false
        // Of one object nothing can be measured, and a key may well be that of something in it.
        let isSeveral = deciders.distinct > 1 || deciding.map { entity.columns[$0].meaning.rank < .usual } ?? false
        return isNamed && isCompared && isSeveral && deciders.isExact && decisions.isExact
            && deciders.distinct * 10 < deciders.total * 9 && undecided * 100 <= deciders.distinct
    }

    /// Whether there are too few objects to tell whether they are some of their own, but what they have is called as
    /// the identifier of such: `"milestone": { "id": …, "title": … }`, or is nothing but a name.
    var isNamedAlone: Bool {
        guard let deciding, deciders.total > 0, deciders.total < RecordMeasure.fewest else { return false }
        let (key, isAlone) = (entity.columns[deciding], entity.columns.count == 1)
        if !entity.isEmbedded {
            return isAlone && key.ownName.lowercased() == "name" && key.facts.integers.count == 0 && undecided == 0
        }
        // What has lists may well be the record itself, unless some lack it, and so may what has its identifier.
        let isAlwaysThere = entity.records >= entity.owner?.records ?? 0
        let isRecord = isAlwaysThere && entity.columns.contains { $0.content != .scalar } || isOfOwner(key)
        // People change their names.
        let isAlike = undecided == 0 || entity.columns.contains { Names.isName($0.ownName) }
        return decided.count > 1 && !isRecord && isAlike
            && (Names.rank(key.ownName, of: "") == .own || Names.isRegistered(key.ownName))
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
        guard let own = deciding, let theirs = other.deciding,
            entity.columns[own].origin == other.entity.columns[theirs].origin,
            decided.count > 1, decided.count == other.decided.count, deciders.isExact, decisions.isExact,
            other.deciders.isExact, other.decisions.isExact
        else { return false }
        let pairs = zip(decided.map { entity.columns[$0] }, other.decided.map { other.entity.columns[$0] })
        guard pairs.allSatisfy({ $0.origin == $1.origin && RecordMeasure.areAlike($0, $1) }),
            !pairs.contains(where: RecordMeasure.areOfOtherKinds)
        else { return false }
        let all = deciders.united(with: other.deciders)
        // Where there is nothing but a name beside the identifier, the same objects are to be here and there.
        let (least, common) = (
            min(deciders.distinct, other.deciders.distinct), deciders.distinct + other.deciders.distinct - all
        )
        let isCalledAlike = entity.place.name.isIdentical(to: other.entity.place.name)
        if decided.count == 2, isCalledAlike ? common == 0 : least < 3 || 2 * common < least { return false }
        // Two feeds may count alike, from 1 on, and mean others.
        if entity.place.feed != other.entity.place.feed, least < 3 || 2 * common < least { return false }
        return (decisions.united(with: other.decisions) - all) * 100 <= all
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
    var undecided: Int { decisions.distinct - deciders.distinct }
}
