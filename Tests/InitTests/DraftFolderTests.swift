import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// What `init` makes of folders whose files are of several kinds, or have lists of which each has one element today.
@Suite struct DraftFolderTests {
    private let scratch = FeedFolder()

    /// A card of one of three kinds, each with members of its own; one has more than all others.
    private func card(_ number: Int) -> String {
        let kinds = ["", #", "points": 2, "requirement": 3"#, #", "strength": 1, "cost": 4, "subtypes": ["a", "b"]"#]
        let more = number == 7 ? #", "layout": "flip", "pronouns": "she", "attribution": "x""# : ""
        return #"{"id": "c\#(number)", "title": "T\#(number)", "type": "t\#(number % 3)", "side": "corp", "limit": 3, "#
            + #""text": "x\#(number)"\#(kinds[number % 3])\#(more)}"#
    }

    @Test func filesWithACoreAreOneSource() throws {
        for number in 10..<50 { try scratch.write("cards/\(number).json", card(number)) }
        let draft = try scratch.draft(["cards/*.json"])
        #expect(draft.text.contains(#"/cards/*.json" }"#), "\(draft.text)")
        #expect(draft.text.contains(#""identifier": "id""#) && draft.text.contains("// 40 records"), "\(draft.text)")
    }

    /// Nobody reads a draft of a hundred sources.
    @Test func manyFilesOfOtherShapesAreRefused() throws {
        for number in 10..<70 {
            let members = (0..<6).map { #""m\#(number)\#($0)": \#($0)"# }
            try scratch.write("odd/\(number).json", "{\(members.joined(separator: ", "))}")
        }
        let failure = #expect(throws: Failure.self) { try scratch.draft(["odd/*.json"]) }
        #expect(failure?.message.contains("60 files of") == true, "\(String(describing: failure))")
    }

    /// One tag in a file today may be two tomorrow: the file does not identify it, and items of other files have no
    /// tag.
    @Test func filesDoNotIdentifyWhatIsInTheirLists() throws {
        for number in 10..<40 {
            let tags = number < 14 ? #", "tags": ["^n\#(number)"]"# : ""
            let items = list(1 + number % 4) { #"{"label": "B\#(number)-\#($0)", "id": "b\#(number)-\#($0)"}"# }
            try scratch.write(
                "shop/\(number).json", #"{"properties": {"path": "s\#(number)"\#(tags)}, "items": \#(items)}"#)
        }
        let draft = try scratch.draft(["shop/*.json"])
        #expect(!draft.text.contains(#""to""#) && !draft.text.contains(#""identifier": "file""#), "\(draft.text)")
    }

    /// All of such a table would be its header.
    @Test func rowsThatEndWithCarriageReturnsAreTold() throws {
        let rows = (0..<12_000).map { "Addison,T\($0),President,\($0 * 3)" }
        try scratch.write("general.csv", "county,town,office,votes\r" + rows.joined(separator: "\r"))
        let failure = #expect(throws: Failure.self) { try scratch.draft(["general.csv"]) }
        #expect(failure?.message.contains("carriage returns alone") == true, "\(String(describing: failure))")
    }
}
