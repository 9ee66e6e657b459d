import SluiceDefinition
import SluiceRecords

// What goes along with a time of day, which is the same on other days, and at other places.
extension IdentifierSelection {
    /// What tells which of several things is at a time of day, where nothing but that identifies it today: of a
    /// timetable, the line and the stop.
    func things(_ entity: DraftEntity, beside columns: [DraftColumn]) -> [DraftColumn] {
        guard columns.count == 1, entity.owner == nil, columns[0].isTimeOfDay, columns[0].meaning.rank == .other else {
            return []
        }
        let found = entity.columns.filter { column in
            RecordMeasure.isEligible(column) && column.isOwnMember && column !== columns[0] && !isTime(column)
                && column.facts.sketch.distinct > 1.5 && column.facts.sketch.isRepeated(among: entity.records)
                && !isMeasured(column) && !Names.isProse(column.ownName)
        }.prefix(2)
        guard !found.isEmpty else { return [] }
        entity.remarks.append(
            "\(quoted(columns[0].ownName)) is unique here: at one time there may be one of each"
                + " \(listed(found.map { quoted($0.ownName) }))")
        return Array(found)
    }

    /// What is of the same kind as the text that identifies few records alone today, as each of both has the same
    /// values in other records, and when it was: of matches, both teams and the day.
    func partners(of choice: Choice, _ measure: RecordMeasure) -> [DraftColumn] {
        let entity = measure.entity
        if let name = otherName(of: choice, entity) { return [name] }
        guard choice.columns.count == 1, entity.owner == nil, entity.records < RecordMeasure.leastTogether,
            let own = choice.columns.first, isPlainText(own),
            let other = entity.columns.first(where: { isPartner($0, of: own, measure) })
        else { return [] }
        let time = entity.columns.first { RecordMeasure.isEligible($0) && $0.isOwnMember && isTimeOfEvent($0) }
        entity.remarks.append(
            "\(quoted(own.ownName)) and \(quoted(other.ownName)) have the same values: none identifies a record alone")
        return [other] + [time].compactMap { $0 }
    }

    /// The other part of a person's name, of which one part is unique today: two people may well share it.
    private func otherName(of choice: Choice, _ entity: DraftEntity) -> DraftColumn? {
        guard choice.columns.count == 1, let own = choice.columns[0].path, !isTarget(choice.columns[0]) else {
            return nil
        }
        let other = entity.columns.first { column in
            guard let path = column.path, path.dropLast() == own.dropLast() else { return false }
            return RecordMeasure.isEligible(column) && Names.areOfOnePerson(own[own.count - 1], path[path.count - 1])
        }
        guard let other else { return nil }
        entity.remarks.append(
            "\(quoted(choice.columns[0].ownName)) is unique here, and a part of a name: \(quoted(other.ownName)) belongs"
                + " to it")
        return other
    }

    private func isPlainText(_ column: DraftColumn) -> Bool {
        RecordMeasure.isEligible(column) && column.isOwnMember && column.meaning.rank == .other
            && column.facts.numbers == 0 && column.facts.forms.isEmpty && column.facts.sketch.distinct > 2.5
    }

    /// Whether two columns have the same values, and hardly in the same records.
    private func isPartner(_ column: DraftColumn, of own: DraftColumn, _ measure: RecordMeasure) -> Bool {
        guard column !== own, isPlainText(column) else { return false }
        let (values, found) = column.facts.sketch.comparison(with: own.facts.sketch)
        guard values == found, column.facts.sketch.count == own.facts.sketch.count else { return false }
        var equal = 0
        unsafe measure.forEachSampled { row in
            if unsafe row[column.index + 1] == row[own.index + 1] { equal += 1 }
        }
        return equal == 0
    }

    /// The year in which something is what it is to something else, where an identifier of several columns has the
    /// other thing and no time: a team has another manager of each half of another year.
    func years(of choice: Choice, _ entity: DraftEntity) -> [DraftColumn] {
        guard choice.columns.count > 1, entity.owner == nil,
            !choice.columns.contains(where: { isTime($0) || Names.isSeason($0.ownName) }),
            !choice.columns.contains(where: { $0.meaning.rank == .own || $0.isKey }),
            choice.columns.contains(where: { $0.meaning.rank == .ending || referring.contains(ObjectIdentifier($0)) }),
            let year = entity.columns.first(where: { column in
                column.isOwnMember && RecordMeasure.isEligible(column) && Names.isSeason(column.ownName)
            })
        else { return [] }
        entity.remarks.append(
            "the rest of the identifier is unique here: \(quoted(year.ownName)) says of which year it is")
        return [year]
    }

    /// The day of a time of day that is a part of an identifier, if that has none: a feed of one day says nothing of
    /// the next one.
    func days(of choice: Choice, _ entity: DraftEntity) -> [DraftColumn] {
        let hasTimeOfDay = choice.columns.contains { $0.isTimeOfDay && $0.meaning.rank == .other }
        guard hasTimeOfDay, entity.owner == nil, !choice.columns.contains(where: isTime) else { return [] }
        let day = entity.columns.first { column in
            column.isOwnMember && RecordMeasure.isEligible(column) && isTimeOfEvent(column)
                && DraftType(column, isName: true).type == "date"
        }
        guard let day else { return [] }
        entity.remarks.append(
            "the rest of the identifier is unique here: \(quoted(day.ownName)) says of which day the time is")
        return [day]
    }
}
