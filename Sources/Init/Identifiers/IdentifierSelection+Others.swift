import SluiceDefinition
import SluiceRecords

// Records that only the identifier of something else tells apart.
extension IdentifierSelection {
    /// What an object in the record is known by, which other records may have as well, together with what the record
    /// says of itself: of an alert, the time and the rule.
    func chooseBeside(_ evidence: Evidence) -> Bool {
        let entity = evidence.entity
        guard entity.owner == nil, !entity.place.isOfTable, let unique = evidence.unique, unique.columns.count == 1,
            let other = unique.columns.first, let path = other.path, path.count > 1, other.meaning.rank == .ending,
            !Names.isGeneric(path[path.count - 2]), !isTarget(other), !referring.contains(ObjectIdentifier(other))
        else { return false }
        let own = entity.columns.filter { column in
            column.isOwnMember && column !== other && RecordMeasure.isEligible(column)
                && column.facts.sketch.distinct > 1.5
        }
        guard !own.isEmpty else { return false }
        let what = quoted(path[path.count - 2])
        entity.remarks.append(
            "\(quoted(other.ownName)) is that of \(what) in the record, which other records may have, too")
        guard let time = own.first(where: isTimeOfEvent) else { return false }
        let names = own.filter { $0.meaning.rank <= .ending && $0 !== time }.prefix(2)
        entity.identifier = DraftIdentifier(columns: ([time, other] + names).sorted { $0.index < $1.index })
        return true
    }

    /// Tells what else is unique, where nothing says which of both identifies: what is called as an identifier beside
    /// another one of that kind, and a time beside several attributes.
    func remarkOthers(_ choices: [Choice], beside best: Choice, _ entity: DraftEntity) {
        guard !best.hasOwner, entity.owner == nil, entity.records > 2 else { return }
        let isOne = best.columns.count == 1
        if isOne, !isCalledLikeOthers(best.columns[0]) { return }
        let others = choices.compactMap { choice -> String? in
            guard choice.columns.count == 1, !choice.hasOwner, choice.repeats == 0, let other = choice.columns.first,
                !best.columns.contains(where: { $0 === other }), other.isOwnMember,
                isOne ? isCalledLikeOthers(other) : isTimeOfEvent(other)
            else { return nil }
            return quoted(other.ownName)
        }
        guard !others.isEmpty else { return }
        entity.remarks.append("\(listed(others)) \(others.count == 1 ? "is" : "are") unique, too")
    }

    /// Whether a member is called as identifiers are, those of other objects too, and nothing refers to it.
    private func isCalledLikeOthers(_ column: DraftColumn) -> Bool {
        column.isOwnMember && column.meaning.rank == .ending && !isTarget(column)
    }

    /// Whether a column says when something happened, rather than when it was seen last, or how long it holds.
    func isTimeOfEvent(_ column: DraftColumn) -> Bool {
        let later: Set = ["last", "updated", "modified", "changed", "until", "expires", "since", "start", "end"]
        let words = Names.words(column.ownName).map { $0.lowercased() }
        return ["datetime", "date"].contains(DraftType(column, isName: true).type) && later.isDisjoint(with: words)
    }
}
