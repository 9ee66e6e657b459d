import SluiceRecords

/// The rule at the end of a zone file, in the format of POSIX's TZ variable as RFC 8536 extends it:
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule {
    /// The two changes of every year.
    struct Changes {
        /// Seconds east of UTC.
        var standard: Int64
        var daylight: Int64
        var start: Change
        var end: Change

        /// In their order.
        func transitions(in year: Int) -> [Zone.Transition] {
            let spring = Zone.Transition(start: start.localSeconds(in: year) - standard, offset: daylight)
            let autumn = Zone.Transition(start: end.localSeconds(in: year) - daylight, offset: standard)
            return spring.start < autumn.start ? [spring, autumn] : [autumn, spring]
        }
    }

    /// When clocks change in a year.
    struct Change {
        enum Day {
            /// `Mm.w.d`: a weekday (0: Sunday) of a week (5: the last) of a month.
            case weekday(month: Int, week: Int, day: Int)
            /// `Jn`: 1…365, the 29 of February is never counted.
            case julian(Int)
            /// `n`: 0…365
            case ofYear(Int)
        }

        var day: Day
        /// Seconds from midnight on the local clock before the change; may be negative, or beyond a day.
        var time: Int64

        /// The local time of the change, as seconds from 1970.
        func localSeconds(in year: Int) -> Int64 {
            Int64(days(in: year)) * CivilTime.secondsPerDay + time
        }

        private func days(in year: Int) -> Int {
            let newYear = CivilTime.daysSince1970(year: year, month: 1, day: 1)
            switch day {
            case .julian(let number):
                return newYear + number - 1 + (CivilTime.isLeap(year) && number >= 60 ? 1 : 0)
            case .ofYear(let number): return newYear + number
            case .weekday(let month, let week, let weekday):
                let first = CivilTime.daysSince1970(year: year, month: month, day: 1)
                // 1 January 1970 was a Thursday.
                let firstWeekday = ((first + 4) % 7 + 7) % 7
                var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
                if day >= CivilTime.days(inMonth: month, of: year) { day -= 7 }
                return first + day
            }
        }
    }

    /// nil: the offset stays.
    private(set) var changes: Changes?

    /// Takes a rule apart; nil if it is none.
    init?(_ text: String) {
        var scanner = RuleScanner(text)
        guard scanner.name(), let standard = scanner.time() else { return nil }
        if scanner.isAtEnd { return }
        guard scanner.name() else { return nil }
        var daylight = -standard + 3600
        if !scanner.isAt(",") {
            guard let given = scanner.time() else { return nil }
            daylight = -given
        }
        guard let start = scanner.change(), let end = scanner.change(), scanner.isAtEnd else { return nil }
        changes = Changes(standard: -standard, daylight: daylight, start: start, end: end)
    }
}

private struct RuleScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { index == bytes.count }

    func isAt(_ character: Unicode.Scalar) -> Bool { index < bytes.count && bytes[index] == UInt8(ascii: character) }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        index += 1
        return true
    }

    /// An abbreviation: letters, or anything between `<` and `>`.
    mutating func name() -> Bool {
        let start = index
        if take("<") {
            while index < bytes.count, !isAt(">") { index += 1 }
            return take(">")
        }
        while index < bytes.count, bytes[index] | 0x20 >= UInt8(ascii: "a"), bytes[index] | 0x20 <= UInt8(ascii: "z") {
            index += 1
        }
        return index > start
    }

    private mutating func number() -> Int? {
        let start = index
        var value = 0
        while index < bytes.count, index - start < 4, bytes[index].isDigit {
            value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        return index > start ? value : nil
    }

    /// `[+-]h[:m[:s]]` in seconds.
    mutating func time() -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number() else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where take(":") {
            guard let part = number() else { return nil }
            seconds += part * unit
        }
        return Int64(isNegative ? -seconds : seconds)
    }

    /// `,day[/time]`
    mutating func change() -> ZoneRule.Change? {
        guard take(","), let day = day() else { return nil }
        guard take("/") else { return ZoneRule.Change(day: day, time: 7200) }
        return time().map { ZoneRule.Change(day: day, time: $0) }
    }

    private mutating func day() -> ZoneRule.Change.Day? {
        if take("J") { return number().map { .julian($0) } }
        guard take("M") else { return number().map { .ofYear($0) } }
        guard let month = number(), (1...12).contains(month), take("."), let week = number(), (1...5).contains(week),
            take("."), let day = number(), day <= 6
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}
