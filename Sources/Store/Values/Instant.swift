import Glibc
import SluiceRecords

/// A moment, to the nanosecond: what `datetime` attributes hold, in UTC. Leap seconds are those that follow them.
public struct Instant: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Since 1970-01-01T00:00:00Z; negative before. From the year 1 to the year 9999.
    public let seconds: Int64
    /// 0 to 999,999,999, after the second.
    public let nanoseconds: Int32

    private static let first: Int64 = -62_135_596_800
    private static let last: Int64 = 253_402_300_799

    /// A moment; nil outside the years 1 to 9999, or where `nanoseconds` is no part of a second.
    public init?(seconds: Int64, nanoseconds: Int32 = 0) {
        guard (Instant.first...Instant.last).contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else {
            return nil
        }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// By the clock of the machine.
    public static var now: Instant {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(clamping: Int64(time.tv_sec), Int32(time.tv_nsec))
    }

    private init(clamping seconds: Int64, _ nanoseconds: Int32) {
        self.seconds = min(max(seconds, Instant.first), Instant.last)
        self.nanoseconds = nanoseconds
    }

    /// Reads `2026-11-20T23:13:00Z`, with up to nine digits of a second; nil where the text is anything else.
    public init?(_ text: String) {
        guard let instant = unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe Instant(bytes: $0) }) ?? nil
        else {
            return nil
        }
        self = instant
    }

    init?(bytes: UnsafeBufferPointer<UInt8>) {
        let last = bytes.count - 1
        guard last >= 19, unsafe bytes[10] == UInt8(ascii: "T"), unsafe bytes[13] == UInt8(ascii: ":"),
            unsafe bytes[16] == UInt8(ascii: ":"), unsafe bytes[last] == UInt8(ascii: "Z"),
            let day = unsafe CalendarDate(digits: UnsafeBufferPointer(rebasing: bytes[0..<10])),
            let hour = unsafe FixedDigits.number(bytes[11..<13]), hour < 24,
            let minute = unsafe FixedDigits.number(bytes[14..<16]), minute < 60,
            let second = unsafe FixedDigits.number(bytes[17..<19]), second <= 60
        else { return nil }
        var nanoseconds = 0
        if last > 19 {
            let count = last - 20
            guard unsafe bytes[19] == UInt8(ascii: "."), (1...9).contains(count),
                let digits = unsafe FixedDigits.number(bytes[20..<last])
            else { return nil }
            nanoseconds = digits * Instant.powers[9 - count]
        }
        self.init(
            seconds: Int64(day.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second),
            nanoseconds: Int32(nanoseconds))
    }

    private static let powers = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]

    /// RFC 3339 in UTC, with as many digits of a second as it needs.
    public var description: String {
        var digits = 9
        while digits > 0, Int(nanoseconds) % Instant.powers[10 - digits] == 0 { digits -= 1 }
        return text(digits: digits)
    }

    /// With so many digits of a second; further ones are cut.
    func text(digits: Int) -> String {
        let day = Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
        let rest = Int(seconds) - day * 86_400
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { FixedDigits.padded($0, 2) }
        let date = CalendarDate(daysSince1970: day).map { "\($0)" } ?? "0001-01-01"
        let fraction =
            digits == 0 ? "" : "." + FixedDigits.padded(Int(nanoseconds) / Instant.powers[9 - digits], digits)
        return date + "T" + time.joined(separator: ":") + fraction + "Z"
    }

    /// Whether so many digits of a second say it all.
    func isExact(digits: Int) -> Bool { Int(nanoseconds) % Instant.powers[9 - digits] == 0 }

    /// Whether one comes before the other.
    public static func < (left: Instant, right: Instant) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension Instant: StoreValue {
    /// The form that a value has where nothing says another.
    public static var usualForm: StoredForm { StoredForm(.datetime, fraction: StoredForm.defaultFraction) }
    /// The value as a column of a form has it.
    public func stored(as form: StoredForm) throws(StoreError) -> SQLValue {
        guard let digits = form.fraction else { return .text(description) }
        guard isExact(digits: digits) else {
            throw StoreError(
                .invalid, "\(self) has more digits of a second than the \(digits) of the attribute")
        }
        return .text(text(digits: digits))
    }
    /// The value in a column of a row.
    public static func read(_ row: borrowing StoreRow, _ column: Int) throws(StoreError) -> Instant {
        guard let instant = unsafe try row.withText(column, { unsafe Instant(bytes: $0) }) else {
            throw row.mismatch(column, "a time such as 2026-11-20T23:13:00Z")
        }
        return instant
    }
}

extension Instant: Codable {
    /// Reads it.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let instant = Instant(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "\(text) is no time such as 2026-11-20T23:13:00Z"
                ))
        }
        self = instant
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
