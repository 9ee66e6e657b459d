/// Days and times as whole numbers: `20261120`, `2026112009`, `202611200930`, `20261120093059`.
enum PackedMoment: Int, CaseIterable {
    case day, hour, minute, second

    /// Times of these years are written so; of others, numbers of as many digits are more often something else.
    private static let years: ClosedRange<Int64> = 1900...2099

    /// What a number may be; nil: no such time.
    static func of(_ number: Int64) -> PackedMoment? {
        var (rest, parts) = (number, Array(repeating: Int64(0), count: 3))
        let kind: PackedMoment
        switch number {
        case 19_000_101...20_991_231: kind = .day
        case 1_900_010_100...2_099_123_123: kind = .hour
        case 190_001_010_000...209_912_312_359: kind = .minute
        case 19_000_101_000_000...20_991_231_235_959: kind = .second
        default: return nil
        }
        for part in 0..<kind.rawValue {
            parts[kind.rawValue - 1 - part] = rest % 100
            rest /= 100
        }
        guard parts[0] < 24, parts[1] < 60, parts[2] < 60, isDay(rest) else { return nil }
        return kind
    }

    private static func isDay(_ number: Int64) -> Bool {
        let (year, month, day) = (number / 10_000, Int(number / 100 % 100), number % 100)
        guard years.contains(year), (1...12).contains(month), day > 0 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// How `format` says it.
    var format: String { "%Y%m%d" + ["", "%H", "%H%M", "%H%M%S"][rawValue] }
}
