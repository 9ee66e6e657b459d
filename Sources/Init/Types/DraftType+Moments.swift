import SluiceDefinition
import SluiceRecords

// Whole numbers that may be times, by what they are and what they are called.
extension DraftType {
    /// Of whole numbers; nil: they are no times.
    static func moment(_ column: DraftColumn) -> DraftType? {
        guard column.isWhole else { return nil }
        if let packed = column.facts.integers.packedMoment, let type = moment(column, packed) { return type }
        for epoch in Epoch.all {
            if let type = moment(column, epoch) { return type }
        }
        let (integers, seconds) = (column.facts.integers, Epoch.seconds)
        let microseconds = seconds.lowerBound * 1_000_000...seconds.upperBound * 1_000_000
        guard column.isCalledTime, microseconds.contains(integers.least), microseconds.contains(integers.greatest)
        else { return nil }
        return DraftType("integer", [], unreadMoment("microseconds"))
    }

    /// Of seconds or milliseconds since 1970, some of which may be zero, for none.
    private static func moment(_ column: DraftColumn, _ epoch: Epoch) -> DraftType? {
        let isCalledSo = column.isCalledMoment || column.isFirstPosition
        if epoch.hasAll(column) {
            let zeros = column.facts.integers.zeros
            if isCalledSo {
                var type = DraftType("datetime", [("format", DraftText.quoted(epoch.format))])
                if zeros > 0 { type.takeZero("0 in \(grouped(zeros)), taken for null") }
                return type
            }
            // Sizes are as large, and may be zero.
            if Names.isReference(column.ownName) || zeros > 0 && epoch.factor == 1 { return nil }
            let none = zeros > 0 ? ", and 0 as its \"nullIf\"" : ""
            return DraftType(
                "integer", [], "could be times: \"datetime\" with the format \(quoted(epoch.format))\(none)")
        }
        guard isCalledSo, let others = epoch.others(of: column) else { return nil }
        return DraftType(
            "integer", [],
            "times, but for \(listed(others.map(String.init))): perhaps \"datetime\" with the format"
                + " \(quoted(epoch.format)), and \(others.count > 1 ? "these" : "this") as its \"nullIf\"")
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

/// A unit in which moments are counted from 1970 on.
private struct Epoch {
    let format: String
    let factor: Int64

    static let all = [Epoch(format: "unix", factor: 1), Epoch(format: "unix-ms", factor: 1000)]
    /// From 1980 to 2100.
    static let seconds: ClosedRange<Int64> = 315_532_800...4_102_444_800
    private static let mostOthers = 3

    private func contains(_ number: Int64) -> Bool {
        number >= Epoch.seconds.lowerBound * factor && number <= Epoch.seconds.upperBound * factor
    }

    /// Whether all numbers of a column may be moments, but for zero.
    func hasAll(_ column: DraftColumn) -> Bool {
        let integers = column.facts.integers
        guard let least = integers.leastBesideZero else { return false }
        return contains(least) && contains(integers.greatest)
    }

    /// The few numbers of a column that cannot be moments as all others are, as far as a sketch tells; nil: they are
    /// many, or too few are moments. `-1` and the end of all times stand for none.
    func others(of column: DraftColumn) -> [Int64]? {
        var (others, moments): ([Int64], Int) = ([], 0)
        column.facts.sketch.visit { hash in
            let number = ValueFingerprint.integer(hash)
            if contains(number) { moments += 1 } else { others.append(number) }
        }
        return moments > 2 && (1...Epoch.mostOthers).contains(others.count) && others.count < moments
            ? others.sorted() : nil
    }
}
