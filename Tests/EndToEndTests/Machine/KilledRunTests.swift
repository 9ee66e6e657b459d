import Foundation
import TestSupport
import Testing

/// Runs that are killed at a random moment: the store is what it was, or what an undisturbed run makes it; and a rerun
/// makes it that.
@Suite(.serialized) struct KilledRunTests {
    private let scratch = TemporaryFolder()
    private var store: String { scratch.file("store.sqlite") }

    /// A timetable of some thousand stop times, references first.
    private func feed(_ version: Int) -> String {
        let times = (0..<12_000).map { index in
            """
            {"trip_id":"t\(index / 12)","stop_sequence":\(index % 12),"stop_id":"s\(index % 97)",\
            "arrival_time":"\(version):\(index % 60)"}
            """
        }
        let trips = (0..<1000).map {
            "{\"trip_id\":\"t\($0)\",\"route_id\":\"r\($0 % 7)\",\"trip_headsign\":\"v\(version)\"}"
        }
        let routes = (0..<7).map { "{\"route_id\":\"r\($0)\",\"route_short_name\":\"\($0)\",\"route_type\":400}" }
        let stops = (0..<97).map { "{\"stop_id\":\"s\($0)\",\"stop_name\":\"Stop \($0)\"}" }
        let parts = [("stop_times", times), ("trips", trips), ("routes", routes), ("stops", stops)]
        return "{" + parts.map { "\"\($0)\":[\($1.joined(separator: ",\n"))]" }.joined(separator: ",") + "}"
    }

    private func arguments(_ feed: String) -> [String] {
        [
            "run", Sluice.path("Pipelines/berlin-transit.jsonc"), "--store", store, "--feed", feed, "--batch-size",
            "500",
            "--quiet",
        ]
    }

    /// Starts a run, and kills it after a while; whether that is what ended it.
    private func kill(_ feed: String, after seconds: Double) throws -> Bool {
        let process = Process()
        process.executableURL = Sluice.executable
        process.arguments = arguments(feed)
        process.standardError = FileHandle.nullDevice
        try process.run()
        Thread.sleep(forTimeInterval: seconds)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitForEnd()
        return process.terminationReason == .uncaughtSignal
    }

    /// Starts runs, each of which is to be killed, until that has been done often enough; what a run leaves is checked
    /// in any case. Where the machine has become quicker than it was, runs are killed earlier.
    private func killRuns(lasting duration: Double, _ body: (_ round: Int, _ seconds: Double) throws -> Bool) throws {
        var random = SeededRandom(1)
        var (killed, longest) = (0, duration)
        for round in 0..<4 * KilledRunTests.deaths where killed < KilledRunTests.deaths {
            if try body(round, Double.random(in: 0...longest, using: &random)) { killed += 1 } else { longest *= 0.8 }
        }
        #expect(killed == KilledRunTests.deaths)
    }

    private static let deaths = 5

    /// How long an undisturbed run takes here: what the moments of death are drawn from.
    private func duration(_ feed: String) throws -> Double {
        let start = Date()
        #expect(try Sluice.run(arguments(feed)).status == 0)
        return Date().timeIntervalSince(start)
    }

    @Test func aNewStoreIsThereAsAWholeOrNotAtAll() throws {
        let feed = try scratch.write("feed.json", feed(1))
        let duration = try duration(feed)
        let expected = try Database(store).contents()
        try killRuns(lasting: duration) { _, seconds in
            try scratch.remove("store.sqlite")
            let isKilled = try kill(feed, after: seconds)
            if scratch.names.contains("store.sqlite") { #expect(try Database(store).contents() == expected) }
            #expect(try Sluice.run(arguments(feed)).status == 0)
            #expect(try Database(store).contents() == expected)
            #expect(try Database(store).isSound())
            let files = scratch.names.filter { $0.hasPrefix("store") }
            #expect(files == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
            return isKilled
        }
    }

    @Test func anExistingStoreIsAsBeforeOrAfter() throws {
        let feeds = try [scratch.write("one.json", feed(1)), scratch.write("two.json", feed(2))]
        let duration = try duration(feeds[0])
        var states = [try Database(store).contents()]
        #expect(try Sluice.run(arguments(feeds[1])).status == 0)
        states.append(try Database(store).contents())
        try killRuns(lasting: duration) { round, seconds in
            // The store holds one version of the feed; a run that brings the other is killed.
            let next = round % 2
            let isKilled = try kill(feeds[next], after: seconds)
            #expect(try Database(store).isSound())
            let contents = try Database(store).contents()
            #expect(contents == states[0] || contents == states[1])
            #expect(try Sluice.run(arguments(feeds[next])).status == 0)
            #expect(try Database(store).contents() == states[next])
            return isKilled
        }
    }

    /// While a run goes on, a reader sees the old state or the new one, and never waits.
    @Test func aReaderSeesNoHalfState() async throws {
        let feeds = try [scratch.write("one.json", feed(1)), scratch.write("two.json", feed(2))]
        #expect(try Sluice.run(arguments(feeds[0])).status == 0)
        let process = Process()
        process.executableURL = Sluice.executable
        process.arguments = arguments(feeds[1])
        let reader = try Database(store)
        try process.run()
        var seen: Set<[String]> = []
        repeat {
            // One statement is one transaction: both counts are of one moment.
            seen.insert(
                try reader.rows(
                    """
                    SELECT (SELECT count(*) FROM StopTime WHERE arrival LIKE '1:%'),
                    (SELECT count(*) FROM Trip WHERE headsign = 'v1')
                    """)[0])
        } while process.isRunning
        #expect(process.terminationStatus == 0)
        #expect(seen.isSubset(of: [["12000", "1000"], ["0", "0"]]))
    }
}
