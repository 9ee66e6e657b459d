import Foundation
import TestSupport
import Testing

/// Nights with checks, beside what a naive reading of the feeds answers: which runs fail, which rows are told, and
/// where their records stand.
struct QuestionNights {
    /// An item as the feed has it.
    struct Item: Equatable {
        var price: Int?
        var parent: Int?
    }

    static let entity = #", "absent": "delete""#
    /// The checks, with a limit each: `@` stands for it.
    static let names = ["halved", "gone", "lonely", "counted"]

    static func settings(_ limits: [String], isWarning: Bool, commit: String) -> String {
        let severity = isWarning ? #", "severity": "warning""# : ""
        return """
            "commit": "\(commit)", "limits": { "deletes": null },
            "checks": {
              "halved": {
                "entity": "Item", "limit": \(limits[0])\(severity),
                "sql": "SELECT n.id, o.price AS before FROM \\"Item\\" n JOIN previous.\\"Item\\" o USING (\\"objectID\\") WHERE n.price < o.price / 2.0 ORDER BY n.id"
              },
              "gone": {
                "entity": "Item", "limit": \(limits[1]), "timeout": "2m",
                "sql": ["SELECT id FROM previous.\\"Item\\" -- previous.\\"None\\"", "EXCEPT SELECT id FROM \\"Item\\" ORDER BY id;"]
              },
              "lonely": {
                "limit": \(limits[2]),
                "sql": "SELECT id, 'previous.\\"Item\\"' AS text FROM \\"Item\\" i WHERE parent IS NULL AND NOT EXISTS (SELECT 1 FROM \\"Item\\" c WHERE c.parent = i.\\"objectID\\") ORDER BY id"
              },
              "counted": { "limit": \(limits[3]), "sql": "WITH x AS (SELECT count(*) AS n FROM \\"Item\\") SELECT n FROM x WHERE n > 5" }
            },
            """
    }

    /// The feed, with an item a line, and the lines by identifier.
    static func feed(_ items: [Int: Item], _ random: inout SeededRandom) -> (text: String, lines: [Int: Int]) {
        var lines: [String] = []
        var places: [Int: Int] = [:]
        for (id, item) in items.sorted(by: { $0.key < $1.key }).shuffled(using: &random) {
            places[id] = lines.count + 2
            let price = item.price.map(String.init) ?? "null"
            lines.append(#"{"id": \#(id), "price": \#(price), "parent": \#(item.parent.map(String.init) ?? "null")}"#)
        }
        return ("{\"items\": [\n\(lines.joined(separator: ",\n"))\n]}", places)
    }

    /// By check: the identifiers of the rows; of `counted`, the number.
    static func answers(_ now: [Int: Item], before: [Int: Item]) -> [String: [Int]] {
        let halved = now.filter { id, item in
            guard let price = item.price, let old = before[id]?.price else { return false }
            return 2 * price < old
        }
        let parents = Set(now.values.compactMap(\.parent).filter { now[$0] != nil })
        let lonely = now.filter { id, item in item.parent.map { now[$0] == nil } ?? true && !parents.contains(id) }
        return [
            "halved": halved.keys.sorted(), "gone": Set(before.keys).subtracting(now.keys).sorted(),
            "lonely": lonely.keys.sorted(), "counted": now.count > 5 ? [now.count] : [],
        ]
    }

    static func change(_ items: inout [Int: Item], _ random: inout SeededRandom) {
        for id in 1...8 {
            switch random.below(5) {
            case 0: items[id] = nil
            case 1, 2:
                let price = random.below(4) == 0 ? nil : random.below(40)
                items[id] = Item(price: price, parent: random.below(3) == 0 ? nil : 1 + random.below(9))
            default: break
            }
        }
    }
}

/// One sequence of nights on one store.
final class QuestionStore {
    let folder: TemporaryFolder
    let definition: String
    private var random: SeededRandom
    /// What the store has, and had before the last run that was saved.
    private var (stored, items): ([Int: QuestionNights.Item], [Int: QuestionNights.Item]) = ([:], [:])
    private let limits: [String]
    private let isWarning: Bool
    private let commit: String

