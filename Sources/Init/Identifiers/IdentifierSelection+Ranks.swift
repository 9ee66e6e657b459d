import SluiceDefinition
import SluiceRecords

// How much a column is like an identifier of its records, by what else they have.
extension IdentifierSelection {
    /// The least is most.
    func rank(_ column: DraftColumn) -> Double {
        if isAnothers(column) { return 4 }
        // OData says where each record is, which has an identifier besides.
        if column.path?.first?.isIdentical(to: "__metadata") == true { return Double(NameRank.code.rawValue) }
        var rank = Double(column.meaning.rank.rawValue)
        // A key that is called after the record may be one by which another service knows it.
        if rank == 0, !Names.isPlainIdentifier(column.ownName) { rank = IdentifierSelection.rankOfLongName }
        if column.isNumberOfOwn { rank = min(rank, IdentifierSelection.rankOfOwnNumber) }
        rank = rankAmongFew(column) ?? rank
        // People change their names and addresses, and a number stays.
        if column.meaning.rank == .code, Names.isOfPerson(column.ownName) { rank += 0.25 }
        return endings(with: column).map { min(rank, Double($0.meaning.rank.rawValue) - 0.5) } ?? rank
    }

    /// Of few records, each may well be of another customer: nothing but its place tells such a name from the record's
    /// own. Nil: they are many, or its name is none of an identifier or number.
    private func rankAmongFew(_ column: DraftColumn) -> Double? {
        guard column.entity.records < RecordMeasure.leastTogether, column.entity.owner == nil, column.isOwnMember else {
            return nil
        }
        let usual = Double(NameRank.usual.rawValue)
        if isNumber(column) {
            // What only counts the rows comes behind the last of those that do not.
            if countsRows(column) {
                let last = column.entity.columns.last { isNumber($0) && !countsRows($0) && $0.isOwnMember }
                return usual + min(0.9, Double(max(column.index, last?.index ?? 0)) * 0.05) + 0.02
            }
            // A `number`, or a `Nr.`, says of nothing else what it is.
            if IdentifierSelection.plainNumbers.contains(Names.parts(column.ownName).joined()) {
                return IdentifierSelection.rankOfOwnNumber
            }
        }
        guard isNumber(column) || column.meaning.rank == .ending && !isTarget(column), !column.isNumberOfOwn else {
            return nil
        }
        return usual + min(0.9, Double(column.index) * 0.05)
    }

    private static let plainNumbers: Set = ["no", "nr", "num", "number", "nummer", "numero", "numéro"]

    private func countsRows(_ column: DraftColumn) -> Bool {
        column.countsRecords && column.facts.sketch.distinct > Double(column.entity.records) - 0.5
    }

    private func isNumber(_ column: DraftColumn) -> Bool {
        column.meaning.rank == .code && Names.isNumber(column.ownName)
    }

    /// The number that is called after the record comes behind what is an identifier by its name, and before those of
    /// other things: `order_number` before `customer_id`.
    private static let rankOfOwnNumber = 0.5
    /// Of `id` and `incident_key`, the former is what the record is known by.
    private static let rankOfLongName = 0.05
    /// What an object in the record is known by comes behind all names of identifiers that the record has.
    static let rankOfObject = 3.5

