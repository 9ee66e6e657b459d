import SluiceRecords

/// What is measured of the records of an entity: which columns together are unique, and whether one column decides all
/// the others.
final class RecordMeasure {
    /// Columns that may be unique together; -1: the owner, of which there is one for each record of it.
    final class Candidate {
        let columns: [Int]
        let unique = UniqueValues()
        var isGone = false

        init(_ columns: [Int]) { self.columns = columns }
    }

    let entity: DraftEntity
    private(set) var candidates: [Candidate] = []
    /// The column that may decide all others.
    var deciding: Int?
    private var deciders = HashCounts(most: 1 << 20)
    private var decisions = HashCounts(most: 1 << 20)
    private(set) var records = 0

    private static let mostColumns = 10
    /// Two columns, and in how many records both have the same value.
    final class Comparison {
        let (one, other): (Int, Int)
        var equal = 0

        init(_ one: Int, _ other: Int) { (self.one, self.other) = (one, other) }
    }

    private(set) var comparisons: [Comparison] = []

    /// Compares two columns in each record.
    func compare(_ one: DraftColumn, _ other: DraftColumn) {
        comparisons.append(Comparison(one.index, other.index))
    }

    /// In how many records two columns have the same value.
    func equal(_ one: DraftColumn, _ other: DraftColumn) -> Int {
        comparisons.first { $0.one == one.index && $0.other == other.index }?.equal ?? 0
    }

    init(_ entity: DraftEntity) {
        self.entity = entity
        candidates = RecordMeasure.candidates(entity).map(Candidate.init)
        if entity.isEmbedded || entity.owner != nil {
            deciding =
                entity.columns.filter { column in
                    column.content == .scalar && !column.isKey && !column.isTail && column.origin != .record
                        && column.isAlwaysThere
                        && Names.rank(column.ownName, of: RecordMeasure.name(of: entity)) < 3
                        && column.facts.sketch.distinct < 0.9 * Double(entity.records)
                }.min { one, other in
                    Names.rank(one.ownName, of: RecordMeasure.name(of: entity))
                        < Names.rank(other.ownName, of: RecordMeasure.name(of: entity))
                }?.index
        }
    }

    deinit {
        deciders.deallocate()
        decisions.deallocate()
    }

    static func name(of entity: DraftEntity) -> String {
        for step in entity.steps.reversed() {
            if case .member(let name) = step { return name }
        }
        return ""
    }

    /// Whether a column can be (a part of) an identifier.
    static func isEligible(_ column: DraftColumn) -> Bool {
        guard column.isAlwaysThere, !column.isTail, column.values >= column.entity.records || column.isKey else {
            return false
        }
        return column.isKey
            || column.facts.reals == 0 && column.facts.longest <= 200 && column.facts.empties == 0
                && column.place.booleans == 0 && column.origin != .record
    }

    private static func candidates(_ entity: DraftEntity) -> [[Int]] {
        let name = name(of: entity)
        let eligible = entity.columns.filter(isEligible)
        let records = Double(entity.records)
        let single = eligible.filter { $0.facts.sketch.distinct >= 0.85 * records - 1 }
        var others = eligible.filter { column in !single.contains { $0 === column } }
            .filter { $0.facts.sketch.distinct > 1.5 || entity.records < 3 }
        // The likeliest first: those that are called so, then those with the most values.
        others.sort { one, other in
            let ranks = (Names.rank(one.ownName, of: name), Names.rank(other.ownName, of: name))
            if one.isKey != other.isKey { return one.isKey }
            if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
            return one.facts.sketch.distinct > other.facts.sketch.distinct
        }
        var parts = others.prefix(mostColumns).map(\.index)
        let keys = eligible.filter(\.isKey).map(\.index)
        var found = single.map { [$0.index] }
        if entity.owner != nil {
            found += (parts + single.map(\.index)).map { [-1, $0] }
            if keys.count > 1 { found.append([-1] + keys) }
        } else if keys.count > 1 {
            found.append(keys)
        }
        parts.sort()
        for (place, one) in parts.enumerated() {
            for (next, two) in parts.enumerated().dropFirst(place + 1) {
                if product(entity, [one, two]) >= records { found.append([one, two]) }
                if entity.owner != nil { found.append([-1, one, two]) }
                for three in parts.dropFirst(next + 1) where product(entity, [one, two, three]) >= records {
                    found.append([one, two, three])
                }
            }
        }
        return found
    }

    /// How many combinations there can be.
    private static func product(_ entity: DraftEntity, _ columns: [Int]) -> Double {
        columns.reduce(1.1) { $0 * entity.columns[$1].facts.sketch.distinct }
    }

    /// Adds a record: the hash of each column's value, before which is that of its owner.
    func add(_ row: UnsafePointer<UInt64>) throws(Failure) {
        records += 1
        for candidate in candidates where !candidate.isGone {
            var hash: UInt64 = 0
            var isMissing = false
            for column in candidate.columns {
                let value = unsafe row[column + 1]
                isMissing = isMissing || value == ValueHash.none
                hash = hash == 0 ? value : ValueHash.joined(hash, value)
            }
            guard !isMissing else {
                candidate.isGone = true
                continue
            }
            try candidate.unique.add(hash)
            // What comes close is told of; what does not is not followed.
            if candidate.unique.repeats > (candidate.columns.count == 1 ? 20 : 4) + records / 100 {
                candidate.isGone = true
            }
        }
        for comparison in comparisons {
            let value = unsafe row[comparison.one + 1]
            if value != ValueHash.none, value == (unsafe row[comparison.other + 1]) { comparison.equal += 1 }
        }
        // Attributes that are together by chance are soon not so.
        if records == 50_000 { thinOut() }
        guard let deciding, unsafe row[deciding + 1] != ValueHash.none else { return }
        var all: UInt64 = 1
        for column in entity.columns.indices where entity.columns[column].content == .scalar {
            if !entity.columns[column].isKey { all = unsafe ValueHash.joined(all, row[column + 1]) }
        }
        unsafe deciders.add(row[deciding + 1])
        decisions.add(unsafe ValueHash.joined(row[deciding + 1], all))
    }

    private func thinOut() {
        let combined = candidates.filter { !$0.isGone && $0.columns.count > 1 }
        for candidate in combined.dropFirst(8) { candidate.isGone = true }
    }

    /// Whether the same identifier is with the same values, and occurs more than once.
    var isDecided: Bool {
        deciding != nil && deciders.isExact && decisions.isExact && deciders.distinct < deciders.total
            && undecided * 100 <= deciders.distinct
    }

    /// How often an identifier is with other values than before.
    var undecided: Int { decisions.distinct - deciders.distinct }
}
