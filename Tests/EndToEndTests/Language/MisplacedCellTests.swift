import Foundation
import TestSupport
import Testing

/// Rows with more or fewer cells than there are columns: what their cells are is known of the first one alone, so they
/// neither leave the feed by `where`, nor tell which object they are about.
@Suite struct MisplacedCellTests {
    private let folder = TemporaryFolder()

    private func run(_ feed: String, where condition: String = "", identifier: String = "id") throws -> Sluice.Outcome {
        let definition = try folder.write(
            "d.jsonc",
            """
            { "source": { "file": "f.csv" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": 3, "deletes": null },
              "entities": { "P": { "records": "$", "identifier": "\(identifier)", "absent": "delete", \(condition)
                "attributes": { "name": "text", "id": "text", "place": "text" } } } }
            """)
        _ = try folder.write("f.csv", "name,id,place\n" + feed)
        return try Sluice.run(["run", definition, "--format", "json"])
    }

    private var ids: [String] {
        get throws { try Database(folder.file("s.sqlite")).rows("SELECT id FROM P ORDER BY id").map { $0[0] } }
    }

    private static let whole = "Ada,1,Rome\n\"Smith, John\",2,Rome\nGrace,3,Rome\nLinus,4,Rome\n"
    /// The quotation marks are gone, and so is a name.
    private static let broken = "Ada,1,Rome\nSmith, John,2,Rome\nGrace,3,Rome\n4,Rome\n"

    @Test func conditionsDoNotHideThem() throws {
        let condition = #""where": { "place": "Rome" },"#
        #expect(try run(Self.whole, where: condition).status == 0)
        let outcome = try run(Self.broken, where: condition)
        #expect(outcome.status == 0 && outcome.count("P", "rejected") == 2, "\(outcome.errors)")
        #expect(outcome.count("P", "deleted") == 0)
        #expect(try ids == ["1", "2", "3", "4"])
    }

    @Test func theyDoNotTellTheirIdentifier() throws {
        #expect(try run(Self.whole).status == 0)
        let outcome = try run(Self.broken)
        #expect(outcome.status == 0 && outcome.count("P", "rejected") == 2, "\(outcome.errors)")
        #expect(outcome.count("P", "keptAbsent") == 2)
        #expect(try ids == ["1", "2", "3", "4"])
    }

    /// A delimiter too many may stand in the first cell, or before it: of longer rows nothing is known. The first cell
    /// of a row that was cut is in its column: a remark is left out by it, and the object is there.
    @Test(arguments: [
        (",Ada,1,Rome\nGrace,3,Rome\nLinus,4,Rome\n", 0, ["1", "2", "3", "4"]),
        ("Ada,1\nGrace,3,Rome\nLinus,4,Rome\n# all without warranty\n", 1, ["1", "3", "4"]),
    ])
    func theFirstCellCountsWhereItIsKnown(_ feed: String, _ deleted: Int, _ left: [String]) throws {
        let condition = #""where": { "name": { "match": "^[A-Z]" } },"#
        #expect(try run(Self.whole, where: condition, identifier: "name").status == 0)
        let outcome = try run(feed, where: condition, identifier: "name")
        #expect(outcome.status == 0 && outcome.count("P", "rejected") == 1, "\(outcome.errors)")
        #expect(outcome.count("P", "deleted") == deleted)
        #expect(try ids == left)
    }
}
