import Foundation
import Testing

/// The real feeds in `../shared/feeds/tate`: 69,202 artworks in 207 MB, with a tree of subjects each.
@Suite(.enabled(if: Feeds.isThere(Feeds.shared + "/tate"), "no ../shared/feeds/tate"))
struct TateTests {
    private let scratch = TemporaryFolder()

    @Test func artworksAreLinkedToTheirArtistsAndSubjects() throws {
        let store = scratch.file("tate.sqlite")
        let outcome = try run(store)
        let database = try Database(store)
        try check(database, outcome)
        try compare(database)
    }

    /// Records in any order give the same, in little memory. It takes minutes where the command is built for debugging.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SLUICE_LONG"] != nil, "SLUICE_LONG is not set"))
    func theOrderOfRecordsMakesNoDifference() throws {
        let feeds = try ["artists": "cat artists.json", "artworks": "zstd -dc artworks.json.zst"].flatMap {
            source, command in
            ["--feed", "\(source)=\(try shuffle(source, command))"]
        }
        let time = "/usr/bin/time"
        let measures = FileManager.default.isExecutableFile(atPath: time)
        let store = scratch.file("shuffled.sqlite")
        let outcome = try run(
            store, feeds, through: measures ? [time, "-f", "%M", "-o", scratch.file("memory")] : [])
        try check(try Database(store), outcome)
        guard measures else { return }
        let memory = try String(contentsOfFile: scratch.file("memory"), encoding: .utf8)
        let kibibytes = try #require(Int(memory.filter(\.isNumber)))
        #expect(kibibytes < 128 << 10)
    }

    /// The file of a source with its records in another order: in these feeds a record starts and ends with a line.
    private func shuffle(_ source: String, _ command: String) throws -> String {
        let script = """
            cd \(Feeds.shared)/tate && {
              echo '['
              \(command) | awk '/^[][]$/ { next } { sub(/^},$/, "}"); printf "%s", $0 } /^}/ { print "" }' |
                shuf --random-source=artists.json | sed '$!s/$/,/'
              echo ']'
            } > \(scratch.file(source + ".json"))
            """
        #expect(try Shell.run(["sh", "-c", script]) == 0)
        return scratch.file(source + ".json")
    }

    private func run(
        _ store: String, _ more: [String] = [], through wrapper: [String] = []
    ) throws -> Sluice.Outcome {
        let outcome = try Sluice.run(
            ["run", Sluice.path("Tests/EndToEndTests/Definitions/tate.jsonc"), "--format", "json"] + more,
            environment: ["FEEDS": Feeds.shared, "STORE": store], through: wrapper)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    /// The figures that an independent reading of the feeds gives.
    private func check(_ database: Database, _ outcome: Sluice.Outcome) throws {
        #expect(try database.integer("SELECT count(*) FROM Artist") == 3534)
        #expect(outcome.counts("Artist")["duplicates"] as? [String: Int] == ["identical": 0, "conflicting": 4])
        #expect(try database.integer("SELECT count(*) FROM Artwork") == 69_202)
        #expect(try database.integer("SELECT count(*) FROM Artwork_artists") == 69_702)
        #expect(try database.integer("SELECT count(*) FROM sluice_unresolved") == 14)
        // The root of the tree included, which no artwork is linked to.
        #expect(try database.integer("SELECT count(*) FROM Subject") == 16_633)
        #expect(try database.integer("SELECT count(*) FROM Artwork_subjects") == 839_482)
        #expect(try database.integer("SELECT count(*) FROM Contribution") == 69_710)
        #expect(try database.integer("SELECT count(*) FROM Contribution WHERE artist IS NULL") == 7)
        #expect(outcome.count("Contribution", "created") == 69_710)
        // Only the root has no parent.
        #expect(try database.rows("SELECT id FROM Subject WHERE parent IS NULL") == [["1"]])
        #expect(try database.isSound())
    }

    /// Compares contributions and subjects, which take values from around them, with a naive reading.
    private func compare(_ database: Database) throws {
        let feed = scratch.file("artworks.json")
        _ = try Shell.run(["zstd", "-dqf", Feeds.shared + "/tate/artworks.json.zst", "-o", feed])
        var contributions: Set<[String]> = []
        var parents: [String: String] = [:]
        for artwork in try Feed.read(feed) as? [[String: Any]] ?? [] {
            let people = artwork["contributors"] as? [[String: Any]] ?? []
            for (index, person) in people.enumerated() {
                let values = ["role", "displayOrder"].map { Feed.text(person[$0]) }
                contributions.insert([Feed.text(artwork["id"]), "\(index)"] + values)
            }
            collect(artwork["subjects"] as? [String: Any] ?? [:], &parents)
        }
        let stored = try database.rows(#"SELECT artworkID, number, role, "order" FROM Contribution"#)
        #expect(Set(stored) == contributions && stored.count == 69_710)
        let subjects = try database.rows(
            "SELECT s.id, p.id FROM Subject s JOIN Subject p ON p.objectID = s.parent")
        #expect(subjects.count == 16_632)
        #expect(subjects.allSatisfy { parents[$0[0]] == $0[1] })
    }

    private func collect(_ subject: [String: Any], _ parents: inout [String: String]) {
        for child in subject["children"] as? [[String: Any]] ?? [] {
            parents[Feed.text(child["id"])] = Feed.text(subject["id"])
            collect(child, &parents)
        }
    }
}
