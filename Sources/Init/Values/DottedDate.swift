/// Days with points between their parts, the day first: `20.11.2026`, `1.9.2026`, `20.11.26`.
enum DottedDate {
    static func forms(_ text: TextView) -> TextForms {
        let point = UInt8(ascii: ".")
        guard (8...10).contains(text.count) else { return [] }
        let days = text.isDigit(1) ? 2 : 1
        guard text[days] == point else { return [] }
        let months = text.isDigit(days + 2) ? 2 : 1
        let year = days + months + 2
        guard text[year - 1] == point else { return [] }
        let (day, month) = (text.digits(0, days), text.digits(days + 1, months))
        switch text.count - year {
        case 4: return text.isDay(year: text.digits(year, 4), month: month, day: day) ? .dottedDate : []
        case 2 where days + months == 4:
            return text.isDay(year: text.digits(year, 2).map { 2000 + $0 }, month: month, day: day) ? .dottedShort : []
        default: return []
        }
    }
}
