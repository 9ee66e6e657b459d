import SluiceDefinition
import SluiceRecords

// References by another attribute than the identifier, and by a name alone.
extension ReferenceSearch {
    /// The best of the columns that do not identify an object, and of which no two have the same value.
    func other(_ source: DraftColumn, _ matches: [Match]) throws(Failure) -> Match? {
        if source.cut != nil || source.isKey || source.isNameOfRecord || isLookedFor(source) { return nil }
        // Small numbers are found anywhere.
        if source.isWhole, !source.meaning.isReference { return nil }
        var good: [Match] = []
        for match in matches {
            let target = match.target
            guard isEnough(source, match), match.values >= 10,
                target.entity.records >= (fit(source, target) >= 3 ? 3 : 5),
                mayMeanOthers(source, match), isCalledSo(source, match), target.entity.identifier != nil,
                !target.entity.isDoubtful,
                !RecordMeasure.isForItself(target),
                target.content == .scalar, target.cut == nil, !target.isKey, isTelling(source, match),
                !target.entity.relationships.contains(where: { $0.column === target }),
                !areRelated(source.entity, target.entity), !isToldInLists(of: source.entity, target.entity)
            else { continue }
            guard let repeats = try repeats(target), leadsToOne(source, match) else { continue }
            let isGood =
                isOwnName(source)
                ? repeats == 0 && isSameIdentifier(source, target) : !isOfSameObjects(source, target.entity)
            if isGood { good.append(match) }
        }
        return good.min { isBetter($0, $1, source) }
    }

    /// Whether two lists have the same objects' identifiers under one name, and the other is known by another one.
    private func isSameIdentifier(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        source.isOwnMember && source.entity.owner == nil && target.entity.owner == nil
            && source.meaning.rank <= .code && source.ownName.isIdentical(to: target.ownName)
    }

    /// Whether the records of a column are those of another list, too, by what identifies them: what else both say is
    /// no reference.
    private func isOfSameObjects(_ source: DraftColumn, _ other: DraftEntity) -> Bool {
        guard let own = source.entity.identifier?.only, own !== source else { return false }
        return (matches[ObjectIdentifier(own)] ?? []).contains { match in
            match.target.entity === other && match.share >= ReferenceSearch.enough
                && isSameIdentifier(own, match.target)
        }
    }

    /// Whether a list of values is called as what it would lead to, or leads to codes, or to objects of its own list:
    /// what else has the same values, such as the choices of others, is no identifier of them.
    private func isCalledSo(_ source: DraftColumn, _ match: Match) -> Bool {
        source.content != .list || match.target.entity === source.entity || fit(source, match.target) > 0
            || match.target.isCode || match.target.meaning.rank <= .code
    }

    /// Whether references lead to their objects by this attribute.
    private func isLookedFor(_ column: DraftColumn) -> Bool {
        entities.contains { $0.relationships.contains { $0.by === column } }
    }

    func areRelated(_ one: DraftEntity, _ other: DraftEntity) -> Bool {
        one.relationships.contains { $0.leads(to: other) } || other.relationships.contains { $0.leads(to: one) }
            || one.owner === other || other.owner === one
    }

    /// How many objects have what another one has; nil: too many, or it is not known.
    private func repeats(_ column: DraftColumn) throws(Failure) -> Int? {
        guard measures.indices.contains(column.entity.index) else { return nil }
        let measure = measures[column.entity.index]
        for candidate in measure.candidates where candidate.columns == [column.index] {
            guard !candidate.isGone, candidate.isOptional || candidate.isComplete(measure.records) else {
                return nil
            }
            let repeats = try candidate.repeats()
            return repeats * 10 <= candidate.unique.values ? repeats : nil
        }
        return nil
    }

    /// Adds a reference by another attribute than the identifier.
    func add(_ source: DraftColumn, _ match: Match) throws(Failure) {
        let target = match.target
        var remark = match.figures(target.fullName) + doubts(source, match)
        if let repeats = try repeats(target), repeats > 0 {
            remark +=
                "; \(quoted(target.ownName)) is not unique: \(grouped(repeats)) \(repeats == 1 ? "has" : "have") another's"
            let several = severalTargets(match, source)
            if several > 0 { remark += ", to which \(grouped(several)) of these lead, and stay unresolved" }
        }
        source.entity.relationships.append(
            DraftRelationship(source, to: [target.entity], by: target, remark: remark))
    }

