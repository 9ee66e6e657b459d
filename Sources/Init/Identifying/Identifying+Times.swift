import SluiceDefinition
import SluiceRecords

// What goes along with a time of day, which is the same on other days, and at other places.
extension Identifying {
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
