import SluiceDefinition
import SluiceRecords

// Records that only the identifier of something else tells apart.
extension Identifying {
    /// What an object in the record is known by, which other records may have as well, together with what the record
    /// says of itself: of an alert, the time and the rule.
    func chooseBeside(_ found: Found) -> Bool {
        let entity = found.entity
        guard entity.owner == nil, !entity.place.isOfTable, let unique = found.unique, unique.columns.count == 1,
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

    /// Tells what else is unique and called as an identifier is, where nothing says which of both identifies.
    func remarkOthers(_ choices: [Choice], beside best: Choice, _ entity: DraftEntity) {
        guard best.columns.count == 1, !best.hasOwner, entity.records > 2, best.columns[0].isOwnMember,
            best.columns[0].meaning.rank == .ending, !isTarget(best.columns[0])
        else { return }
        let others = choices.compactMap { choice -> String? in
            guard choice.columns.count == 1, !choice.hasOwner, choice.repeats == 0, let other = choice.columns.first,
                other !== best.columns[0], other.isOwnMember, other.meaning.rank == .ending
            else { return nil }
            return quoted(other.ownName)
        }
        guard !others.isEmpty else { return }
        entity.remarks.append("\(listed(others)) \(others.count == 1 ? "is" : "are") unique, too")
    }

    /// Whether a column says when something happened, rather than when it was seen last, or how long it holds.
    private func isTimeOfEvent(_ column: DraftColumn) -> Bool {
        let later: Set = ["last", "updated", "modified", "changed", "until", "expires", "since", "start", "end"]
        let words = Names.words(column.ownName).map { $0.lowercased() }
        return ["datetime", "date"].contains(DraftType(column, isName: true).type) && later.isDisjoint(with: words)
    }
}
