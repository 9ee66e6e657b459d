import Foundation
import Testing

/// The real feeds in `../shared/feeds/congress`, compared with a naive reading.
@Suite(.enabled(if: Feeds.isThere(Feeds.shared + "/congress"), "no ../shared/feeds/congress"))
struct CongressTests {
    static let files = [
        "legislators": "legislators-current", "committees": "committees-current",
        "memberships": "committee-membership-current", "offices": "legislators-district-offices",
    ]
    private let scratch = TemporaryFolder()
    private var store: String { scratch.file("congress.sqlite") }

    static func path(_ source: String) -> String { "\(Feeds.shared)/congress/\(files[source] ?? "").json" }

    private func run(_ more: [String] = []) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", Sluice.path("Tests/EndToEndTests/Definitions/congress.jsonc"), "--format", "json"] + more,
            environment: ["FEEDS": Feeds.shared, "STORE": store])
    }

    private func list(_ source: String) throws -> [[String: Any]] {
        try Feed.read(Self.path(source)) as? [[String: Any]] ?? []
    }

    private func sorted(_ rows: [[String]]) -> [[String]] { rows.sorted { $0.lexicographicallyPrecedes($1) } }

    private func id(_ legislator: [String: Any]) -> String {
        Feed.text((legislator["id"] as? [String: Any])?["bioguide"])
    }

    @Test func theStoreHoldsAllFeeds() throws {
        let outcome = try run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let expected = [
            "Legislator": 537, "Term": 2792, "Committee": 49, "Subcommittee": 181, "Membership": 3879, "Office": 1312,
        ]
        for (entity, count) in expected { #expect(outcome.count(entity, "created") == count, "\(entity)") }
        let findings = outcome.report["findings"] as? [String: Int] ?? [:]
        #expect(findings["unresolved"] == 0 && findings["duplicate"] == 0 && findings["reject"] == 0)
        #expect(try Database(store).isSound())
    }

    @Test func everyRowIsWhatANaiveReadingGives() throws {
        _ = try run()
        let contents = try Database(store).contents()
        let terms = try list("legislators").flatMap { legislator -> [[String]] in
            (legislator["terms"] as? [[String: Any]] ?? []).map { term in
                let chamber = Feed.text(term["type"]) == "rep" ? "House" : "Senate"
                let values = ["state", "district", "party"].map { Feed.text(term[$0]) }
                return [id(legislator), Feed.text(term["start"]), Feed.text(term["end"]), chamber] + values
                    + [id(legislator)]
            }
        }
        #expect(contents["Term"] == sorted(terms))
        let parts = try list("committees").flatMap { committee -> [[String]] in
            (committee["subcommittees"] as? [[String: Any]] ?? []).map { part in
                let code = Feed.text(committee["thomas_id"])
                return [code, Feed.text(part["thomas_id"]), Feed.text(part["name"]), code]
            }
        }
        #expect(contents["Subcommittee"] == sorted(parts))
        let groups = try Feed.read(Self.path("memberships")) as? [String: [[String: Any]]] ?? [:]
        let members = groups.flatMap { group, members in
            members.map { member -> [String] in
                let values = ["bioguide", "rank", "title", "bioguide"].map { Feed.text(member[$0]) }
                let (head, tail) = (String(group.prefix(4)), String(group.dropFirst(4)))
                return [group] + values + [head, tail.isEmpty ? "∅" : head + "\u{1f}" + tail]
            }
        }
        #expect(contents["Membership"] == sorted(members))
        let offices = try list("offices").flatMap { legislator in
            (legislator["offices"] as? [[String: Any]] ?? []).map { [Feed.text($0["id"]), id(legislator)] }
        }
        #expect(contents["Office"]?.map { [$0[0], $0[6]] } == sorted(offices))
    }

    @Test(arguments: [1, 2, 3]) func theOrderOfRecordsMakesNoDifference(seed: Int) throws {
        _ = try run()
        let feeds = try Self.files.keys.sorted().flatMap { source in
            let feed = try scratch.write("\(source).json", Feed.shuffledDeeply(Self.path(source), seed: seed))
            return ["--feed", "\(source)=\(feed)"]
        }
        let other = scratch.file("other.sqlite")
        let outcome = try run(feeds + ["--store", other, "--batch-size", ["1", "97", "5000"][seed % 3]])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Database(other).contents() == Database(store).contents())
    }
}
