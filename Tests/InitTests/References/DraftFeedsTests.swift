import Testing

@testable import Sluice
@testable import SluiceInit

/// Objects that the records of several feeds tell of.
@Suite struct DraftFeedsTests {
    private let scratch = FeedFolder()

    /// Movements of artists and of artworks, each with its era, as a museum publishes them.
    private func write(others: Int = 0) throws {
        let movement = { (number: Int) in
            #"{"id": \#(number), "name": "M\#(number)", "era": {"id": \#(number % 4 + 90), "name": "E\#(number % 4)"}}"#
        }
        let pairs = { (row: Int) in row % 30 == (row * 7 + 1) % 30 ? [row % 30] : [row % 30, (row * 7 + 1) % 30] }
        try scratch.write(
            "artists.json",
            list(200) { row in
                #"{"id": \#(row), "n": "a\#(row)", "movements": [\#(pairs(row).map(movement).joined(separator: ", "))]}"#
            })
        try scratch.write(
            "artworks.json",
            list(200) { row in
                #"{"id": \#(row + 5000), "t": "t\#(row)", "movements": [\#(movement(row % 23 + others))]}"#
            })
    }

    /// What two feeds tell of in the same way is one entity, of both: two tables of the same objects would be two
    /// truths.
    @Test func twoFeedsTellOfTheSameObjects() throws {
        try write()
        let text = try scratch.draft(["artists.json", "artworks.json"]).text
        for name in ["Movement", "Era"] {
            let entity = text.split(separator: "\"\(name)\": {").last.map(String.init) ?? ""
            #expect(entity.hasPrefix("\n      \"source\": [\"artists\", \"artworks\"],"), "\(text)")
        }
        #expect(text.components(separatedBy: #""era": { "to": "Era", "from": "era.id" }"#).count == 2, "\(text)")
        #expect(!text.contains("era2") && !text.contains("ArtworkMovement"), "\(text)")
    }

    /// Two feeds may count alike, and mean others.
    @Test func whatTwoFeedsDoNotShareIsOfEach() throws {
        try write(others: 1000)
        let text = try scratch.draft(["artists.json", "artworks.json"]).text
        #expect(text.contains("\"ArtworkMovement\": {"), "\(text)")
    }

    /// What an entity has of another feed, too, is in an attribute there, and the rest stays with its record.
    @Test func whatIsOfAnotherFeedIsInAnAttribute() throws {
        for (name, step) in [("artists", 7), ("artworks", 11)] {
            try scratch.write(
                "\(name).json",
                list(200) { row in
                    let other = row * step % 30 == row % 30 ? (row + 1) % 30 : row * step % 30
                    let movements = [(row % 30, row), (other, row + 1)].map { number, order in
                        #"{"id": \#(7000 + number), "name": "M\#(number)", "order": \#(order % 5)}"#
                    }
                    return #"{"id": \#(step * 1000 + row), "movements": [\#(movements.joined(separator: ", "))]}"#
                })
        }
        let text = try scratch.draft(["artists.json", "artworks.json"]).text
        #expect(text.contains(#""source": ["artists", "artworks"]"#), "\(text)")
        #expect(!text.contains("in no attribute"), "\(text)")
    }
}
