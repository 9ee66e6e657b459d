import SluiceDefinition
import SluiceRecords

// What was measured, which is unique by chance, and when it was, which is not.
extension IdentifierSelection {
    /// The choices, of which the first one that is unique has no value that was measured where a time does instead:
    /// of a reading, the device and the time. The next night may have the same values.
    func timed(_ choices: [Choice], _ entity: DraftEntity) -> [Choice] {
        guard entity.records > 2, let best = choices.first(where: { $0.repeats == 0 }),
            best.columns.contains(where: isMeasured)
        else { return choices }
        let others = choices.indices.filter { index in
            let choice = choices[index]
            guard choice.repeats == 0, choice.columns.contains(where: isTime) else { return false }
            return choice.columns.allSatisfy { column in
                isTime(column) || best.columns.contains { $0 === column }
                    || !isMeasured(column) && !Names.isProse(column.ownName)
            }
        }
        let found = others.min { order(choices[$0], entity) < order(choices[$1], entity) }
        guard let found, choices[found].columns.count(where: isMeasured) < best.columns.count(where: isMeasured) else {
            return choices
        }
        var rest = choices
        let first = rest.remove(at: found)
        return [first] + rest
    }

    /// What comes first of choices with a time: in lists what identifies together with the record, then what has the
    /// least that was measured, the time of an event, the fewest attributes, and those that tell of the fewest things.
    private func order(_ choice: Choice, _ entity: DraftEntity) -> Order {
        let hasTime = choice.columns.contains(where: isTimeOfEvent)
        let isAlone = entity.owner != nil && !choice.hasOwner
        let things = choice.columns.filter { !isTime($0) }.map(\.facts.sketch.distinct).max() ?? 0
        return Order(
            numbers: [
                isAlone ? 1 : 0, Double(choice.columns.count(where: isMeasured)), hasTime ? 0 : 1,
                Double(choice.columns.count), things,
            ])
    }

    private struct Order: Comparable {
        let numbers: [Double]

        static func < (one: Order, other: Order) -> Bool { one.numbers.lexicographicallyPrecedes(other.numbers) }
    }

    /// Whether a column says when something was.
    func isTime(_ column: DraftColumn) -> Bool {
        !column.isKey && ["datetime", "date"].contains(DraftType(column, isName: true).type)
    }

    /// Whether a column has values that were measured or counted, as numbers or as texts, as far as these tell: no name
    /// says that they identify anything, and they are no years, and do not count the records.
    func isMeasured(_ column: DraftColumn) -> Bool {
        guard isOfNoName(column), !isTime(column) else { return false }
        if column.isAmount || column.areTextsOfFractions || column.areFractions || column.areNearlyFractions
            || column.facts.reals.count > 0
        {
            return true
        }
        let integers = column.facts.integers
        guard column.isWhole, !Names.isLabel(column.ownName), !Names.isYear(column.ownName), !column.isFlag,
            !(column.entity.place.isOfTable && column.index == 0)
        else { return false }
        if Names.isMeasure(column.ownName) { return true }
        // What has few values may number what is told apart.
        if column.facts.sketch.distinct < IdentifierSelection.fewestValues { return false }
        let areYears = integers.least >= 1900 && integers.greatest <= 2100
        let areNumbered =
            (0...1).contains(integers.least)
            && Double(integers.greatest) <= 1.5 * column.facts.sketch.distinct + 1
        return !areYears && !areNumbered
    }

    private static let fewestValues = 10.0

    /// Whether nothing says that a column identifies anything, or refers to something.
    private func isOfNoName(_ column: DraftColumn) -> Bool {
        !column.isKey && column.meaning.rank == .other && !Names.isOrdinal(column.ownName) && !isTarget(column)
            && !referring.contains(ObjectIdentifier(column))
    }

    // MARK: Chance

    /// Tells of what is unique today that it may be so by chance: what was measured, or is 0 or 1, is a part of it, or
    /// nothing in it is called as identifiers are.
    func remarkLuck(_ choice: Choice, _ entity: DraftEntity) {
        guard entity.records > 2, !isAccidental(choice), isLucky(choice) else { return }
        let isOne = choice.columns.count == 1 && !choice.hasOwner
        entity.remarks.append(
            isOne
                ? "\(quoted(choice.columns[0].ownName)) is unique, which may be by chance"
                : "together they are unique, which may be by chance")
    }

    /// Tells that of one record alone nothing can be measured: any value of it is unique.
    func remarkOnly(_ choice: Choice, _ entity: DraftEntity) {
        guard entity.records == 1, entity.owner == nil, choice.columns.count == 1, isOfNoName(choice.columns[0]) else {
            return
        }
        entity.remarks.append(
            "of one record any value is unique: where \(quoted(choice.columns[0].ownName)) changes, there is another"
                + " object")
    }

    private func isLucky(_ choice: Choice) -> Bool {
        if choice.columns.contains(where: { isMeasured($0) || $0.isFlag && isOfNoName($0) }) { return true }
        guard !choice.hasOwner, choice.columns.allSatisfy(isOfNoName) else { return false }
        return choice.columns.count > 1 || isLucky(choice.columns[0])
    }

    private func isLucky(_ column: DraftColumn) -> Bool {
        let name = Names.parts(column.ownName)
        let isNamed =
            !name.isEmpty && column.entity.nameParts.suffix(name.count) == name[...]
            || IdentifierSelection.numbers.contains(column.ownName.lowercased())
        return !column.isCode && !column.isWhole && !column.isStamp && !column.isOfSeconds && !isNamed
    }

    /// What goods, and things on a machine, are known by.
    private static let numbers: Set = ["ean", "file", "filename", "gtin", "path", "sku", "upc"]
}
