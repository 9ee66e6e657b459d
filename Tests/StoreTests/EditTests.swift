import Foundation
import Sluice
import SluiceStore
import TestSupport
import Testing

/// What programs change, and runs after them.
@Suite("Edits")
struct EditTests {
    /// A store of categories in a folder of its own.
    private final class Scene: Sendable {
        let folder: String
        private let keys: String

        /// - Parameter keys: of the entity.
        init(_ keys: String) throws {
            self.keys = keys
            folder = FileManager.default.temporaryDirectory.path + "/edits-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var store: Store {
            get throws { try Store(folder + "/s.sqlite", access: .write, objects: [Category.self]) }
        }

        private func run(_ feed: String, isDry: Bool, batchSize: Int, keys: String) async throws -> RunReport {
            let definition = """
                { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "deletes": null, "rejects": null },
                  "entities": { "Category": { "records": "$[*]", "identifier": "name", \(keys)
                    "attributes": { "name": "text", "rank": "integer" } } } }
                """
            try definition.write(toFile: folder + "/p.jsonc", atomically: true, encoding: .utf8)
            try feed.write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
            var options = RunOptions()
            options.isDry = isDry
            options.batchSize = batchSize
            options.force = true
            return try await PipelineRun(
                try PipelineDefinition(contentsOf: folder + "/p.jsonc"), options: options
            ).run()
        }

        /// Runs the pipeline, after a dry run that must say the same.
        @discardableResult
        func load(_ feed: String, batchSize: Int = 5000, keys other: String? = nil) async throws -> RunReport {
            let keys = other ?? self.keys
            let dry = try await run(feed, isDry: true, batchSize: 1, keys: keys)
            let report = try await run(feed, isDry: false, batchSize: batchSize, keys: keys)
            #expect(report.outcome.status == .succeeded, "\(report.json)")
            #expect(dry.entities[0].counts == report.entities[0].counts)
            #expect(EditTests.findings(dry) == EditTests.findings(report))
            return report
        }

