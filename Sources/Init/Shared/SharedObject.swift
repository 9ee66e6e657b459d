import SluiceRecords

/// An object that many records tell of, without one of its own around what they say: `"subreddit_id": …, "subreddit":
/// …, "subreddit_type": …`.
final class SharedObject: RowListener {
    /// The records that tell of it.
    let source: DraftEntity
    let key: DraftColumn
    /// What may be said of it, and of these so many that are called so.
    private let others: [DraftColumn]
    private let named: Int
    private var keys = HashCounts(most: 1 << 18)
    private var pairs: [HashCounts]
    private var absent: [Int]
    /// Of each: whether a record that has no key says it. Then it is the record's own: with the object it would be
    /// lost.
    private var isOwn: [Bool]
    private(set) var records = 0

    /// - Parameters:
    ///   - named: what is called as what is said of the object with that key. None: the key is called as that of what
    ///     is around it.
    ///   - others: what may be said of it, too.
    init(_ key: DraftColumn, named: [DraftColumn], others: [DraftColumn]) {
        (source, self.key, self.others, self.named) = (key.entity, key, named + others, named.count)
        let others = named + others
        pairs = others.map { _ in HashCounts(most: 1 << 18) }
        absent = others.map { _ in 0 }
        isOwn = others.map { _ in false }
    }

    deinit {
        keys.deallocate()
        for index in pairs.indices { pairs[index].deallocate() }
    }

    var columns: [DraftColumn] { [key] + others }
    /// Whether what is said of it is called after it.
    var isNamed: Bool { named > 0 }

    func take(_ row: UnsafePointer<UInt64>) {
        let value = unsafe row[key.index + 1]
        guard value != ValueFingerprint.none else { return unsafe takeWithoutKey(row) }
        records += 1
        keys.add(value)
        for (index, column) in others.enumerated() {
            let other = unsafe row[column.index + 1]
            if other == ValueFingerprint.none { absent[index] += 1 }
            pairs[index].add(ValueFingerprint.joined(value, other))
        }
    }

    private func takeWithoutKey(_ row: UnsafePointer<UInt64>) {
        for (index, column) in others.enumerated() where unsafe row[column.index + 1] != ValueFingerprint.none {
            isOwn[index] = true
        }
    }

    // MARK: What was found

    /// What is always the same with one key, by the place among the others.
    private var dependents: [Int] {
        let all = others.indices.filter { !isOwn[$0] && pairs[$0].isExact && pairs[$0].distinct == keys.distinct }
        // Where each key is there often, what is always the same with it is no chance.
        return named > 0 && keys.total < 5 * keys.distinct ? all.filter { $0 < named } : all
    }

    /// Whether it is told of more than once, and always alike.
    var isFound: Bool {
        guard keys.isExact, keys.distinct > 1, keys.total > keys.distinct else { return false }
        let varied = dependents.filter { others[$0].facts.sketch.distinct > 1.5 && !isOfKey(others[$0]) }
        // Of a few numbers some are the same by chance.
        let isFew = keys.total < keys.distinct + 3
        if named > 0 { return varied.contains { $0 < named && (!isFew || others[$0].facts.numbers == 0) } }
        let isNamed = varied.contains { others[$0].isKey || Names.isName(others[$0].ownName) }
        let isMost = 2 * varied.count >= others.count { $0.facts.sketch.distinct > 1.5 }
        return keys.total >= 2 * keys.distinct && (isNamed || isWhole || varied.count > 1 && isMost)
    }

    /// Whether the key, which is a name, is in an object of which all else is always the same with it.
    private var isWhole: Bool {
        guard let path = key.path, path.count > 1, Names.isName(key.ownName) else { return false }
        let beside = others.indices.filter { index in
            if case .member(let other) = others[index].origin { other.dropLast() == path.dropLast() } else { false }
        }
        let dependents = Set(dependents)
        return !beside.isEmpty && beside.allSatisfy(dependents.contains)
    }

    /// Whether a name is what another one is made of: a name together with the family's says nothing of a person.
    private func isOfKey(_ column: DraftColumn) -> Bool {
        key.meaning.rank == .code && Names.words(key.ownName).last?.lowercased() != "code"
            && Names.words(column.ownName).last?.lowercased() == "name"
    }

    /// What records say of it, with how many of them do not.
    var members: [(column: DraftColumn, absent: Int)] { dependents.map { (others[$0], absent[$0]) } }

    /// Whether what other records tell of is the same: it is called alike, and one key is with the same values.
    func isLike(_ other: SharedObject) -> Bool {
        guard source.place.feed == other.source.place.feed || isOfOtherTable(other), source.place.kind == nil,
            other.source.place.kind == nil,
            key.ownName.isIdentical(to: other.key.ownName),
            members.count == other.members.count, keys.isExact, other.keys.isExact
        else { return false }
        let all = keys.united(with: other.keys)
        return zip(dependents, other.dependents).allSatisfy { own, their in
            others[own].origin == other.others[their].origin
                && pairs[own].united(with: other.pairs[their]) == all
        }
    }

    /// Whether records of another feed have the key in the same way, and half of what fewer keys there are, here or
    /// there.
    private func isOfOtherTable(_ other: SharedObject) -> Bool {
        guard source.place.steps == other.source.place.steps, key.origin == other.key.origin,
            members.count == other.members.count
        else { return false }
        let pairs = [(key, other.key)] + zip(members.map(\.column), other.members.map(\.column))
        let common = keys.distinct + other.keys.distinct - keys.united(with: other.keys)
        return 2 * common >= min(keys.distinct, other.keys.distinct)
            && pairs.allSatisfy { DraftType($0, isName: false).isLike(DraftType($1, isName: false)) }
    }
}
