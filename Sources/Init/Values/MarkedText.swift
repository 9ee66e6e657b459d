import SluiceRecords

/// Numbers with marks, dates with the names of months, and times of day, as people write them.
struct MarkedText {
    let view: TextView

    /// Of a text that begins with a digit or a sign.
    var forms: TextForms {
        var forms = TextForms()
        if isNumber(groups: nil, fraction: UInt8(ascii: ",")) { forms.insert(.commaNumber) }
        if isNumber(groups: UInt8(ascii: "."), fraction: UInt8(ascii: ",")) { forms.insert(.commaGroups) }
        if isNumber(groups: UInt8(ascii: ","), fraction: UInt8(ascii: ".")) { forms.insert(.pointGroups) }
        if hasSpaces(fraction: UInt8(ascii: ",")) { forms.insert(.spaceGroupsComma) }
        if hasSpaces(fraction: UInt8(ascii: ".")) { forms.insert(.spaceGroupsPoint) }
        if mayHaveGroups { forms.insert(.mayHaveGroups) }
        if isDayAndName { forms.insert(.dayAndName) }
        if isDashedName(yearDigits: 4) { forms.insert(.dashedName) }
        if isDashedName(yearDigits: 2) { forms.insert(.dashedNameShort) }
        if isHourAndMinute { forms.insert(.hourAndMinute) }
        if isFourDigitTime { forms.insert(.fourDigitTime) }
        return forms
    }

    // MARK: Numbers

    /// - Parameters:
    ///   - groups: what stands between groups of three digits; nil: nothing does.
    ///   - fraction: what stands before the fraction, if there is one.
    private func isNumber(groups: UInt8?, fraction: UInt8) -> Bool {
        guard view.count <= 40 else { return false }
        var index = view[0] == UInt8(ascii: "-") ? 1 : 0
        let start = index
        while view.isDigit(index) { index += 1 }
        let digits = index - start
        guard digits > 0, digits == 1 || view[start] != UInt8(ascii: "0") else { return false }
        if let groups {
            // What has more than three digits in a row has no groups.
            if digits > 3 { return false }
            while index < view.count, view[index] == groups {
                guard view.digits(index + 1, 3) != nil, !view.isDigit(index + 4) else { return false }
                index += 4
            }
        }
        if index == view.count { return true }
        guard view[index] == fraction, view.isDigit(index + 1) else { return false }
        index += 1
        while view.isDigit(index) { index += 1 }
        return index == view.count
    }

    /// Whether it is a number whose groups of three digits, if there are several, have a space between them, as types
    /// take it.
    private func hasSpaces(fraction: UInt8) -> Bool {
        guard view.count <= 40 else { return false }
        let start = view[0] == UInt8(ascii: "-") ? 1 : 0
        var index = start
        while view.isDigit(index) { index += 1 }
        guard (1...3).contains(index - start), index == start + 1 || view[start] != UInt8(ascii: "0") else {
            return false
        }
        while index < view.count {
            let space = WhiteSpace.narrow(view, at: index)
            if space == 0 { break }
            guard index + space + 3 <= view.count, view.digits(index + space, 3) != nil else { return false }
            index += space + 3
        }
        if index == view.count { return true }
        guard view[index] == fraction, view.isDigit(index + 1) else { return false }
        index += 1
        while view.isDigit(index) { index += 1 }
        return index == view.count
    }

    /// Whether three digits stand behind each comma, and up to three before the first, or there is none: `1,234` may be
    /// a whole number, or not. A zero before it, `0,234`, is none of a group.
    private var mayHaveGroups: Bool {
        guard view.count <= 40 else { return false }
        let start = view[0] == UInt8(ascii: "-") ? 1 : 0
        var index = start
        while view.isDigit(index) { index += 1 }
        guard index > start, index == start + 1 || view[start] != UInt8(ascii: "0") else { return false }
        if index == view.count { return true }
        guard index - start <= 3, view[start] != UInt8(ascii: "0") else { return false }
        while index < view.count {
            guard view[index] == UInt8(ascii: ","), view.digits(index + 1, 3) != nil else { return false }
            index += 4
        }
        return true
    }

    // MARK: Times

    /// The end of a day may be 24:00.
    private var isHourAndMinute: Bool {
        let hours = view.count - 3
        guard (1...2).contains(hours), view[hours] == UInt8(ascii: ":"), let hour = view.digits(0, hours),
            let minute = view.digits(hours + 1, 2)
        else { return false }
        return hour < 24 && minute < 60 || hour == 24 && minute == 0
    }

    /// The end of a day may be 2400.
    private var isFourDigitTime: Bool {
        guard view.count == 4, let hour = view.digits(0, 2), let minute = view.digits(2, 2) else { return false }
        return hour < 24 && minute < 60 || hour == 24 && minute == 0
    }

    private var isDayAndName: Bool {
        let days = view.isDigit(1) ? 2 : 1
        guard (10...17).contains(view.count), let day = view.digits(0, days), view[days] == UInt8(ascii: " ") else {
            return false
        }
        let end = view.count - 5
        return view[end] == UInt8(ascii: " ")
            && view.isDay(year: view.digits(end + 1, 4), month: month(from: days + 1, to: end), day: day)
    }

    /// The name of a month, with a hyphen on either side.
    private func isDashedName(yearDigits: Int) -> Bool {
        let (days, end) = (view.isDigit(1) ? 2 : 1, view.count - yearDigits - 1)
        guard end > days + 3, let day = view.digits(0, days), view[days] == UInt8(ascii: "-"),
            view[end] == UInt8(ascii: "-"), let year = view.digits(end + 1, yearDigits)
        else { return false }
        // Of 1969 to 2068, a leap year is one in this century, too.
        return view.isDay(
            year: yearDigits == 2 ? 2000 + year : year, month: month(from: days + 1, to: end), day: day)
    }

    /// The forms of a text that begins with the name of a month.
    var formsOfName: TextForms {
        if isNameAndDay(comma: ",") { return .nameAndDay }
        return isNameAndDay(comma: "") ? .nameDayYear : []
    }

    /// - Parameter comma: what follows the day before a space.
    private func isNameAndDay(comma: String) -> Bool {
        let end = view.count - 5 - comma.utf8.count
        guard end > 3, let space = (3..<end).first(where: { view[$0] == UInt8(ascii: " ") }),
            (1...2).contains(end - space - 1), view[view.count - 5] == UInt8(ascii: " "),
            comma.utf8.enumerated().allSatisfy({ view[end + $0.offset] == $0.element })
        else { return false }
        return view.isDay(
            year: view.digits(view.count - 4, 4), month: month(from: 0, to: space),
            day: view.digits(space + 1, end - space - 1))
    }

    private static let months: [StaticString] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The month whose name, or whose first three letters, stand there.
    private func month(from start: Int, to end: Int) -> Int? {
        let length = end - start
        guard length >= 3 else { return nil }
        let index = MarkedText.months.firstIndex { name in
            (length == 3 || length == name.utf8CodeUnitCount)
                && (0..<length).allSatisfy { unsafe view[start + $0] | 0x20 == name.utf8Start[$0] }
        }
        return index.map { $0 + 1 }
    }
}
