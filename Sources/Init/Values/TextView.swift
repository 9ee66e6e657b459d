/// A text in the reader's memory.
@safe
struct TextView {
    let base: UnsafePointer<UInt8>
    let count: Int

    subscript(index: Int) -> UInt8 { unsafe base[index] }

    func isDigit(_ index: Int) -> Bool { index < count && self[index].isDigit }

    /// The number that some digits make; nil if they are none.
    func digits(_ start: Int, _ length: Int) -> Int? {
        var number = 0
        for index in start..<start + length {
            guard isDigit(index) else { return nil }
            number = number * 10 + Int(self[index] - UInt8(ascii: "0"))
        }
        return number
    }

    func isDay(year: Int?, month: Int?, day: Int?) -> Bool {
        guard let year, let month, let day, year > 0, (1...12).contains(month), day > 0 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return day <= (isLeap ? 29 : 28)
        case 4, 6, 9, 11: return day <= 30
        default: return day <= 31
        }
    }

    /// Whether a text of ten bytes or more begins with a date, `2026-11-20`.
    var isDate: Bool {
        self[4] == UInt8(ascii: "-") && self[7] == UInt8(ascii: "-")
            && isDay(year: digits(0, 4), month: digits(5, 2), day: digits(8, 2))
    }

    func begins(_ word: StaticString) -> Bool {
        guard count >= word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount where unsafe self[index] != word.utf8Start[index] { return false }
        return true
    }

    func equals(_ word: StaticString) -> Bool { count == word.utf8CodeUnitCount && begins(word) }
}
