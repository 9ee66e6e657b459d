import SluiceRecords

/// How durations may be written, beside what is always taken: `25:10:00`, `PT1H30M`, and a number.
enum DurationFormat: String, CaseIterable {
    /// What a number counts.
    case milliseconds = "ms"
    case minutes = "m"
    case hours = "h"
    case days = "d"
    /// What the two parts of `3:45` are.
    case minutesAndSeconds = "m:s"
    case hoursAndMinutes = "h:m"
    /// Of a whole number, the last two digits count minutes, and those before them hours: `0930`, `930`.
    case hoursThenMinutes = "hhmm"

    /// The billionths of a second that a number counts.
    var unit: Int128 {
        switch self {
        case .milliseconds: 1_000_000
        case .minutes: 60 * DurationReader.second
        case .hours: DurationReader.hour
        case .days: 24 * DurationReader.hour
        case .minutesAndSeconds, .hoursAndMinutes, .hoursThenMinutes: DurationReader.second
        }
    }
}

/// Reads durations as whole billionths of a second.
struct DurationReader {
    enum Mistake: Error {
        /// It is no duration.
        case unexpected
        /// It has years or months.
        case calendar
        /// It has more digits than a billionth of a second.
        case tooPrecise
        case tooLong
    }

    static let second: Int128 = 1_000_000_000
    static let hour: Int128 = 3600 * second
    /// Of a part: those of 64 bits. So many weeks are far from the end of 128 bits in billionths of a second.
    private static let mostDigits = 19

    private let text: ByteView
    private let format: DurationFormat?
    private var index = 0
    private var isNegative = false

    init(_ text: ByteView, _ format: DurationFormat?) {
        self.text = text
        self.format = format
    }

