/// Reads one text by the steps of a `DateFormat`.
struct DateReader {
    private let text: ByteView
    private var index = 0
    private var found = WrittenTime()
    private var century: Int?
    private var shortYear: Int?
    private var dayOfYear: Int?
    private var isAfternoon: Bool?

    init(_ text: ByteView) { self.text = text }

    /// Reads what a step asks for; false if something else stands there.
    mutating func take(_ step: DateFormat.Step) -> Bool {
        switch step {
        case .byte(let byte):
            guard index < text.count, text[index] == byte else { return false }
            index += 1
            return true
        case .space:
            while index < text.count, isSpace(text[index]) { index += 1 }
            return true
        case .field(let field): return take(field)
        }
    }

    private mutating func take(_ field: DateFormat.Field) -> Bool {
        switch field {
        case .year: number(4, atLeast: 4, 0...9999) { $0.found.time.year = $1 }
        case .shortYear: number(2, 0...99) { $0.shortYear = $1 }
        case .century: number(2, 0...99) { $0.century = $1 }
        case .month: number(2, 1...12) { $0.found.time.month = $1 }
        case .day: number(2, 1...31) { $0.found.time.day = $1 }
        case .dayOfYear: number(3, 1...366) { $0.dayOfYear = $1 }
        case .hour: number(2, 0...23) { $0.found.time.hour = $1 }
        case .halfHour: number(2, 1...12) { $0.found.time.hour = $1 % 12 }
        case .minute: number(2, 0...59) { $0.found.time.minute = $1 }
        case .second: number(2, 0...60) { $0.found.time.second = $1 }
        case .monthName: name(of: DateReader.months) { $0.found.time.month = $1 + 1 }
        case .weekday: name(of: DateReader.weekdays) { _, _ in }
        case .half: name(of: ["am", "pm"]) { $0.isAfternoon = $1 == 1 }
        case .fraction: fraction()
        case .offset: offset()
        }
    }

    /// The whole text, read; nil if something is left, or there is no such day of the year.
    mutating func finish() -> WrittenTime? {
        guard index == text.count else { return nil }
        if isAfternoon == true { found.time.hour += 12 }
        if let shortYear {
            // POSIX: 69 to 99 are of the 20th century, 0 to 68 of the 21st.
            found.time.year = (century ?? (shortYear < 69 ? 20 : 19)) * 100 + shortYear
        }
        if let dayOfYear { return day(dayOfYear) ? found : nil }
        return found
    }

    /// Sets month and day; false if the year has no such day.
    private mutating func day(_ dayOfYear: Int) -> Bool {
        found.time.month = 1
        found.time.day = dayOfYear
        while found.time.month <= 12 {
            let days = CivilTime.days(inMonth: found.time.month, of: found.time.year)
            if found.time.day <= days { return true }
            found.time.day -= days
            found.time.month += 1
        }
        return false
    }

    private mutating func number(
        _ width: Int, atLeast: Int = 1, _ range: ClosedRange<Int>, _ use: (inout DateReader, Int) -> Void
    ) -> Bool {
        let start = index
        var value = 0
        while index < text.count, index - start < width, text.digit(index) <= 9 {
            value = value * 10 + Int(text.digit(index))
            index += 1
        }
        guard index - start >= atLeast, range.contains(value) else { return false }
        use(&self, value)
        return true
    }

    /// One of several names, in full or by its first three letters, in any case.
    private mutating func name(of names: [StaticString], _ use: (inout DateReader, Int) -> Void) -> Bool {
        for (number, name) in names.enumerated() {
            let whole = name.utf8CodeUnitCount
            let length = starts(with: name, whole) ? whole : min(3, whole)
            guard starts(with: name, length) else { continue }
            index += length
            use(&self, number)
            return true
        }
        return false
    }

    private func starts(with name: StaticString, _ length: Int) -> Bool {
        guard index + length <= text.count else { return false }
        for place in 0..<length {
            let letter = unsafe name.utf8Start[place]
            guard text[index + place] | 0x20 == letter else { return false }
        }
        return true
    }

    private mutating func fraction() -> Bool {
        found.fractionStart = index
        while index < text.count, text.digit(index) <= 9 { index += 1 }
        found.fractionCount = index - found.fractionStart
        return found.fractionCount > 0
    }

    /// `Z`, `±hh`, `±hhmm` or `±hh:mm`.
    private mutating func offset() -> Bool {
        guard index < text.count else { return false }
        let sign = text[index]
        index += 1
        if sign | 0x20 == UInt8(ascii: "z") {
            found.offset = 0
            return true
        }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), index + 2 <= text.count,
            let hours = text.twoDigits(index), hours <= 23
        else { return false }
        index += 2
        var minutes = 0
        let colon = index < text.count && text[index] == UInt8(ascii: ":") ? 1 : 0
        if index + colon + 2 <= text.count, let digits = text.twoDigits(index + colon) {
            minutes = digits
            index += colon + 2
        }
        guard minutes <= 59 else { return false }
        let east = hours * 3600 + minutes * 60
        found.offset = sign == UInt8(ascii: "-") ? -east : east
        return true
    }

    private static let months: [StaticString] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdays: [StaticString] = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
}
