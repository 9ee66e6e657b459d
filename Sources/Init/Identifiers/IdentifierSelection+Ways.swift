import SluiceDefinition
import SluiceRecords

// The ways to what identifies the records of an entity.
extension IdentifierSelection {
    /// What was measured of the records of an entity.
    struct Evidence {
        let measure: RecordMeasure
        /// The best first.
        let choices: [Choice]

        var entity: DraftEntity { measure.entity }
        /// What is unique.
        var unique: Choice? { choices.first { $0.repeats == 0 } }
    }

    /// Each says whether it has chosen something; those behind it are not asked then. The last one always has.
    var ways: [(Evidence) throws(Failure) -> Bool] {
        [
            chooseReferred, chooseVersion, chooseShared, chooseOwn, chooseFlawed, chooseNearly, chooseNamed,
            choosePair, chooseBeside, chooseEvent, chooseBest, choosePartly, chooseInFiles, chooseByChance,
            chooseClose, chooseCopied, chooseLast,
        ]
    }

    /// The columns by which objects in records refer to these.
    private func chooseReferred(_ evidence: Evidence) -> Bool {
        guard let pair = referredPair(evidence.choices, evidence.entity) else { return false }
        evidence.entity.identifier = DraftIdentifier(columns: pair.columns)
        remarkRepeats(pair, evidence.entity)
        return true
    }

    /// An identifier that several records have, each with another kind, version or language: both together.
    private func chooseVersion(_ evidence: Evidence) -> Bool {
        let entity = evidence.entity
        guard entity.owner == nil else { return false }
        for choice in evidence.choices where choice.repeats == 0 && choice.columns.count == 2 && !choice.hasOwner {
            guard let version = choice.columns.first(where: \.isOfVersions),
                let own = choice.columns.first(where: { $0 !== version && $0.meaning.rank < .code }),
                isShared(own, with: version, evidence)
            else { continue }
            entity.identifier = DraftIdentifier(columns: [own, version])
            entity.remarks.append("\(quoted(own.ownName)) is unique together with \(quoted(version.ownName))")
            return true
        }
        return false
    }

    /// Whether several records have one value, each with another version: nearly all others have one of their own, but
    /// for texts in each language.
    private func isShared(_ own: DraftColumn, with version: DraftColumn, _ evidence: Evidence) -> Bool {
        let alone = evidence.choices.first { $0.columns.map(\.index) == [own.index] && !$0.hasOwner }
        return alone.map { $0.repeats > 0 } ?? version.isOfLanguage
    }

    /// An identifier that records of several files share, where these say the same: no file is a part of it.
    private func chooseShared(_ evidence: Evidence) throws(Failure) -> Bool {
        guard let best = evidence.unique, best.columns.count == 2, !best.hasOwner,
            best.columns.contains(where: \.isFile),
            let own = best.columns.first(where: { !$0.isFile && $0.meaning.rank == .own && $0.isOwnMember }),
            let alone = evidence.choices.first(where: { $0.columns.map(\.index) == [own.index] && !$0.hasOwner }),
            alone.repeats > 0, try evidence.measure.copies() == alone.repeats
        else { return false }
        evidence.entity.identifier = DraftIdentifier(columns: [own])
        remarkCopies(alone.repeats, evidence.entity)
        return true
    }

    private func chooseOwn(_ evidence: Evidence) -> Bool {
        guard let own = ownIdentifier(evidence.choices, evidence.entity) else { return false }
        evidence.entity.identifier = DraftIdentifier(columns: own.columns)
        if own.columns[0].isNumberOfOwn { remarkFlaws(own, evidence.entity) }
        remarkLast(evidence.entity)
        return true
    }

    private func chooseNearly(_ evidence: Evidence) throws(Failure) -> Bool {
        guard let nearly = nearlyUnique(evidence.choices, evidence.entity) else { return false }
        evidence.entity.identifier = DraftIdentifier(columns: nearly.columns)
        let areCopies = try evidence.measure.copies() == nearly.repeats
        if areCopies { remarkCopies(nearly.repeats, evidence.entity) } else { remarkRepeats(nearly, evidence.entity) }
        remarkChance(nearly, evidence.entity)
        return true
    }

