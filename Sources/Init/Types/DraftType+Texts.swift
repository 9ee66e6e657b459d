import SluiceDefinition
import SluiceRecords

// The types of texts, those in the cells of tables among them.
extension DraftType {
    /// - Parameter forms: what all of them could be, or all that say something.
    static func text(_ column: DraftColumn, _ forms: TextForms) -> DraftType {
        let facts = column.facts
        // `2024-09-30` may be `2024-10-28.acacia` tomorrow.
        if !forms.isDisjoint(with: .days), Names.isVersion(column.ownName) { return DraftType("text") }
        if forms.contains(.time) {
            return DraftType("datetime", precision(facts.fraction))
        }
        if forms.contains(.localTime) {
            let keys = [("timeZone", "\"UTC\"")] + precision(facts.fraction)
            return DraftType("datetime", keys, "without an offset: UTC is a guess")
        }
        if let moment = ofWrittenTime(forms, facts) { return moment }
        if forms.contains(.wrappedMillis) {
            return DraftType("datetime", [("match", "\"-?\\\\d+\""), ("format", "\"unix-ms\"")])
        }
        if forms.contains(.date) { return DraftType("date") }
        if forms.contains(.shortDate) { return DraftType("date", [("format", "\"%Y-%m-%d\"")]) }
        if forms.contains(.plainDate), column.isCalledTime || facts.sketch.distinct >= 10 {
            return DraftType("date", [("format", "\"%Y%m%d\"")])
        }
        if forms.contains(.slashedDate) { return DraftType("date", [("format", "\"%Y/%m/%d\"")]) }
        if forms.contains(.dottedDate) { return DraftType("date", [("format", "\"%d.%m.%Y\"")]) }
        if forms.contains(.dottedShort), !Names.isLabel(column.ownName) {
            return DraftType("date", [("format", "\"%d.%m.%y\"")])
        }
        if forms.contains(.dayAndName) { return DraftType("date", [("format", "\"%d %B %Y\"")]) }
        if forms.contains(.nameDayYear) { return DraftType("date", [("format", "\"%B %d %Y\"")]) }
        if forms.contains(.dashedName) { return DraftType("date", [("format", "\"%d-%B-%Y\"")]) }
        if forms.contains(.dashedNameShort), !Names.isLabel(column.ownName) {
            return DraftType("date", [("format", "\"%d-%B-%y\"")])
        }
        if forms.contains(.nameAndDay) { return DraftType("date", [("format", "\"%B %d, %Y\"")]) }
        if let date = slashed(column, forms) { return date }
        if forms.contains(.timeOfDay) { return DraftType("text", [], "times of day, or spans: perhaps \"duration\"") }
        if forms.contains(.duration) { return DraftType("duration") }
        if forms.contains(.hourAndMinute) {
            return DraftType(
                "text", [], "times of day, or spans: perhaps \"duration\" with the format \"h:m\" or \"m:s\"")
        }
        if forms.contains(.fourDigitTime), Names.mayBeTimeOfDay(column.ownName), facts.sketch.distinct > 2,
            !column.areYears
        {
            return DraftType("duration", [("format", "\"hhmm\"")], "times of day, as their name says")
        }
        if let boolean = mappedBoolean(column, forms) { return boolean }
        if column.entity.place.isOfTable, let type = ofTable(column, forms) { return type }
        if forms == .boolean { return writtenBoolean(column) }
        if forms.contains(.integer), column.isCalledMoment || column.facts.integers.packedMoment != nil,
            let type = moment(column)
        {
            return type
        }
        if let type = nanoseconds(column) { return type }
        if column.isWrappedNumber, forms.areNumbers {
            return DraftType(forms.contains(.integer) ? "integer" : "decimal")
        }
        // Nobody adds up the numbers of cards and places, and the next one may begin with a zero.
        if forms.contains(.integer), !Names.isLabel(column.ownName), facts.longest <= mostOfCount {
            return DraftType("text", [], "whole numbers, as texts: perhaps \"integer\"")
        }
        if forms.contains(.integer) { return DraftType("text") }
        if forms.areNumbers, !Names.isLabel(column.ownName) {
            return pointed(column, forms) ?? decimals(column)
        }
        if column.mayBeWrittenDates {
            return DraftType("text", [], column.mailFormat ?? DraftType.unreadTimes)
        }
        return Names.isLabel(column.ownName) ? DraftType("text", [], hint(column)) : marked(column, forms)
    }

