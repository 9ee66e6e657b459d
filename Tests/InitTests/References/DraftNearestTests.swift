import Testing

@testable import SluiceInit

/// Which of several entities with the same identifiers a reference means.
@Suite struct DraftNearestTests {
    private func rows(_ header: String, _ count: Int, _ row: (Int) -> String) -> [String] {
        [header] + (1...count).map(row)
    }

    /// What is called as an entity, or whose name ends with all of the reference's, comes before what shares a word.
    @Test func theNameSaysWhichIsMeant() throws {
        let folder = FeedFolder()
        let text = try folder.text(of: [
            "contest_effects": rows("id,appeal,jam", 40) { "\($0),\($0 % 4),\($0 % 3)" },
            "item_fling_effects": rows("id,identifier", 7) { "\($0),f\($0)" },
            "items": rows("id,identifier,fling_effect_id", 30) { "\($0),item-\($0),\($0 % 7 + 1)" },
            "warriors": rows("id,identifier,gender", 12) { "\($0),w\($0),\($0 % 2)" },
            "warrior_names": rows("warrior_id,local_language_id,name", 12) { "\($0),9,Name \($0)" },
            "warrior_ranks": rows("id,warrior_id,rank", 20) { "\($0),\($0 % 12 + 1),\($0 % 2 + 1)" },
        ])
        #expect(text.contains(#""fling_effect": { "to": "ItemFlingEffect", "from": "fling_effect_id" }"#), "\(text)")
        #expect(!text.contains(#""to": "WarriorName""#), "\(text)")
        #expect(text.ranges(of: #""to": "Warrior""#).count == 2, "\(text)")
    }

    /// A text of each language is known by what it is of, and the language, rather than by itself.
    @Test func translationsAreKnownByTheirLanguage() throws {
        let folder = FeedFolder()
        let text = try folder.text(of: [
            "flags": rows("id,identifier", 8) { "\($0),flag-\($0)" },
            "languages": ["id,identifier", "6,de", "9,en"],
            "flag_prose": rows("flag_id,local_language_id,name", 16) {
                "\(($0 + 1) / 2),\($0 % 2 == 0 ? 9 : 6),Text \($0)"
            },
        ])
        #expect(text.contains(#""identifier": ["flag_id", "local_language_id"]"#), "\(text)")
    }

    /// The winner and the loser of a series are teams of its year, whatever the team's own columns are called.
    @Test func severalColumnsNameAnObjectOfEachYear() throws {
        let folder = FeedFolder()
        // Each year has eight of twelve teams.
        let team = { (year: Int, number: Int) in "T\((year * 3 + number % 8) % 12)" }
        let teams = (0..<40).map { "\(1990 + $0 / 8),\(team($0 / 8, $0)),City \($0 * 7 % 11)" }
        let series = (0..<25).map { row in
            let (year, winner) = (row / 5, row * 3 % 8)
            return "\(1990 + year),R\(row % 5),\(team(year, winner)),\(team(year, winner + 1 + row % 6))"
        }
        let text = try folder.text(of: [
            "teams": ["yearID,teamID,city"] + teams,
            "series": ["yearID,round,teamIDwinner,teamIDloser"] + series,
        ])
        for name in ["teamIDwinner", "teamIDloser"] {
            #expect(text.contains(#""\#(name)": { "to": "Team", "identifier": ["yearID", "\#(name)"] }"#), "\(text)")
        }
        #expect(!text.contains("new entity"), "\(text)")
    }

    /// What many values of a record lead to, but too few for a reference, is told.
    @Test func whatRecordsInheritIsTold() throws {
        let names = (0..<60).map { "Interface\($0 * 37)" }
        let types = names.enumerated().map { index, name in
            let base = index % 4 == 0 ? "Unknown\(index)Thing" : names[index * 7 % 20]
            return #""\#(name)": {"inherits": \#(index % 9 == 0 ? "null" : "\"\(base)\""), "implements": []}"#
        }
        let text = try InitRun.Draft.text(of: "{\(types.joined(separator: ","))}")
        #expect(unfolded(text).contains(#""inherits": 40 of 53 found in"#), "\(text)")
    }
}
