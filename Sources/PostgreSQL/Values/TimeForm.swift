import Glibc
import SluiceRecords

/// Dates and times: `2026-11-20` and `2026-11-20T23:13:00.250000Z` as days and microseconds from 2000-01-01, and back.
enum TimeForm {
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    // MARK: To the server

    /// The days of a date, or of what a time begins with.
    static func day(_ text: UnsafePointer<UInt8>) -> Int {
        let year = unsafe digits(text) * 100 + digits(text + 2)
        return unsafe CivilDay.number(year: year, month: digits(text + 5), day: digits(text + 8))
    }

    static func microseconds(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int64 {
        let seconds = unsafe (digits(text + 11) * 60 + digits(text + 14)) * 60 + digits(text + 17)
        var (fraction, unit): (Int64, Int64) = (0, 100_000)
        // Behind the point, and before the Z.
        var place = 20
        while place < count - 1, unit > 0 {
            fraction += unsafe Int64(text[place] &- UInt8(ascii: "0")) * unit
            unit /= 10
            place += 1
        }
        return unsafe Int64(day(text)) * microsecondsPerDay + Int64(seconds) * 1_000_000 + fraction
    }

    static func misfit(_ text: UnsafePointer<UInt8>, _ count: Int) -> CellForm.Misfit? {
        if unsafe text[17] == UInt8(ascii: "6") { return .leapSecond }
        for place in stride(from: 26, to: count - 1, by: 1) where unsafe text[place] != UInt8(ascii: "0") {
            return .tooPrecise
        }
        return nil
    }

    /// Two digits.
    @inline(__always)
    private static func digits(_ text: UnsafePointer<UInt8>) -> Int {
        unsafe Int(text[0] &- UInt8(ascii: "0")) * 10 + Int(text[1] &- UInt8(ascii: "0"))
    }

    // MARK: From the server

    /// Nil: the date is none of those that sluice writes, in the years 0 to 9999.
    static func dateText(_ day: Int) -> String? {
        let (year, month, day) = CivilDay.date(day)
        guard (0...9999).contains(year) else { return nil }
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }

    static func timeText(_ microseconds: Int64, fraction: Int) -> String? {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: microsecondsPerDay)
        let isBefore = remainder < 0
        let rest = isBefore ? remainder + microsecondsPerDay : remainder
        guard let date = dateText(Int(quotient) - (isBefore ? 1 : 0)) else { return nil }
        let seconds = Int(rest / 1_000_000)
        var text = date + "T" + padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2)
        text += ":" + padded(seconds % 60, 2)
        let digits = padded(Int(rest % 1_000_000), 6)
        if fraction > 0 { text += "." + (digits + "000").prefix(fraction) }
        return text + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Whether bytes have a NUL among them.
@inline(__always)
func hasNUL(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool { unsafe memchr(bytes, 0, count) != nil }
