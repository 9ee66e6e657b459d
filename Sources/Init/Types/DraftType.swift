import SluiceDefinition
import SluiceRecords

/// The type that takes all values of a column, and what goes with it.
struct DraftType {
    var type: String
    /// Keys of the attribute and their values, as JSON.
    var keys: [(String, String)] = []
    var remark: String?
    /// Whether texts that may say that there is no value do so.
    private var hasMissing = false

    init(_ type: String, _ keys: [(String, String)] = [], _ remark: String? = nil) {
        self.type = type
        self.keys = keys
        self.remark = remark
    }

    /// - Parameter isName: whether the column names something: an identifier, or a reference.
    init(_ column: DraftColumn, isName: Bool) {
        let (counts, facts) = (column.counts, column.facts)
        if column.isKey {
            let areDays = facts.texts > 0 && facts.empties == 0 && facts.forms.contains(.date)
            self.init(areDays && !column.isFile ? "date" : "text")
        } else if column.content != .scalar || !counts.areScalars {
            self.init("json", [], DraftType.mixture(counts))
        } else if counts.scalars == 0 {
            self.init("text", [], "always null")
        } else if counts.booleans > 0 {
            self = DraftType.boolean(column)
        } else if counts.texts == 0 {
            self = DraftType.number(column)
        } else if counts.numbers > 0 {
            self = isName && column.isLabel ? DraftType("text") : DraftType.mixed(column)
        } else if facts.texts == facts.empties {
            self.init("text", [], "always empty")
        } else {
            let type = DraftType.text(column, facts.forms)
            let keeps =
                ["date", "datetime", "duration"].contains(type.type)
                || column.entity.place.isOfTable && type.type == "integer"
            self = isName ? keeps ? type : DraftType("text") : DraftType.withoutMissing(column) ?? type
        }
        addNullIf(column)
    }

    /// What is told of objects or lists with other values beside them; nil: there are none.
    private static func mixture(_ counts: ValueCounts) -> String? {
        let kinds = [
            ("object", counts.objects), ("list", counts.arrays), ("text", counts.texts), ("number", counts.numbers),
            ("boolean", counts.booleans),
        ].filter { $0.1 > 0 }
        guard kinds.count > 1 else { return nil }
        return kinds.map { "\(grouped($0.1)) \($0.0)\($0.1 == 1 ? "" : "s")" }.joined(separator: ", ")
    }

    /// Whether both are the same type, with the same keys.
    func isLike(_ other: DraftType) -> Bool { type == other.type && keys.map(\.1) == other.keys.map(\.1) }

    /// What stands around a value is cut, and what stands for none becomes null, but in a text.
    private mutating func addNullIf(_ column: DraftColumn) {
        guard type != "text", type != "json" else { return }
        if column.facts.padded > 0 { keys.insert(("trim", "true"), at: 0) }
        let missing = hasMissing ? column.facts.missing.texts : []
        let texts = (column.facts.empties > 0 && missing.last?.isEmpty != true ? [""] : []) + missing
        if !texts.isEmpty { keys.append(("nullIf", DraftText.list(texts))) }
    }

    /// Of texts of which some say that there is no value, where all others are of another type.
    private static func withoutMissing(_ column: DraftColumn) -> DraftType? {
        let facts = column.facts
        guard facts.missing.count > 0, facts.texts - facts.empties - facts.missing.count > 1 else { return nil }
        var type = text(column, facts.formsOfOthers)
        guard type.type != "text" else { return nil }
        type.hasMissing = true
        let told =
            "\(listed(facts.missing.texts.map { quoted($0) })) in \(grouped(facts.missing.count)), taken for null"
        type.remark = type.remark.map { "\($0); \(told)" } ?? told
        return type
    }

    /// Of booleans, and perhaps other values that say the same.
    private static func boolean(_ column: DraftColumn) -> DraftType {
        let (counts, facts) = (column.counts, column.facts)
        let areBits = facts.reals.count == 0 && facts.integers.areBits
        guard areBits, facts.forms.contains(.boolean) else {
            return DraftType("text", [], "booleans, and other values")
        }
        let others = [("numbers", counts.numbers), ("texts", counts.texts)].filter { $0.1 > 0 }.map(\.0)
        return DraftType("boolean", [], others.isEmpty ? nil : "some of them as \(others.joined(separator: " or "))")
    }

    /// Of numbers, and texts among them.
    private static func mixed(_ column: DraftColumn) -> DraftType {
        if column.isWhole { return DraftType("integer", [], "some of them as texts") }
        let facts = column.facts
        guard facts.forms.areNumbers, !facts.reals.isWide else { return DraftType("text", [], "numbers and texts") }
        // So few digits are the same as a double.
        let isReal = facts.longest <= 16 && column.counts.numbers > column.counts.texts
        return DraftType(isReal ? "real" : "decimal", [], "some of them as texts")
    }

