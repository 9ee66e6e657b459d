import Glibc
import SluiceDefinition

/// A moment of the system's clock.
public struct Timestamp: Sendable, Hashable {
    private var seconds: Int
    private var nanoseconds = 0

    /// Seconds since 1970.
    package init(seconds: Int) { self.seconds = seconds }

    private init(seconds: Int, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// By the clock of the machine.
    package static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    /// Reads what `text` gives.
    init?(text: String) {
        let words = text.split { !("0"..."9").contains($0) }
        let numbers = words.compactMap { Int32($0) }
        guard text.utf8.count == 20, text.hasSuffix("Z"), words.map(\.count) == [4, 2, 2, 2, 2, 2], numbers.count == 6
        else { return nil }
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        self.init(seconds: unsafe timegm(&parts), nanoseconds: 0)
    }

    /// Whether there is such a moment as a text says that is the beginning of what `text` gives, or all of it; minutes
    /// end with `Z`, too. 30 February is none.
    package static func isThere(_ text: String) -> Bool {
        let written = text.hasSuffix("Z") ? String(text.dropLast()) : text
        let whole = written + "0000-01-01T00:00:00".dropFirst(written.utf8.count) + "Z"
        return Timestamp(text: whole)?.text == whole
    }

    /// Seconds between two moments; negative where the other is later.
    public func secondsSince(_ earlier: Timestamp) -> Double {
        Double(seconds - earlier.seconds) + Double(nanoseconds - earlier.nanoseconds) / 1e9
    }

    /// Seconds since 1970, in UTC.
    public var unixSeconds: Double { Double(seconds) + (Double(nanoseconds) / 1e6).rounded() / 1e3 }

    /// RFC 3339 in UTC, to the second: `2026-11-20T02:00:00Z`.
    public var text: String {
        var time = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        let (year, month, day) = unsafe (parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
        let (hour, minute, second) = unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec)
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
            + "T\(padded(hour)):\(padded(minute)):\(padded(second))Z"
    }

    /// What `text` gives, for tables: `2026-11-20 02:00`.
    package static func minutes(of text: String) -> String {
        text.utf8.count == 20 ? "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))" : text.printable
    }

    private func padded(_ number: Int32, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
