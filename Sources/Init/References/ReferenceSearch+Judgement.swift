import Glibc
import SluiceRecords

/// Whether what was found is more than chance.
extension ReferenceSearch {
    func fit(_ source: DraftColumn, _ target: DraftColumn) -> Int {
        let own = fitOfName(source, target)
        guard own < 3, let meaning = source.meaning.ofList, target.entity !== source.entity, target.meaning.rank == .own
        else { return own }
        return max(own, Names.fit(meaning, target.entity.nameParts, identifier: target.meaning.member))
    }

    /// By what the column itself is called, and an object around it.
    func fitOfName(_ source: DraftColumn, _ target: DraftColumn) -> Int {
        if isOfKind(source, target) { return 4 }
        return source.meaning.names.reduce(0) {
            max($0, Names.fit($1, target.entity.nameParts, identifier: target.meaning.member))
        }
    }

    /// How much of a reference's name is that of an entity, among those which the name fits alike: all of it, and
    /// nothing else (`warrior_id` of a `Warrior`, rather than of a `WarriorName`, which refers to that itself); its
    /// end, behind what the record with the reference is called (`fling_effect_id` of an `Item`: `ItemFlingEffect`);
    /// its end (`form_trigger_id` and `PokemonFormTrigger`, rather than `EvolutionTrigger`).
    func nearness(_ source: DraftColumn, _ target: DraftColumn) -> Int {
        let (base, entity) = (source.meaning.member.base, target.entity.nameParts)
        guard !base.isEmpty, entity.count >= base.count, entity.suffix(base.count) == base[...] else { return 0 }
        if entity.count == base.count { return 3 }
        return entity.starts(with: source.entity.nameParts) ? 2 : 1
    }

    /// Whether names say no more of one target than of another one.
    func isAsNear(_ source: DraftColumn, _ one: Match, as other: Match) -> Bool {
        fit(source, one.target) == fit(source, other.target)
            && nearness(source, one.target) == nearness(source, other.target)
    }

    /// Whether so many values are found that the others are the feed's flaws.
    func isEnough(_ source: DraftColumn, _ match: Match) -> Bool {
        // Neither are a few parts of what is called as nothing but an identifier, by their values alone.
        if source.cut != nil, match.values < 10, isOwnIdentifier(source), fit(source, match.target) == 0 {
            return false
        }
        if match.share >= ReferenceSearch.enough { return match.share == 1 || !isNameOfRecord(source, match) }
        // One word of many that is found, however often it is there, says nothing of the others.
        if isCommonValue(source, match) { return false }
        // Of the addresses in the list of a record, some are its own.
        if source.cut != nil, match.target.entity === source.entity.owner { return false }
        // Of parts of a text, such as the name of a host, many are found by chance.
        if source.cut != nil, fit(source, match.target) == 0 { return false }
        // The name says it.
        let isList = source.content == .list && !source.meaning.member.base.isEmpty
        if fit(source, match.target) >= 3, source.meaning.isReference || isList { return match.share >= 0.5 }
        if isTold(source, match) { return true }
        if isOnly(source, match) { return true }
        // What is called as nothing but an identifier may well be the record's own.
        guard fit(source, match.target) > 0 || !isOwnIdentifier(source) else { return false }
        // Neither does a bare `key` or `code` say that it is another's.
        let isBare = source.meaning.member.base.isEmpty && source.content == .scalar && source.isOwnMember
        if isBare, fit(source, match.target) == 0 { return false }
        // Few are found, but none of them by chance.
        if source.meaning.isReference, match.found >= 2, match.share >= 0.5, source.content == .scalar,
            source.facts.longest >= 12, isRare(match.target)
        {
            return true
        }
        // The rest may be in a feed that was not given.
        if source.meaning.isReference, match.share >= 0.5, match.found >= 3, isNoChance(source, match.target) {
            return true
        }
        return match.share >= 0.75 && match.values >= 20 && isRare(match.target) && !isAttribute(source, match)
    }

    /// Whether only one of several values is found; or, without the one that is found most often, fewer than half of
    /// the others.
    private func isCommonValue(_ source: DraftColumn, _ match: Match) -> Bool {
        guard let own = countsOf(countedColumn(for: source)), let other = countsOf(countedColumn(for: match.target))
        else { return false }
        var (found, most) = (0, 0)
        for entry in own.entries where other.contains(entry.hash) {
            found += 1
            most = max(most, Int(entry.count))
        }
        if own.distinct > 2, found == 1 { return true }
        // Of a few, that one is found often says nothing.
        return match.values >= 20 && own.isExact && 2 * (match.found - most) < match.values - most
    }

    /// Whether a column says what its record is called, whatever else is called so.
    private func isNameOfRecord(_ source: DraftColumn, _ match: Match) -> Bool {
        source.isOwnMember && source.isNameOfRecord && fit(source, match.target) == 0
    }

