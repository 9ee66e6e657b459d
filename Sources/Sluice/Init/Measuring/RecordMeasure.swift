import SluiceRecords

/// What gets the rows of an entity's records: the hash of its owner, and those of its columns.
protocol RowTaker: AnyObject {
    var entity: DraftEntity { get }
    func add(_ row: UnsafePointer<UInt64>) throws(Failure)
}

/// What is measured of the records of an entity: which columns together are unique, and whether one column decides all
/// the others.
@safe
final class RecordMeasure: RowTaker {
    /// Columns that may be unique together; -1: the owner, of which there is one for each record of it.
    final class Candidate {
        let columns: [Int]
        let unique = UniqueValues()
        /// Whether records may lack them: then they identify nothing, but objects may be found by them.
        let isOptional: Bool
        var isGone = false
        /// The columns once more, where they are read for each record: their places in rows.
        private let places: Table<Int>
        private let width: Int

        init(_ columns: [Int], isOptional: Bool = false) {
            self.columns = columns
            self.isOptional = isOptional
            width = columns.count
            places = Table(capacity: columns.count)
            for (index, column) in columns.enumerated() { places[index] = column + 1 }
        }

        deinit {
            var places = places
            places.deallocate()
        }

        @inline(__always)
        fileprivate func add(_ row: UnsafePointer<UInt64>, _ records: Int) -> Failure? {
            var hash: UInt64 = 0
            for index in 0..<width {
                let value = unsafe row[places[index]]
                guard value != ValueHash.none else {
                    isGone = !isOptional
                    return nil
                }
                hash = hash == 0 ? value : ValueHash.joined(hash, value)
            }
            do throws(Failure) {
                try unique.add(hash)
            } catch {
                return error
            }
            // What comes close is told of; what does not is not followed.
            if unique.repeats > (width == 1 ? 20 : 4) + records / 100 { isGone = true }
            return nil
        }
    }

    let entity: DraftEntity
    private(set) var candidates: [Candidate] = []
    /// Those that are still followed. Nobody counts their owners for each record.
    private var live: [Unmanaged<Candidate>] = unsafe []
    /// The column that may decide all others.
    var deciding: Int?
    private var deciders = HashCounts(most: 1 << 20)
    private var decisions = HashCounts(most: 1 << 20)
    /// What it decides, in the order of the names.
    private var decided: [Int] = []
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
        candidates = RecordMeasure.candidates(entity).map { Candidate($0) }
        candidates += RecordMeasure.optional(entity).map { Candidate([$0], isOptional: true) }
        followWhatIsLeft()
        if entity.isEmbedded || entity.owner != nil {
            deciding =
                entity.columns.filter { column in
                    column.content == .scalar && !column.isKey && column.cut == nil && column.origin != .record
                        && column.isAlwaysThere
                        && Names.rank(column.ownName, of: RecordMeasure.name(of: entity)) < 3
                }.min { one, other in
                    Names.rank(one.ownName, of: RecordMeasure.name(of: entity))
                        < Names.rank(other.ownName, of: RecordMeasure.name(of: entity))
                }?.index
        }
        guard deciding != nil else { return }
        decided = entity.columns.filter { $0.content == .scalar && !$0.isKey && $0.cut == nil }
            .sorted { RecordMeasure.path(of: $0).lexicographicallyPrecedes(RecordMeasure.path(of: $1)) }.map(\.index)
    }

    private static func path(of column: DraftColumn) -> [String] {
        if case .member(let path) = column.origin { path } else { [] }
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
        guard column.isAlwaysThere, column.cut == nil, column.values >= column.entity.records || column.isKey else {
            return false
        }
        return column.isKey
            || column.facts.reals == 0 && column.facts.longest <= 200 && column.facts.empties == 0
                && column.place.booleans == 0 && column.origin != .record
    }

    /// Columns that some records lack, and by which others may be found.
    private static func optional(_ entity: DraftEntity) -> [Int] {
        entity.columns.filter { column in
            let facts = column.facts
            return column.content == .scalar && column.cut == nil && !column.isKey && column.origin != .record
                && !isEligible(column) && column.values >= 5 && facts.reals == 0 && facts.longest <= 60
                && column.place.booleans == 0 && facts.sketch.distinct >= 0.85 * Double(column.values)
                && (column.isCode || Names.rank(column.ownName, of: name(of: entity)) < 3)
        }.prefix(mostColumns).map(\.index)
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
        var hasGone = false
        for index in 0..<(unsafe live.count) {
            let failure = unsafe live[index]._withUnsafeGuaranteedRef { candidate in
                let failure = unsafe candidate.add(row, records)
                hasGone = hasGone || candidate.isGone
                return failure
            }
            if let failure { throw failure }
        }
        if hasGone { followWhatIsLeft() }
        for comparison in comparisons {
            let value = unsafe row[comparison.one + 1]
            if value != ValueHash.none, value == (unsafe row[comparison.other + 1]) { comparison.equal += 1 }
        }
        // Attributes that are together by chance are soon not so.
        if records == 50_000 { thinOut() }
        guard let deciding, unsafe row[deciding + 1] != ValueHash.none else { return }
        var all: UInt64 = 1
        for column in decided { all = unsafe ValueHash.joined(all, row[column + 1]) }
        unsafe deciders.add(row[deciding + 1])
        decisions.add(unsafe ValueHash.joined(row[deciding + 1], all))
    }

    private func followWhatIsLeft() {
        unsafe live = candidates.filter { !$0.isGone }.map { unsafe Unmanaged.passUnretained($0) }
    }

    private func thinOut() {
        let combined = candidates.filter { !$0.isGone && $0.columns.count > 1 }
        for candidate in combined.dropFirst(8) { candidate.isGone = true }
        followWhatIsLeft()
    }

    /// Whether the same identifier is with the same values, and occurs more than once.
    var isDecided: Bool {
        deciding != nil && deciders.isExact && decisions.isExact && deciders.distinct * 10 < deciders.total * 9
            && undecided * 100 <= deciders.distinct
    }

    /// Whether the records of two entities tell of the same objects: they have the same members, and one identifier has
    /// the same values here and there.
    func isLike(_ other: RecordMeasure) -> Bool {
        guard let own = deciding, let theirs = other.deciding, entity.feed == other.entity.feed,
            entity.columns[own].origin == other.entity.columns[theirs].origin,
            decided.count > 2, decided.count == other.decided.count, deciders.isExact, decisions.isExact,
            other.deciders.isExact, other.decisions.isExact
        else { return false }
        let pairs = zip(decided.map { entity.columns[$0] }, other.decided.map { other.entity.columns[$0] })
        guard pairs.allSatisfy({ $0.origin == $1.origin && RecordMeasure.areAlike($0, $1) }) else { return false }
        let all = deciders.united(with: other.deciders)
        return (decisions.united(with: other.decisions) - all) * 100 <= all
    }

    /// Whether two columns have the same type.
    private static func areAlike(_ one: DraftColumn, _ other: DraftColumn) -> Bool {
        if one.place.scalars == 0 || other.place.scalars == 0 { return true }
        let (own, their) = (DraftType(one, isName: false), DraftType(other, isName: false))
        return own.type == their.type && own.keys.map(\.1) == their.keys.map(\.1)
    }

    /// How often an identifier is with other values than before.
    var undecided: Int { decisions.distinct - deciders.distinct }
}
