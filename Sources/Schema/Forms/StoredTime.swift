import SluiceRecords

/// A time as stores hold it: `2026-11-20T23:13:00.25Z`, UTC, with any number of digits of a second.
package struct StoredTime {
    /// Up to the seconds.
    private let head: String
    /// The digits of a second, without zeros at the end.
    private let fraction: String

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        head = String(decoding: bytes[..<19], as: UTF8.self)
        guard StoredTime.isDay(String(head.prefix(10))), StoredTime.isTime(bytes[10..<19]) else { return nil }
        var digits = bytes[19..<bytes.count - 1]
        if !digits.isEmpty {
            guard digits.removeFirst() == UInt8(ascii: "."), !digits.isEmpty,
                digits.allSatisfy(\.isDigit)
            else { return nil }
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        fraction = String(decoding: digits, as: UTF8.self)
    }

    /// How many digits of a second it needs.
    var digits: Int { fraction.utf8.count }

    /// With so many digits of a second; nil if it has more.
    func text(digits: Int) -> String? {
        guard self.digits <= digits else { return nil }
        let zeros = String(repeating: "0", count: digits - self.digits)
        return head + (digits > 0 ? "." : "") + fraction + zeros + "Z"
    }

    /// Whether a text is a day of the calendar, `YYYY-MM-DD`.
    package static func isDay(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], let numbers = numbers(parts), numbers[0] >= 1 else { return false }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard (1...12).contains(month) else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day)
    }

    /// `THH:MM:SS`; a second may be a leap second.
    private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.dropFirst().split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard text.first == UInt8(ascii: "T"), parts.map(\.count) == [2, 2, 2], let numbers = numbers(parts) else {
            return false
        }
        return numbers[0] <= 23 && numbers[1] <= 59 && numbers[2] <= 60
    }

    private static func numbers(_ parts: [some Collection<UInt8>]) -> [Int]? {
        let areDigits = parts.allSatisfy { $0.allSatisfy(\.isDigit) }
        guard areDigits else { return nil }
        return parts.map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    }
}