    /// Whether a value stays an attribute where some are not found, since those would be lost: no name says that it
    /// refers to anything. Keys, and what texts have parts of, are kept in any case.
    private func isAttribute(_ source: DraftColumn, _ match: Match) -> Bool {
        !source.meaning.isReference && source.content == .scalar && source.cut == nil && !source.isKey
            && fit(source, match.target) == 0
    }

    /// Whether a member of a record is called as nothing but its identifier.
    private func isOwnIdentifier(_ source: DraftColumn) -> Bool {
        guard source.isOwnMember, source.content == .scalar else { return false }
        return Names.isPlainIdentifier(source.ownName)
    }

    /// Whether so few numbers, under the name of a reference, are found that nothing can be said of chance, but in one
    /// entity alone, whose numbers are no counts.
    private func isOnly(_ source: DraftColumn, _ match: Match) -> Bool {
        guard source.isWhole, source.meaning.isReference, match.values < 10, match.found >= 2, match.share >= 0.5,
            source.facts.integers.least >= 10, match.target.facts.integers.least >= 10,
            match.target.meaning.rank == .own
        else { return false }
        return !targets.contains { other in
            other !== match.target && other.isWhole && other.meaning.rank == .own
                && (self.match(source, other)?.found ?? 0) > 0
        }
    }

    /// Whether a value that is found is hardly found by chance: of large numbers, none of those beside them is.
    func isNoChance(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        guard source.isWhole else { return isRare(target) }
        return source.facts.integers.least > ReferenceSearch.leastLarge
            && target.facts.integers.least > ReferenceSearch.leastLarge && chances(source, target).chance < 0.01
    }

    /// Numbers above this are no counts.
    private static let leastLarge: Int64 = 100_000

    /// Whether the keys of values are those of objects, of which each has such a value: what else is there is about
    /// something else.
    private func isTold(_ source: DraftColumn, _ match: Match) -> Bool {
        guard source.isKey, source.entity.isOfValues, !match.target.entity.isOfValues, match.share >= 0.5 else {
            return false
        }
        return self.match(match.target, source)?.share == 1
    }

    /// Whether a text of the same form as these is hardly one of them by chance.
    func isRare(_ target: DraftColumn) -> Bool {
        let facts = target.facts
        guard !target.isWhole, facts.texts > facts.empties else { return false }
        let length = Double(facts.bytes) / Double(facts.texts - facts.empties)
        return length >= 3 && facts.sketch.distinct < 0.05 * pow(26, min(length, 12))
    }

    /// What there is to be said against a reference.
    func doubts(_ source: DraftColumn, _ match: Match) -> String {
        let isClose = match.share < ReferenceSearch.enough && fit(source, match.target) < 3
        return (isClose ? "; fewer than 95 %" : "") + (fit(source, match.target) == 0 ? "; by its values alone" : "")
    }

    /// Whether it cannot well be by chance that a target has all values.
    func isTelling(_ source: DraftColumn, _ match: Match) -> Bool {
        if isOfKind(source, match.target) { return true }
        let distinct = source.facts.sketch.distinct
        let fit = fit(source, match.target)
        let isName = isOwnName(source)
        if match.target.entity === source.entity, isAlias(source, match) { return false }
        let isCode = source.isCode && !source.isWhole
        if source.facts.integers.count * 10 > source.values, !isCode {
            guard source.isWhole || source.areWholeButMissing else { return false }
            if fit >= 2, isMeant(source, match.target, fit) { return !isName || distinct >= 10 }
            // Another entity is meant.
            let none = MemberName("")
            if entities.contains(where: { Names.fit(source.meaning.member, $0.nameParts, identifier: none) >= 2 }) {
                return false
            }
            let isNoChance = isNoChance(source, match.target)
            let isClose = areClose(source, match.target)
            guard source.meaning.isReference else {
                if match.share < ReferenceSearch.enough || match.target.meaning.rank >= .code { return false }
                return isNoChance && distinct >= 10
                    || isClose && (distinct >= 3 || match.share == 1 && match.values >= 10)
            }
            if isClose { return distinct >= 3 }
            if isOnly(source, match) { return true }
            if isNoChance { return distinct >= 2 }
            let (share, chance) = chances(source, match.target)
            return distinct * (1 - chance) > 5 && (1 - share) < 0.2 * (1 - chance)
        }
        // Of one record any value is unique.
        if match.target.entity.records == 1, !match.target.entity.isSingle, match.target.meaning.rank == .other {
            return false
        }
        // That one text is found once says nothing, though both may be called so.
        let isCalledAlike = source.meaning.member.lower == match.target.meaning.member.lower
        if distinct < 1.5, match.target.entity.records > 1, !source.meaning.isReference, fit < 2 || isCalledAlike {
            return isTokenOfRecord(source, match.target)
        }
        if fit >= 2 { return true }
        let length = Double(source.facts.bytes) / Double(max(1, source.facts.texts - source.facts.empties))
        if source.isKey { return distinct >= 3 }
        // Of one object there is one value.
        if match.target.entity.isSingle, length >= 16 { return true }
        // A few short texts, `1.0`, are soon the same.
        if fit == 0, match.values <= 5, length < 4, match.target.entity !== source.entity { return false }
        return distinct >= 3 && length >= 1.5 || source.meaning.isReference && length >= 3
    }

