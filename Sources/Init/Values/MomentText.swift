import SluiceRecords

/// Times that are written otherwise than RFC 3339 has them, as many services and people do.
struct MomentText {
    let view: TextView

    /// Of a text that begins with a digit or a sign; `fraction` becomes the digits of a second's fraction.
    func forms(_ fraction: inout Int) -> TextForms {
        guard (16...40).contains(view.count), isTime(11) else { return [] }
        if view[2] == UInt8(ascii: ".") { return dotted }
        let isSpaced = view[10] == UInt8(ascii: " ")
        guard view.isDate, isSpaced || view[10] == UInt8(ascii: "T") else { return [] }
        if view.count == 16 { return isSpaced ? [] : .minuteOfISO }
        guard isSecond(16) else { return !isSpaced && isOffset(16) ? .minuteWithOffset : [] }
        return withOffset(isSpaced, &fraction)
    }

    private var dotted: TextForms {
        guard view[5] == UInt8(ascii: "."), view[10] == UInt8(ascii: " "),
            view.isDay(year: view.digits(6, 4), month: view.digits(3, 2), day: view.digits(0, 2))
        else { return [] }
        if view.count == 16 { return .dottedMinute }
        return view.count == 19 && isSecond(16) ? .dottedTime : []
    }

    /// A time with seconds, and perhaps parts of one.
    private func withOffset(_ isSpaced: Bool, _ fraction: inout Int) -> TextForms {
        var index = 19
        let hasFraction = index < view.count && view[index] == UInt8(ascii: ".")
        if hasFraction {
            index += 1
            while view.isDigit(index) { index += 1 }
            guard (1...9).contains(index - 20) else { return [] }
        }
        let digits = hasFraction ? index - 20 : 0
        if isSpaced, index < view.count, view[index] == UInt8(ascii: " ") { index += 1 }
        guard isOffset(index) else { return [] }
        fraction = max(fraction, digits)
        return [isSpaced ? .spacedOffsetTime : .offsetTime, hasFraction ? .withFraction : .withoutFraction]
    }

    /// Whether hours and minutes stand somewhere.
    private func isTime(_ start: Int) -> Bool {
        guard view[start + 2] == UInt8(ascii: ":"), let hour = view.digits(start, 2),
            let minute = view.digits(start + 3, 2)
        else { return false }
        return hour < 24 && minute < 60
    }

    /// Whether seconds stand somewhere.
    private func isSecond(_ start: Int) -> Bool {
        guard start + 2 < view.count, view[start] == UInt8(ascii: ":"), let second = view.digits(start + 1, 2) else {
            return false
        }
        return second < 60
    }

    /// Whether the rest is an offset: `Z`, `+01`, `+0100`, `+01:00`.
    private func isOffset(_ start: Int) -> Bool {
        let length = view.count - start
        if length == 1 { return view[start] == UInt8(ascii: "Z") }
        guard length >= 3, view[start] == UInt8(ascii: "+") || view[start] == UInt8(ascii: "-"),
            let east = view.digits(start + 1, 2), east < 24
        else { return false }
        if length == 3 { return true }
        let colon = view[start + 3] == UInt8(ascii: ":") ? 1 : 0
        guard length == 5 + colon, let rest = view.digits(start + 3 + colon, 2) else { return false }
        return rest < 60
    }
}
