import SluiceDefinition
import SluiceRecords

// What identifies all records but a few flaws of the feed: records that lack it, or have what another one has.
extension IdentifierSelection {
    /// What is made to identify, but for a few records, where only what may be another one tomorrow identifies all of
    /// them.
    func chooseFlawed(_ evidence: Evidence) throws(Failure) -> Bool {
        let entity = evidence.entity
        guard entity.owner == nil, !entity.isTree, !entity.isEmbedded, entity.records >= RecordMeasure.leastTogether,
            evidence.unique.map(isFleeting) ?? true, let flawed = try flawed(evidence)
        else { return false }
        let isPartial = !flawed.columns.allSatisfy(\.isAlwaysThere)
        entity.identifier = DraftIdentifier(columns: flawed.columns, isPartial: isPartial)
        if isPartial { remarkLacking(flawed.columns, evidence.measure) }
        let copies = try evidence.measure.copies()
        if flawed.repeats > 0, copies == flawed.repeats {
            remarkCopies(flawed.repeats, entity)
        } else if flawed.repeats > 0 {
            entity.remarks.removeAll { $0 == flaws(flawed, entity) }
            remarkRepeats(flawed, entity)
        }
        return true
    }

    /// Tells how many records lack what identifies the others.
    func remarkLacking(_ columns: [DraftColumn], _ measure: RecordMeasure) {
        let entity = measure.entity
        let missing = columns.filter { !$0.isAlwaysThere }
        let lacking = missing.map { entity.records - $0.values }.max() ?? 0
        let names = missing.map { quoted($0.ownName) }.joined(separator: " or ")
        let others = columns.count == missing.count ? "" : ", with the rest of the identifier,"
        let which = missing.count == 1 ? "which\(others) identifies" : "which together identify"
        entity.remarks.removeAll { $0.hasPrefix("\(names) lacks in ") }
        entity.remarks.append(
            "\(grouped(lacking)) of \(grouped(entity.records)) records \(lacking == 1 ? "has" : "have") no \(names),"
                + " \(which) all others: \"where\" leaves \(lacking == 1 ? "it" : "them") out")
        if columns.count == 1, let others = measure.strangers(without: columns[0]) {
            leaveOut(others, lacking: lacking, entity)
        }
    }

    /// Takes what shares nothing with the records for none of them.
    private func leaveOut(_ columns: [DraftColumn], lacking: Int, _ entity: DraftEntity) {
        for column in columns { column.isOfStrangers = true }
        entity.records -= lacking
        let names = columns.prefix(IdentifierSelection.mostOfStrangers).map { quoted($0.path?.first ?? $0.ownName) }
        var known: Set<String> = []
        let each = names.filter { known.insert($0).inserted }
        entity.remarks.append(
            "\(lacking == 1 ? "it says" : "they say") nothing that the others do (\(each.joined(separator: ", "))"
                + "\(columns.count > names.count ? ", …" : ""))")
    }

    private static let mostOfStrangers = 6

    /// Whether hardly a record lacks a column, or nothing but what shares nothing with the records.
    func isLackedByFew(_ column: DraftColumn, _ measure: RecordMeasure) -> Bool {
        RecordMeasure.lacksHardly(column) || measure.strangers(without: column) != nil
    }

    /// The best of what identifies all but a few records; nil: there is nothing.
    private func flawed(_ evidence: Evidence) throws(Failure) -> Choice? {
        var choices = evidence.choices.filter { $0.repeats > 0 }
        for candidate in evidence.measure.candidates where candidate.isOptional && !candidate.isGone {
            let columns = candidate.columns.map { evidence.entity.columns[$0] }
            guard columns.allSatisfy({ isLackedByFew($0, evidence.measure) }),
                evidence.entity.place.isOfTable || columns.allSatisfy({ $0.facts.empties == 0 })
            else { continue }
            choices.append(Choice(columns: columns, hasOwner: false, repeats: try candidate.repeats()))
        }
        let copies = try evidence.measure.copies() ?? 0
        let made = choices.filter { choice in
            let most = isOwn(choice) ? max(2, evidence.entity.records / 50) : max(1, evidence.entity.records / 100)
            return choice.repeats - copies <= most && choice.repeats * 10 <= evidence.entity.records && isMade(choice)
        }
        return made.min { weight($0) < weight($1) }
    }

    /// Whether nothing is called as the identifier of the records but a choice.
    private func isOwn(_ choice: Choice) -> Bool {
        choice.columns.count == 1 && choice.columns[0].meaning.rank == .own && choice.columns[0].isOwnMember
    }

    /// Whether columns are made to identify: one, or two, of which one may be a day.
    private func isMade(_ choice: Choice) -> Bool {
        guard !choice.hasOwner, choice.columns.count < 3 else { return false }
        return choice.columns.contains(where: isMade)
            && choice.columns.allSatisfy { isMade($0) || choice.columns.count > 1 && isTime($0) && !$0.isTimeOfChange }
    }

    /// Whether a column is called or made as identifiers are.
    private func isMade(_ column: DraftColumn) -> Bool {
        guard !column.isKey, !isTime(column), !Names.isProse(column.ownName), !Names.isName(column.ownName),
            !Names.isDigest(column.ownName), !Names.isMeasure(column.ownName), !column.isAmount, !isAnothers(column)
        else { return false }
        if isOfOneLength(column) { return true }
        return !isMeasured(column) && (column.meaning.rank <= .code || column.isCode || isTarget(column))
    }

    /// Whether all values are texts of one length, without a word among them: numbers of books and of goods.
    private func isOfOneLength(_ column: DraftColumn) -> Bool {
        let facts = column.facts
        guard facts.numbers == 0, facts.texts > facts.empties, (8...40).contains(facts.longest) else { return false }
        let texts = facts.sample.texts
        return facts.bytes == facts.longest * (facts.texts - facts.empties)
            && texts.allSatisfy { text in !text.contains(UInt8(ascii: " ")) }
    }

    /// Whether what is unique may be another one in the next feed: where a record is, what it is called, when it was
    /// changed, what was measured, and what is unique by chance.
    private func isFleeting(_ choice: Choice) -> Bool {
        if choice.columns.contains(where: isTarget) { return false }
        return isAccidental(choice)
            || choice.columns.contains { column in
                column.isFile || column.isTimeOfChange || isMereAmount(column) || isMeasured(column)
                    || !column.isKey && (Names.isProse(column.ownName) || Names.isName(column.ownName))
            }
            || choice.columns.count == 1 && !choice.columns[0].isKey && !isMade(choice.columns[0])
    }
}
