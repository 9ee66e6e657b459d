import SluiceRecords

/// What a text could be, beside a text. A column can be of a type if all its values can.
package struct TextForms: OptionSet, BitwiseCopyable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Whole, of 64 bits, as a number would be written.
    package static let integer = TextForms(rawValue: 1 << 0)
    /// A number, as JSON writes it.
    package static let number = TextForms(rawValue: 1 << 1)
    package static let boolean = TextForms(rawValue: 1 << 2)
    /// `2026-11-20`
    static let date = TextForms(rawValue: 1 << 3)
    /// RFC 3339, with an offset.
    static let time = TextForms(rawValue: 1 << 4)
    /// The same without an offset.
    static let localTime = TextForms(rawValue: 1 << 5)
    /// `20261120`
    static let plainDate = TextForms(rawValue: 1 << 6)
    /// `20.11.2026`, `1.9.2026`
    static let dottedDate = TextForms(rawValue: 1 << 7)
    /// `20/11/2026`, `1/9/2026`
    static let dayFirst = TextForms(rawValue: 1 << 8)
    /// `11/20/2026`, `9/1/2026`
    static let monthFirst = TextForms(rawValue: 1 << 9)
    /// `2026/11/20`
    static let slashedDate = TextForms(rawValue: 1 << 10)
    static let address = TextForms(rawValue: 1 << 11)
    /// `2026-11-20 09:30`
    static let minute = TextForms(rawValue: 1 << 12)
    /// `25:10:00`, `PT1H30M`
    static let duration = TextForms(rawValue: 1 << 13)
    /// The same with less than a day: it may be a time of day.
    static let timeOfDay = TextForms(rawValue: 1 << 14)
    /// `1234,5`: a comma before the fraction, and nothing between the groups; whole numbers are written so, too.
    static let commaNumber = TextForms(rawValue: 1 << 15)
    /// `1.234,5`: with a point between the groups.
    static let commaGroups = TextForms(rawValue: 1 << 16)
    /// `1,234.5`: with a comma between the groups.
    static let pointGroups = TextForms(rawValue: 1 << 17)
    /// `20 November 2026`, `3 Nov 2026`
    static let dayAndName = TextForms(rawValue: 1 << 18)
    /// `November 20, 2026`, `Nov 3, 2026`
    static let nameAndDay = TextForms(rawValue: 1 << 19)
    /// `9:30`, `09:30`: less than a day.
    static let hourAndMinute = TextForms(rawValue: 1 << 20)
    /// `0930`: likewise.
    static let fourDigitTime = TextForms(rawValue: 1 << 21)
    /// Whole, of any size, as JSON writes it.
    package static let whole = TextForms(rawValue: 1 << 22)
    /// `2026-11-20T09:30`
    static let minuteOfISO = TextForms(rawValue: 1 << 23)
    /// The same with an offset, `2026-11-20T09:30Z`
    static let minuteWithOffset = TextForms(rawValue: 1 << 24)
    /// `20.11.2026 09:30`
    static let dottedMinute = TextForms(rawValue: 1 << 25)
    /// `20.11.2026 09:30:00`
    static let dottedTime = TextForms(rawValue: 1 << 26)
    /// A time with an offset in any form, `2026-11-20T09:30:00+0100`; those of RFC 3339 among them.
    static let offsetTime = TextForms(rawValue: 1 << 27)
    /// Likewise, with a space before the time, and perhaps before the offset.
    static let spacedOffsetTime = TextForms(rawValue: 1 << 28)
    /// Of these two: with parts of a second, and without.
    static let withFraction = TextForms(rawValue: 1 << 29)
    static let withoutFraction = TextForms(rawValue: 1 << 30)
    /// `1,234` and `1234`: a comma, if there is one, may stand between groups.
    static let mayHaveGroups = TextForms(rawValue: 1 << 31)
    /// A number in any way that types take: `.5`, `4.6e-05`, `5.`, `+5`; those of JSON among them.
    static let anyNumber = TextForms(rawValue: 1 << 32)
    /// Begins with `+`, as telephone numbers do where all do.
    static let withPlus = TextForms(rawValue: 1 << 33)
    /// `20/11/26`
    static let dayFirstShort = TextForms(rawValue: 1 << 34)
    /// `11/20/26`
    static let monthFirstShort = TextForms(rawValue: 1 << 35)
    /// `TRUE`, `FALSE`
    static let capitalBoolean = TextForms(rawValue: 1 << 36)
    /// `True`, `False`
    static let titleBoolean = TextForms(rawValue: 1 << 37)
    /// `1 234,5`, `1 234`: a space between the groups, and a comma before the fraction, if there is one.
    static let spaceGroupsComma = TextForms(rawValue: 1 << 38)
    /// `1 234.5`, `1 234`: likewise, with a point.
    static let spaceGroupsPoint = TextForms(rawValue: 1 << 39)
    /// `2026-1-9`, `2026-11-20`: months and days with one digit or two.
    static let shortDate = TextForms(rawValue: 1 << 40)
    /// `20.11.26`
    static let dottedShort = TextForms(rawValue: 1 << 41)
    /// `20261120T093000Z`, and the same without an offset.
    static let basicTime = TextForms(rawValue: 1 << 42)
    static let basicLocalTime = TextForms(rawValue: 1 << 43)
    /// An object or a list of JSON, as it seems by its ends.
    static let json = TextForms(rawValue: 1 << 44)
    /// `/Date(1762905600000)/`, with an offset or without, as services of .NET write moments.
    static let wrappedMillis = TextForms(rawValue: 1 << 45)
    /// `Nov 3 2026`, `November 20 2026`
    static let nameDayYear = TextForms(rawValue: 1 << 46)
    /// `3-Nov-2026`
    static let dashedName = TextForms(rawValue: 1 << 47)
    /// `3-Nov-26`
    static let dashedNameShort = TextForms(rawValue: 1 << 48)
    package static let all = TextForms(rawValue: 0x1_ffff_ffff_ffff)

    /// Numbers with marks between groups: what is written so is counted or measured.
    static let groups: TextForms = [.commaGroups, .pointGroups, .spaceGroupsComma, .spaceGroupsPoint]

    /// Days alone.
    static let days: TextForms = [
        .date, .plainDate, .dottedDate, .dayFirst, .monthFirst, .slashedDate, .dayAndName, .nameAndDay, .dayFirstShort,
        .monthFirstShort, .shortDate, .dottedShort, .nameDayYear, .dashedName, .dashedNameShort,
    ]

    /// Moments, and days, written with separators.
    static let moments: TextForms = [
        .date, .time, .localTime, .minute, .dottedDate, .dayFirst, .monthFirst, .slashedDate, .minuteOfISO,
        .minuteWithOffset, .dottedMinute, .dottedTime, .offsetTime, .spacedOffsetTime, .dayFirstShort,
        .monthFirstShort, .shortDate, .dottedShort, .basicTime, .basicLocalTime, .wrappedMillis,
    ]

    /// Whether all are numbers that a type takes.
    package var areNumbers: Bool { contains(.number) || contains(.anyNumber) && !contains(.withPlus) }

    /// The forms that a text has which is not empty; `fraction` becomes the digits of a second's fraction.
    package static func of(_ text: UnsafePointer<UInt8>, _ length: Int, fraction: inout Int) -> TextForms {
        let first = unsafe text[0]
        if first.isDigit || first == UInt8(ascii: "-") {
            let view = unsafe TextView(base: text, count: length)
            let number = numbers(view)
            let any = number.contains(.number) || AnyNumber.isOne(view) ? number.union(.anyNumber) : number
            return any.union(dates(view, &fraction)).union(clock(view)).union(MarkedText(view: view).forms)
                .union(MomentText(view: view).forms(&fraction)).union(SlashedDate.forms(view))
        }
        if first == UInt8(ascii: "+") || first == UInt8(ascii: ".") {
            let isNumber = AnyNumber.isOne(unsafe TextView(base: text, count: length))
            return isNumber ? first == UInt8(ascii: "+") ? [.anyNumber, .withPlus] : .anyNumber : []
        }
        if first == UInt8(ascii: "P"), unsafe isDesignated(TextView(base: text, count: length)) { return .duration }
        if (UInt8(ascii: "A")...UInt8(ascii: "S")).contains(first), (10...18).contains(length) {
            return MarkedText(view: unsafe TextView(base: text, count: length)).formsOfName
        }
        if first == UInt8(ascii: "h"), length > 8 {
            let view = unsafe TextView(base: text, count: length)
            return view.begins("http://") || view.begins("https://") ? .address : []
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return EnclosedText.isJSON(unsafe TextView(base: text, count: length)) ? .json : []
        }
        if first == UInt8(ascii: "/") {
            return isWrapped(unsafe TextView(base: text, count: length)) ? .wrappedMillis : []
        }
        guard length <= 5 else { return [] }
        let view = unsafe TextView(base: text, count: length)
        if view.equals("true") || view.equals("false") { return .boolean }
        if view.equals("TRUE") || view.equals("FALSE") { return .capitalBoolean }
        return view.equals("True") || view.equals("False") ? .titleBoolean : []
    }

    /// The forms of a text without the white space around it; none: there is nothing else.
    static func ofTrimmed(_ text: UnsafePointer<UInt8>, _ length: Int) -> TextForms {
        let kept = unsafe WhiteSpace.trimmed(text, length)
        var fraction = 0
        return kept.isEmpty ? [] : unsafe of(text + kept.lowerBound, kept.count, fraction: &fraction)
    }

    private static func numbers(_ text: TextView) -> TextForms {
        guard text.count <= 40 else { return [] }
        var index = text[0] == UInt8(ascii: "-") ? 1 : 0
        let start = index
        while text.isDigit(index) { index += 1 }
        let digits = index - start
        // A leading zero would be lost.
        guard digits > 0, digits == 1 || text[start] != UInt8(ascii: "0") else { return [] }
        if index == text.count {
            var forms: TextForms = [.number, .whole]
            if isOf64Bits(text, digits), !(start == 1 && text[1] == UInt8(ascii: "0")) { forms.insert(.integer) }
            if text.count == 1, text[0] <= UInt8(ascii: "1") { forms.insert(.boolean) }
            return forms
        }
        guard text[index] == UInt8(ascii: "."), text.isDigit(index + 1) else { return [] }
        index += 1
        while text.isDigit(index) { index += 1 }
        return index == text.count ? .number : []
    }

    private static func isOf64Bits(_ text: TextView, _ digits: Int) -> Bool {
        if digits <= 18 { return true }
        return digits == 19 && Int64(String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)) != nil
    }

    private static func dates(_ text: TextView, _ fraction: inout Int) -> TextForms {
        let short: TextForms = isShortDate(text) ? .shortDate : []
        return short.union(datesOfLength(text, &fraction)).union(DottedDate.forms(text))
    }

    private static func isShortDate(_ text: TextView) -> Bool {
        guard (8...10).contains(text.count), text[4] == UInt8(ascii: "-") else { return false }
        let months = text.isDigit(6) ? 2 : 1
        let day = 5 + months + 1
        guard day < text.count, text[day - 1] == UInt8(ascii: "-"), (1...2).contains(text.count - day) else {
            return false
        }
        return text.isDay(
            year: text.digits(0, 4), month: text.digits(5, months), day: text.digits(day, text.count - day))
    }

    private static func datesOfLength(_ text: TextView, _ fraction: inout Int) -> TextForms {
        switch text.count {
        case 8:
            return text.isDay(year: text.digits(0, 4), month: text.digits(4, 2), day: text.digits(6, 2))
                ? .plainDate : []
        case 10: return tenCharacters(text)
        case 16 where text.isDate && text[10] == UInt8(ascii: " ") && text[13] == UInt8(ascii: ":"):
            guard let hour = text.digits(11, 2), let minute = text.digits(14, 2) else { return [] }
            return hour < 24 && minute < 60 ? .minute : []
        case 15, 16: return basicTime(text)
        case 19...40 where text.isDate: return time(text, &fraction)
        default: return []
        }
    }

    /// Hours, minutes and seconds.
    private static func clock(_ text: TextView) -> TextForms {
        let hours = text.count - 6
        guard (1...4).contains(hours), text[hours] == UInt8(ascii: ":"), text[hours + 3] == UInt8(ascii: ":"),
            let hour = text.digits(0, hours), let minute = text.digits(hours + 1, 2),
            let second = text.digits(hours + 4, 2), minute < 60, second < 60
        else { return [] }
        // The end of a day may be 24:00:00.
        return hour < 24 || hour == 24 && minute == 0 && second == 0 ? [.duration, .timeOfDay] : .duration
    }

    /// Whether it has hours, minutes and seconds, each whole and in this order: `PT1H30M`.
    private static func isDesignated(_ text: TextView) -> Bool {
        guard text.begins("PT"), text.count > 3, text.count <= 20 else { return false }
        var (index, last) = (2, -1)
        while index < text.count {
            let start = index
            while text.isDigit(index) { index += 1 }
            guard index > start, index < text.count,
                let unit = [UInt8(ascii: "H"), UInt8(ascii: "M"), UInt8(ascii: "S")].firstIndex(of: text[index]),
                unit > last
            else { return false }
            last = unit
            index += 1
        }
        return true
    }

    private static func tenCharacters(_ text: TextView) -> TextForms {
        if text.isDate { return .date }
        if text[4] == UInt8(ascii: "/"), text[7] == UInt8(ascii: "/") {
            return text.isDay(year: text.digits(0, 4), month: text.digits(5, 2), day: text.digits(8, 2))
                ? .slashedDate : []
        }
        return []
    }

    private static func isWrapped(_ text: TextView) -> Bool {
        guard text.begins("/Date("), (9...40).contains(text.count), text[text.count - 1] == UInt8(ascii: "/"),
            text[text.count - 2] == UInt8(ascii: ")")
        else { return false }
        var index = text[6] == UInt8(ascii: "-") ? 7 : 6
        let start = index
        while text.isDigit(index) { index += 1 }
        guard (1...18).contains(index - start) else { return false }
        if text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
            return index + 7 == text.count && (index + 1...index + 4).allSatisfy(text.isDigit)
        }
        return index + 2 == text.count
    }

    private static func basicTime(_ text: TextView) -> TextForms {
        guard text[8] == UInt8(ascii: "T"), text.count == 15 || text[15] == UInt8(ascii: "Z"),
            text.isDay(year: text.digits(0, 4), month: text.digits(4, 2), day: text.digits(6, 2)),
            let hour = text.digits(9, 2), let minute = text.digits(11, 2), let second = text.digits(13, 2),
            hour < 24, minute < 60, second < 60
        else { return [] }
        return text.count == 15 ? .basicLocalTime : .basicTime
    }

    private static func time(_ text: TextView, _ fraction: inout Int) -> TextForms {
        guard text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " "), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"), let hour = text.digits(11, 2), let minute = text.digits(14, 2),
            let second = text.digits(17, 2), hour < 24, minute < 60, second < 60
        else { return [] }
        var index = 19
        if index < text.count, text[index] == UInt8(ascii: ".") {
            index += 1
            while text.isDigit(index) { index += 1 }
            let digits = index - 20
            guard digits > 0, digits <= 9 else { return [] }
            fraction = max(fraction, digits)
        }
        if index == text.count { return .localTime }
        if index + 1 == text.count { return text[index] == UInt8(ascii: "Z") ? .time : [] }
        guard index + 6 == text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-"),
            text[index + 3] == UInt8(ascii: ":"), let east = text.digits(index + 1, 2),
            let rest = text.digits(index + 4, 2), east < 24, rest < 60
        else { return [] }
        return .time
    }
}
