import Foundation
import TestSupport
import Testing

/// The real feed in `../shared/feeds/vbb`, which is not part of the project: the tests are skipped where it is missing.
@Suite(.enabled(if: Feeds.isThere(Feeds.shared + "/vbb"), "no ../shared/feeds/vbb"))
struct BerlinBrandenburgTests {
    static let feed = Feeds.shared + "/vbb/feed.json.zst"
    private let scratch = TemporaryFolder()
    private var store: String { scratch.file("vbb.sqlite") }

    private func run(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", Sluice.path("Tests/EndToEndTests/Definitions/vbb.jsonc"), "--format", "json"] + more,
            environment: ["FEEDS": Feeds.shared, "STORE": store])
    }

    /// The feed, decompressed by the command line tool.
    private func plainFeed() throws -> String {
        let plain = scratch.file("feed.json")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/zstd")
        process.arguments = ["-dqf", Self.feed, "-o", plain]
        try process.run()
        process.waitForEnd()
        return plain
    }

    @Test func theStoreHoldsTheWholeFeed() throws {
        let outcome = try run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let expected = [
            "Agency": 37, "Stop": 211, "Route": 6, "Trip": 348, "StopTime": 8865, "Calendar": 2052,
            "CalendarDate": 38184, "ShapePoint": 8328,
        ]
        for (entity, count) in expected {
            #expect(outcome.count(entity, "created") == count, "\(entity)")
            #expect(try Database(store).integer("SELECT count(*) FROM \(entity)") == count, "\(entity)")
        }
        let findings = outcome.report["findings"] as? [String: Int]
        #expect(findings?["unresolved"] == 211)
        #expect(findings?["duplicate"] == 0)
        #expect(try Database(store).isSound())
    }

    @Test func stopTimesAreWhatANaiveReadingGives() throws {
        _ = try run()
        let plain = try plainFeed()
        let contents = try Database(store).contents()
        let times = try Feed.records(plain, "stop_times").map { time in
            ["trip_id", "stop_sequence", "arrival_time", "departure_time", "trip_id", "stop_id"].map {
                Feed.text(time[$0])
            }
        }
        #expect(contents["StopTime"] == times.sorted { $0.lexicographicallyPrecedes($1) })
        let dates = try Feed.records(plain, "calendar_dates").map { date in
            let digits = Feed.text(date["date"])
            let day = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
            let service = Feed.text(date["service_id"])
            return [service, day, Feed.text(date["exception_type"]) == "1" ? "added" : "removed", service]
        }
        #expect(contents["CalendarDate"] == dates.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func aSecondRunChangesNothing() throws {
        _ = try run()
        let before = try Database(store).contents()
        let outcome = try run("--force")
        let entities = outcome.report["entities"] as? [String: [String: Any]] ?? [:]
        #expect(entities.count == 8)
        for (name, counts) in entities { #expect(counts["unchanged"] as? Int == counts["records"] as? Int, "\(name)") }
        #expect(try Database(store).contents() == before)
    }

    @Test(arguments: [1])
    func theOrderOfRecordsMakesNoDifference(seed: Int) throws {
        _ = try run()
        let shuffled = try scratch.write("shuffled.json", Feed.shuffled(plainFeed(), seed: seed))
        let other = scratch.file("other.sqlite")
        #expect(try run("--feed", shuffled, "--store", other, "--batch-size", "97").status == 0)
        #expect(try Database(other).contents() == Database(store).contents())
    }
}
