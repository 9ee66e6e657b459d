import SluiceRecords

/// A day of the calendar (Gregorian, also before it was introduced), without a time and a zone: what `date` attributes
/// hold.
public struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 1 to 9999.
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// A day; nil where the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CalendarDate.days(inMonth: month, of: year)
        else { return nil }
        self.init(unchecked: year, month, day)
    }

    private init(unchecked year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `2026-11-20`; nil where the text is anything else.
    public init?(_ text: String) {
        guard let date = unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe CalendarDate(digits: $0) }) ?? nil
        else {
            return nil
        }
        self = date
    }

    /// The first ten bytes of a text.
    init?(digits: UnsafeBufferPointer<UInt8>) {
        guard digits.count == 10, unsafe digits[4] == 0x2d, unsafe digits[7] == 0x2d,
            let year = unsafe FixedDigits.number(digits[0..<4]),
            let month = unsafe FixedDigits.number(digits[5..<7]),
            let day = unsafe FixedDigits.number(digits[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Days since 1970-01-01; negative before. The algorithm is Howard Hinnant's `days_from_civil`.
    public var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day so many days after 1970-01-01; nil outside the years 1 to 9999. Hinnant's `civil_from_days`.
    public init?(daysSince1970 days: Int) {
        guard (-719_162...2_932_896).contains(days) else { return nil }
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        self.init(
            unchecked: yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth,
            dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// `2026-11-20`.
    public var description: String {
        FixedDigits.padded(year, 4) + "-" + FixedDigits.padded(month, 2) + "-" + FixedDigits.padded(day, 2)
    }

    /// Whether one comes before the other.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

extension CalendarDate: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.date) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) -> SQLValue { .text(description) }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> CalendarDate {
        guard let date = unsafe try row.withText(column, { unsafe CalendarDate(digits: $0) }) else {
            throw row.mismatch(column, "a day such as 2026-11-20")
        }
        return date
    }
}

extension CalendarDate: Codable {
    /// Reads it.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let date = CalendarDate(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no day such as 2026-11-20"))
        }
        self = date
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Numbers as digits.
enum FixedDigits {
    static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for index in unsafe digits.indices {
            let digit = unsafe digits[index]
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