    /// Whether a column is what an object in the record is known by, as the `id` in `customer`: several records may
    /// have one customer. The record itself has something that is called as identifiers are, an `orderNumber`, or says
    /// at least as much as the object does.
    func isOfObject(_ column: DraftColumn) -> Bool {
        guard column.entity.owner == nil, !column.isKey, let path = column.namePath, path.count > 1,
            column.meaning.rank < .code, !column.isInEnvelope, !isTarget(column)
        else { return false }
        let parent = path[path.count - 2]
        guard !Names.isGeneric(parent), !parent.hasPrefix("@"), !parent.hasPrefix("$"),
            Names.parts(parent) != column.entity.nameParts, !DraftColumn.envelopes.contains(parent)
        else { return false }
        let columns = column.entity.columns.filter { $0.cut == nil && $0.content == .scalar }
        let own = columns.filter { $0.namePath?.count == 1 }
        // What is around the object may be in an object itself.
        let around = columns.filter { other in
            other.namePath.map { $0.count < path.count && path.starts(with: $0.dropLast()) } ?? false
        }
        let isNamed = around.contains { other in
            other.meaning.rank < .other && RecordMeasure.isEligible(other) && !Names.isName(other.ownName)
        }
        // In many records, each with another object, it identifies these, too.
        let isOfFew = column.meaning.rank == .own && column.entity.records < RecordMeasure.leastTogether
        return isNamed || isOfFew && own.count > 1 && own.count >= columns.count { $0.isMember(in: [path[0]]) }
    }

    /// Whether what is in a list of a record is called as the identifier of something else, which other records may
    /// have, too: of an object in it, of an entity that there is, or of what another member says (`product_id` and
    /// `product`). A reference that was found, and what is referred to, are known for what they are.
    func isAnothers(_ column: DraftColumn) -> Bool {
        guard column.entity.owner != nil, column.meaning.rank == .ending, let path = column.path,
            !referring.contains(ObjectIdentifier(column)), !isTarget(column)
        else { return false }
        // What is in a list may be called as that is; and with a record that is known by its place, nothing gets
        // better.
        let isOfPlace = sequence(first: column.entity, next: \.owner).dropFirst().contains {
            $0.identifier?.hasIndex ?? false
        }
        let list = Names.parts(column.entity.place.name)
        if isOfPlace || Names.parts(column.ownName) == list { return false }
        let own = column.entity.columns.filter { $0 !== column && $0.cut == nil && $0.isOwnMember }
        if path.count > 1 { return own.contains(where: RecordMeasure.isEligible) }
        let base = column.meaning.member.base
        guard !base.isEmpty else { return false }
        return measures.contains { $0.entity !== column.entity && $0.entity.nameParts == base }
            || own.contains { isAbout(Names.parts($0.ownName), base) }
    }

    /// Whether a member says something of what the identifier with a name is one of.
    private func isAbout(_ words: [String], _ base: [String]) -> Bool {
        !words.isEmpty && (words.starts(with: base) || base.suffix(words.count) == words[...])
    }

    /// An address that ends with what a column beside it says, as far as samples tell: the column says the same in
    /// short.
    private func endings(with column: DraftColumn) -> DraftColumn? {
        guard let path = column.path, column.facts.forms != .address else { return nil }
        return column.entity.columns.first { other in
            guard let place = other.path, place.dropLast() == path.dropLast(),
                other.facts.forms == .address, RecordMeasure.isEligible(other),
                column.facts.sketch.mayHaveNearlyAll(of: other.facts.sketch)
            else { return false }
            let texts = other.facts.sample.texts
            let tails = texts.compactMap { TextCut.addressTail.hash(of: $0) }
            let (values, found) = column.facts.sketch.comparison(with: tails)
            return tails.count == texts.count && values > 2 && found == values
        }
    }

    /// The kind of objects that say nothing of themselves but that and an identifier, and have the rest in objects, as
    /// JSON:API has it: several kinds have the same identifiers.
    func kinds(of entity: DraftEntity, beside columns: [DraftColumn]) -> [DraftColumn] {
        let own = entity.columns.filter { $0.isOwnMember && $0.cut == nil && $0.content == .scalar }
        guard columns.count == 1, own.count == 2, own.contains(where: { $0 === columns[0] }),
            Names.isPlainIdentifier(columns[0].ownName), entity.place.kind == nil, !entity.place.isOfTable,
            entity.columns.contains(where: { ($0.path?.count ?? 0) > 1 }),
            let kind = own.first(where: { KindLog.names.contains($0.ownName) }), RecordMeasure.isEligible(kind),
            kind.facts.sketch.distinct > 1.5
        else { return [] }
        entity.remarks.append(
            "objects of another \(quoted(kind.ownName)) may have the same \(quoted(columns[0].ownName))")
        return [kind]
    }

