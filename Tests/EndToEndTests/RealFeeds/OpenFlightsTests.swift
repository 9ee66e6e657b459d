import Foundation
import Testing

/// The real feeds in `../shared/feeds/openflights`, which have rejects, conflicting duplicates and dangling references.
@Suite(.enabled(if: Feeds.isThere(Feeds.shared + "/openflights"), "no ../shared/feeds/openflights"))
struct OpenFlightsTests {
    private let scratch = TemporaryFolder()

    private func run(_ more: [String]) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", Sluice.path("Tests/EndToEndTests/Definitions/openflights.jsonc")] + more,
            environment: ["FEEDS": Feeds.shared, "STORE": scratch.file("openflights.sqlite")]
        )
    }

    /// With the defaults the planes without a code fail the run, and the reader sees that first. On a terminal, all of
    /// it would be on one screen; here five of a kind are shown.
    @Test func theReportIsShortAndSaysTheWorstFirst() throws {
        let outcome = try run([])
        #expect(outcome.status == 65)
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 61)
        #expect(lines[3] == "The limit of 0 rejects is exceeded: there are 12 (limits.rejects, by default;")
        #expect(lines[4] == "  --allow rejects=12 for one run).")
        #expect(lines[5] == "12 rejected records:")
        #expect(outcome.output.contains("\n16 conflicting duplicates:\n"))
        #expect(outcome.output.contains("\n1 field that the definition does not use:\n  Airport: source\n"))
    }

    @Test func theStoreHoldsWhatTheFeedsHold() throws {
        let definition = scratch.file("openflights.jsonc")
        let text = try String(
            contentsOfFile: Sluice.path("Tests/EndToEndTests/Definitions/openflights.jsonc"), encoding: .utf8)
        try text.replacing("\"store\":", with: "\"limits\": { \"rejects\": 12 }, \"store\":", maxReplacements: 1)
            .write(toFile: definition, atomically: true, encoding: .utf8)
        let outcome = try Sluice.run(
            ["run", definition, "--format", "json"],
            environment: ["FEEDS": Feeds.shared, "STORE": scratch.file("openflights.sqlite")]
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let created = ["Country": 259, "Airline": 6162, "Airport": 7698, "Plane": 220, "Route": 67663]
        for (entity, count) in created { #expect(outcome.count(entity, "created") == count, "\(entity)") }
        let findings = outcome.report["findings"] as? [String: Int] ?? [:]
        #expect(findings["unresolved"] == 231 + 147 + 318 + 327 + 14495)
        #expect(findings["reject"] == 12)
        #expect(try Database(scratch.file("openflights.sqlite")).isSound())
    }
}
