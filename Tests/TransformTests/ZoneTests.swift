import Foundation
import SluiceRecords
import Testing

@testable import SluiceTransform

/// Local times, and the changes of clocks.
@Suite struct ZoneTests {
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Europe/Dublin", "Africa/Casablanca", "Australia/Lord_Howe",
        "Asia/Kathmandu", "Pacific/Apia", "America/Godthab", "Asia/Gaza",
    ])
    func everyChangeOfClocks(_ name: String) throws {
        let zone = try Zone(named: name)
        let foundation = try #require(TimeZone(identifier: name))
        var moment = Date(timeIntervalSince1970: -2_000_000_000)
        var changes = 0
        // Beyond 2037 the rule of the file holds.
        while let next = foundation.nextDaylightSavingTimeTransition(after: moment), next.timeIntervalSince1970 < 4e9 {
            moment = next
            let utc = Int64(next.timeIntervalSince1970)
            let before = Int64(foundation.secondsFromGMT(for: next.addingTimeInterval(-1)))
            let after = Int64(foundation.secondsFromGMT(for: next))
            guard before != after else { continue }
            changes += 1
            // On the local clock: from the earlier to the later of its two readings.
            let low = utc + min(before, after)
            let high = utc + max(before, after)
            let between: Zone.Moment = after > before ? .skipped : .repeated
            #expect(zone.universal(low) == between, "\(next)")
            #expect(zone.universal((low + high) / 2) == between, "\(next)")
            #expect(zone.universal(high - 1) == between, "\(next)")
            #expect(zone.universal(low - 1) == .once(low - 1 - before), "\(next)")
            #expect(zone.universal(high) == .once(high - after), "\(next)")
        }
        #expect(changes > (name == "Asia/Kathmandu" ? 0 : 3))
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Tokyo", "America/Sao_Paulo"])
    func randomMoments(_ name: String) throws {
        let zone = try Zone(named: name)
        let foundation = try #require(TimeZone(identifier: name))
        for _ in 0..<2_000 {
            let utc = Int64.random(in: -2_000_000_000...10_000_000_000)
            let offset = Int64(foundation.secondsFromGMT(for: Date(timeIntervalSince1970: Double(utc))))
            switch zone.universal(utc + offset) {
            case .once(let found): #expect(found == utc)
            case .repeated: continue
            case .skipped: Issue.record("\(utc) is skipped in \(name)")
            }
        }
    }

    @Test func farFuture() throws {
        let zone = try Zone(named: "Europe/Berlin")
        // The last Sundays of March and October 9998 are the 29th and the 25th.
        let january = CivilTime(year: 9998).seconds
        let march = january + Int64(31 + 28 + 28) * 86_400
        #expect(zone.universal(january) == .once(january - 3600))
        #expect(zone.universal(march + 7200) == .skipped)
        #expect(zone.universal(march + 10_800) == .once(march + 3600))
        let october = january + Int64(273 + 24) * 86_400
        #expect(zone.universal(october + 7200) == .repeated)
        #expect(zone.universal(october + 7200, .earlier) == .once(october))
        #expect(zone.universal(october + 7200, .later) == .once(october + 3600))
        #expect(zone.universal(march + 7200, .later) == .skipped)
        #expect(zone.universal(october + 10_800) == .once(october + 7200))
    }

    @Test func aClockChangeIsAReject() throws {
        let zone = "Europe/Berlin"
        #expect(
            try convert("2026-03-29T02:30:00", .datetime, timeZone: zone)
                == .fault(
                    "datetime expected, but the string \"2026-03-29T02:30:00\" is a local time that a clock change skips"
                ))
        #expect(
            try convert("2026-10-25 02:30:00.5", .datetime, timeZone: zone)
                == .fault(
                    "datetime expected, but the string \"2026-10-25 02:30:00.5\" is a local time that a clock change repeats"
                ))
        #expect(try convert("2026-10-25T02:30:00+02:00", .datetime, timeZone: zone) == "2026-10-25T00:30:00.000000Z")
        #expect(try convert("2026-07-01T12:00:00", .datetime, timeZone: zone) == "2026-07-01T10:00:00.000000Z")
        #expect(try convert("1890-01-01T00:53:28", .datetime, timeZone: zone) == "1890-01-01T00:00:00.000000Z")
    }

    @Test(arguments: [nil, "%Y-%m-%dT%H:%M:%S"], [nil, "rfc3339"])
    func theDefinitionSaysWhichOfTwoIsMeant(format: String?, other: String?) throws {
        var conversion = Conversion(.datetime, format: format, timeZone: "Europe/Berlin")
        if format != nil { conversion.otherFormats = [other].compactMap { $0 } }
        let values: [Raw] = ["2026-10-25T02:30:00", "2026-10-25T03:30:00"]
        conversion.repeatedHour = .earlier
        #expect(try convert(values, conversion) == ["2026-10-25T00:30:00.000000Z", "2026-10-25T02:30:00.000000Z"])
        conversion.repeatedHour = .later
        #expect(try convert(values, conversion) == ["2026-10-25T01:30:00.000000Z", "2026-10-25T02:30:00.000000Z"])
    }

    @Test func utcNeedsNoDatabase() throws {
        #expect(try Zone(named: "UTC").universal(5) == .once(5))
    }

    @Test(arguments: [
        "Europe/Atlantis", "", "Europe", "../../../etc/passwd", "/etc/localtime", "tzdata.zi", "Europe/Berlin\0",
    ])
    func unknownZones(_ name: String) {
        #expect(Transformer.check(timeZone: name) != nil)
    }

    @Test(arguments: [
        ("Europe/Berln", "Europe/Berlin"), ("Europe/Berlim", "Europe/Berlin"), ("America/New York", "America/New_York"),
        ("berlin", "Europe/Berlin"),
    ])
    func theZoneThatIsMeantIsNamed(_ name: String, _ meant: String) {
        #expect(Transformer.check(timeZone: name)?.hasSuffix(": did you mean \(meant)?") == true)
    }

    @Test func everyZoneOfTheDatabaseIsRead() {
        for name in TimeZone.knownTimeZoneIdentifiers {
            #expect(Transformer.check(timeZone: name) == nil)
        }
    }

    @Test func rules() throws {
        #expect(ZoneRule("CET-1")?.changes == nil)
        let dublin = try #require(ZoneRule("IST-1GMT0,M10.5.0,M3.5.0/1")?.changes)
        #expect(dublin.transitions(in: 2026).map(\.offset) == [3600, 0])
        #expect(ZoneRule("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1") != nil)
        #expect(ZoneRule("EST5EDT,0/0,J365/25") != nil)
        let julian = try #require(ZoneRule("AAA0BBB,J60,J61")?.changes)
        // The 1st of March, leap year or not.
        #expect(julian.transitions(in: 2024)[0].start == 1_709_258_400)
        #expect(julian.transitions(in: 2023)[0].start == 1_677_636_000)
        for text in ["", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1 ", "<CET-1"] {
            #expect(ZoneRule(text) == nil, "\(text)")
        }
    }

    @Test func damagedFilesAreRefused() throws {
        let bytes = try ZoneFile.bytes(ofZone: "Europe/Berlin")
        #expect(ZoneFile(bytes) != nil)
        for length in stride(from: 0, to: bytes.count - 1, by: 7) {
            #expect(ZoneFile(Array(bytes.prefix(length))) == nil)
        }
    }
}
