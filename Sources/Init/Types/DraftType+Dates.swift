import SluiceDefinition
import SluiceRecords

// The types of texts that are dates and times in one of several ways of writing them.
extension DraftType {
    /// Of dates with slashes that begin with the day or the month: a day above 12 tells, be it in another column.
    static func slashed(_ column: DraftColumn, _ forms: TextForms) -> DraftType? {
        let years: [(day: TextForms, month: TextForms, year: String)] = [
            (.dayFirst, .monthFirst, "%Y"), (.dayFirstShort, .monthFirstShort, "%y"),
        ]
        for (day, month, year) in years where forms.contains(day) || forms.contains(month) {
            let isOpen = forms.contains(day) && forms.contains(month)
            guard let isDayFirst = isOpen ? hasDaysFirst(beside: column) : forms.contains(day) else {
                return DraftType("text", [], "dates, but is the day or the month first?")
            }
            let format = isDayFirst ? "%d/%m/\(year)" : "%m/%d/\(year)"
            let told = isDayFirst ? "the day stands first" : "the month stands first"
            return DraftType(
                "date", [("format", DraftText.quoted(format))], isOpen ? "\(told), as in other columns" : nil)
        }
        return nil
    }

    /// Whether the day stands first in all dates with slashes of other columns that tell; nil: it does in some, or none
    /// tells.
    private static func hasDaysFirst(beside column: DraftColumn) -> Bool? {
        let orders = column.entity.columns.compactMap { other -> Bool? in
            guard other !== column, other.cut == nil, other.content == .scalar, other.facts.texts > other.facts.empties
            else { return nil }
            let forms = other.facts.missing.count > 0 ? other.facts.formsOfOthers : other.facts.forms
            let isDayFirst = !forms.isDisjoint(with: [.dayFirst, .dayFirstShort])
            return isDayFirst == !forms.isDisjoint(with: [.monthFirst, .monthFirstShort]) ? nil : isDayFirst
        }
        return Set(orders).count == 1 ? orders[0] : nil
    }

    /// Of times that need a format.
    static func ofWrittenTime(_ forms: TextForms, _ facts: ValueFacts) -> DraftType? {
        let formats: [(TextForms, String)] = [
            (.minute, "%Y-%m-%d %H:%M"), (.minuteOfISO, "%Y-%m-%dT%H:%M"), (.dottedMinute, "%d.%m.%Y %H:%M"),
            (.dottedTime, "%d.%m.%Y %H:%M:%S"), (.basicLocalTime, "%Y%m%dT%H%M%S"),
        ]
        if let format = formats.first(where: { forms.contains($0.0) })?.1 {
            let keys = [("format", DraftText.quoted(format)), ("timeZone", "\"UTC\"")]
            return DraftType("datetime", keys, "without an offset: UTC is a guess")
        }
        if forms.contains(.basicTime) { return DraftType("datetime", [("format", "\"%Y%m%dT%H%M%S%z\"")]) }
        if forms.contains(.minuteWithOffset) { return DraftType("datetime", [("format", "\"%Y-%m-%dT%H:%M%z\"")]) }
        guard let place = [TextForms.offsetTime, .spacedOffsetTime].firstIndex(where: forms.contains) else {
            return nil
        }
        // A space in a format is any white space, and none.
        let (time, offset) = place == 0 ? ("%Y-%m-%dT%H:%M:%S", "%z") : ("%Y-%m-%d %H:%M:%S", " %z")
        var endings = [".%f", ""]
        if forms.contains(.withFraction) {
            endings = [".%f"]
        } else if forms.contains(.withoutFraction) {
            endings = [""]
        }
        let written = endings.map { DraftText.quoted(time + $0 + offset) }
        return DraftType("datetime", [("format", JSONText.oneOrArray(written))] + precision(facts.fraction))
    }
}
