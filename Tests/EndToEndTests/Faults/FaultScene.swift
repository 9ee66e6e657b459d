import Foundation
import Testing

/// A pipeline whose runs are disturbed, and what its store may hold afterwards.
///
/// The feed has some hundred items, which refer to others before and behind them, in two versions. The store is new, or
/// holds the first version; the run that is disturbed brings the second.
final class FaultScene {
    static let count = 1200
    static let batch = 100

    struct Case: Sendable, CustomTestStringConvertible {
        var state: StoreState
        var commit: String
        /// Whether the run before has left fingerprints, and most of the feed is as it was.
        var knowsFeed = false
        /// Whether the store keeps its past.
        var keepsPast = false
        /// Whether the words of items are searched.
        var isSearched = false

        var testDescription: String {
            "\(state) store, commit: \(commit)" + (knowsFeed ? ", a feed that is known" : "")
                + (keepsPast ? ", with a history" : "") + (isSearched ? ", with an index of words" : "")
        }

        static let all =
            StoreState.allCases.flatMap { state in ["run", "batch"].map { Case(state: state, commit: $0) } }
            + [Case(state: .existing, commit: "run", knowsFeed: true)]
            + ["run", "batch"].map { Case(state: .existing, commit: $0, keepsPast: true) }
            + [Case(state: .existing, commit: "batch", isSearched: true)]
    }

    let folder = TemporaryFolder()
    let example: Case
    /// Where the store is, and nothing else.
    var disk: String { folder.file("disk") }
    var store: String { disk + "/store.sqlite" }
    private var image: String { folder.file("image") }
    private let feeds: [String]
    let definition: String
    /// What the store holds before the run; nil: there is none.
    private(set) var before: [String: [[String]]]?
    /// What it holds after an undisturbed run.
    private(set) var after: [String: [[String]]] = [:]
    /// The tables and indexes that it has then.
    private var schema: Set<[String]> = []

    init(_ example: Case) throws {
        self.example = example
        let settings = example.keepsPast ? "\"history\": true," : ""
        let keys = example.isSearched ? #""search": { "fields": "name" }, "# : ""
        definition = try folder.write("items.jsonc", FaultScene.definition(settings, keys))
        feeds = try (1...2).map { [folder] in
            try folder.write("v\($0).json", FaultScene.feed($0, every: example.knowsFeed ? 12 : 1))
        }
        let files = FileManager.default
        for path in [disk, image] { try files.createDirectory(atPath: path, withIntermediateDirectories: true) }
        if example.state == .existing {
            #expect(try run(version: 1, commit: "run").status == 0)
            before = try Database(store).contents()
            try files.copyItem(atPath: store, toPath: image + "/store.sqlite")
        }
        #expect(try run().status == 0)
        after = try Database(store).contents()
        schema = try Set(Database(store).rows(FaultScene.schema))
        if example.knowsFeed { #expect(try knownRecords() > FaultScene.count * 2 / 3) }
        #expect(after["Item"]?.count == FaultScene.count && after["Item_friends"]?.count == 2 * FaultScene.count)
        try reset()
    }

    private static let schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema"

    private static func definition(_ settings: String, _ keys: String) -> String {
        """
        {
          \(settings)
          "source": { "file": "v2.json" },
          "store": { "sqlite": "disk/store.sqlite" },
          "checks": {
            "other parents": {
              "sql": "SELECT n.id FROM Item n JOIN previous.Item o USING (objectID) WHERE n.parent <> o.parent", "limit": null
            }
          },
          "entities": {
            "Item": {
              "records": "$.items[*]",
              \(keys)"identifier": "id",
              "attributes": { "id": "integer", "name": { "type": "text", "index": true } },
              "relationships": {
                "parent": { "to": "Item" },
                "friends": { "to": "Item", "many": true, "from": "friends[*]" }
              }
            }
          }
        }
        """
    }

    /// - Parameter step: how many items there are to one that is another in each version.
    private static func feed(_ newest: Int, every step: Int) -> String {
        let items = (0..<count).map { id in
            let version = id % step == 0 ? newest : 1
            return """
                {"id":\(id),"name":"v\(version) of \(id)","parent":\((id + 700 * version) % count),\
                "friends":[\((id + 13 * version) % count),\((id + 1100 - version) % count)]}
                """
        }
        return "{\"items\":[\(items.joined(separator: ",\n"))]}"
    }

    /// The files are again as before the run.
    func reset() throws {
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: disk) { try files.removeItem(atPath: disk + "/" + name) }
        guard example.state == .existing else { return }
        // Of a copy, nothing is known.
        if example.knowsFeed { return #expect(try run(version: 1).status == 0) }
        try files.copyItem(atPath: image + "/store.sqlite", toPath: store)
    }

    /// How many records the last run knew.
    private func knownRecords() throws -> Int {
        let report = try Database(store).rows("SELECT report FROM sluice_run ORDER BY run DESC LIMIT 1")[0][0]
        return (try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])?["known"] as? Int ?? 0
    }