    /// How many of the values that were found several objects have: a run leads them to none.
    private func severalTargets(_ match: Match, _ source: DraftColumn) -> Int {
        guard match.isExact, let own = countsOf(source), let others = countsOf(match.target) else { return 0 }
        return own.foundSeveralTimes(in: others)
    }

    /// Whether most of a column's values lead to one object each: what several have leads to none.
    private func leadsToOne(_ source: DraftColumn, _ match: Match) -> Bool {
        2 * (match.found - severalTargets(match, source)) >= match.values
    }

    /// Whether objects in the records of an entity refer to another one by what identifies that: what the record itself
    /// says of it is then a text for people, such as the names of all artists.
    private func isToldInLists(of entity: DraftEntity, _ other: DraftEntity) -> Bool {
        entities.contains { inner in
            inner.owner === entity && !inner.isDropped
                && inner.relationships.contains { $0.leads(to: other) && $0.by == nil && !$0.isByOwner }
        }
    }

    // MARK: By a name alone

    /// Whether a column's name says that it refers to another.
    func mayMean(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        guard source !== target, source.cut == nil, !source.isKey else { return false }
        guard source.meaning.isReference else { return isCalledAfter(source, target) }
        return isParent(source) ? source.entity === target.entity : fitOfName(source, target) >= 3
    }

    /// Whether a member is called just as an entity is, `customer`, and has what looks as the identifiers of this do.
    private func isCalledAfter(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        guard source.content == .scalar, source.entity !== target.entity, target.meaning.rank == .own,
            !target.entity.nameParts.isEmpty, source.meaning.member.base == target.entity.nameParts,
            Names.parts(source.ownName).areIdentical(to: target.entity.nameParts)
        else { return false }
        if source.isWhole, target.isWhole { return [source, target].allSatisfy { $0.facts.integers.least >= 1000 } }
        return source.facts.longest == target.facts.longest && source.isMadeName && target.isMadeName
    }

    private func isParent(_ column: DraftColumn) -> Bool {
        Names.words(column.ownName).contains { $0.lowercased() == "parent" }
    }

    /// Adds a reference that a column's name means, where none of its values is found: the objects may be in another
    /// feed, or in none.
    func relateByName(_ source: DraftColumn) {
        guard source.content == .scalar || source.content == .list, source.cut == nil, !source.isKey,
            source.values > 0, !isOwnName(source), !isLookedFor(source),
            !source.isIdentifying, !source.entity.relationships.contains(where: { $0.column?.origin == source.origin })
        else { return }
        let targets = entities.filter { !$0.isDropped }.compactMap(\.identifier?.only).filter { !$0.isKey }
        let meant = targets.filter { mayMean(source, $0) && isAlike(source, $0) }
        guard meant.count == 1, !areRelated(source.entity, meant[0].entity) else { return }
        let target = meant[0].fullName
        let match = self.match(countedColumn(for: source), countedColumn(for: meant[0]))
        // What is the record's own in each is no reference: HAL says `self` again, under the name of what it is.
        if let match, meant[0].entity === source.entity, isAlias(source, match) { return }
        let found = match.map { $0.figures(target) } ?? "not compared with \(target)"
        let isCommon = match.map { $0.share >= 0.5 } ?? false
        // What is above a record is one of its own kind, however it is written.
        if let match, match.found > 0, !isCommon, !isParent(source) {
            source.entity.remarks.append("\(quoted(source.ownName)): \(found); perhaps a reference, by its name alone")
            return
        }
        add(source, [meant[0].entity], found + (isCommon ? "" : "; by its name alone"))
        source.entity.relationships[source.entity.relationships.count - 1].isByName = !isCommon
    }

    /// Whether the values of two columns have the same form.
    private func isAlike(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        // Services count on, and what is on the first page has few digits.
        let most = source.isWhole ? 3 : 1
        return source.isWhole == target.isWhole && abs(source.facts.longest - target.facts.longest) <= most
    }
}