    /// Whether the name of whole numbers is that of a reference to an entity. That it has a word of its own entity is
    /// none (`age` of a `PennyAge`), and neither is the name that they have there as well, where nothing identifies by
    /// it (`position`).
    private func isMeant(_ source: DraftColumn, _ target: DraftColumn, _ fit: Int) -> Bool {
        if source.meaning.isReference { return true }
        if source.entity === target.entity { return false }
        let isCalledAlike = source.meaning.member.lower == target.meaning.member.lower
        let isOfEntity = Names.fit(source.meaning.member, target.entity.nameParts, identifier: MemberName("")) >= 2
        if isCalledAlike, !isOfEntity, target.meaning.rank == .other { return false }
        return fit >= 3 || !target.countsRecords || isOneOf(source, target.entity)
    }

    /// Whether a name ends with all of an entity's, and is no plural, as those of counts are: `home_team`, but not
    /// `total_teams`.
    private func isOneOf(_ source: DraftColumn, _ entity: DraftEntity) -> Bool {
        let (base, last) = (source.meaning.member.base, Names.words(source.ownName).last ?? "")
        return base.count > entity.nameParts.count && base.suffix(entity.nameParts.count) == entity.nameParts[...]
            && Names.singular(last).isIdentical(to: last)
    }

    /// Whether numbers are as large as no counts are, where what they lead to is close together. Zero stands for none.
    func areClose(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        let (low, high) = (target.facts.integers.least, target.facts.integers.greatest)
        let least = source.facts.integers.least == 0 ? source.facts.integers.greatest : source.facts.integers.least
        return least > ReferenceSearch.leastLarge && low > ReferenceSearch.leastLarge && high - low < low / 10
    }

    /// Whether the one value of an object that the feed has once is that of a record, and no word.
    private func isTokenOfRecord(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        guard source.entity.isSingle, source.facts.longest >= 8, isRare(target) else { return false }
        return source.facts.sample.texts.allSatisfy { text in
            text.contains(where: \.isDigit) && !text.contains(UInt8(ascii: " "))
        }
    }

    /// Whether a column has the identifier of its own record, under another name.
    func isAlias(_ source: DraftColumn, _ match: Match) -> Bool {
        guard source.entity.index < measures.count else { return false }
        return measures[source.entity.index].equal(source, match.target) * 2 > source.values
    }

    /// Whether a column identifies its own records.
    func isOwnName(_ column: DraftColumn) -> Bool {
        guard let identifier = column.entity.identifier else { return column.meaning.rank == .own }
        return identifier.columns.count == 1 && identifier.columns[0] === column && !identifier.hasOwner
    }

    /// Of two entities with the same identifiers, one refers to the other, and not both.
    func isDirected(_ source: DraftColumn, _ match: Match) -> Bool {
        guard isOwnName(source) else { return true }
        guard source.entity !== match.target.entity else { return false }
        // Values are about objects, and not objects about their values.
        if match.target.entity.isOfValues, !source.entity.isOfValues, let back = self.match(match.target, source),
            back.share >= 0.5
        {
            return false
        }
        guard let back = self.match(match.target, source), back.share >= ReferenceSearch.enough else { return true }
        // What is called as a reference to the other is one.
        let near = (nearness(source, match.target), nearness(match.target, source))
        if near.0 != near.1, max(near.0, near.1) == 3 { return near.0 == 3 }
        let (one, other) = (source.entity, match.target.entity)
        return other.columns.count == one.columns.count
            ? other.index < one.index : other.columns.count > one.columns.count
    }

    /// How many of a column's whole numbers are found, and how many would be by chance: as many as of those beside
    /// them.
    func chances(_ source: DraftColumn, _ target: DraftColumn) -> (share: Double, chance: Double) {
        guard let own = countsOf(source), let other = countsOf(target) else { return (0, 1) }
        var (values, found, beside, foundBeside) = (0, 0, 0, 0)
        for entry in own.entries.prefix(20_000) where entry.hash <= other.limit {
            let count = Int(entry.count)
            values += count
            if other.contains(entry.hash) { found += count }
            let number = ValueFingerprint.integer(entry.hash)
            for distance: Int64 in [-3, -2, -1, 1, 2, 3] {
                let hash = ValueFingerprint.of(number &+ distance)
                guard hash <= other.limit else { continue }
                beside += count
                if other.contains(hash) { foundBeside += count }
            }
        }
        guard values > 0, beside > 0 else { return (0, 1) }
        return (Double(found) / Double(values), Double(foundBeside) / Double(beside))
    }
}
