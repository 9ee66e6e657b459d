import SluiceRecords

/// Dates with slashes that begin with the day or the month, of one digit or two: `11/20/2026`, `9/1/26`.
enum SlashedDate {
    /// Of a text that begins with a digit.
    static func forms(_ text: TextView) -> TextForms {
        guard (6...10).contains(text.count), let first = text.firstSlash(from: 0),
            let second = text.firstSlash(from: first + 1)
        else { return [] }
        let digits = text.count - second - 1
        guard digits == 4 || digits == 2, let year = text.digits(second + 1, digits) else { return [] }
        let (one, two) = (text.digits(0, first), text.digits(first + 1, second - first - 1))
        // Of the last two digits of a year, any century will do but for a day in February.
        let whole = digits == 4 ? year : 2000 + year
        var forms: TextForms = []
        if text.isDay(year: whole, month: two, day: one) { forms.insert(digits == 4 ? .dayFirst : .dayFirstShort) }
        if text.isDay(year: whole, month: one, day: two) { forms.insert(digits == 4 ? .monthFirst : .monthFirstShort) }
        return forms
    }
}

extension TextView {
    /// The index of a slash behind one digit or two.
    fileprivate func firstSlash(from start: Int) -> Int? {
        let index = isDigit(start + 1) ? start + 2 : start + 1
        return isDigit(start) && index < count && self[index] == UInt8(ascii: "/") ? index : nil
    }
}