    /// What is unique, and called or made as identifiers are.
    private func chooseBest(_ evidence: Evidence) -> Bool {
        let entity = evidence.entity
        guard let best = best(evidence.choices, entity) else { return false }
        if let amount = best.columns.first(where: isMereAmount), entity.owner == nil, hasPlace(entity),
            !keysIdentify(entity)
        {
            let what = best.columns.count == 1 ? "nothing but" : "nothing without"
            choosePlace(entity, "\(what) \(quoted(amount.ownName)), which may change, is unique")
            return true
        }
        if chooseBeside(amount: best, entity) { return true }
        if isAccidental(best) { return false }
        if let quantity = quantity(in: best, entity) { return chooseWithout(quantity, of: best, evidence) }
        if let name = nameAlone(evidence.choices, entity, beside: best) {
            entity.identifier = DraftIdentifier(columns: name.columns, hasOwner: true)
            return true
        }
        let measured = whatIsMeasured(entity, beside: best)
        let kinds = kinds(of: entity, beside: best.columns)
        let (days, partners) = (days(of: best, entity), partners(of: best, evidence.measure))
        let years = days.isEmpty ? years(of: best, entity) : []
        entity.identifier = DraftIdentifier(
            columns: kinds + days + years + best.columns + partners + measured, hasOwner: best.hasOwner)
        remarkLuck(best, entity)
        remarkOnly(best, entity)
        remarkPairs(evidence.choices, beside: best, entity)
        remarkOthers(evidence.choices, beside: best, entity)
        return true
    }

    private func choosePartly(_ evidence: Evidence) throws(Failure) -> Bool {
        let entity = evidence.entity
        guard let named = try partlyNamed(evidence.measure) else { return false }
        entity.identifier = DraftIdentifier(columns: named.columns, isPartial: true)
        remarkLacking(named.columns, evidence.measure)
        remarkRepeats(named, entity)
        return true
    }

    private func chooseByChance(_ evidence: Evidence) -> Bool {
        guard let best = evidence.unique else { return false }
        let days = days(of: best, evidence.entity)
        evidence.entity.identifier = DraftIdentifier(columns: days + best.columns, hasOwner: best.hasOwner)
        evidence.entity.remarks.append("together they are unique, which may be by chance")
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
    private func chooseClose(_ evidence: Evidence) -> Bool {
        let entity = evidence.entity
        guard let close = evidence.choices.first(where: { isCloseEnough($0, entity) }) else { return false }
        entity.identifier = DraftIdentifier(columns: close.columns, hasOwner: close.hasOwner)
        if close.hasOwner, let owner = entity.owner {
            entity.remarks.append(
                "\(quoted(close.columns[0].ownName)) is unique in each \(owner.name) but for"
                    + " \(grouped(close.repeats)) of \(grouped(entity.records))")
        }
        remarkLast(entity)
        return true
    }

    private func chooseCopied(_ evidence: Evidence) throws(Failure) -> Bool {
        guard let copied = try choiceWithCopies(evidence.choices, evidence.measure) else { return false }
        evidence.entity.identifier = DraftIdentifier(columns: copied.columns, hasOwner: copied.hasOwner)
        remarkCopies(copied.repeats, evidence.entity)
        remarkChance(copied, evidence.entity)
        return true
    }

    /// What is left where nothing in the records is unique: their places, or all that they say.
    private func chooseLast(_ evidence: Evidence) throws(Failure) -> Bool {
        let entity = evidence.entity
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
        try chooseAmongLines(evidence.measure)
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
        entity.identifier = DraftIdentifier(columns: others.prefix(IdentifierSelection.mostBeside) + best.columns)
        entity.remarks.append("nothing but \(quoted(best.columns[0].ownName)), which may change, is unique")
        return true
    }

    private static let mostBeside = 3

    /// Whether what would identify, or a part of it, is an amount.
    func isMereAmount(_ column: DraftColumn) -> Bool { column.isAmount && isMeasured(column) }

    /// Whether records are the values of a map, with no list between.
    private func keysIdentify(_ entity: DraftEntity) -> Bool { entity.place.steps.last == .anyMember }
}
