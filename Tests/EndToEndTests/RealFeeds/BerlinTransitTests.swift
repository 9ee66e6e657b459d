import Foundation
import TestSupport
import Testing

/// `Pipelines/berlin-transit.jsonc` on `Samples/berlin-transit.json`, with its three flaws.
@Suite struct BerlinTransitTests {
    static let sample = Sluice.path("Samples/berlin-transit.json")
    private let scratch = TemporaryFolder()
    private var store: String { scratch.file("berlin.sqlite") }

    private func run(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", Sluice.path("Pipelines/berlin-transit.jsonc"), "--store", store, "--format", "json"] + more)
    }

    /// What the store should hold: the last copy of each record, references by identifier, null where they dangle.
    private func expected() throws -> [String: [[String]]] {
        var stops: [String: [String: Any]] = [:]
        for stop in try Feed.records(Self.sample, "stops") { stops[Feed.text(stop["stop_id"])] = stop }
        let times = try Feed.records(Self.sample, "stop_times").filter { $0["stop_sequence"] is NSNumber }
        let kinds = ["109": "suburban railway", "400": "underground"]
        func there(_ id: String) -> String { stops[id] == nil ? "∅" : id }
        let tables: [String: [[String]]] = [
            "Stop": stops.values.map { stop in
                let numbers = ["stop_lat", "stop_lon"].map { String(Double(Feed.text(stop[$0])) ?? 0) }
                return [Feed.text(stop["stop_id"]), Feed.text(stop["stop_name"])] + numbers
                    + [Feed.text(stop["platform_code"]), there(Feed.text(stop["parent_station"]))]
            },
            "Route": try Feed.records(Self.sample, "routes").map { route in
                ["route_id", "route_short_name", "route_long_name"].map { Feed.text(route[$0]) }
                    + [kinds[Feed.text(route["route_type"])] ?? "∅"]
            },
            "Trip": try Feed.records(Self.sample, "trips").map { trip in
                ["trip_id", "trip_headsign", "route_id"].map { Feed.text(trip[$0]) }
            },
            "StopTime": times.map { time in
                ["trip_id", "stop_sequence", "arrival_time", "departure_time", "trip_id"].map { Feed.text(time[$0]) }
                    + [there(Feed.text(time["stop_id"]))]
            },
        ]
        return tables.mapValues { $0.sorted { $0.lexicographicallyPrecedes($1) } }
    }

    @Test func theStoreIsWhatTheFeedSays() throws {
        let outcome = try run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Database(store).contents() == expected())
        #expect(try Database(store).isSound())
    }

    @Test func theFlawsAreCounted() throws {
        let outcome = try run()
        #expect(outcome.count("StopTime", "rejected") == 1)
        let duplicates = outcome.counts("Stop")["duplicates"] as? [String: Int]
        #expect(duplicates == ["identical": 0, "conflicting": 1])
        let stop = (outcome.counts("StopTime")["relationships"] as? [String: [String: Int]])?["stop"]
        #expect(stop == ["resolved": 64, "unresolved": 1, "null": 0, "late": 0])
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let kinds = examples.map { $0["kind"] as? String }
        #expect(kinds == ["duplicate", "unresolved", "reject"] + Array(repeating: "drift", count: 6))
        #expect((examples.first?["differs"] as? [String]) == ["name"])
        // Each place begins with the record.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.sample))
        for example in examples {
            let offset = (example["at"] as? [String: Any])?["offset"] as? Int ?? 0
            #expect(bytes[offset] == UInt8(ascii: "{"))
        }
    }

    @Test func aSecondRunChangesNothing() throws {
        _ = try run()
        let before = try Database(store).rows("SELECT * FROM StopTime ORDER BY objectID")
        let outcome = try run("--force")
        #expect(outcome.count("StopTime", "unchanged") == before.count)
        #expect(try Database(store).rows("SELECT * FROM StopTime ORDER BY objectID") == before)
        // The station that stands twice is what its second record says: in the end as before.
        #expect(outcome.count("Stop", "updated") == 0)
    }

    @Test(arguments: SeededRandom.seeds(0..<4))
    func theOrderOfRecordsMakesNoDifference(seed: Int) throws {
        // Of a duplicate, the last copy counts: without it, any order is the same.
        var document = try Feed.read(Self.sample) as? [String: Any] ?? [:]
        document["stops"] = Array((document["stops"] as? [[String: Any]] ?? []).dropLast())
        let feed = try scratch.write("feed.json", JSONSerialization.data(withJSONObject: document))
        let shuffled = try scratch.write("shuffled.json", Feed.shuffled(feed, seed: seed))
        let other = scratch.file("other.sqlite")
        let size = ["1", "7", "100000", "20"][seed % 4]
        #expect(try run("--feed", feed).status == 0)
        #expect(try run("--feed", shuffled, "--store", other, "--batch-size", size).status == 0)
        #expect(try Database(other).contents() == Database(store).contents())
    }

    @Test func standardInputIsAFeed() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.sample))
        let outcome = try Sluice.run(
            ["run", Sluice.path("Pipelines/berlin-transit.jsonc"), "--store", store, "--feed", "-"], input: bytes)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Database(store).contents() == expected())
    }

    @Test func batchesAreSavedForGood() throws {
        #expect(try run("--commit", "batch", "--batch-size", "10").status == 0)
        #expect(try Database(store).contents() == expected())
        #expect(try Database(store).isSound())
    }
}
