import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceInit

/// What a draft has no attribute for, a comment names: nothing is lost without a word.
@Suite struct DraftUntoldTests {
    private static let seeds = SeededRandom.seeds(0..<240)

    /// Members that not all objects have are no keys.
    @Test func membersOfObjectsInMapsAreAttributes() throws {
        let feed = """
            {"servers": {
              "u0": {"n": 52, "files": {"22": {"title": "one", "count": "two", "status": "2026-10-18"}}},
              "u1": {"n": 69, "files": {
                "22": {"title": "three", "status": "2026-01-06", "owner": {"b": "four"}},
                "web-1": {"title": "five", "count": "six", "owner": {"a": "seven"}}}},
              "u2": {"n": 5, "files": {"22": {"count": "eight", "owner": {"a": "nine"}}}}}}
            """
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(text.contains(#""records": "$.servers.*.files.*","#), "\(text)")
        #expect(text.contains(#""title": "text""#) && text.contains(#""from": "owner.b""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [3, 4], "\(text)")
    }

    /// What stands among records that have nothing in common is left out, as no object.
    @Test func aValueAmongLinesIsLeftOut() throws {
        let (text, report) = try InitRun.Draft.run(
            of: #"{"a":1}"# + "\n\"a text\"\n{}\n" + #"{"a":1,"b":2}"#, "feed.ndjson")
        #expect(text.contains(#""where": { "@": { "type": "object" } }"#), "\(text)")
        #expect(text.contains("1 other value among them is no object"), "\(text)")
        #expect(report.entities.map(\.counts.created) == [3], "\(text)")
    }

    /// Where one of the records has a map that is called as the levels are, `..` would take its values, too.
    @Test func aMapInATreeIsNoLevel() throws {
        let (text, _) = try InitRun.Draft.run(
            of: #"{"r": {"items": [{"price": 4.5, "id": 1, "items": [{"id": 0}, {"id": 2, "items": {"A": 7}}]}]}}"#)
        #expect(!text.contains("$.r..items"), "\(text)")
    }

    @Test func aTreeBesideWhatIsNoneIsOneAllTheSame() throws {
        let (text, _) = try InitRun.Draft.run(
            of:
                #"{"r": {"x": 4.5, "y": 1, "items": [{"id": 1, "n": "a", "items": [{"id": 2, "n": "b"}, {"id": 3, "n": "c", "items": []}]}]}, "q": {"items": {"A": 7}}, "#
                + #""list": [{"id": 8}]}"#)
        #expect(text.contains("$.r..items[*]"), "\(text)")
    }

    /// What is in the records of a tree is so at each level.
    @Test func whatIsInATreeIsFoundAtEachLevel() throws {
        let (text, report) = try InitRun.Draft.run(
            of: """
                {"categories": [{"id": 1, "name": "A", "products": [{"sku": "a1", "p": 1}, {"sku": "a2", "p": 2}],
                "categories": [{"id": 2, "name": "B", "products": [{"sku": "b1", "p": 3, "sizes": [{"s": "XL", "n": 3}]}]},
                {"id": 3, "name": "C", "products": [{"sku": "c1", "p": 3}]}]}]}
                """)
        #expect(text.contains(#""records": "$..categories[*].products[*].sizes[*]""#), "\(text)")
        #expect(text.contains(#""product_sku": { "type": "text", "from": "^^.sku" }"#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [3, 4, 1], "\(text)")
    }

    /// What the highest level refers to by the path of all is an object of something else.
    @Test func aboveATreeThereIsNoLevel() throws {
        let (text, _) = try InitRun.Draft.run(
            of: """
                {"owner": {"a": 1}, "name": [2], "items": [{"n": 1.5, "owner": "x", "items": [{"n": 2.5, "owner": "y"}]},
                {"n": 4.5, "owner": "z", "items": []}]}
                """)
        #expect(text.contains("$..items[*]") && !text.contains(#""^^.owner""#), "\(text)")
    }

    @Test(arguments: 0..<6)
    func whateverAFeedHasIsInTheStoreOrTold(_ part: Int) throws {
        let folder = NSTemporaryDirectory() + "sluice-untold-\(part)-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for seed in DraftUntoldTests.seeds where seed % 6 == part {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(seed)", withIntermediateDirectories: true)
            if let wrong = try check(seed, "\(folder)/\(seed)") { Issue.record("seed \(seed): \(wrong)") }
        }
    }

    /// What is wrong with the draft of a random tree.
    private func check(_ seed: Int, _ folder: String) throws -> String? {
        var tree = RandomTree(SeededRandom(seed))
        let (feed, ending) = tree.make()
        try feed.write(toFile: "\(folder)/feed.\(ending)", atomically: false, encoding: .utf8)
        let draft: InitRun.Draft
        do {
            draft = try InitRun(["\(folder)/feed.\(ending)"], output: "\(folder)/draft.jsonc").perform()
        } catch {
            return error.kind == .data && !error.message.isEmpty ? nil : "no draft: \(error.message)"
        }
        var options = RunOptions()
        options.findings = "\(folder)/findings.ndjson"
        let report = PipelineRun(checked: try draft.definition(), options: options).perform()
        let findings = (try? String(contentsOfFile: "\(folder)/findings.ndjson", encoding: .utf8)) ?? ""
        guard report.outcome.status == .succeeded, report.entities.allSatisfy({ $0.counts.rejected == 0 }) else {
            return "\(report.outcome): \(findings.prefix(600)) of \(draft.text)\n\(feed)"
        }
        // Of copies and of records with one identifier, a comment tells, or a finding.
        let text = unfolded(draft.text)
        let areSome = ["the last one counts", "are lost", "would be lost", "cop"].contains(where: text.contains)
        if areSome || findings.contains(#""conflicting":true"#) { return nil }
        let stored = stored(in: folder)
        let told = Told(text, findings)
        let lost = tree.leaves.filter { !stored.contains($0.text) && !told.tells(of: $0) }
        return lost.isEmpty ? nil : "\(lost.prefix(3)) in nothing, and not told: \(draft.text)\n\(feed)\n\(findings)"
    }

    /// The texts of feeds that a store has, read from its file as they are.
    private func stored(in folder: String) -> Set<String> {
        var found: Set<String> = []
        for name in ["draft.sqlite", "draft.sqlite-wal"] {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            for match in String(decoding: data, as: UTF8.self).matches(of: #/VALUE[0-9]{5}/#) {
                found.insert(String(match.output))
            }
        }
        return found
    }
}

/// What the comments of a draft and the findings of its run tell of.
private struct Told {
    private var paths: [[Path.Step]] = []
    /// Members that are texts in the place of objects, in a few records.
    private var members: Set<String> = []
    private var hasMore = false
    private let hasOthers: Bool

    init(_ text: String, _ findings: String) {
        hasOthers = text.contains(" among them ") || text.contains("nothing identifies them")
        for line in text.split(separator: "\n") {
            for match in line.matches(of: #/are in no (?:entity|attribute): (.*?)\.(?= Of | What | A |$)/#) {
                note(match.output.1)
            }
            for match in line.matches(of: #/"([^"]*)" is a text in/#) { noteMember(match.output.1) }
        }
        for match in findings.matches(of: #/"field": "([^"]*)"/#) { noteMember(match.output.1) }
    }

    private mutating func note(_ list: Substring) {
        for place in list.replacing(" and ", with: ", ").split(separator: ", ") {
            if place.hasSuffix(" more") { hasMore = true }
            let path = try? Path.parse(place.first == "[" || place.first == "$" ? "$\(place)" : "$.\(place)")
            paths.append(path?.steps ?? [])
        }
    }

    private mutating func noteMember(_ path: Substring) {
        members.insert(path.split(separator: ".").last.map(String.init) ?? "")
    }

    func tells(of leaf: RandomTree.Leaf) -> Bool {
        if hasMore || paths.contains(where: { fits($0, leaf.path) }) { return true }
        switch leaf.path.last {
        case .name(let name): return members.contains(name) || hasOthers
        case .index, nil: return hasOthers || members.contains("@")
        }
    }

    private func fits(_ steps: some Collection<Path.Step>, _ path: some Collection<RandomTree.Step>) -> Bool {
        guard let step = steps.first else { return path.isEmpty }
        // Of lists in a map, the map is named.
        guard let own = path.first else { return false }
        if step == .wildcard, steps.count == 1 { return true }
        let (rest, left) = (steps.dropFirst(), path.dropFirst())
        switch (step, own) {
        case (.wildcard, _): return fits(rest, left)
        case (.index(let index), .index(let other)): return index == other && fits(rest, left)
        case (.name(let name), .name(let other)): return name == other && fits(rest, left)
        case (.descendantName(let name), _): return own == .name(name) && fits(rest, left) || fits(steps, left)
        default: return false
        }
    }
}
