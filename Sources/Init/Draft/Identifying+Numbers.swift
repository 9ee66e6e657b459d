// What numbers that nothing says to identify anything are worth.
extension Identifying {
    /// What such numbers add to the weight of a choice: a text that is unique comes before them, and anything before a
    /// fraction.
    func weightOfNumbers(_ choice: Choice) -> Double {
        choice.columns.reduce(0) { weight, column in
            if isTarget(column) || referring.contains(ObjectIdentifier(column)) || !column.isUnnamedNumber {
                return weight
            }
            return weight + (column.areFractions ? 100 : choice.columns.count == 1 ? 0.3 : column.areFigures ? 2 : 0)
        }
    }

    /// Columns of a table that are unique together but for hardly a record, where only what counts or measures
    /// something would tell these apart, too: a figure that is corrected would be another object.
    func nearlyUnique(_ choices: [Choice], _ entity: DraftEntity) -> Choice? {
        guard entity.place.isOfTable, entity.owner == nil, entity.records >= Identifying.leastOfNearly else {
            return nil
        }
        if choices.contains(where: { $0.repeats == 0 && !$0.columns.contains(where: \.areFigures) }) { return nil }
        return choices.first { choice in
            choice.columns.count > 1 && choice.repeats > 0 && choice.repeats <= max(1, entity.records / 1000)
                && !choice.columns.contains(where: \.areFigures)
        }
    }

    /// Of fewer records, one that repeats what another one has says something.
    private static let leastOfNearly = 100
}
