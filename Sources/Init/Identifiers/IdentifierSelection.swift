import SluiceDefinition
import SluiceRecords

/// Chooses what identifies the objects of each entity, by what was measured.
struct IdentifierSelection {
    let measures: [RecordMeasure]
    let feeds: [SurveyedFeed]
    /// By column: how many references lead to it.
    let references: [ObjectIdentifier: Int]
    /// Columns that are references themselves.
    let referring: Set<ObjectIdentifier>
    /// Of these, the identifiers of what a list in a record names.
    let links: Set<ObjectIdentifier>
    /// Embedded entities whose identifiers are those of others.
    let known: Set<ObjectIdentifier>

    /// Sets of columns, with how many records have what another has.
    struct Choice {
        var columns: [DraftColumn]
        var hasOwner: Bool
        var repeats: Int
        /// Whether they are the keys of a map in each of the owners.
        var isOfMap = false
    }

    func choose() throws(Failure) {
        // An owner's before those of what is in it.
        for measure in measures.sorted(by: { $0.entity.place.steps.count < $1.entity.place.steps.count }) {
            try choose(measure)
        }
    }

    private func choose(_ measure: RecordMeasure) throws(Failure) {
        let entity = measure.entity
        if chooseObjectKey(measure) { return }
        if entity.isEmbedded {
            entity.drop()
            return
        }
        let choices = timed(try choices(measure), entity)
        remark(choices, entity)
        let alone = choices.first { choice in
            choice.repeats == 0 && !choice.hasOwner && !choice.columns.contains { $0.isPathOfFile || $0.isCounted }
        }
        measure.alone = alone.map { DraftIdentifier(columns: $0.columns) }
        let evidence = Evidence(measure: measure, choices: choices)
        for way in ways { if try way(evidence) { break } }
        IdentifierSelection.settleFile(entity)
    }

    /// Whether all columns that may identify a record were followed.
    func isLookedAt(_ entity: DraftEntity) -> Bool {
        entity.omissions.members == 0 && RecordMeasure.followsAll(of: entity)
    }

    /// The first that is unique, or else one with the objects' own `id` beside it: where nothing but a kind of each
    /// tells the objects of a record apart today, records of tomorrow may have two of a kind.
    func best(_ choices: [Choice], _ entity: DraftEntity) -> Choice? {
        guard let best = choices.first(where: { $0.repeats == 0 }), best.hasOwner,
            best.columns.allSatisfy(isKind)
        else { return choices.first { $0.repeats == 0 } }
        return choices.first { choice in
            choice.repeats == 0 && choice.hasOwner
                && choice.columns.contains { $0.meaning.rank == .own && $0.meaning.ofList != nil }
                && best.columns.allSatisfy { own in choice.columns.contains { $0 === own } }
        } ?? best
    }

    /// Whether a column says of which kind an object is, and of which others are, too.
    private func isKind(_ column: DraftColumn) -> Bool {
        column.meaning.rank == .other && !column.isKey && !Names.isOrdinal(column.ownName) && !isTarget(column)
            && !referring.contains(ObjectIdentifier(column))
            && 2 * column.facts.sketch.distinct <= Double(column.entity.records)
    }

    /// Whether columns have nothing in common with identifiers but that they are unique together.
    func isAccidental(_ choice: Choice) -> Bool {
        choice.columns.count > 1
            && choice.columns.allSatisfy { column in
                !column.isKey && !column.isCode && column.meaning.rank == .other && !Names.isOrdinal(column.ownName)
                    && !referring.contains(ObjectIdentifier(column)) && !isTarget(column)
            }
    }

