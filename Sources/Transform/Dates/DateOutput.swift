import SluiceRecords

/// The digits of a fraction of a second, in the arena.
struct Fraction {
    var offset: Int
    var count: Int
}

extension Converter {
    /// The text of a moment, `2026-11-20T23:13:00.250000Z`: UTC, the fraction in as many digits as the column has.
    ///
    /// A leap second is written as it was read, `23:59:60`, and is none unless it ends the last day of a month (UTC).
    mutating func moment(
        _ seconds: Int64, isLeapSecond: Bool, _ fraction: Fraction, of raw: Cell, digits: Int
    ) throws(Complaint) -> Cell {
        var time = CivilTime(seconds: seconds)
        guard time.isDay else { throw .unfit(.datetime, raw, "is outside of the years 1 to 9999") }
        if isLeapSecond {
            guard time.hour == 23, time.minute == 59, time.second == 59,
                time.day == CivilTime.days(inMonth: time.month, of: time.year)
            else { throw .unfit(.datetime, raw, "is no leap second") }
            time.second = 60
        }
        let written = significant(fraction)
        guard written <= digits else { throw .tooPrecise(.datetime, raw, Int32(digits)) }
        let length = digits == 0 ? 20 : 21 + digits
        let target = arena.reserve(length)
        writeDate(time, at: target)
        write(time, fraction: Fraction(offset: fraction.offset, count: written), digits: digits, at: target + 10)
        return Cell(kind: .text, payload: UInt64(target), length: UInt32(length))
    }

    /// The digits of a fraction without the zeros at its end.
    private func significant(_ fraction: Fraction) -> Int {
        var count = fraction.count
        while count > 0, unsafe arena.base[fraction.offset + count - 1] == UInt8(ascii: "0") { count -= 1 }
        return count
    }

    /// Writes `YYYY-MM-DD`.
    func writeDate(_ time: CivilTime, at target: Int) {
        put(time.year / 100, at: target)
        put(time.year % 100, at: target + 2)
        unsafe arena.base[target + 4] = UInt8(ascii: "-")
        put(time.month, at: target + 5)
        unsafe arena.base[target + 7] = UInt8(ascii: "-")
        put(time.day, at: target + 8)
    }

    /// Writes `THH:MM:SS`, the fraction, zeros up to its digits, and `Z`.
    private func write(_ time: CivilTime, fraction: Fraction, digits: Int, at target: Int) {
        unsafe arena.base[target] = UInt8(ascii: "T")
        put(time.hour, at: target + 1)
        unsafe arena.base[target + 3] = UInt8(ascii: ":")
        put(time.minute, at: target + 4)
        unsafe arena.base[target + 6] = UInt8(ascii: ":")
        put(time.second, at: target + 7)
        var end = target + 9
        if digits > 0 {
            unsafe arena.base[end] = UInt8(ascii: ".")
            end += 1
            unsafe (arena.base + end).update(from: arena.base + fraction.offset, count: fraction.count)
            let zeros = digits - fraction.count
            unsafe (arena.base + end + fraction.count).update(repeating: UInt8(ascii: "0"), count: zeros)
            end += digits
        }
        unsafe arena.base[end] = UInt8(ascii: "Z")
    }

    /// Writes two digits.
    private func put(_ number: Int, at target: Int) {
        unsafe arena.base[target] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
        unsafe arena.base[target + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }
}
