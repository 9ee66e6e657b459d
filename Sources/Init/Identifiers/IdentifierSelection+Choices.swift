import SluiceDefinition
import SluiceRecords

// What may identify the records of an entity, as it was measured, and which of it comes first.
extension IdentifierSelection {
    /// Chooses by what objects are known that many records tell of, if there are any.
    func chooseObjectKey(_ measure: RecordMeasure) -> Bool {
        let entity = measure.entity
        guard measure.isObjectKeyConsistent || measure.isKnownByNameAlone, !known.contains(ObjectIdentifier(entity)),
            let column = measure.objectKey
        else { return false }
        let key = entity.columns[column]
        entity.identifier = DraftIdentifier(columns: [key], isPartial: !key.isAlwaysThere, repeats: true)
        if !key.isAlwaysThere { entity.leaveOut(lacking: key) }
        if !measure.isObjectKeyConsistent {
            entity.remarks.append(measure.remarkOfName)
        }
        if measure.contradictions > 0 {
            let one = measure.contradictions == 1
            entity.remarks.append(
                "\(grouped(measure.contradictions)) \(one ? "record is" : "records are") not as others with the same"
                    + " \(quoted(entity.columns[column].ownName))")
        }
        remarkUncompared(entity)
        return true
    }

    /// What was measured to be unique, or nearly so, the best first.
    func choices(_ measure: RecordMeasure) throws(Failure) -> [Choice] {
        let entity = measure.entity
        var choices: [Choice] = []
        for candidate in measure.candidates
        where !candidate.isGone && !candidate.isOptional && !candidate.isLast && candidate.isComplete(measure.records) {
            choices.append(
                Choice(
                    columns: candidate.columns.filter { $0 >= 0 }.map { column in
                        entity.columns[column].sameAs ?? entity.columns[column]
                    },
                    hasOwner: candidate.columns.contains(-1), repeats: try candidate.repeats(),
                    isOfMap: candidate.isCertain))
        }
        choices.removeAll { IdentifierSelection.areNone($0.columns) || isPassing($0) }
        if choices.contains(where: isToken) { choices.removeAll(where: isKindAlone) }
        return choices.map { (weight($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Whether nothing but a time would identify, which other records may have, or which passes: when a record was
    /// changed, which is another time after the next change, or a time, where other records have lists, too: two of
    /// them may have something of one moment.
    private func isPassing(_ choice: Choice) -> Bool {
        guard choice.columns.count == 1, !isTarget(choice.columns[0]) else { return false }
        let column = choice.columns[0]
        if column.isTimeOfChange { return true }
        guard !choice.hasOwner, column.entity.owner != nil, !column.isStamp, !column.isOfSeconds else { return false }
        return column.isTimeOfDay || isTime(column)
    }

    /// Whether nothing but the kind of the records would identify, of which there is one today.
    private func isKindAlone(_ choice: Choice) -> Bool {
        guard choice.columns.count == 1, let kind = choice.columns[0].entity.place.kind else { return false }
        return choice.columns[0].path == kind.member
    }

    /// Whether a text identifies, other than the kind: a day or a number is another one on the next night.
    private func isToken(_ choice: Choice) -> Bool {
        guard choice.columns.count == 1, !isKindAlone(choice) else { return false }
        let facts = choice.columns[0].facts
        return facts.numbers == 0 && facts.forms.isEmpty && !Names.isProse(choice.columns[0].ownName)
    }

    /// Tells what of objects that are told of again and again may differ after all.
    private func remarkUncompared(_ entity: DraftEntity) {
        let names = entity.columns.filter { $0.cut == nil && ($0.isKey || $0.content == .json || $0.content == .list) }
            .map { quoted($0.ownName) }
        guard let first = names.first else { return }
        let rest = names.count == 1 ? " was" : " and \(grouped(names.count - 1)) more were"
        entity.remarks.append(
            "\(first)\(rest) not compared: of records that differ in \(names.count == 1 ? "it" : "them") the last one"
                + " counts")
    }

    /// What is called as an identifier, and may be that of something else: that of an object in the record comes after
    /// the record's members, and of these that which the most others are called like first.
    private func weightOfPlace(_ choice: Choice) -> Double {
        guard choice.columns.count == 1, !choice.hasOwner, choice.columns[0].meaning.rank == .ending,
            !isTarget(choice.columns[0]), let path = choice.columns[0].path
        else { return 0 }
        return path.count > 1 ? 0.5 : -0.05 * Double(min(6, kinship(choice.columns[0])))
    }

    /// What a person would choose first has the least.
    func weight(_ choice: Choice) -> Double {
        let ranks = choice.columns.map { rank(of: $0, in: choice) }
        let parts = parts(of: choice)
        let places = choice.columns.reduce(0.0) { $0 + Double($1.index) }
        return parts * 10 + (ranks.max() ?? 0) * 2 + ranks.reduce(0, +) / 10 + places / 1000
            + weightOfChance(choice, isAlone: parts == 1, ranks.max() ?? 0)
            + weightOfNumbers(choice) + weightOfPlace(choice) + weightOfOthers(choice)
    }

    /// What an object in the record is known by comes behind what is unique by chance, and so do days alone: two
    /// bookings may be of one day.
    private func weightOfOthers(_ choice: Choice) -> Double {
        let areDays = choice.columns.count > 1 && !choice.hasOwner && choice.columns.allSatisfy(isTime)
        let isAnObject =
            choice.columns.count == 1 && choice.columns.contains { $0.meaning.rank == .own && isOfObject($0) }
        return (isAnObject ? 15 : 0) + (areDays ? 10 : 0)
    }

    /// How little a column is like an identifier, or a part of one.
    private func rank(of column: DraftColumn, in choice: Choice) -> Double {
        let isReferred = isTarget(column)
        let isKey = column.isKey || column.entity.columns.contains { $0.sameAs === column }
        // What a file is called is not said in it.
        if column.isFile { return 3.5 }
        if isKey { return isReferred ? -0.05 : 0.5 }
        // Together with others, it says of whom a record is.
        let isAlone = choice.columns.count == 1 && !choice.hasOwner
        let rank = isAlone && isOfObject(column) ? max(rank(column), IdentifierSelection.rankOfObject) : rank(column)
        if column.isPath, choice.hasOwner { return min(rank, column.rankOfPath) }
        if Names.isPostal(column.ownName) { return Double(NameRank.other.rawValue) + 0.5 }
        if Names.isDigest(column.ownName) || column.isCalledMeasure { return rank + 0.5 }
        // An order's position is its own, however it is written, and what it refers to may stand in two positions.
        let isOrdinal = (choice.columns.count > 1 || choice.hasOwner) && Names.isOrdinal(column.ownName)
        if isOrdinal, !isReferred { return IdentifierSelection.rankOfOrdinal }
        if column.isCode && !column.isUnnamedNumber && !Names.isOfPerson(column.ownName) && !isOfPart(column)
            || column.isStamp
            || column.isOfSeconds
        {
            return min(rank, 2) - (isReferred ? 0.1 : 0)
        }
        if choice.columns.count > 1 || choice.hasOwner {
            // Parts of an identifier are references and ordinal numbers, rather than names.
            if referring.contains(ObjectIdentifier(column)) { return min(rank, 1) }
            if isOrdinal { return IdentifierSelection.rankOfOrdinal }
        }
        // What people write is in other places as well, which do not refer to it.
        return isReferred && !Names.isProse(column.ownName) ? min(rank, 2.5) - 0.1 : rank
    }

    /// Whether a column has the keys of a map in a record, which another record's may have tomorrow: names, and no
    /// identifiers that are made to differ everywhere.
    private func isKeyInRecord(_ column: DraftColumn) -> Bool {
        guard column.isKey, let owner = column.entity.owner, owner.records > 1 else { return false }
        return column.facts.longest < IdentifierSelection.leastOfMadeKey
    }

    private static let leastOfMadeKey = 16
    /// As a part of an identifier, an ordinal number comes before a reference.
    private static let rankOfOrdinal = 0.9

    /// Whether a text of one length is no identifier's by its name, and is in an object of the record: the postal code
    /// of an address.
    private func isOfPart(_ column: DraftColumn) -> Bool {
        guard let path = column.namePath, column.meaning.rank == .other, !isTarget(column) else { return false }
        return path.count > (column.isInEnvelope ? 2 : 1)
    }

    /// As how many parts a choice counts. The keys of maps are made to tell their values apart: better than what is
    /// unique, but called as no identifier.
    private func parts(of choice: Choice) -> Double {
        let isMade = choice.isOfMap && !choice.columns.contains { $0.entity.columns.contains(where: isTarget) }
        return isMade ? 1.3 : Double(choice.columns.count + (choice.hasOwner ? 1 : 0))
    }

    /// Text that is unique by chance is worse than a pair of keys, and so is what was measured; of both, the text is
    /// better.
    private func weightOfChance(_ choice: Choice, isAlone: Bool, _ rank: Double) -> Double {
        guard isAlone else { return 0 }
        let isMeasured = choice.columns.contains(where: \.isCalledMeasure)
        let isUnnamed = choice.columns.contains(where: \.isUnnamedNumber)
        let isWhole = choice.columns.allSatisfy { $0.isWhole && !Names.isPostal($0.ownName) }
        if rank >= 5, isMeasured || isUnnamed || !isWhole {
            let isLong = choice.columns.contains { $0.facts.longest > 60 || Names.isProse($0.ownName) }
            // What is unique in all files by chance is worse than what is in each.
            let isOfFiles = choice.columns[0].entity.columns.contains(where: \.isFile)
            return (isLong ? 20 : 10.4) + (isMeasured ? 0.5 : 0) + (isOfFiles ? 1 : 0)
        }
        // What tells the objects of each record apart is another's in others, too.
        let column = choice.columns[0]
        let isLocal = !isTarget(column) && (column.isOfItsRecord || isAnothers(column) || isKeyInRecord(column))
        return isLocal || links.contains(ObjectIdentifier(column)) ? 10.4 : 0
    }
}