    mutating func duration() throws(Mistake) -> Int128 {
        if let number = NumberText(text) { return try count(number) }
        if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "+") {
            isNegative = peek == UInt8(ascii: "-")
            index += 1
        }
        let magnitude = peek == UInt8(ascii: "P") ? try designated() : try parted()
        guard index == text.count else { throw .unexpected }
        return isNegative ? -magnitude : magnitude
    }

    private var peek: UInt8 { index < text.count ? text[index] : 0 }

    /// A number of seconds, or of what the format says.
    private func count(_ number: NumberText) throws(Mistake) -> Int128 {
        if format == .hoursThenMinutes { return try hoursThenMinutes(number) }
        let unit = format?.unit ?? DurationReader.second
        guard number.digits > 0 else { return 0 }
        guard number.digits <= 19 else { throw number.exponent < 0 ? .tooPrecise : .tooLong }
        var value = Int128(number.mantissa) * unit
        if number.exponent > 18 { throw .tooLong }
        for _ in 0..<max(number.exponent, 0) { value = try multiplied(value, by: 10) }
        for _ in 0..<max(-number.exponent, 0) {
            guard value % 10 == 0 else { throw .tooPrecise }
            value /= 10
        }
        return number.isNegative ? -value : value
    }

    private func hoursThenMinutes(_ number: NumberText) throws(Mistake) -> Int128 {
        guard !number.isNegative, let value = number.integer, value < 100_000 else { throw .unexpected }
        let (hours, minutes) = value.quotientAndRemainder(dividingBy: 100)
        guard minutes < 60 else { throw .unexpected }
        return Int128(hours * 60 + minutes) * 60 * DurationReader.second
    }

    private func multiplied(_ value: Int128, by factor: Int128) throws(Mistake) -> Int128 {
        let (product, overflows) = value.multipliedReportingOverflow(by: factor)
        if overflows { throw .tooLong }
        return product
    }

    // MARK: 25:10:00

    private mutating func parted() throws(Mistake) -> Int128 {
        var parts = [try digits(atMost: DurationReader.mostDigits)]
        while peek == UInt8(ascii: ":"), parts.count < 3 {
            index += 1
            let start = index
            parts.append(try digits(atMost: 2))
            guard index == start + 2, parts[parts.count - 1] < 60 else { throw .unexpected }
        }
        let units: [Int128]
        switch (parts.count, format) {
        case (3, _): units = [3600, 60, 1]
        case (2, .minutesAndSeconds): units = [60, 1]
        case (2, .hoursAndMinutes): units = [3600, 60]
        default: throw .unexpected
        }
        let whole = zip(parts, units).reduce(0) { $0 + $1.0 * $1.1 } * DurationReader.second
        return units.last == 1 ? whole + (try fraction(of: DurationReader.second) ?? 0) : whole
    }

    // MARK: PT1H30M

    private mutating func designated() throws(Mistake) -> Int128 {
        index += 1
        var rest = Array("WDHMS".utf8)[...]
        var (total, isTime, count, isLast): (Int128, Bool, Int, Bool) = (0, false, 0, false)
        while index < text.count {
            if peek == UInt8(ascii: "T"), !isTime {
                (isTime, count) = (true, 0)
                index += 1
                continue
            }
            // A fraction is that of the smallest part.
            guard !isLast else { throw .unexpected }
            let value = try digits(atMost: DurationReader.mostDigits)
            let start = index
            if peek == UInt8(ascii: ".") || peek == UInt8(ascii: ",") { skipFraction() }
            let letter = peek
            let unit = try unit(letter, isTime)
            guard let place = rest.firstIndex(of: letter) else { throw .unexpected }
            rest = rest[(place + 1)...]
            total += value * unit
            let end = index
            index = start
            if let part = try fraction(of: unit) {
                total += part
                isLast = true
            }
            guard index == end else { throw .unexpected }
            index += 1
            count += 1
        }
        guard count > 0 else { throw .unexpected }
        return total
    }

    private func unit(_ letter: UInt8, _ isTime: Bool) throws(Mistake) -> Int128 {
        switch (letter, isTime) {
        case (UInt8(ascii: "Y"), false), (UInt8(ascii: "M"), false): throw .calendar
        case (UInt8(ascii: "W"), false): return 7 * 24 * DurationReader.hour
        case (UInt8(ascii: "D"), false): return 24 * DurationReader.hour
        case (UInt8(ascii: "H"), true): return DurationReader.hour
        case (UInt8(ascii: "M"), true): return 60 * DurationReader.second
        case (UInt8(ascii: "S"), true): return DurationReader.second
        default: throw .unexpected
        }
    }

    // MARK: Parts

    private mutating func digits(atMost most: Int) throws(Mistake) -> Int128 {
        var value: Int128 = 0
        let start = index
        while index < text.count, text.digit(index) <= 9 {
            value = value * 10 + Int128(text.digit(index))
            index += 1
            if index - start > most { throw .tooLong }
        }
        guard index > start else { throw .unexpected }
        return value
    }

    private mutating func skipFraction() {
        index += 1
        while index < text.count, text.digit(index) <= 9 { index += 1 }
    }

    /// The part of a unit that the digits behind a point are; nil: there is no point.
    private mutating func fraction(of unit: Int128) throws(Mistake) -> Int128? {
        guard peek == UInt8(ascii: ".") || peek == UInt8(ascii: ",") else { return nil }
        index += 1
        let start = index
        var (value, scale): (Int128, Int128) = (0, 1)
        while index < text.count, text.digit(index) <= 9 {
            let digit = Int128(text.digit(index))
            index += 1
            // Zeros say nothing, however many there are.
            guard index - start <= 18 else {
                if digit > 0 { throw .tooPrecise }
                continue
            }
            value = value * 10 + digit
            scale *= 10
        }
        guard index > start else { throw .unexpected }
        guard value * unit % scale == 0 else { throw .tooPrecise }
        return value * unit / scale
    }
}

extension Converter {
    /// Durations as integers, in seconds or, with digits of a second, in units of the last of them.
    func duration(_ raw: Cell, _ conversion: CompiledConversion) throws(Complaint) -> Cell {
        guard raw.kind == .number || raw.kind == .string else { throw .unexpected(.duration, raw) }
        let format = conversion.format < 0 ? nil : DurationFormat.allCases[Int(conversion.format)]
        var reader = DurationReader(view(raw), format)
        do throws(DurationReader.Mistake) {
            let unit = Int128(powerOfTen(9 - Int(conversion.digits)))
            let value = try reader.duration()
            guard value % unit == 0 else { throw .tooPrecise }
            guard let whole = Int64(exactly: value / unit) else { throw .tooLong }
            return .integer(whole)
        } catch {
            switch error {
            case .unexpected: throw .unexpected(.duration, raw)
            case .calendar: throw .unfit(.duration, raw, "has years or months, which are not all of one length")
            case .tooPrecise: throw .tooPrecise(.duration, raw, conversion.digits)
            case .tooLong: throw .unfit(.duration, raw, "is beyond 64 bits")
            }
        }
    }
}