        /// The ranks by name.
        var ranks: [String: Int?] {
            get async throws {
                let all = try await store.fetch(Category.all)
                return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.rank) })
            }
        }
    }

    /// The findings of conflicts and rejects, as their sentences.
    private static func findings(_ report: RunReport) -> [String] {
        report.found.examples.filter { $0.kind == .conflict || $0.kind == .reject }.map(\.message)
    }

    private static func feed(_ ranks: [Int?]) -> String {
        let records = ranks.enumerated().map {
            #"{"name": "c\#($0.offset)", "rank": \#($0.element.map(String.init) ?? "null")}"#
        }
        return "[" + records.joined(separator: ",\n") + "]"
    }

    /// What a feed says, a program, and the next feed: each of them a, b, c or null; the program may say nothing.
    private static let combinations: [(base: Int?, edit: Int??, feed: Int?)] = {
        let values: [Int?] = [nil, 1, 2, 3]
        let edits: [Int??] = [.none] + values.map { .some($0) }
        return values.flatMap { base in edits.flatMap { edit in values.map { (base, edit, $0) } } }
    }()

    @Test(
        "Every combination of what the feed said, what a program says and what the feed says",
        arguments: ["replace", "keep", "reject"], [1, 3, 5000])
    func combinations(edits: String, batchSize: Int) async throws {
        let all = EditTests.combinations
        let scene = try Scene(#""edits": "\#(edits)","#)
        try await scene.load(EditTests.feed(all.map(\.base)))
        for (number, one) in all.enumerated() {
            guard case .some(let edit) = one.edit else { continue }
            _ = try await scene.store.update(Category.filter { $0.name == "c\(number)" }) { [$0.rank.set(to: edit)] }
        }
        let report = try await scene.load(EditTests.feed(all.map(\.feed)), batchSize: batchSize)
        let ranks = try await scene.ranks
        var conflicts = 0
        for (number, one) in all.enumerated() {
            let edit = one.edit ?? one.base
            let isConflict = edit != one.base && one.feed != one.base && one.feed != edit
            if isConflict { conflicts += 1 }
            let staysEdited = edits != "replace" && edit != one.base && (one.feed == one.base || isConflict)
            let expected: Int? = staysEdited ? edit : one.feed
            #expect(ranks["c\(number)", default: -1] == expected, "\(one)")
        }
        let counts = report.entities[0].counts
        #expect(counts.conflicts == (edits == "keep" ? conflicts : 0))
        #expect(counts.rejected == (edits == "reject" ? conflicts : 0))
        #expect(counts.updated + counts.unchanged + counts.rejected == all.count)
        #expect(report.found.counts[.conflict, default: 0] == counts.conflicts)
        // The same feed again, and in another order, finds the same.
        let again = try await scene.load(EditTests.feed(all.map(\.feed)), batchSize: batchSize)
        #expect(again.entities[0].counts.updated == 0)
        #expect(try await scene.ranks == ranks)
        #expect(EditTests.findings(again) == EditTests.findings(report))
    }

    @Test("A conflict tells what the feed said, what the program says and what the feed says, and where")
    func told() async throws {
        let scene = try Scene(#""edits": "keep","#)
        try await scene.load(EditTests.feed([1, 1]))
        _ = try await scene.store.update(Category.filter { $0.name == "c1" }) { [$0.rank.set(to: 7)] }
        let report = try await scene.load(EditTests.feed([1, 2]))
        let finding = try #require(report.found.examples.first { $0.kind == .conflict })
        #expect(
            finding.message
                == #"Category "c1" stays as a program has changed it: rank is 7, and the feed says 2, where it said 1"#)
        #expect(finding.at.line == 2)
        #expect(
            report.json.contains(
                #""deletion": false, "edits": [{ "attribute": "rank", "before": 1, "stored": 7, "feed": 2 }]"#))
        // A run's report is read again from the ledger.
        #expect(report.text.contains("1 object that a program has changed, and the feed, too"))
    }

    @Test("What a program has changed is no change of the run's, and no record has made it so")
    func unchanged() async throws {
        let scene = try Scene(#""edits": "keep", "history": true,"#)
        let counts = { (report: RunReport) in [report.entities[0].counts.updated, report.entities[0].counts.unchanged] }
        func versions(_ name: String) async throws -> [String] {
            try await scene.store.versions(of: "Category", identifier: name).map { version in
                "\(version.fromRun) \(version["rank"] ?? .null) \(version.line.map { "\($0)" } ?? "-")"
            }
        }
        try await scene.load(EditTests.feed([1, 1]))
        _ = try await scene.store.update(Category.filter { $0.name == "c1" }) { [$0.rank.set(to: 7)] }
        // A conflict: what the feed says is beside the edit.
        let conflict = try await scene.load(EditTests.feed([1, 2]))
        #expect(counts(conflict) == [0, 2] && conflict.entities[0].counts.conflicts == 1)
        #expect(try await versions("c1") == ["2 integer(7) -", "1 integer(1) 2"])
        // The edit is settled, as the feed says the same.
        #expect(counts(try await scene.load(EditTests.feed([3, 7]))) == [1, 1])
        #expect(try await versions("c1") == ["2 integer(7) -", "1 integer(1) 2"])
        #expect(try await versions("c0") == ["3 integer(3) 1", "1 integer(1) 1"])
        // From then on, the attribute is the feed's.
        #expect(counts(try await scene.load(EditTests.feed([3, 8]))) == [1, 1])
        #expect(try await versions("c1").first == "4 integer(8) 2")
    }

    @Test(
        "An edited object is not deleted, be it absent or gone, and the report says so", arguments: ["keep", "reject"])
    func deleted(edits: String) async throws {
        let scene = try Scene(#""edits": "\#(edits)", "absent": "delete", "deleteWhere": { "rank": 99 },"#)
        try await scene.load(EditTests.feed([1, 1, 1, 1]))
        _ = try await scene.store.update(Category.filter { $0.name.isIn(["c1", "c2"]) }) { [$0.rank.set(to: 7)] }
        let feed = #"[{"name": "c0", "rank": 1}, {"name": "c2", "rank": 99}]"#
        let report = try await scene.load(feed)
        #expect(try await scene.ranks == ["c0": 1, "c1": 7, "c2": 7])
        let counts = report.entities[0].counts
        #expect(counts.deleted == 1)
        #expect(counts.conflicts == (edits == "keep" ? 2 : 1) && counts.rejected == (edits == "keep" ? 0 : 1))
        // Once the program takes back what it has changed, they go.
        try await scene.store.settleEdits(of: Category.all, .takeFeed)
        let after = try await scene.load(feed)
        #expect(after.entities[0].counts.deleted == 2)
        #expect(try await scene.ranks == ["c0": 1])
    }

    @Test(
        "An edited object of which the feed says that it is gone is marked, which takes nothing away",
        arguments: ["keep", "reject"])
    func marked(edits: String) async throws {
        let scene = try Scene(#""edits": "\#(edits)", "absent": "mark", "deleteWhere": { "rank": 99 },"#)
        try await scene.load(EditTests.feed([1, 1, 1]))
        _ = try await scene.store.update(Category.filter { $0.name == "c1" }) { [$0.rank.set(to: 7)] }
        let report = try await scene.load(#"[{"name": "c0", "rank": 1}, {"name": "c1", "rank": 99}]"#)
        // So is what the feed lacks.
        #expect(report.entities[0].counts.deleted == 2 && report.entities[0].counts.conflicts == 0, "\(report.json)")
        #expect(try await scene.ranks == ["c0": 1, "c1": 7, "c2": 1])
    }

    @Test("What a program creates stays though no feed holds it; when one does, what they say of it is compared")
    func created() async throws {
        let scene = try Scene(#""edits": "keep", "absent": "delete","#)
        try await scene.load(EditTests.feed([1]))
        _ = try await scene.store.insert([
            Category.New(name: "x", rank: 5), Category.New(name: "y", rank: 5), Category.New(name: "z"),
        ])
        let first = try await scene.load(EditTests.feed([1]))
        #expect(first.entities[0].counts.deleted == 0 && first.entities[0].counts.conflicts == 0)
        #expect(try await scene.store.edits(of: Category.all).isEmpty)
        let feed =
            #"[{"name": "c0", "rank": 1}, {"name": "x", "rank": 6}, {"name": "y", "rank": 5}, {"name": "z", "rank": 4}]"#
        let report = try await scene.load(feed)
        #expect(try await scene.ranks == ["c0": 1, "x": 5, "y": 5, "z": 4])
        #expect(report.entities[0].counts.conflicts == 1)
        // From now on they are the feed's.
        let last = try await scene.load(EditTests.feed([1]))
        #expect(try await scene.ranks == ["c0": 1, "x": 5])
        #expect(last.entities[0].counts.conflicts == 1)
    }

    @Test("Copies of a record in one feed count as without the edit", arguments: ["last", "first", "reject"])
    func copies(duplicates: String) async throws {
        let feed = #"[{"name": "c0", "rank": 2}, {"name": "c0", "rank": 3}, {"name": "c0", "rank": 3}]"#
        var counts: [EntityCounts] = []
        for edits in ["replace", "keep"] {
            let scene = try Scene(#""edits": "\#(edits)", "duplicates": "\#(duplicates)","#)
            try await scene.load(EditTests.feed([1]))
            if edits == "keep" { _ = try await scene.store.update(Category.all) { [$0.rank.set(to: 9)] } }
            var report = try await scene.load(feed, batchSize: 2)
            if edits == "keep" {
                #expect(report.entities[0].counts.conflicts == 1)
                let edit = try #require(try await scene.store.edits(of: Category.all).first)
                #expect(edit.before == "1" && edit.stored == "9" && edit.feed == (duplicates == "last" ? "3" : "2"))
                // What the program says stays, so the object is what it was.
                #expect(report.entities[0].counts.updated == 0 && report.entities[0].counts.unchanged == 1)
                report.entities[0].counts.conflicts = 0
                (report.entities[0].counts.updated, report.entities[0].counts.unchanged) = (1, 0)
            }
            counts.append(report.entities[0].counts)
        }
        #expect(counts[0] == counts[1])
    }

    @Test("A decision ends a conflict: the feed's value is taken, or the edit stays")
    func decided() async throws {
        for (decision, expected) in [(EditDecision.takeFeed, 2), (.keepEdit, 7)] {
            let scene = try Scene(#""edits": "keep","#)
            try await scene.load(EditTests.feed([1]))
            _ = try await scene.store.update(Category.all) { [$0.rank.set(to: 7)] }
            try await scene.load(EditTests.feed([2]))
            #expect(try await scene.store.edits(of: Category.all).map(\.isConflict) == [true])
            #expect(try await scene.store.settleEdits(of: Category.all, decision) == 1)
            let report = try await scene.load(EditTests.feed([2, 2]))
            #expect(report.entities[0].counts.conflicts == 0)
            #expect(try await scene.ranks == ["c0": expected, "c1": 2])
            // What the feed says next is a conflict again where an edit is left.
            let next = try await scene.load(EditTests.feed([3, 2]))
            #expect(next.entities[0].counts.conflicts == (decision == .keepEdit ? 1 : 0))
        }
    }

    @Test("A saved object is an edit, one that is set back is none, and an edit of an edit is a decision")
    func saved() async throws {
        let scene = try Scene(#""edits": "keep","#)
        try await scene.load(EditTests.feed([1]))
        let store = try scene.store
        func save(_ rank: Int) async throws {
            let original = try #require(try await store.fetch(Category.all).first)
            var object = original
            object.rank = rank
            _ = try await store.save(object, original: original)
        }
        try await save(7)
        #expect(try await store.edits(of: Category.all).map(\.stored) == ["7"])
        try await save(1)
        #expect(try await store.edits(of: Category.all).isEmpty)
        try await save(7)
        try await scene.load(EditTests.feed([2]))
        try await save(8)
        let report = try await scene.load(EditTests.feed([2]))
        #expect(report.entities[0].counts.conflicts == 0)
        #expect(try await scene.ranks == ["c0": 8])
    }

    @Test("With edits replaced again, the next run brings what the feed says")
    func replaced() async throws {
        let scene = try Scene(#""edits": "keep","#)
        try await scene.load(EditTests.feed([1, 1]))
        _ = try await scene.store.update(Category.all) { [$0.rank.set(to: 7)] }
        try await scene.load(EditTests.feed([1, 1]), keys: "")
        #expect(try await scene.ranks == ["c0": 1, "c1": 1])
        #expect(try await scene.store.edits(of: Category.all).isEmpty)
    }

    @Test("A store whose records come in another order is compared as one whose records do not")
    func order() async throws {
        let scene = try Scene(#""edits": "keep","#)
        let count = 6000
        func feed(_ numbers: [Int], _ rank: (Int) -> Int) -> String {
            "[" + numbers.map { #"{"name": "n\#($0)", "rank": \#(rank($0))}"# }.joined(separator: ",\n") + "]"
        }
        try await scene.load(feed(Array(0..<count)) { _ in 1 })
        let names = ["n1", "n2", "n5998", "n5999"]
        _ = try await scene.store.update(Category.filter { $0.name.isIn(names) }) { [$0.rank.set(to: 9)] }
        var random = SeededRandom(4)
        let shuffled = Array(0..<count).shuffled(using: &random)
        let report = try await scene.load(
            feed(shuffled) { [2, 5999].contains($0) ? 2 : $0 == 5998 ? 9 : 1 }, batchSize: 100)
        #expect(report.entities[0].counts.conflicts == 2)
        #expect(report.entities[0].counts.updated == 0)
        let ranks = try await scene.ranks
        #expect(names.map { ranks[$0] } == [9, 9, 9, 9] && ranks["n3"] == 1)
        let edits = try await scene.store.edits(of: Category.all)
        #expect(edits.map(\.isConflict) == [false, true, true])
    }

    @Test("Edits follow their attributes and entities to other names and types")
    func migrated() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/edits-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func load(_ entity: String, _ record: String) async throws -> EntityCounts {
            let text = """
                { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "entities": { \(entity) } }
                """
            try text.write(toFile: folder + "/p.jsonc", atomically: true, encoding: .utf8)
            try "[\(record)]".write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
            let report = try await PipelineRun(try PipelineDefinition(contentsOf: folder + "/p.jsonc")).run()
            #expect(report.outcome.status == .succeeded, "\(report.json)")
            return report.entities[0].counts
        }
        let keys = #""records": "$[*]", "edits": "keep", "identifier": "name","#
        _ = try await load(
            #""Category": { \#(keys) "attributes": { "name": "text", "rank": "integer" } }"#,
            #"{"name": "a", "rank": 1}"#)
        let store = try Store(folder + "/s.sqlite", access: .write, objects: [Category.self])
        _ = try await store.update(Category.all) { [$0.rank.set(to: 7)] }
        let renamed =
            #""Kind": { \#(keys) "was": "Category", "attributes": { "name": "text", "place": { "type": "text", "was": "rank" } } }"#
        // The feed still says the same, now as a text.
        #expect(try await load(renamed, #"{"name": "a", "place": 1}"#).conflicts == 0)
        #expect(try await load(renamed, #"{"name": "a", "place": "2"}"#).conflicts == 1)
        struct Row: Decodable, Equatable { var place: String }
        #expect(try await Store(folder + "/s.sqlite").decode(Row.self, "SELECT place FROM Kind") == [Row(place: "7")])
    }

    @Test("What goes with another object stays if a program has changed it, and refers to nothing")
    func cascade() async throws {
        let scene = try await StoreScene(items: 4, edits: "keep")
        let store = try scene.open()
        _ = try await store.update(Review.filter { $0.id == 0 }) { [$0.stars.set(to: 5)] }
        try await scene.load(#"{"items": [{"item_id": 3}], "reviews": []}"#, absent: "delete")
        let reviews = try await store.fetch(Review.all)
        #expect(reviews.map(\.id) == [0] && reviews.map(\.item) == [nil])
    }

    /// What a program has said of an object, beside what the feed said when it did.
    private struct Edit {
        var base: Int?
        var value: Int?
    }

    @Test("Runs, edits and deletions in any order leave what a model in memory says", arguments: seedRange(1...4))
    func model(seed: Int) async throws {
        var random = SeededRandom(seed)
        let deletes = seed % 2 == 0
        let duplicates = ["last", "first"][seed / 2 % 2]
        let scene = try Scene(
            #""edits": "keep", "duplicates": "\#(duplicates)", "absent": "\#(deletes ? "delete" : "keep")","#)
        var (feeds, edits): ([String: Int?], [String: Edit]) = ([:], [:])
        for _ in 0..<8 {
            let records = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                (
                    "c\(Int.random(in: 0..<8, using: &random))",
                    Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil
                )
            }
            var told: [String: Int?] = [:]
            for (name, rank) in records where duplicates == "last" || told[name] == nil { told[name] = .some(rank) }
            let report = try await scene.load(
                "["
                    + records.map { #"{"name": "\#($0.0)", "rank": \#($0.1.map(String.init) ?? "null")}"# }.joined(
                        separator: ",") + "]",
                batchSize: Int.random(in: 1...5, using: &random))
            var conflicts = 0
            if deletes {
                for name in feeds.keys where told[name] == nil {
                    if edits[name] == nil { feeds[name] = nil } else { conflicts += 1 }
                }
            }
            feeds.merge(told) { $1 }
            for (name, edit) in edits {
                guard let rank = told[name] else { continue }
                if rank == edit.value { edits[name] = nil } else if rank != edit.base { conflicts += 1 }
            }
            #expect(report.entities[0].counts.conflicts == conflicts)
            var expected = feeds
            for (name, edit) in edits { expected[name] = .some(edit.value) }
            #expect(try await scene.ranks == expected)
            for name in feeds.keys.sorted() where Int.random(in: 0..<3, using: &random) == 0 {
                let value = Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil
                if value == expected[name, default: nil] { continue }
                _ = try await scene.store.update(Category.filter { $0.name == name }) { [$0.rank.set(to: value)] }
                let feed = feeds[name, default: nil]
                edits[name] = value == feed ? nil : Edit(base: feed, value: value)
            }
        }
    }

    @Test("Identifiers and relationships are the feed's where edits are kept")
    func refused() async throws {
        let scene = try Scene(#""edits": "keep","#)
        try await scene.load(EditTests.feed([1]))
        await #expect(throws: StoreError.self) {
            _ = try await scene.store.update(Category.all) { [$0.name.set(to: "other")] }
        }
        #expect(try await scene.ranks == ["c0": 1])
    }
}