    /// The name of a pair of a name and a `value`, where the value identifies it today: `no-cache` may be that of two
    /// headers.
    private func nameOfValue(_ entity: DraftEntity, beside columns: [DraftColumn]) -> DraftColumn? {
        guard columns.contains(where: { $0.origin == .member(["value"]) && !isTarget($0) }) else { return nil }
        let name = entity.columns.first { column in
            RecordMeasure.isEligible(column) && column.isOwnMember && column.facts.sketch.distinct > 1.5
                && ["key", "name"].contains(column.ownName.lowercased())
        }
        guard let name, !columns.contains(where: { $0 === name }) else { return nil }
        entity.remarks.append("\"value\" is unique in each record here: \(quoted(name.ownName)) says what it is of")
        return name
    }

    /// Whether few events tell by an object whose they are: `"user": { "id": 7 }`.
    private func isOfActor(_ column: DraftColumn) -> Bool {
        column.entity.records < RecordMeasure.leastTogether && column.meaning.rank == .own && isOfObject(column)
    }

    /// What sent a message, or what a reading is of, where nothing but its time identifies it today: two of them may
    /// send one in the same second.
    private func sender(_ entity: DraftEntity, beside columns: [DraftColumn]) -> DraftColumn? {
        guard columns.count == 1, entity.owner == nil, !isTarget(columns[0]), columns[0].isOwnMember,
            columns[0].meaning.rank == .other, isTimeOfEvent(columns[0])
        else { return nil }
        let sender = entity.columns.first { column in
            RecordMeasure.isEligible(column) && column.facts.sketch.distinct > 1.5
                && (column.isOwnMember && Names.isSender(column.ownName) || isOfActor(column))
        }
        guard let sender else { return nil }
        let name = sender.isOwnMember ? sender.ownName : sender.names[0]
        entity.remarks.append(
            "\(quoted(columns[0].ownName)) is unique here: at one time there may be one of each \(quoted(name))")
        return sender
    }

    /// The name of a pair of a name and a `value`, where the value identifies it in its record, and the name does, too.
    func nameAlone(_ choices: [Choice], _ entity: DraftEntity, beside best: Choice) -> Choice? {
        guard entity.owner != nil, best.columns.contains(where: { $0.origin == .member(["value"]) && !isTarget($0) })
        else { return nil }
        return choices.first { choice in
            choice.repeats == 0 && choice.hasOwner && choice.columns.count == 1
                && RecordMeasure.isNameOfValue(choice.columns[0])
        }
    }

    /// What says of which of several things a record has the `value`, where others identify it without: of two things
    /// that are measured at one place and time, these may be two records in the next feed.
    func whatIsMeasured(_ entity: DraftEntity, beside best: Choice) -> [DraftColumn] {
        let columns = best.columns
        guard columns.count > 1 || best.hasOwner else {
            let things = things(entity, beside: columns)
            return things.isEmpty ? [sender(entity, beside: columns)].compactMap { $0 } : things
        }
        if let name = nameOfValue(entity, beside: columns) { return [name] }
        let hasValue = entity.columns.contains { $0.origin == .member(["value"]) && $0.facts.numbers > 0 }
        let found = entity.columns.first { column in
            RecordMeasure.isEligible(column) && column.facts.sketch.distinct > 1.5 && Names.isMeasured(column.ownName)
        }
        guard hasValue, let found, !columns.contains(where: { $0 === found }) else { return [] }
        entity.remarks.append(
            "the rest of the identifier is unique here: \(quoted(found.ownName)) says what \"value\" is of")
        return [found]
    }
}
