import SluiceDefinition
import SluiceRecords

// The ways to what identifies the records of an entity.
extension Identifying {
    /// What was measured of the records of an entity.
    struct Found {
        let measure: RecordMeasure
        /// The best first.
        let choices: [Choice]

        var entity: DraftEntity { measure.entity }
        /// What is unique.
        var unique: Choice? { choices.first { $0.repeats == 0 } }
    }

    /// Each says whether it has chosen something; those behind it are not asked then. The last one always has.
    var ways: [(Found) throws(Failure) -> Bool] {
        [
            chooseReferred, chooseOwn, chooseFlawed, chooseNearly, chooseNamed, choosePair, chooseBeside, chooseEvent,
            chooseBest, choosePartly, chooseByChance, chooseClose, chooseCopied, chooseLast,
        ]
    }

    /// The columns by which objects in records refer to these.
    private func chooseReferred(_ found: Found) -> Bool {
        guard let pair = referredPair(found.choices, found.entity) else { return false }
        found.entity.identifier = DraftIdentifier(columns: pair.columns)
        remarkRepeats(pair, found.entity)
        return true
    }

    private func chooseOwn(_ found: Found) -> Bool {
        guard let own = ownIdentifier(found.choices, found.entity) else { return false }
        found.entity.identifier = DraftIdentifier(columns: own.columns)
        if own.columns[0].isNumberOfOwn { remarkFlaws(own, found.entity) }
        remarkLast(found.entity)
        return true
    }

    private func chooseNearly(_ found: Found) throws(Failure) -> Bool {
        guard let nearly = nearlyUnique(found.choices, found.entity) else { return false }
        found.entity.identifier = DraftIdentifier(columns: nearly.columns)
        let areCopies = try found.measure.copies() == nearly.repeats
        if areCopies { remarkCopies(nearly.repeats, found.entity) } else { remarkRepeats(nearly, found.entity) }
        remarkChance(nearly, found.entity)
        return true
    }

    /// What is unique, and called or made as identifiers are.
    private func chooseBest(_ found: Found) -> Bool {
        let entity = found.entity
        guard let best = best(found.choices, entity) else { return false }
        if let amount = best.columns.first(where: isMereAmount), entity.owner == nil, hasPlace(entity),
            !keysIdentify(entity)
        {
            let what = best.columns.count == 1 ? "nothing but" : "nothing without"
            choosePlace(entity, "\(what) \(quoted(amount.ownName)), which may change, is unique")
            return true
        }
        if chooseBeside(amount: best, entity) { return true }
        if isAccidental(best) { return false }
        if let quantity = quantity(in: best, entity) { return chooseWithout(quantity, of: best, found) }
        if let name = nameAlone(found.choices, entity, beside: best) {
            entity.identifier = DraftIdentifier(columns: name.columns, hasOwner: true)
            return true
        }
        let measured = whatIsMeasured(entity, beside: best)
        let kinds = kinds(of: entity, beside: best.columns)
        let (days, partners) = (days(of: best, entity), partners(of: best, found.measure))
        entity.identifier = DraftIdentifier(
            columns: kinds + days + best.columns + partners + measured, hasOwner: best.hasOwner)
        remarkLuck(best, entity)
        remarkOnly(best, entity)
        remarkPairs(found.choices, beside: best, entity)
        remarkOthers(found.choices, beside: best, entity)
        return true
    }

    private func choosePartly(_ found: Found) throws(Failure) -> Bool {
        let entity = found.entity
        guard let named = try partlyNamed(found.measure) else { return false }
        entity.identifier = DraftIdentifier(columns: named.columns, isPartial: true)
        remarkLacking(named.columns, found.measure)
        remarkRepeats(named, entity)
        return true
    }

    private func chooseByChance(_ found: Found) -> Bool {
        guard let best = found.unique else { return false }
        let days = days(of: best, found.entity)
        found.entity.identifier = DraftIdentifier(columns: days + best.columns, hasOwner: best.hasOwner)
        found.entity.remarks.append("together they are unique, which may be by chance")
        return true
    }

    /// Tells that what identifies records, but for a few, may do so by chance: nothing is called as identifiers are.
    private func remarkChance(_ choice: Choice, _ entity: DraftEntity) {
        guard isAccidental(choice) else { return }
        entity.remarks.append(
            "but for these, what is in the identifier is unique together, which may be by chance: of two records that"
                + " agree in it and differ, the last one would count")
    }

    /// What is not unique in a few records.
    private func chooseClose(_ found: Found) -> Bool {
        let entity = found.entity
        guard let close = found.choices.first(where: { isCloseEnough($0, entity) }) else { return false }
        entity.identifier = DraftIdentifier(columns: close.columns, hasOwner: close.hasOwner)
        if close.hasOwner, let owner = entity.owner {
            entity.remarks.append(
                "\(quoted(close.columns[0].ownName)) is unique in each \(owner.name) but for"
                    + " \(grouped(close.repeats)) of \(grouped(entity.records))")
        }
        remarkLast(entity)
        return true
    }

    private func chooseCopied(_ found: Found) throws(Failure) -> Bool {
        guard let copied = try copied(found.choices, found.measure) else { return false }
        found.entity.identifier = DraftIdentifier(columns: copied.columns, hasOwner: copied.hasOwner)
        remarkCopies(copied.repeats, found.entity)
        remarkChance(copied, found.entity)
        return true
    }

    /// What is left where nothing in the records is unique: their places, or all that they say.
    private func chooseLast(_ found: Found) throws(Failure) -> Bool {
        let entity = found.entity
        // An object alone has no place in a list.
        if entity.place.isOneOrMany {
            entity.standing = .nameless
            return true
        }
        if hasPlace(entity) {
            let why = isLookedAt(entity) ? "nothing in the records is unique" : "nothing that was looked at is unique"
            choosePlace(entity, why + butMeasured(entity))
            return true
        }
        try chooseAmongLines(found.measure)
        return true
    }

    /// What is told of values that may be unique, and may be others in the next feed.
    private func butMeasured(_ entity: DraftEntity) -> String {
        let measured = entity.columns.first { column in
            column.cut == nil && column.content == .scalar && column.isAlwaysThere && isMeasured(column)
        }
        return measured.map { " but what was measured or counted (\(quoted($0.ownName)))" } ?? ""
    }

    /// Of a table's rows of which nothing but an amount is unique, with what else all of them have, and nobody has
    /// measured: two bookings of one amount are told apart by their days.
    private func chooseBeside(amount best: Choice, _ entity: DraftEntity) -> Bool {
        guard best.columns.count == 1, isMereAmount(best.columns[0]), entity.place.isOfTable, entity.owner == nil else {
            return false
        }
        let others = entity.columns.filter { column in
            RecordMeasure.isEligible(column) && column.isAlwaysThere && column.cut == nil && column !== best.columns[0]
                && column.facts.sketch.distinct > 1.5 && !isMeasured(column) && !Names.isProse(column.ownName)
        }
        guard !others.isEmpty else { return false }
        entity.identifier = DraftIdentifier(columns: others.prefix(Identifying.mostBeside) + best.columns)
        entity.remarks.append("nothing but \(quoted(best.columns[0].ownName)), which may change, is unique")
        return true
    }

    private static let mostBeside = 3

    /// Whether what would identify, or a part of it, is an amount.
    func isMereAmount(_ column: DraftColumn) -> Bool { column.isAmount && isMeasured(column) }

    /// Whether records are the values of a map, with no list between.
    private func keysIdentify(_ entity: DraftEntity) -> Bool { entity.place.steps.last == .anyMember }
}
