import Foundation
import Testing

/// Feeds of real services over years, night after night, in `../shared/feeds`.
@Suite(.enabled(if: Feeds.isThere(Feeds.shared + "/attack-nights"), "no ../shared/feeds/attack-nights"))
struct NightsTests {
    private let scratch = TemporaryFolder()

    private func nights(_ feed: String) throws -> [String] {
        let folder = "\(Feeds.shared)/\(feed)-nights"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".zst") }
        return names.sorted().map { "\(folder)/\($0)" }
    }

    private func run(
        _ feed: String, _ night: String, store: String, _ options: [String] = []
    ) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", Sluice.path("Tests/EndToEndTests/Definitions/\(feed).jsonc")] + options,
            environment: ["FEED": night, "STORE": scratch.file(store)])
    }

    /// After each night the store is what a fresh import makes of it; its report is short, and what it tells first is
    /// new, or that nothing is.
    ///
    /// Of caniuse, whose nights grow to 300,000 values, those of a decade ago are enough.
    @Test(arguments: [("attack", 13), ("caniuse", 2)]) func eachNightIsAFreshImport(feed: String, count: Int) throws {
        var last: String?
        for (index, night) in try nights(feed).prefix(count).enumerated() {
            let outcome = try run(feed, night, store: "store.sqlite")
            #expect(outcome.status == 0, "\(night): \(outcome.output) \(outcome.errors)")
            #expect(outcome.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 61, "\(night)")
            if outcome.output.contains("unchanged; the store has this feed") { continue }
            _ = try run(feed, night, store: "fresh\(index).sqlite")
            #expect(try Database(scratch.file("store.sqlite")).equals(scratch.file("fresh\(index).sqlite")), "\(night)")
            if let last {
                let told = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)[3]
                #expect(
                    ["New since run \(last):", "Nothing new since run \(last)."].contains(told), "\(night): \(told)")
            }
            last = try Database(scratch.file("store.sqlite")).rows(
                "SELECT max(run) FROM sluice_run WHERE status = 'succeeded'")[0][0]
        }
    }

    /// What a night knows of its feed by the night before makes no difference to the store, to the byte, and to the
    /// report.
    @Test(arguments: [("attack", 13), ("caniuse", 3)])
    func whatIsKnownMakesNoDifference(feed: String, count: Int) throws {
        var known = 0
        for night in try nights(feed).prefix(count) {
            for (store, options) in [("quick.sqlite", []), ("full.sqlite", ["--force"])] {
                let findings = ["--findings", scratch.file(store + ".ndjson")]
                let outcome = try run(feed, night, store: store, options + findings)
                #expect(outcome.status == 0, "\(night): \(outcome.output) \(outcome.errors)")
            }
            let (quick, full) = try (Database(scratch.file("quick.sqlite")), Database(scratch.file("full.sqlite")))
            #expect(try quick.snapshot() == full.snapshot(), "\(night)")
            let (found, expected) = try (report(quick), report(full))
            if found["status"] as? String == "unchanged" { continue }
            known += found["known"] as? Int ?? 0
            for (key, value) in expected where !NightsTests.differing.contains(key) {
                #expect(try text(found[key] ?? "") == text(value), "\(key), \(night)")
            }
            let findings = try ["quick", "full"].map {
                try String(contentsOfFile: scratch.file($0 + ".sqlite.ndjson"), encoding: .utf8)
            }
            #expect(findings[0] == findings[1], "\(night)")
        }
        // The records of caniuse are members of objects, which are no items.
        if feed == "attack" { #expect(known > 4000) }
    }

    /// A store that keeps its history makes each night again, and scripts lead from each night to each later one.
    @Test(arguments: [("attack", 13), ("caniuse", 3)]) func aHistoryHasEachNight(feed: String, count: Int) throws {
        let text = try String(
            contentsOfFile: Sluice.path("Tests/EndToEndTests/Definitions/\(feed).jsonc"), encoding: .utf8)
        let definition = try scratch.write(
            "\(feed).jsonc", text.replacing("\n{", with: "\n{ \"history\": true,", maxReplacements: 1))
        let store = scratch.file("store.sqlite")
        let command = { (words: [String], night: String) in
            let outcome = try Sluice.run(
                words + ["--store", store], environment: ["FEED": night, "STORE": store])
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
            return outcome.output
        }
        let nights = try nights(feed).prefix(count)
        for (index, night) in nights.enumerated() {
            _ = try command(["run", definition, "--quiet"], night)
            try FileManager.default.copyItem(atPath: store, toPath: scratch.file("night-\(index + 1)"))
        }
        for run in 1...nights.count {
            let (copy, past) = (scratch.file("night-\(run)"), scratch.file("past-\(run)"))
            _ = try command(["at", definition, "\(run)", "--output", past], "")
            #expect(try Database(past).equals(copy), "run \(run)")
            for later in 1...nights.count where later > run {
                let script = try command(["diff", definition, "\(run)", "\(later)", "--format", "sql"], "")
                let changed = scratch.file("script-\(run)-\(later)")
                try FileManager.default.copyItem(atPath: past, toPath: changed)
                let database = try Database(changed)
                try database.execute(script)
                #expect(try database.equals(scratch.file("night-\(later)")), "from \(run) to \(later)")
                try FileManager.default.removeItem(atPath: changed)
            }
        }
    }

    /// What two runs of one night differ in.
    private static let differing = [
        "started", "finished", "seconds", "store", "cache", "known", "failing", "loaded", "findingsFile",
    ]

    private func report(_ store: Database) throws -> [String: Any] {
        let text = try store.rows("SELECT report FROM sluice_run ORDER BY run DESC LIMIT 1")[0][0]
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    private func text(_ value: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }
}
