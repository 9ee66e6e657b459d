/// A date and a time as a text has them. Whether there is such a day is yet to be looked at.
struct WrittenTime {
    var time = CivilTime()
    /// Seconds east of UTC; nil: none given.
    var offset: Int?
    /// The digits of the fraction, by their index in the text.
    var fractionStart = 0
    var fractionCount = 0
    /// Whether it is written as the store writes it, but for the digits of the fraction: UTC with `T` and `Z`.
    var isUniversal = false

    init() {}

    /// Reads a text as RFC 3339 has it; the offset may be missing.
    init?(internet text: ByteView) {
        guard text.count >= 19, var time = CivilTime(date: text) else { return nil }
        // RFC 3339, section 5.6: lower case may be used, and a space for the sake of readability.
        guard text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " ") else { return nil }
        guard let hour = text.twoDigits(11), text[13] == UInt8(ascii: ":"), let minute = text.twoDigits(14),
            text[16] == UInt8(ascii: ":"), let second = text.twoDigits(17)
        else { return nil }
        time.hour = hour
        time.minute = minute
        time.second = second
        self.time = time
        var index = 19
        if index < text.count, text[index] == UInt8(ascii: ".") {
            guard readFraction(text, &index) else { return nil }
        }
        guard readOffset(text, index) else { return nil }
        isUniversal =
            text[10] == UInt8(ascii: "T") && text[text.count - 1] == UInt8(ascii: "Z") && second < 60
    }

    private mutating func readFraction(_ text: ByteView, _ index: inout Int) -> Bool {
        index += 1
        fractionStart = index
        while index < text.count, text.digit(index) <= 9 { index += 1 }
        fractionCount = index - fractionStart
        return fractionCount > 0
    }

    /// What stands after the time: nothing, `Z`, or `±HH:MM`.
    private mutating func readOffset(_ text: ByteView, _ index: Int) -> Bool {
        switch text.count - index {
        case 0: return true
        case 1:
            offset = 0
            return text[index] | 0x20 == UInt8(ascii: "z")
        case 6:
            guard let hours = text.twoDigits(index + 1), text[index + 3] == UInt8(ascii: ":"),
                let minutes = text.twoDigits(index + 4), hours <= 23, minutes <= 59
            else { return false }
            let east = hours * 3600 + minutes * 60
            offset = text[index] == UInt8(ascii: "-") ? -east : east
            return text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+")
        default: return false
        }
    }
}
