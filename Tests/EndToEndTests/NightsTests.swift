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

    private func run(_ feed: String, _ night: String, store: String) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", Sluice.path("Tests/EndToEndTests/Definitions/\(feed).jsonc")],
            environment: ["FEED": night, "STORE": scratch.file(store)], command: Sluice.delivered)
    }

    /// After each night the store is what a fresh import makes of it; its report fits a screen, and what it tells first
    /// is new, or that nothing is.
    ///
    /// Of caniuse, whose nights grow to 300,000 values, those of a decade ago are enough.
    @Test(arguments: [("attack", 13), ("caniuse", 2)]) func eachNightIsAFreshImport(feed: String, count: Int) throws {
        var last: String?
        for (index, night) in try nights(feed).prefix(count).enumerated() {
            let outcome = try run(feed, night, store: "store.sqlite")
            #expect(outcome.status == 0, "\(night): \(outcome.output) \(outcome.errors)")
            #expect(outcome.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 41, "\(night)")
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
}