    private static func number(_ column: DraftColumn) -> DraftType {
        let facts = column.facts
        guard facts.reals.count == 0 else {
            if column.isOfSeconds {
                return DraftType("datetime", [("format", "\"unix\"")] + precision(facts.reals.digits - 10))
            }
            if column.mayBeSeconds {
                return DraftType("real", [], "could be times: \"datetime\" with the format \"unix\"")
            }
            if facts.reals.areIntegers {
                let remark = facts.reals.areNanoseconds ? unreadMoment("nanoseconds") : nil
                return DraftType("integer", [], remark)
            }
            if facts.reals.isWide { return DraftType("text", [], "numbers that may be too large for \"real\"") }
            return facts.reals.digits > 17
                ? DraftType("decimal", [], "numbers of up to \(facts.reals.digits) digits, more than \"real\" holds")
                : DraftType("real")
        }
        if facts.integers.areBits, isQuestion(column.ownName) { return DraftType("boolean") }
        if facts.integers.areBits, facts.sketch.distinct == 2 {
            return DraftType("integer", [], "only 0 and 1: perhaps \"boolean\"")
        }
        return moment(column) ?? DraftType("integer")
    }

    /// What takes so many digits of a second's fraction.
    private static func precision(_ digits: Int) -> [(String, String)] { digits > 6 ? [("fraction", "9")] : [] }

    /// Whether a name is one of times.
    static func isTime(_ name: String) -> Bool {
        let words = Names.words(name).map { $0.lowercased() }
        let known: Set<String> = [
            "time", "timestamp", "ts", "dt", "date", "at", "created", "updated", "modified", "on", "datetime", "since",
            "until", "start", "end", "expires", "published", "mtime", "ctime", "issued", "filed", "joined", "due",
            "scheduled", "planned", "opened", "closed", "sent", "received", "recorded", "observed", "registered",
            "started", "finished", "ended", "deleted", "expired",
        ]
        return words.contains { known.contains($0) } || name.lowercased().hasSuffix("time")
    }

    /// Whether a name is one of a time of day: years have four digits, too.
    private static func isTimeOfDay(_ name: String) -> Bool {
        let words = Names.words(name).map { $0.lowercased() }
        let known: Set<String> = ["arrival", "arrives", "closes", "departs", "departure", "opens", "time"]
        return words.contains { known.contains($0) }
    }

    /// Whether a name is one of what is so, or not.
    private static func isQuestion(_ name: String) -> Bool {
        let words = Names.words(name).map { $0.lowercased() }
        let known: Set<String> = [
            "is", "has", "can", "flag", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ]
        return words.first.map { known.contains($0) } ?? false || words.last == "flag"
    }

    /// Whether a name is one of versions.
    private static func isVersion(_ name: String) -> Bool {
        let known: Set<String> = ["version", "specversion", "apiversion", "schemaversion", "dataversion"]
        return Names.words(name).contains { known.contains($0.lowercased()) }
    }

    /// Whether a name is one of numbers that nobody adds up.
    static func isLabel(_ name: String) -> Bool {
        let known: Set<String> = [
            "version", "specversion", "channel", "code", "cycle", "number", "phone", "fax", "telephone", "mobile",
            "zip", "release",
            "no", "nr", "section",
            "title", "name",
            "label",
        ]
        return Names.words(name).contains { known.contains($0.lowercased()) }
    }

    /// Whether what is called as numbers that nobody adds up is so by a word that means something else, too: `no`
    /// beside `yes`.
    private static func isNumberOfLabel(_ name: String) -> Bool {
        Names.words(name).last.map { ["no", "nr", "number"].contains($0.lowercased()) } ?? false
    }

    /// Of a column of a table, whose values are texts whatever they are.
    private static func ofTable(_ column: DraftColumn, _ forms: TextForms) -> DraftType? {
        if forms.contains(.boolean), forms == .boolean || isQuestion(column.ownName) { return DraftType("boolean") }
        if forms.contains(.integer) { return moment(column) ?? nanoseconds(column) ?? DraftType("integer") }
        guard forms.areNumbers else { return nil }
        if isLabel(column.ownName), !(column.areFractions && isNumberOfLabel(column.ownName)) {
            return DraftType("text", [], "numbers, as texts: the name is one of versions and codes")
        }
        // Whole numbers beyond 64 bits would be others as real numbers.
        return pointed(column, forms)
            ?? DraftType(
                forms.contains(.whole) ? "decimal" : fractional(column), [],
                same(column).map { "\($0) are one number: perhaps \"text\"" })
    }

    /// Of numbers with a fraction in texts that are no cells of a table.
    private static func decimals(_ column: DraftColumn) -> DraftType {
        if let same = same(column) {
            return DraftType("text", [], "numbers, as texts, of which \(same) would be one: perhaps \"decimal\"")
        }
        return DraftType("decimal", [], Names.isMeasure(column.names[0]) ? nil : "numbers, as texts: perhaps \"text\"")
    }

