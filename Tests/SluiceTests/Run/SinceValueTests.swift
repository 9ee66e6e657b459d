import SluiceFetch
import SluiceRecords
import Testing

@testable import Sluice
@testable import SluiceDefinition

/// A stored value as a service is told of it.
struct SinceValueTests {
    private func value(
        _ stored: String, _ type: AttributeType, overlap: Double = 0, _ format: WebSource.Since.Format = .rfc3339
    ) -> String? {
        var since = WebSource.Since(parameter: PageParameter("p"), entity: 0, attribute: 0)
        since.overlap = overlap
        since.format = format
        return since.value(stored, type)
    }

    @Test(arguments: [
        ("2026-03-01T00:05:00Z", 600.0, "2026-02-28T23:55:00Z"), ("2024-03-01T00:00:00.75Z", 1, "2024-02-29T23:59:59Z"),
        ("2026-01-01T00:00:00Z", 0.5, "2025-12-31T23:59:59Z"),
        ("2026-01-01T00:00:00.125000Z", 0, "2026-01-01T00:00:00.125Z"),
        ("2026-01-01T00:00:10.000000Z", 0, "2026-01-01T00:00:10Z"),
        ("2026-01-01T00:00:10Z", 0, "2026-01-01T00:00:10Z"),
        ("1970-01-01T00:00:00Z", 1, "1969-12-31T23:59:59Z"),
    ])
    func timesGoBack(_ stored: String, _ overlap: Double, _ expected: String) {
        #expect(value(stored, .datetime, overlap: overlap) == expected)
    }

    /// In local time, rounded down; in an hour that comes twice, as the hour before, which is not later for anybody.
    @Test(arguments: [
        ("2026-07-01T10:00:00.9Z", "%Y-%m-%d %H:%M:%S", "2026-07-01 12:00:00"),
        ("2026-01-01T10:00:59Z", "%d.%m.%y %R", "01.01.26 11:00"), ("2026-01-01T23:30:00Z", "%F", "2026-01-02"),
        ("2026-10-24T23:59:59Z", "%F %T", "2026-10-25 01:59:59"),
        ("2026-10-25T00:30:00Z", "%F %T", "2026-10-25 01:30:00"),
        ("2026-10-25T01:30:00Z", "%F %T", "2026-10-25 01:30:00"),
        ("2026-10-25T02:00:00Z", "%F %T", "2026-10-25 03:00:00"),
        ("9998-07-01T10:00:00Z", "%Y%m%d%H%M%S 100%%", "99980701120000 100%"),
    ])
    func timesAreWrittenAsTheServiceHasThem(_ stored: String, _ format: String, _ expected: String) {
        #expect(value(stored, .datetime, .written(format, zone: "Europe/Berlin")) == expected)
    }

    @Test func datesHaveNoZone() {
        #expect(value("2026-03-01", .date, .written("%d/%m/%Y", zone: "America/New_York")) == "01/03/2026")
    }

    @Test(arguments: [(0.0, "2026-03-01"), (1, "2026-02-28"), (86400, "2026-02-28"), (86401, "2026-02-27")])
    func datesGoBackByWholeDays(_ overlap: Double, _ expected: String) {
        #expect(value("2026-03-01", .date, overlap: overlap) == expected)
    }

    /// An overlap may be larger than all that there is.
    @Test(arguments: [1e30, .infinity, 0x1p63, 1e300])
    func overlapsEndAtTheBeginning(_ overlap: Double) {
        #expect(value("2026-03-01T00:05:00Z", .datetime, overlap: overlap) == "0001-01-01T00:00:00Z")
        #expect(value("2026-03-01", .date, overlap: overlap) == "0001-01-01")
        #expect(value("2026-03-01", .date, overlap: overlap, .unixMilliseconds) == "-62135596800000")
        #expect(value("17", .integer, overlap: overlap) == String(17 - Int64.max))
        #expect(value("-17", .integer, overlap: overlap) == String(Int64.min))
        #expect(value("17", .real, overlap: overlap).flatMap(Double.init)?.isFinite == true)
    }

    @Test func secondsCount() {
        #expect(value("1970-01-02T00:00:01.9Z", .datetime, .unix) == "86401")
        #expect(value("1970-01-02", .date, .unixMilliseconds) == "86400000")
    }

    /// Seconds are cut off downwards, and milliseconds are not cut off.
    @Test(arguments: [
        ("2026-01-01T00:00:00.123000Z", 0.0, "1767225600123"), ("2026-01-01T00:00:00.1234Z", 0.001, "1767225600122"),
        ("2026-01-01T00:00:00Z", 0.0001, "1767225599999"), ("1969-12-31T23:59:59.500000Z", 0, "-500"),
    ])
    func millisecondsCount(_ stored: String, _ overlap: Double, _ expected: String) {
        #expect(value(stored, .datetime, overlap: overlap, .unixMilliseconds) == expected)
    }

    @Test func numbersAndTexts() {
        #expect(value("17", .integer, overlap: 20) == "-3")
        #expect(value("17", .integer, overlap: 1.5) == "15")
        #expect(value("-9223372036854775808", .integer) == "-9223372036854775808")
        #expect(value("2.5", .real, overlap: 0.25) == "2.25")
        #expect(value("b", .text) == "b")
        #expect(value("nonsense", .datetime, overlap: 1) == nil)
    }
}

struct QuantityTests {
    @Test(
        arguments: [
            ("30s", 30), ("1.5 m", 90), ("500ms", 0.5), ("2h", 7200), ("1d", 86400), ("0s", 0), ("30", nil), ("s", nil),
            ("-1s", nil), ("1 week", nil), ("1e3s", nil), ("1.s", nil), (" 1s", nil), ("", nil), ("٣s", nil),
        ] as [(String, Double?)])
    func durations(_ text: String, _ seconds: Double?) {
        #expect(Quantities.duration(text) == seconds)
    }

    @Test(
        arguments: [
            ("1 B", 1), ("4 GiB", 4 << 30), ("500MB", 500_000_000), ("1.5 KiB", 1536), ("2 TiB", 2 << 40),
            ("0.1 B", nil),
            ("99999999999 TB", nil), ("4", nil), ("4 gib", nil), ("GiB", nil),
        ] as [(String, UInt64?)])
    func sizes(_ text: String, _ bytes: UInt64?) {
        #expect(Quantities.size(text) == bytes)
        // A command line may leave the unit out.
        #expect(byteCount(of: text) == (text == "4" ? 4 : bytes.map { Int($0) }))
    }

    @Test(arguments: ["", "0", "-1", "+1", "٣", "1e3", "1.5", "9223372036854775808", "5 ", "1MiBs", "0 MiB"])
    func noSizes(text: String) { #expect(byteCount(of: text) == nil) }

    @Test(
        arguments: [
            ("10/s", 0.1), ("1/m", 60), ("0.5/s", 2), ("0/s", nil), ("10", nil), ("10/", nil), ("/s", nil),
            ("1/s/s", nil),
        ] as [(String, Double?)])
    func rates(_ text: String, _ interval: Double?) {
        #expect(Quantities.interval(text) == interval)
    }
}
