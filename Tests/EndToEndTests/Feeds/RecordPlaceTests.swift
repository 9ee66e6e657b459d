import Foundation
import TestSupport
import Testing

/// Where a record stands may be a part of what it says (`$line`, `$file`): it is the same when the record is read
/// again.
@Suite struct RecordPlaceTests {
    private let folder = TemporaryFolder()

    private func define(_ file: String) throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "\(file)" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": 9 },
              "archive": { "directory": "archive" },
              "entities": { "Route": { "records": "$", "identifier": ["airline", "number"], "attributes": {
                "airline": "text", "number": { "type": "integer", "from": "$line" }, "stops": "integer",
                "night": { "type": "date", "from": "$file", "match": "[0-9-]{10}" } } } } }
            """)
    }

    private func routes(_ store: String = "s.sqlite") throws -> [String] {
        try Database(folder.file(store)).rows("SELECT * FROM Route ORDER BY number")
            .map { $0.dropFirst().joined(separator: "|") }
    }

    private func run(_ words: String...) throws -> Sluice.Outcome {
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    private static let feed = "airline,stops\nLH,0\nLH,1\nLH,none\n"
    private static let all = ["LH|2|0|2026-11-01", "LH|3|1|2026-11-01", "LH|4|2|2026-11-01"]

    @Test(arguments: ["in/2026-11-01.csv", "in/*.csv"])
    func whatIsMendedStaysWhereItWas(_ file: String) throws {
        try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
        _ = try folder.write("in/2026-11-01.csv", Self.feed)
        let (definition, findings) = (try define(file), folder.file("f.ndjson"))
        _ = try run("run", definition, "--quiet", "--findings", findings)
        #expect(try routes() == Array(Self.all.prefix(2)))
        let found = try String(contentsOfFile: findings, encoding: .utf8)
        // In another line of another file.
        let mended = try folder.write("other.ndjson", "\n\n" + found.replacing("\"none\"", with: "\"2\""))
        let replay = try run("replay", definition, "--rejects", mended, "--format", "json")
        #expect(replay.count("Route", "created") == 1)
        #expect(try routes() == Self.all)
        let unplaced = try folder.write("bad.ndjson", found.replacing(#/"file": "[^"]*", /#, with: ""))
        let refused = try Sluice.run(["replay", definition, "--rejects", unplaced])
        #expect(refused.status == 65 && refused.errors.contains("by $file: add \"file\""), "\(refused.errors)")
    }

    @Test func whatIsReplayedHasItsName() throws {
        _ = try folder.write("2026-11-01.csv", Self.feed.replacing("none", with: "2"))
        let definition = try define("2026-11-01.csv")
        _ = try run("run", definition, "--quiet")
        let other = folder.file("t.sqlite")
        _ = try run("replay", definition, "--run", "1", "--store", other, "--quiet")
        #expect(try routes("t.sqlite") == Self.all)
        let again = try run("replay", definition, "--run", "1", "--format", "json")
        #expect(again.count("Route", "unchanged") == 3)
    }
}