    /// - Parameter scene: makes the definition with settings, in a folder.
    init(_ seed: Int, scene: (String) throws -> (folder: TemporaryFolder, definition: String)) throws {
        random = SeededRandom(seed)
        var some: [String] = []
        for _ in 0..<4 { some.append(["0", "1", "2", "null"][random.below(4)]) }
        limits = some
        isWarning = random.below(2) == 0
        commit = random.below(3) == 0 ? "batch" : "run"
        (folder, definition) = try scene(QuestionNights.settings(limits, isWarning: isWarning, commit: commit))
    }

    func night() throws {
        QuestionNights.change(&items, &random)
        let (feed, lines) = QuestionNights.feed(items, &random)
        _ = try folder.write("feed.json", feed)
        // An empty feed is refused before anything is asked.
        guard !items.isEmpty else { return }
        let expected = QuestionNights.answers(items, before: stored)
        let fails = zip(QuestionNights.names, limits).contains { name, limit in
            guard let limit = Int(limit), !(name == "halved" && isWarning) else { return false }
            return (expected[name]?.count ?? 0) > limit
        }
        let size = ["--batch-size", "\(1 + random.below(5))"]
        let dry = try run(["--dry-run"] + size)
        let outcome = try run(size)
        #expect(outcome.status == (fails ? 65 : 0), "\(outcome.errors)")
        #expect(dry.status == outcome.status)
        if (outcome.report["status"] as? String) == "unchanged" { return }
        let (found, foundDry) = (QuestionStore.found(outcome), QuestionStore.found(dry))
        #expect(found == expected.mapValues(\.count), "\(outcome.report)")
        #expect(foundDry == found)
        try checkFindings(expected, lines)
        if !fails || commit == "batch" { stored = items }
        if !fails { try checkAsked(expected) }
    }

    private func run(_ words: [String]) throws -> Sluice.Outcome {
        try Sluice.run(["run", definition, "--format", "json", "--findings", folder.file("findings")] + words)
    }

    /// By check, how many rows.
    private static func found(_ outcome: Sluice.Outcome) -> [String: Int] {
        (outcome.report["checks"] as? [String: [String: Any]] ?? [:]).compactMapValues { $0["found"] as? Int }
    }

    private func checkFindings(_ expected: [String: [Int]], _ lines: [Int: Int]) throws {
        let all = try String(contentsOfFile: folder.file("findings"), encoding: .utf8).split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }.filter { $0["kind"] as? String == "check" }
        for name in QuestionNights.names {
            let found = all.filter { $0["check"] as? String == name }
            let rows = found.compactMap { $0["row"] as? [String: Any] }
            #expect(rows.compactMap { ($0["id"] ?? $0["n"]) as? Int } == expected[name], "\(name)")
            let isOfObjects = ["halved", "gone"].contains(name)
            #expect(found.compactMap { $0["identifier"] as? Int } == (isOfObjects ? expected[name] : []), "\(name)")
            let places = found.map { ($0["at"] as? [String: Any])?["line"] as? Int }
            let expectedPlaces = (expected[name] ?? []).map { isOfObjects ? lines[$0] : nil }
            #expect(places == expectedPlaces, "\(name)")
        }
    }

    /// The store as it is has the same flaws, but for those that compare.
    private func checkAsked(_ expected: [String: [Int]]) throws {
        let outcome = try Sluice.run(["check", definition, "--ask", "--format", "json"])
        var found: [String: Int] = [:]
        for line in outcome.output.split(separator: "\n") {
            let answer = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            found[answer["name"] as? String ?? ""] = answer["found"] as? Int
        }
        #expect(
            found == [
                "halved": 0, "gone": 0, "lonely": expected["lonely"]?.count, "counted": expected["counted"]?.count,
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
