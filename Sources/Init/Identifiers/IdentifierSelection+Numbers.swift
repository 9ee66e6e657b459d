import SluiceDefinition
import SluiceRecords

// What numbers that nothing says to identify anything are worth.
extension IdentifierSelection {
    /// What such numbers add to the weight of a choice: a text that is unique comes before them, and anything before a
    /// fraction.
    func weightOfNumbers(_ choice: Choice) -> Double {
        let hasPlace = RecordMeasure.hasCoordinates(choice.columns)
        // Nothing but two or more numbers that were measured: a text comes before these.
        let areMeasured = !hasPlace && choice.columns.count > 1 && choice.columns.allSatisfy(isMeasured)
        return choice.columns.reduce(hasPlace ? 8 : areMeasured ? IdentifierSelection.weightOfMeasured : 0) {
            weight, column in
            if isTarget(column) || referring.contains(ObjectIdentifier(column)) { return weight }
            if hasPlace, column.isCoordinate { return weight }
            let isOne = choice.columns.count == 1
            if column.isAmount || column.meaning.rank == .other && column.areNearlyFractions {
                return weight + IdentifierSelection.weightOfFraction
            }
            if column.isFlag { return weight + IdentifierSelection.weightOfFlag }
            if column.isCounted {
                return weight + (isOne ? IdentifierSelection.weightOfCount : IdentifierSelection.weightOfCounts)
            }
            if !column.isUnnamedNumber { return weight }
            if column.areFractions { return weight + IdentifierSelection.weightOfFraction }
            return weight + (isOne ? 0.3 : column.areFigures ? IdentifierSelection.weightOfCounts : 0)
        }
    }

    private static let weightOfMeasured = 10.0

    /// What counts or measures something is corrected: any four other attributes come before two with such a number.
    private static let weightOfCounts = 35.0
    /// Likewise, alone.
    private static let weightOfCount = 25.0
    /// An amount with a fraction comes behind anything else.
    private static let weightOfFraction = 100.0
    /// Any other two attributes come before one that is 0 or 1.
    private static let weightOfFlag = 8.0

    /// Columns of a table that are unique together but for hardly a record, where only what counts or measures
    /// something would tell these apart, too: a figure that is corrected would be another object.
    func nearlyUnique(_ choices: [Choice], _ entity: DraftEntity) -> Choice? {
        // A place moves with the order of a feed, and all objects with it: of a thousand records, one may be lost.
        let isLong = entity.records >= 1000
        guard entity.place.isOfTable || isLong, entity.owner == nil,
            entity.records >= IdentifierSelection.leastOfNearly
        else { return nil }
        if choices.contains(where: { $0.repeats == 0 && !$0.columns.contains(where: \.areFigures) }) { return nil }
        return choices.first { choice in
            choice.columns.count > 1 && choice.repeats > 0 && choice.repeats <= max(1, entity.records / 1000)
                && !choice.columns.contains(where: \.areFigures)
                && (entity.place.isOfTable || !choice.hasOwner && !choice.columns.contains(where: isTime))
        }
    }

    /// A text that identifies nearly all records, together with what tells the others apart, where a figure alone is
    /// unique: its next value is another one.
    func chooseNamed(_ evidence: Evidence) -> Bool {
        let entity = evidence.entity
        guard entity.owner == nil, let unique = evidence.unique, unique.columns.count == 1, !unique.hasOwner,
            isQuantity(unique.columns[0]), let name = nearlyNaming(evidence)
        else { return false }
        let pair = evidence.choices.first { choice in
            choice.repeats == 0 && choice.columns.count == 2 && choice.columns.contains { $0 === name.columns[0] }
        }
        remarkFlaws(name, entity)
        let figures = (pair ?? unique).columns.filter { $0 !== name.columns[0] }
        let how = pair == nil ? "is unique" : "tells these apart"
        entity.remarks.append("\(quoted(figures[0].ownName)) \(how), which may be by chance")
        if pair == nil { return false }
        entity.identifier = DraftIdentifier(columns: name.columns + figures)
        return true
    }

    /// A text that few records share with others.
    private func nearlyNaming(_ evidence: Evidence) -> Choice? {
        evidence.choices.first { choice in
            guard choice.columns.count == 1, !choice.hasOwner, choice.repeats > 0,
                choice.repeats * 10 <= evidence.entity.records
            else { return false }
            let (column, forms) = (choice.columns[0], choice.columns[0].facts.forms)
            return !column.isKey && !column.areNumerals && column.facts.numbers == 0 && forms.isEmpty
                && !Names.isProse(column.ownName) && !Names.isDigest(column.ownName)
        }
    }

    /// Whether a column is a number that no name says to identify anything, and that counts or measures something: it
    /// has a fraction, marks between groups, or numbers of very different sizes.
    private func isQuantity(_ column: DraftColumn) -> Bool {
        guard column.isUnnamedNumber, !isTarget(column), !referring.contains(ObjectIdentifier(column)) else {
            return false
        }
        let (least, greatest) = (column.facts.integers.least, column.facts.integers.greatest)
        return column.areFractions || column.areFigures
            || column.isWhole && greatest / 10 >= max(1, least) && !column.countsRecords
    }

    /// Of fewer records, one that repeats what another one has says something.
    private static let leastOfNearly = 100
}
