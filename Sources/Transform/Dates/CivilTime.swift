/// A date of the Gregorian calendar, reckoned back before its introduction, and a time of day.
struct CivilTime: BitwiseCopyable, Equatable {
    var year = 0
    /// 1…12
    var month = 0
    /// 1…31
    var day = 0
    var hour = 0
    var minute = 0
    /// 0…60: 60 is a leap second.
    var second = 0

    static let secondsPerDay: Int64 = 86400

    /// Whether there is such a day in the years that the formats can write, 1 to 9999.
    var isDay: Bool {
        year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1
            && day <= CivilTime.days(inMonth: month, of: year)
    }

    /// Whether there is such a time of day. 24:00 is none.
    var isTime: Bool { hour <= 23 && minute <= 59 && second <= 60 }

    /// Seconds from 1970 to this time, as if there were no time zones. A leap second counts as the one before it.
    var seconds: Int64 {
        let days = CivilTime.daysSince1970(year: year, month: month, day: day)
        return Int64(days) * CivilTime.secondsPerDay + Int64(hour * 3600 + minute * 60 + min(second, 59))
    }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1 January 1970. The algorithm is `days_from_civil` of Howard Hinnant, chrono-Compatible Low-Level Date
    /// Algorithms: years begin in March, so that the leap day is the last.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146097 + dayOfEra - 719468
    }

    /// The time so many seconds after (before) 1970: the inverse of `seconds`. The algorithm is `civil_from_days`, see
    /// `daysSince1970`.
    init(seconds: Int64) {
        var ofDay = seconds % CivilTime.secondsPerDay
        if ofDay < 0 { ofDay += CivilTime.secondsPerDay }
        let days = Int((seconds - ofDay) / CivilTime.secondsPerDay) + 719468
        let era = (days >= 0 ? days : days - 146096) / 146097
        let dayOfEra = days - era * 146097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = Int(ofDay) / 3600
        minute = Int(ofDay) / 60 % 60
        second = Int(ofDay) % 60
    }

    init() {}

    /// The beginning of a year.
    init(year: Int) {
        self.year = year
        month = 1
        day = 1
    }

    /// Reads `YYYY-MM-DD` at the start of a text of at least ten bytes; nil if something else stands there.
    init?(date text: ByteView) {
        guard let year = text.fourDigits(0), text[4] == UInt8(ascii: "-"), let month = text.twoDigits(5),
            text[7] == UInt8(ascii: "-"), let day = text.twoDigits(8)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }
}
