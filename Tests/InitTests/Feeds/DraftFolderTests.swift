import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// What `init` makes of folders whose files are of several kinds, or have lists of which each has one element today.
@Suite struct DraftFolderTests {
    /// Of files that come night by night, the comment says how only the new ones are read.
    @Test(arguments: [
        (["2026-11-20.json", "2026-11-21.json"], true), (["20261120T0200.ndjson", "20261121T0200.ndjson"], true),
        (["log-2026-11.csv", "log-2026-12.csv"], true), (["2026-11-20/a.json", "2026-11-21/a.json"], true),
        (["log.1.ndjson", "log.2.ndjson"], true), (["1.json", "2.json"], false), (["a.ndjson", "b.ndjson"], false),
        (["120261120.json", "120261121.json"], false), (["2026-11-20.json"], true),
    ])
    func nightsMayBeNew(_ names: [String], _ areNights: Bool) throws {
        let folder = FeedFolder()
        for (at, name) in names.enumerated() {
            let isTable = name.hasSuffix("csv")
            let records = (1...12).map {
                isTable ? "\(at + 1)\($0),x\($0)" : #"{"id": \#(at + 1)\#($0), "n": "x\#($0)"}"#
            }
            let isDocument = name.hasSuffix("json") && !name.hasSuffix("ndjson")
            let lines = (isTable ? ["id,n"] : []) + records
            try folder.write(
                "days/\(name)", isDocument ? "[\(records.joined(separator: ","))]" : lines.joined(separator: "\n"))
        }
        let ending = names[0].split(separator: ".").last ?? ""
        let pattern = names[0].contains("/") ? "days/*/*.\(ending)" : "days/*.\(ending)"
        let text = unfolded(try folder.draft([pattern]).text)
        #expect(text.contains("\"new\": true reads only those") == areNights, "\(text)")
    }

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