    private static let unreadTimes = "times, as it seems: \"datetime\" with a \"format\" takes them (attributes.md)"

    /// So long are numbers in texts that count something.
    private static let mostOfCount = 11

    /// Of `true` and `false` in texts. One of them in a few records says little of what there is in the others: the
    /// default of some arguments is `false`, and that of the next one a number.
    private static func writtenBoolean(_ column: DraftColumn) -> DraftType {
        let facts = column.facts
        guard facts.sketch.distinct < 1.5, column.values < fewestBooleans, 2 * column.values <= column.entity.records,
            !Names.isQuestion(column.ownName)
        else { return DraftType("boolean", [], "as texts") }
        let only = facts.sample.texts.first.map { quoted(String(decoding: $0, as: UTF8.self)) } ?? ""
        return DraftType("text", [], "always \(only): perhaps \"boolean\"")
    }

    private static let fewestBooleans = 10

    /// Of booleans as spreadsheets and programs write them, which the type does not take as they are.
    private static func mappedBoolean(_ column: DraftColumn, _ forms: TextForms) -> DraftType? {
        let words =
            forms == .capitalBoolean ? ("TRUE", "FALSE") : forms == .titleBoolean ? ("True", "False") : nil
        guard let words else { return nil }
        guard column.facts.sketch.distinct > 1.5 else {
            // What else there may be is not known: `Unknown` stands beside `True` in some feeds.
            let only = column.facts.sample.texts.first.map { quoted(String(decoding: $0, as: UTF8.self)) } ?? ""
            return DraftType("text", [], "always \(only): perhaps \"boolean\" with a map")
        }
        let map = JSONText.object([(words.0, "\"true\""), (words.1, "\"false\"")])
        return DraftType("boolean", [("map", map)])
    }

    /// Of a column of a table, whose values are texts whatever they are.
    private static func ofTable(_ column: DraftColumn, _ forms: TextForms) -> DraftType? {
        if forms.contains(.boolean), forms == .boolean || Names.isQuestion(column.ownName) {
            return DraftType("boolean")
        }
        if forms.contains(.integer) { return moment(column) ?? nanoseconds(column) ?? DraftType("integer") }
        guard forms.areNumbers else { return nil }
        if Names.isLabel(column.ownName), !(column.areFractions && Names.isNumberOfLabel(column.ownName)) {
            return DraftType("text", [], "numbers, as texts: the name is one of versions and codes")
        }
        // Whole numbers beyond 64 bits would be others as real numbers.
        return pointed(column, forms)
            ?? DraftType(
                forms.contains(.whole) ? "decimal" : fractional(column), [],
                equalNumbers(of: column).map { "\($0) are one number: perhaps \"text\"" }
                    ?? mayHaveGroups(column, forms))
    }

    /// What is told of numbers with three digits behind each point in a table with semicolons: the point may stand
    /// between groups. Nil: it does not.
    private static func mayHaveGroups(_ column: DraftColumn, _ forms: TextForms) -> String? {
        guard column.entity.place.hasSemicolons, forms.contains(.commaGroups), !forms.contains(.whole), !column.hasZeros
        else { return nil }
        return
            "does the point stand before the fraction, or between groups (\"decimalMark\": \",\", \"thousands\": \".\")?"
    }

    /// Of numbers with a fraction in texts that are no cells of a table.
    private static func decimals(_ column: DraftColumn) -> DraftType {
        if let same = equalNumbers(of: column) {
            return DraftType("text", [], "numbers, as texts, of which \(same) would be one: perhaps \"decimal\"")
        }
        return DraftType("decimal", [], Names.isMeasure(column.names[0]) ? nil : "numbers, as texts: perhaps \"text\"")
    }

    /// Two texts that are one number, as those of two versions are, unless the name says that they were measured.
    static func equalNumbers(of column: DraftColumn) -> String? {
        guard !Names.isMeasure(column.ownName), let same = column.sameNumbers else { return nil }
        return "\(quoted(same.0)) and \(quoted(same.1))"
    }
}
