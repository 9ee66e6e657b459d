import Foundation
import Testing

/// Records that cannot become objects: with the default limit the run fails and names the limit; with a higher one the
/// others are loaded.
@Suite struct BadRecordTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// A record, on line 2.
        var record: String
        var member: String
        /// What the reason says.
        var reason: String
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "lone surrogate", record: #"{"id": 8, "name": "\ud800!"}"#, member: "name", reason: "surrogate"),
        Case(
            name: "object for a text", record: #"{"id": 8, "name": {"de": "acht"}}"#, member: "name",
            reason: "text expected, found an object"),
        Case(
            name: "word for a number", record: #"{"id": 8, "price": "n/a"}"#, member: "price",
            reason: #"real expected, found the string "n/a""#),
        Case(name: "too large", record: #"{"id": 9223372036854775808}"#, member: "id", reason: "integer expected"),
        Case(name: "no identifier", record: #"{"name": "eight"}"#, member: "id", reason: "identifier"),
        Case(name: "null for an identifier", record: #"{"id": null}"#, member: "id", reason: "identifier"),
    ]

    private func write(_ bad: Case, to scene: Scene) throws {
        _ = try scene.folder.write("feed.json", Scene.beginning + bad.record + ", {\"id\": 9}]}")
    }

    @Test(arguments: cases, StoreState.allCases)
    func theRunFailsAndNamesTheLimit(bad: Case, state: StoreState) throws {
        let scene = try Scene(state)
        try write(bad, to: scene)
        try scene.fails(
            65,
            [
                "The limit of 0 rejects is exceeded: there is 1 (limits.rejects, by default; --allow rejects=1 for one"
                    + " run).",
                "1 rejected record: \(scene.feed):2:1: ",
                "\(bad.member): ", bad.reason, "failed; nothing was changed",
            ])
        let outcome = try scene.run(["--format", "json"])
        let exceeded = outcome.report["exceeded"] as? [[String: Any]] ?? []
        #expect(exceeded.count == 1)
        #expect(exceeded.first?["limit"] as? String == "rejects")
        #expect(exceeded.first?["allowed"] as? Int == 0)
        #expect(exceeded.first?["found"] as? Int == 1)
    }

    /// Also who reads only standard error, or asks for silence, is told why the run failed.
    @Test(arguments: [[], ["--quiet"], ["--format", "json"], ["--log", "json", "-q"]])
    func theLimitIsAnError(options: [String]) throws {
        let scene = try Scene(.existing)
        try write(BadRecordTests.cases[1], to: scene)
        let outcome = try scene.run(options)
        #expect(outcome.status == 65)
        let message =
            "the limit of 0 rejects is exceeded: there is 1 (limits.rejects, by default; --allow rejects=1 for one run)"
        if options.contains("--log") {
            let line = try #require(outcome.errors.split(separator: "\n").first)
            #expect(line.contains(#""level": "error", "message": "\#(message)""#))
        } else {
            #expect(outcome.errors == "sluice: \(message)\n")
        }
    }

    @Test(arguments: cases)
    func withinTheLimitTheOthersAreLoaded(bad: Case) throws {
        let scene = try Scene(.new, settings: #""limits": { "rejects": 1 },"#)
        try write(bad, to: scene)
        let outcome = try scene.run(["--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Item", "rejected") == 1)
        #expect(outcome.count("Item", "created") == 3)
        #expect(try Database(scene.store).rows("SELECT id FROM Item ORDER BY 1") == [["1"], ["7"], ["9"]])
    }

    /// A share holds for each entity, a count for the run; what is exceeded is said of the entity.
    @Test func aShareIsOfTheRecordsOfAnEntity() throws {
        let scene = try Scene(.existing, settings: #""limits": { "rejects": "25%", "unresolved": "50%" },"#)
        _ = try scene.folder.write(
            "feed.json", #"{"items": [{"id": 1, "parent": 5}, {"id": "x"}, {"id": 2}, {"id": 3}]}"#)
        try scene.fails(
            65, ["The limit of 1 unresolved of Item (50% of 3 references, rounded down) is"])
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1}, {"id": "x"}, {"id": 2}, {"id": 3}]}"#)
        #expect(try scene.run().status == 0)
        _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1}, {"id": "x"}, {"id": 2}]}"#)
        try scene.fails(
            65,
            ["The limit of 0 rejects of Item (25% of 3 records, rounded down) is exceeded:"])
    }

    /// With `commit: batch` a failed run has saved what came before; the report says so by not saying otherwise.
    @Test func savedBatchesStay() throws {
        let scene = try Scene(.existing)
        _ = try scene.folder.write("feed.json", Scene.beginning + "{]}")
        let outcome = try scene.run(["--commit", "batch"])
        #expect(outcome.status == 65)
        #expect(!outcome.output.contains("nothing was changed"))
        #expect(try Database(scene.store).rows("SELECT name FROM Item WHERE id = 7") == [["new"]])
        let last = "SELECT status FROM sluice_run ORDER BY run DESC LIMIT 1"
        #expect(try Database(scene.store).rows(last) == [["failed"]])
        #expect(try Database(scene.store).isSound())
    }
}
