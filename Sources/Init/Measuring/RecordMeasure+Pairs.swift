import SluiceRecords

// Pairs of columns that all but a few records have: the sum below the rows of a table has hardly any.
extension RecordMeasure {
    /// Pairs of which some records lack a part, and which may identify the others.
    static func optionalPairs(_ entity: DraftEntity) -> [[Int]] {
        guard entity.owner == nil, !entity.isEmbedded, !entity.isTree, entity.records >= leastTogether else {
            return []
        }
        let lacking = entity.columns.filter { !isEligible($0) && mayBePart($0) }.prefix(mostColumns)
        guard !lacking.isEmpty else { return [] }
        let parts = entity.columns.filter { isEligible($0) && !$0.isKey && mayBePart($0) }.prefix(mostColumns)
        var pairs: [[Int]] = []
        for (place, one) in lacking.enumerated() {
            pairs += (lacking.dropFirst(place + 1) + parts).map { [one.index, $0.index].sorted() }
        }
        // Of the few that lack a part, nothing is asked.
        return pairs.filter { product(entity, $0) >= 0.9 * Double(entity.records) }
    }

    /// Whether a column tells records apart together with another one: no value that was measured, and nothing that
    /// people write.
    private static func mayBePart(_ column: DraftColumn) -> Bool {
        let facts = column.facts
        return column.content == .scalar && column.cut == nil && column.origin != .record && lacksHardly(column)
            && facts.reals.count == 0 && facts.longest <= 60 && column.counts.booleans == 0
            && facts.sketch.distinct > 1.5 && !column.isTextOfMeasure && !column.isAmount && !column.areFractions
            && !Names.isMeasure(column.ownName) && !Names.isProse(column.ownName)
            && (column.entity.place.isOfTable || facts.empties == 0)
    }
}
