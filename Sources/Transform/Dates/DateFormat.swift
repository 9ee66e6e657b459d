import SluiceRecords

/// A strptime format, taken apart once.
///
/// The conversions are those of POSIX strptime in the locale `C` that name a day or a time: `%Y %y %C %m %b %B %h %d %e
/// %j %H %k %I %l %M %S %p %a %A %n %t %% %D %F %T %R %r %c %x %X`, and `%z` (`Z`, `±hh`, `±hhmm`, `±hh:mm`) and `%f`
/// (a fraction of a second, any number of digits) from other implementations. Unlike strptime(3) it takes `%Y` for
/// exactly four digits, wants the whole text to be read, and refuses what it could not heed: `%Z`, `%U`, `%W` and other
/// conversions are errors of the definition, and so is the format of a time that leaves the day open.
struct DateFormat {
    enum Step: Equatable {
        /// This very byte.
        case byte(UInt8)
        /// Any amount of white space, also none.
        case space
        case field(Field)
    }

    enum Field: UInt8 {
        case year, shortYear, century, month, monthName, day, dayOfYear, hour, halfHour, minute, second, fraction
        case half, weekday, offset
    }

    /// As the definition has it.
    let text: String
    /// `date` or `datetime`, for messages.
    let type: AttributeType
    private(set) var steps: [Step] = []

    /// Whether it does not name the day, or not even the month.
    private(set) var leavesDayOpen = false
    private(set) var leavesMonthOpen = false

    var hasOffset: Bool { has(.offset) }

    /// Takes a format apart, or throws why it cannot serve.
    init(_ text: String, type: AttributeType) throws(InvalidConversion) {
        self.text = text
        self.type = type
        try add(text)
        try checkDay()
        guard has(.halfHour) == has(.half) else {
            throw InvalidConversion(message: "the format \(text) needs both %I and %p, or neither (%H)")
        }
    }

    private func has(_ field: Field) -> Bool { steps.contains(.field(field)) }

    private mutating func checkDay() throws(InvalidConversion) {
        guard has(.year) || has(.shortYear) else {
            let hint =
                text.utf8.contains(UInt8(ascii: "%"))
                ? "" : ": what is read is written as in %d.%m.%Y or %Y-%m-%d %H:%M"
            throw InvalidConversion(message: "the format \(text) has no year (%Y)\(hint)")
        }
        guard !has(.century) || has(.shortYear) else {
            throw InvalidConversion(message: "the format \(text) has %C without %y")
        }
        let hasMonth = has(.month) || has(.monthName)
        // Of a month or a year, the date is the first day.
        leavesDayOpen = type == .date && !has(.dayOfYear) && !has(.day)
        leavesMonthOpen = leavesDayOpen && !hasMonth
        guard has(.dayOfYear) || hasMonth && has(.day) || leavesDayOpen else {
            throw InvalidConversion(message: "the format \(text) does not name a day (%m and %d, or %j)")
        }
    }

    private mutating func add(_ text: String) throws(InvalidConversion) {
        var isConversion = false
        for byte in text.utf8 {
            if isConversion {
                try add(conversion: byte)
                isConversion = false
            } else if byte == UInt8(ascii: "%") {
                isConversion = true
            } else {
                steps.append(isSpace(byte) ? .space : .byte(byte))
            }
        }
        if isConversion { throw InvalidConversion(message: "the format \(self.text) ends with a lone %") }
    }

    private mutating func add(conversion letter: UInt8) throws(InvalidConversion) {
        switch Character(Unicode.Scalar(letter)) {
        case "n", "t": steps.append(.space)
        case "%": steps.append(.byte(letter))
        case "e": steps += [.space, .field(.day)]
        case "k": steps += [.space, .field(.hour)]
        case "l": steps += [.space, .field(.halfHour)]
        case "D", "x": try add("%m/%d/%y")
        case "F": try add("%Y-%m-%d")
        case "T", "X": try add("%H:%M:%S")
        case "R": try add("%H:%M")
        case "r": try add("%I:%M:%S %p")
        case "c": try add("%a %b %e %H:%M:%S %Y")
        case let letter:
            guard let field = DateFormat.fields[letter] else {
                throw InvalidConversion(
                    message:
                        "the format \(text) has %\(letter), which sluice does not know; it knows %Y %y %C %m %b %d %j"
                        + " %H %I %p %M %S %f %z %a %F %T %R and more (attributes.md)")
            }
            steps.append(.field(field))
        }
    }

    private static let fields: [Character: Field] = [
        "Y": .year, "y": .shortYear, "C": .century, "m": .month, "b": .monthName, "B": .monthName, "h": .monthName,
        "d": .day, "j": .dayOfYear, "H": .hour, "I": .halfHour, "M": .minute, "S": .second, "f": .fraction,
        "p": .half, "a": .weekday, "A": .weekday, "z": .offset,
    ]

    /// Reads a text that is in this format from its first to its last byte; nil if it is not.
    func read(_ text: ByteView) -> WrittenTime? {
        var reader = DateReader(text)
        for step in steps {
            guard reader.take(step) else { return nil }
        }
        guard var found = reader.finish() else { return nil }
        if leavesDayOpen { found.time.day = 1 }
        if leavesMonthOpen { found.time.month = 1 }
        return found
    }
}

/// White space in the locale `C`.
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) }