    /// Two texts that are one number, as those of two versions are, unless the name says that they were measured.
    private static func same(_ column: DraftColumn) -> String? {
        guard !Names.isMeasure(column.ownName), let same = column.sameNumbers else { return nil }
        return "\(quoted(same.0)) and \(quoted(same.1))"
    }

    private static func text(_ column: DraftColumn, _ forms: TextForms) -> DraftType {
        let facts = column.facts
        // `2024-09-30` may be `2024-10-28.acacia` tomorrow.
        if !forms.isDisjoint(with: .days), isVersion(column.ownName) { return DraftType("text") }
        if forms.contains(.time) {
            return DraftType("datetime", precision(facts.fraction))
        }
        if forms.contains(.localTime) {
            let keys = [("timeZone", "\"UTC\"")] + precision(facts.fraction)
            return DraftType("datetime", keys, "without an offset: UTC is a guess")
        }
        if let moment = written(forms, facts) { return moment }
        if forms.contains(.date) { return DraftType("date") }
        if forms.contains(.shortDate) { return DraftType("date", [("format", "\"%Y-%m-%d\"")]) }
        if forms.contains(.plainDate), column.isCalledTime || facts.sketch.distinct >= 10 {
            return DraftType("date", [("format", "\"%Y%m%d\"")])
        }
        if forms.contains(.slashedDate) { return DraftType("date", [("format", "\"%Y/%m/%d\"")]) }
        if forms.contains(.dottedDate) { return DraftType("date", [("format", "\"%d.%m.%Y\"")]) }
        if forms.contains(.dottedShort), !isLabel(column.ownName) {
            return DraftType("date", [("format", "\"%d.%m.%y\"")])
        }
        if forms.contains(.dayAndName) { return DraftType("date", [("format", "\"%d %B %Y\"")]) }
        if forms.contains(.nameAndDay) { return DraftType("date", [("format", "\"%B %d, %Y\"")]) }
        if let date = slashed(forms) { return date }
        if forms.contains(.timeOfDay) { return DraftType("text", [], "times of day, or spans: perhaps \"duration\"") }
        if forms.contains(.duration) { return DraftType("duration") }
        if forms.contains(.hourAndMinute) {
            return DraftType(
                "text", [], "times of day, or spans: perhaps \"duration\" with the format \"h:m\" or \"m:s\"")
        }
        if forms.contains(.fourDigitTime), isTimeOfDay(column.ownName), facts.sketch.distinct > 2, !column.areYears {
            return DraftType("duration", [("format", "\"hhmm\"")], "times of day, as their name says")
        }
        if let boolean = mappedBoolean(column, forms) { return boolean }
        if column.entity.place.isOfTable, let type = ofTable(column, forms) { return type }
        if forms == .boolean { return DraftType("boolean", [], "as texts") }
        if forms.contains(.integer), column.isCalledTime || column.facts.integers.packedMoment != nil,
            let type = moment(column)
        {
            return type
        }
        if let type = nanoseconds(column) { return type }
        if column.isWrappedNumber, forms.areNumbers {
            return DraftType(forms.contains(.integer) ? "integer" : "decimal")
        }
        // Nobody adds up the numbers of cards and places, and the next one may begin with a zero.
        if forms.contains(.integer), !isLabel(column.ownName), facts.longest <= mostOfCount {
            return DraftType("text", [], "whole numbers, as texts: perhaps \"integer\"")
        }
        if forms.contains(.integer) { return DraftType("text") }
        if forms.areNumbers, !isLabel(column.ownName) {
            return pointed(column, forms) ?? decimals(column)
        }
        if column.mayBeWrittenDates {
            return DraftType(
                "text", [], "times, as it seems: \"datetime\" with a \"format\" takes them (attributes.md)")
        }
        return isLabel(column.ownName) ? DraftType("text", [], hint(column)) : marked(column, forms)
    }

    /// So long are numbers in texts that count something.
    private static let mostOfCount = 11

    /// Of dates with slashes that begin with the day or the month: a day above 12 tells.
    private static func slashed(_ forms: TextForms) -> DraftType? {
        let years: [(day: TextForms, month: TextForms, year: String)] = [
            (.dayFirst, .monthFirst, "%Y"), (.dayFirstShort, .monthFirstShort, "%y"),
        ]
        for (day, month, year) in years where forms.contains(day) || forms.contains(month) {
            guard !forms.contains(day) || !forms.contains(month) else {
                return DraftType("text", [], "dates, but is the day or the month first?")
            }
            let format = forms.contains(day) ? "%d/%m/\(year)" : "%m/%d/\(year)"
            return DraftType("date", [("format", DraftText.quoted(format))])
        }
        return nil
    }

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

    /// Of times that need a format.
    private static func written(_ forms: TextForms, _ facts: ValueFacts) -> DraftType? {
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
