import SluiceRecords

// Which columns may be unique together.
extension RecordMeasure {
    private static let mostColumns = 10

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
    static func optional(_ entity: DraftEntity) -> [Int] {
        entity.columns.filter { column in
            let facts = column.facts
            return column.content == .scalar && column.cut == nil && !column.isKey && column.origin != .record
                && !isEligible(column) && column.values >= 5 && facts.reals == 0 && facts.longest <= 60
                && column.place.booleans == 0 && facts.sketch.distinct >= 0.85 * Double(column.values)
                && (column.isCode || column.rank < 3)
        }.prefix(mostColumns).map(\.index)
    }

    static func candidates(_ entity: DraftEntity) -> [[Int]] {
        let eligible = entity.columns.filter(isEligible)
        let records = Double(entity.records)
        let single = eligible.filter { $0.facts.sketch.distinct >= 0.85 * records - 1 }
        var others = eligible.filter { column in !single.contains { $0 === column } }
            .filter { $0.facts.sketch.distinct > 1.5 || entity.records < 3 }
        // The likeliest first: those that are called so, then those with the most values.
        others.sort { one, other in
            if one.isKey != other.isKey { return one.isKey }
            if one.rank != other.rank { return one.rank < other.rank }
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
        var known: Set<[Int]> = []
        return found.filter { known.insert($0).inserted }
    }

    /// How many combinations there can be.
    private static func product(_ entity: DraftEntity, _ columns: [Int]) -> Double {
        columns.reduce(1.1) { $0 * entity.columns[$1].facts.sketch.distinct }
    }
}