    func arguments(version: Int = 2, commit: String? = nil, store: String? = nil) -> [String] {
        [
            "run", definition, "--feed", feeds[version - 1], "--store", store ?? self.store, "--commit",
            commit ?? example.commit, "--batch-size", String(FaultScene.batch), "--quiet",
        ]
    }

    func run(version: Int = 2, commit: String? = nil, environment: [String: String] = [:]) throws -> Sluice.Outcome {
        // Without the test's own report, whose file is none of the run's.
        let run = try RunningSluice(arguments(version: version, commit: commit), environment: environment)
        return run.ended()
    }

    /// Checks what a disturbed run has left: a whole store that holds the state before the run or after it, or after
    /// some batch; and that the next run makes it what an undisturbed one makes.
    ///
    /// - Parameter isDone: the run said that it succeeded.
    func check(_ what: String, isDone: Bool = false, location: SourceLocation = #_sourceLocation) throws {
        var left: Left?
        if FileManager.default.fileExists(atPath: store) {
            let database = try Database(store, patience: 1000)
            #expect(try database.isSound(), "\(what)", sourceLocation: location)
            let contents = try database.contents()
            if example.keepsPast {
                left = Left(run: try database.integer("SELECT max(run) FROM sluice_run"), contents: contents)
            }
            let isWhole =
                contents == after
                || !isDone && (contents == before || (contents["Item"] ?? []).isEmpty && before == nil)
            if !isWhole {
                let isSaved = try !isDone && example.commit == "batch" && isAfterSomeBatch(database)
                let summary = try summary(database)
                #expect(isSaved, "\(what): \(summary)", sourceLocation: location)
            }
        } else {
            #expect(before == nil && !isDone, "\(what): the store is gone", sourceLocation: location)
        }
        let outcome = try run()
        #expect(outcome.status == 0, "\(what), then: \(outcome.errors)", sourceLocation: location)
        guard outcome.status == 0 else { return }
        let database = try Database(store)
        #expect(try database.contents() == after, "\(what), and a rerun", sourceLocation: location)
        let lacking = try schema.subtracting(database.rows(FaultScene.schema))
        #expect(lacking.isEmpty, "\(what), and a rerun", sourceLocation: location)
        #expect(try database.isSound(), "\(what), and a rerun", sourceLocation: location)
        if example.knowsFeed { try checkNextNight(what, location) }
        if let left { try checkPast(left, what, location) }
    }

    /// What the rerun has left of the feed is right for the night after it, too.
    private func checkNextNight(_ what: String, _ location: SourceLocation) throws {
        #expect(try run(version: 1).status == 0, "\(what), the next night", sourceLocation: location)
        let contents = try Database(store).contents()
        #expect(contents == before, "\(what), the next night", sourceLocation: location)
    }

    /// Whether the first batches are of the second version, and what follows is as before.
    private func isAfterSomeBatch(_ database: Database) throws -> Bool {
        let names = try database.rows("SELECT id, name, parent IS NULL FROM Item ORDER BY id")
        let saved = names.prefix { $0[1].hasPrefix("v2 ") }.count
        let isRest = names.dropFirst(saved).allSatisfy { $0[1] == "v1 of \($0[0])" && $0[2] == "0" }
        let isWhole = saved % FaultScene.batch == 0 && isRest
        return isWhole && names.count == (example.state == .existing ? FaultScene.count : saved)
    }

    private func summary(_ database: Database) throws -> String {
        let counts = try database.rows("SELECT count(*), sum(name LIKE 'v2 %'), sum(parent IS NULL) FROM Item")
        return "\(counts)"
    }
}