    /// A column that nearly all records have, and which identifies these.
    func partlyNamed(_ measure: RecordMeasure) throws(Failure) -> Choice? {
        let entity = measure.entity
        guard !entity.isTree else { return nil }
        var found: [Choice] = []
        for candidate in measure.candidates
        where candidate.isOptional && !candidate.isGone && candidate.columns.count == 1 {
            let column = entity.columns[candidate.columns[0]]
            guard isLackedByFew(column, measure), entity.place.isOfTable || column.facts.empties == 0 else {
                continue
            }
            let repeats = try candidate.repeats()
            guard isFew(repeats, of: entity) else { continue }
            found.append(Choice(columns: [column], hasOwner: false, repeats: repeats))
        }
        return found.min { ($0.repeats > 0 ? 10 : 0) + weight($0) < ($1.repeats > 0 ? 10 : 0) + weight($1) }
    }

    func remarkLast(_ entity: DraftEntity) {
        entity.identifier?.isNotQuiteUnique = true
        entity.remarks.append(
            "of several records with one identifier the last one counts: a dry run tells which these are, and where")
    }

    /// The columns by which objects in records refer to these, where nothing identifies them but a text by chance.
    func referredPair(_ choices: [Choice], _ entity: DraftEntity) -> Choice? {
        if let best = choices.first(where: { $0.repeats == 0 }), !isByChance(best, entity) { return nil }
        return choices.filter { choice in
            choice.columns.count > 1 && !choice.hasOwner && isFew(choice.repeats, of: entity)
                && isReferred(choice.columns)
        }.min { $0.repeats < $1.repeats }
    }

    /// Whether so few records have what another one has that these are the feed's flaws.
    func isFew(_ repeats: Int, of entity: DraftEntity) -> Bool { repeats <= max(1, entity.records / 50) }

    /// A column that is called as nothing else than the identifier of these, where hardly any record repeats it, and
    /// another one is unique: a feed has a record twice more often than what is called so identifies nothing.
    func ownIdentifier(_ choices: [Choice], _ entity: DraftEntity) -> Choice? {
        guard let best = choices.first(where: { $0.repeats == 0 }), !best.hasOwner else { return nil }
        if best.columns.count == 2 { return mostOfPair(best, choices, entity) }
        guard best.columns.count == 1, !best.columns[0].isKey, !isTarget(best.columns[0]),
            Names.rank(best.columns[0].ownName, of: entity.name) > .own
        else { return nil }
        // Of few records, each that is lost is one too many where another identifier or number loses none; and what an
        // object is known by may be that of several.
        if entity.records < RecordMeasure.leastTogether, best.columns[0].isOwnMember,
            isCalledIdentifier(best.columns[0])
        {
            return nil
        }
        return choices.first { choice in
            choice.columns.count == 1 && !choice.hasOwner && entity.records > 2
                && isFew(choice.repeats, of: entity) && !isOfObject(choice.columns[0])
                && Names.rank(choice.columns[0].ownName, of: entity.name) == .own
        }
    }

    /// Whether a column is called as the identifier, the number or the code of something.
    private func isCalledIdentifier(_ column: DraftColumn) -> Bool {
        column.meaning.rank < .code || column.meaning.rank == .code && Names.isNumber(column.ownName)
    }

    /// The number that an entity is called after, where a pair is unique that has it and something that no name says to
    /// identify anything: `order_number` with `status`, which is another one once the order is shipped.
    private func mostOfPair(_ pair: Choice, _ choices: [Choice], _ entity: DraftEntity) -> Choice? {
        guard entity.owner == nil, entity.records >= 20,
            pair.columns.contains(where: { isKind($0) && !$0.isTimeOfDay })
        else { return nil }
        return choices.first { choice in
            choice.columns.count == 1 && !choice.hasOwner && choice.repeats * 50 <= max(50, entity.records)
                && pair.columns.contains { $0 === choice.columns[0] }
                && (choice.columns[0].meaning.rank == .own || choice.columns[0].isNumberOfOwn)
        }
    }

    private func isByChance(_ choice: Choice, _ entity: DraftEntity) -> Bool {
        choice.columns.count == 1 && !choice.columns[0].isKey && !choice.columns[0].isCode
            && !choice.columns[0].isWhole && Names.rank(choice.columns[0].ownName, of: entity.name) == .other
    }

