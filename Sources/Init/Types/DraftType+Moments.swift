import SluiceDefinition
import SluiceRecords

// Whole numbers that may be times, by what they are and what they are called.
extension DraftType {
    /// Of whole numbers; nil: they are no times.
    static func moment(_ column: DraftColumn) -> DraftType? {
        guard column.isWhole else { return nil }
        if let packed = column.facts.integers.packedMoment, let type = moment(column, packed) { return type }
        let seconds: ClosedRange<Int64> = 315_532_800...4_102_444_800
        let integers = column.facts.integers
        for (unit, factor) in [("unix", Int64(1)), ("unix-ms", 1000)] {
            guard integers.least >= seconds.lowerBound * factor, integers.greatest <= seconds.upperBound * factor
            else { continue }
            if column.isCalledTime || column.isFirstPosition {
                return DraftType("datetime", [("format", "\"\(unit)\"")])
            }
            if Names.isReference(column.ownName) { break }
            return DraftType("integer", [], "could be times: \"datetime\" with the format \"\(unit)\"")
        }
        let microseconds = seconds.lowerBound * 1_000_000...seconds.upperBound * 1_000_000
        guard column.isCalledTime, microseconds.contains(integers.least), microseconds.contains(integers.greatest)
        else { return nil }
        return DraftType("integer", [], unreadMoment("microseconds"))
    }

    /// Of numbers that are days or times from the year to the last part, `2026112009`. Two of them, or a name, say that
    /// this is not by chance; many, where they are days: a number of eight digits is soon one.
    private static func moment(_ column: DraftColumn, _ packed: PackedMoment) -> DraftType? {
        let distinct = column.facts.sketch.distinct
        let format = ("format", DraftText.quoted(packed.format))
        if packed == .day {
            if column.isCalledTime { return DraftType("date", [format]) }
            if distinct < 10 || Names.isReference(column.ownName) { return nil }
            return DraftType("integer", [], "could be dates: \"date\" with the format \(quoted(packed.format))")
        }
        // Serials are written so, too: a day, and what number they have on it.
        let isSerial = Names.isReference(column.ownName) || Names.isLabel(column.ownName)
        guard column.isCalledTime || distinct > 2 && !isSerial else { return nil }
        return DraftType("datetime", [format, ("timeZone", "\"UTC\"")], "without an offset: UTC is a guess")
    }

    /// Of texts that are nanoseconds since 1970, as far as a sample tells: 19 digits, which 64 bits just hold.
    static func nanoseconds(_ column: DraftColumn) -> DraftType? {
        let facts = column.facts
        guard facts.numbers == 0, facts.forms.contains(.integer), facts.longest == 19, column.isCalledTime,
            facts.bytes == 19 * facts.texts, facts.sample.texts.allSatisfy({ $0.first == UInt8(ascii: "1") })
        else { return nil }
        return DraftType("integer", [], unreadMoment("nanoseconds"))
    }

    /// What is told of times that no format takes.
    static func unreadMoment(_ unit: String) -> String { "\(unit) since 1970, as it seems, which no format takes" }
}