    /// Whether an object in some records has members that are called as these columns, and hold their values.
    private func isReferred(_ columns: [DraftColumn]) -> Bool {
        measures.contains { measure in
            var paths: [[String]: Int] = [:]
            for column in measure.entity.columns {
                guard let path = column.path, path.count > 1, column.content == .scalar,
                    let own = columns.first(where: {
                        $0.ownName.isIdentical(to: column.ownName) && $0.origin != column.origin
                    })
                else { continue }
                let (values, found) = column.facts.sketch.comparison(with: own.facts.sketch)
                if values > 0, found * 2 >= values { paths[path.dropLast(), default: 0] += 1 }
            }
            return paths.values.contains(columns.count)
        }
    }

    /// Tells how many records have what another one has.
    func remarkFlaws(_ choice: Choice, _ entity: DraftEntity) { entity.remarks.append(flaws(choice, entity)) }

    func flaws(_ choice: Choice, _ entity: DraftEntity) -> String {
        let names = choice.columns.map { quoted(IdentifierSelection.shown($0)) }.joined(separator: " and ")
        let are = choice.columns.count == 1 ? "is" : "together are"
        return "\(names) \(are) unique but for \(grouped(choice.repeats)) of \(grouped(entity.records))"
    }

    /// The name of a column, with the objects that it is in where the record has a member of its name.
    private static func shown(_ column: DraftColumn) -> String {
        guard let path = column.path, path.count > 1,
            column.entity.columns.contains(where: { $0.origin == .member([column.ownName]) })
        else { return column.ownName }
        return path.joined(separator: ".")
    }

    func remarkRepeats(_ choice: Choice, _ entity: DraftEntity) {
        guard choice.repeats > 0 else { return }
        remarkFlaws(choice, entity)
        remarkLast(entity)
    }

    /// Whether references lead to a column.
    func isTarget(_ column: DraftColumn) -> Bool { references[ObjectIdentifier(column), default: 0] > 0 }

    func isCloseEnough(_ choice: Choice, _ entity: DraftEntity) -> Bool {
        guard choice.columns.count == 1 else { return false }
        if choice.hasOwner {
            // What an object refers to, each once but by mistake: better than a place in a list.
            return referring.contains(ObjectIdentifier(choice.columns[0])) && entity.records > 2
                && choice.repeats <= max(1, entity.records / 1000)
        }
        return (isTarget(choice.columns[0]) || Names.isIdentifier(choice.columns[0].ownName, of: entity.name))
            && isFew(choice.repeats, of: entity) && entity.records > 2
    }

    /// What a person would rather take than a text that is unique, perhaps by chance.
    func remarkPairs(_ choices: [Choice], beside best: Choice, _ entity: DraftEntity) {
        guard best.columns.count == 1, !best.columns[0].isKey, !best.columns[0].isCode,
            Names.rank(best.columns[0].ownName, of: entity.name) == .other
        else { return }
        let close = choices.filter { choice in
            choice.columns.count == 2 && choice.repeats > 0 && choice.repeats <= max(1, entity.records / 100)
        }
        for pair in close.prefix(3) { remarkFlaws(pair, entity) }
    }

    private func remark(_ choices: [Choice], _ entity: DraftEntity) {
        for choice in choices where choice.repeats > 0 && choice.columns.count == 1 && !choice.hasOwner {
            let column = choice.columns[0]
            // What an object in the record is known by is no identifier of the record.
            let isCalledSo = Names.rank(column.ownName, of: entity.name) < .code && (column.isOwnMember || column.isKey)
            guard isTarget(column) || isCalledSo else { continue }
            remarkFlaws(choice, entity)
        }
        for column in entity.columns where Names.rank(column.ownName, of: entity.name) == .own && !column.isAlwaysThere
        {
            // What an object in the record lacks says nothing of the record.
            guard column.isOwnMember else { continue }
            let missing = entity.records - column.present + column.counts.nulls
            guard missing > 0, missing * 20 <= entity.records, column.content == .scalar else { continue }
            entity.remarks.append(
                "\(quoted(column.ownName)) lacks in \(grouped(missing)) of \(grouped(entity.records))")
        }
    }
}
