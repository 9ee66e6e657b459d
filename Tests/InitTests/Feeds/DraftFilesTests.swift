import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit

/// Files of one shape are one source: its pattern names them all.
@Suite struct DraftFilesTests {
    private let scratch = FeedFolder()

    private func draft(_ feeds: [String]) throws -> InitRun.Draft {
        try scratch.draft(feeds)
    }

    private func run(_ draft: InitRun.Draft) throws -> RunReport {
        let report = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
        #expect(report.outcome.status == .succeeded, "\(report.outcome) of \(draft.text)")
        return report
    }

    /// A file for each record.
    @Test(arguments: [true, false])
    func filesOfOneRecordEachAreRecords(_ isPattern: Bool) throws {
        for number in 0..<9 {
            let extra = number % 3 == 0 ? #", "colour": "red""# : ""
            try scratch.write(
                "beasts/b\(number).json",
                #"{ "id": "b\#(number)", "name": "Beast \#(number % 7)", "legs": \#(number % 5)\#(extra), "actions": ["#
                    + #"{ "name": "bite", "harm": \#(number) }, { "name": "kick", "harm": 2 }] }"#)
        }
        let files = isPattern ? ["beasts/*.json"] : (0..<9).map { "beasts/b\($0).json" }
        let draft = try draft(files)
        #expect(draft.text.contains(#"/beasts/*.json" }"#), "\(draft.text)")
        #expect(draft.text.contains(#""Beast": {"#) && draft.text.contains(#""records": "$""#), "\(draft.text)")
        #expect(draft.text.contains(#""identifier": "id""#), "\(draft.text)")
        #expect(draft.text.contains(#""records": "$.actions[*]""#), "\(draft.text)")
        #expect(unfolded(draft.text).contains("The 9 files of"), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [9, 18])
    }

    /// A file is a record that has its properties in an object, and in that a list.
    @Test func featuresInFilesAreRecords() throws {
        for number in 0..<9 {
            let properties =
                #""id": "img-\#(number)", "name": "Imagery \#(number)", "type": "wms", "projections": ["EPSG:\#(number)", "EPSG:4321"]"#
            try scratch.write(
                "features/f\(number).geojson",
                #"{"type": "Feature", "properties": {\#(properties)}, "geometry": {"type": "Polygon", "coordinates": [[[1, \#(number)]]]}}"#
            )
        }
        let draft = try draft(["features/*.geojson"])
        #expect(
            draft.text.contains(#""records": "$""#) && draft.text.contains(#""from": "properties.id""#), "\(draft.text)"
        )
        #expect(try run(draft).entities.first?.counts.created == 9)
    }

    /// What a file is about may be in an object of it, with lists.
    @Test func filesAboutAnObjectAreRecords() throws {
        for number in 1..<9 {
            let labels = #"[{"id": \#(number % 3), "name": "l\#(number % 3)"}]"#
            try scratch.write(
                "issues/i\(number).json",
                #"{"action": "opened", "issue": {"id": \#(100 + number), "title": "T \#(number)", "labels": \#(labels)}, "sender": {"id": \#(number % 4), "login": "u\#(number % 4)"}}"#
            )
        }
        let draft = try draft(["issues/*.json"])
        #expect(
            draft.text.contains(#""records": "$""#) && draft.text.contains(#""from": "issue.title""#), "\(draft.text)")
        #expect(try run(draft).outcome.status == .succeeded)
    }

    /// Files whose records are of several kinds are of the shape of those that have one kind.
    @Test func kindsAreNoShape() throws {
        for number in 0..<8 {
            let events = (0..<40).map { event in
                let isCall = number % 2 == 0 || event % 2 == 0
                let more =
                    isCall ? #""caller": "c\#(event)", "line": \#(event)"# : #""path": "p\#(event)", "size": \#(event)"#
                return
                    #"{"id": "e\#(number)-\#(event)", "at": "2026-01-01T00:00:00Z", "place": "x", "type": "\#(isCall ? "call" : "read")", \#(more)}"#
            }
            try scratch.write("trail/t\(number).json", #"{"Records": [\#(events.joined(separator: ", "))]}"#)
        }
        #expect(try draft(["trail/*.json"]).text.contains(#"/trail/*.json" }"#))
    }

    /// Of hundreds of files, one lacks much of what the others have.
    @Test func oneOfManyLacksMore() throws {
        for number in 0..<200 {
            let more =
                number == 77 ? "" : #", "name": "n\#(number)", "kind": "k\#(number % 7)", "place": "p\#(number % 9)""#
            try scratch.write(
                "things/t\(number).json", #"{"id": "t\#(number)", "size": \#(number), "at": "2026-01-01"\#(more)}"#)
        }
        let draft = try draft(["things/*.json"])
        #expect(draft.text.contains(#"/things/*.json" }"#), "\(draft.text)")
    }

    /// What tells the records of one file apart does not tell those of all.
    @Test func theFileIsAPartOfTheIdentifier() throws {
        for product in ["python", "debian", "swift"] {
            let day = product.utf8.count
            let cycles = list(4) { #"{ "cycle": "1.\#($0)", "released": "202\#($0)-01-0\#(day)" }"# }
            try scratch.write("life/\(product).json", cycles)
        }
        try scratch.write("products.json", list(3) { #"{ "name": "\#(["python", "debian", "swift"][$0])" }"# })
        let draft = try draft(["life/*.json", "products.json"])
        #expect(draft.text.contains(#""identifier": ["file", "cycle"]"#), "\(draft.text)")
        #expect(draft.text.contains(#""file": { "type": "text", "from": "$file" }"#), "\(draft.text)")
        #expect(draft.text.contains(#""to": "Product", "from": "$file""#), "\(draft.text)")
        let report = try run(draft)
        #expect(report.entities.map(\.counts.created) == [12, 3] && report.found.missingTargets.isEmpty)
    }

    /// What is unique in all files by chance is each file's own. Versions are texts, though one is written as a number.
    @Test func theFileIsAPartOfWhatIsUniqueByChance() throws {
        let cycle = { (number: String, month: String) in #"{ "cycle": \#(number), "released": "\#(month)" }"# }
        let debian = [cycle(#""13""#, "August 2025"), cycle(#""12""#, "June 2023"), cycle(#""1.1""#, "June 1996")]
        let python = [cycle(#""3.14""#, "October 2025"), cycle(#""3.9""#, "October 2020"), cycle("3.15", "unknown")]
        for (product, cycles) in [("debian", debian), ("python", python)] {
            try scratch.write("life/\(product).json", "[\(cycles.joined(separator: ", "))]")
        }
        let draft = try draft(["life/*.json"])
        #expect(draft.text.contains(#""identifier": ["file", "cycle"]"#), "\(draft.text)")
        #expect(draft.text.contains(#""cycle": "text""#), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [6])
    }

    /// What is around a list that is cut into pages is no record.
    @Test func pagesAreOneList() throws {
        for page in 1...5 {
            let items = list(6) { #"{ "id": \#(page * 100 + $0), "title": "t\#($0)" }"# }
            try scratch.write("answers/\(page).json", #"{ "page": \#(page), "count": 30, "items": \#(items) }"#)
        }
        let draft = try draft(["answers/*.json"])
        #expect(draft.text.contains(#""records": "$.items[*]""#), "\(draft.text)")
        #expect(unfolded(draft.text).contains("these are in no entity: page, count"), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [30])
    }

    /// Nothing in them tells records apart: their places do, in each file.
    @Test func placesAreThoseInAFile() throws {
        for day in 1...3 {
            try scratch.write("days/\(day).json", list(5) { #"{ "kind": \#($0 % 2), "open": \#($0 % 3 == 0) }"# })
        }
        let draft = try draft(["days/*.json"])
        #expect(draft.text.contains(#""identifier": ["file", "number"]"#), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [15])
    }

    @Test func filesOfOtherShapesAreOtherSources() throws {
        try scratch.write("in/stops.json", list(9) { #"{ "id": \#($0), "name": "s", "lat": 1.5, "lon": 2.5 }"# })
        try scratch.write("in/lines.json", list(9) { #"{ "id": \#($0), "name": "l", "colour": "red" }"# })
        let draft = try draft(["in/*.json"])
        #expect(draft.text.contains("in/stops.json") && draft.text.contains("in/lines.json"), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [9, 9])
    }

    /// Of five files with names in common each is of another kind.
    @Test func namesInCommonAreNoShape() throws {
        for (number, name) in ["a", "b", "c", "d", "e"].enumerated() {
            try scratch.write(
                "in/\(name).json",
                list(9) { #"{ "id": \#($0), "name": "x", "\#(name)1": 1, "\#(name)2": \#(number) }"# })
        }
        #expect(try draft(["in/*.json"]).text.contains(#""sources": {"#))
    }

    /// Rows and lines are one behind the other, whatever file they are in.
    @Test(arguments: ["csv", "ndjson"])
    func tablesAndLinesAreOneFeed(_ ending: String) throws {
        for month in 1...3 {
            let rows = (0..<5).map { row in
                ending == "csv" ? "\(month * 10 + row),n\(row)" : #"{ "id": \#(month * 10 + row), "name": "n\#(row)" }"#
            }
            let header = ending == "csv" ? ["id,name"] : []
            try scratch.write("months/\(month).\(ending)", (header + rows).joined(separator: "\n") + "\n")
        }
        let draft = try draft(["months/*.\(ending)"])
        #expect(draft.text.contains(#""identifier": "id""#) && draft.text.contains("// 15 records"), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [15])
    }

    /// Files named one by one are a pattern where they are all that it names.
    @Test func someOfTheFilesAreNoPattern() throws {
        for number in 0..<4 { try scratch.write("in/\(number).json", list(5) { #"{ "id": \#($0 + number * 9) }"# }) }
        #expect(try draft(["in/0.json", "in/1.json", "in/2.json"]).text.contains("in/2.json"))
        #expect(try draft((0..<4).map { "in/\($0).json" }).text.contains("in/*.json"))
    }

    /// What a definition has of the files, it does not lack.
    @Test func aDefinitionOfTheFilesLacksNothing() throws {
        for number in 0..<5 { try scratch.write("in/\(number).json", #"{ "id": \#(number), "name": "n" }"#) }
        let definition = try draft(["in/*.json"]).definition()
        #expect(try InitRun([scratch.file("in/*.json")], output: nil).compare(with: definition).text == nil)
        for number in 0..<5 { try scratch.write("in/\(number).json", #"{ "id": \#(number), "name": "n", "size": 3 }"#) }
        let lacking = try InitRun([scratch.file("in/*.json")], output: nil).compare(with: definition).text
        #expect(lacking?.contains(#""size": "integer""#) ?? false, "\(lacking ?? "")")
    }

    private func shops(_ files: [String], _ order: (String, Int) -> String) throws {
        for file in files {
            try scratch.write("shops/\(file)", "{ \"orders\": \(list(30) { order(file, $0) }) }")
        }
    }

    /// The name of a file tells nothing apart where all files have one name, and nothing names their folders.
    @Test func filesOfOneNameAreNotToldApart() throws {
        let files = ["berlin/orders.json", "paris/orders.json", "rome/orders.json"]
        try shops(files) { #"{ "number": "A-\#(1000 + $1)", "total": \#($1 % 3 + $0.utf8.count), "open": true }"# }
        let text = try draft(["shops/*/orders.json"]).text
        #expect(text.contains(#"/shops/*/orders.json" }"#) && !text.contains("$file"), "\(text)")
        #expect(text.contains(#""identifier": "number""#), "\(text)")
        #expect(unfolded(text).contains("all files have one name"), "\(text)")
        #expect(unfolded(text).contains("give each folder a source of its own"), "\(text)")
    }

    /// Where nothing is unique in any of these files, no place in them identifies a record either.
    @Test func placesInFilesOfOneNameIdentifyNothing() throws {
        try shops(["berlin/x.json", "paris/x.json"]) { #"{ "total": \#($1 % 3 + $0.utf8.count), "kind": \#($1 % 2) }"# }
        let draft = try draft(["shops/*/x.json"])
        #expect(draft.text.contains(#""identifier": ["total", "kind"]"#), "\(draft.text)")
        #expect(!draft.text.contains("$file") && unfolded(draft.text).contains("all files have one name"))
        #expect(try run(draft).entities.map(\.counts.conflicting) == [0])
    }

    /// What is unique in all files needs no file, and nothing is said of these.
    @Test func filesOfOneNameNeedNotBeToldApart() throws {
        let files = ["berlin/x.json", "paris/x.json"]
        try shops(files) { #"{ "id": "\#($0.prefix(2))\#($1)", "total": \#($1 % 3) }"# }
        let draft = try draft(["shops/*/x.json"])
        #expect(draft.text.contains(#""identifier": "id""#), "\(draft.text)")
        #expect(!unfolded(draft.text).contains("folder"), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [60])
    }

    /// Names that some files share are told of, and lead to nothing by the folders beside them.
    @Test func namesThatFilesShareAreDoubtful() throws {
        let files = ["berlin/1.json", "berlin/2.json", "paris/1.json", "paris/2.json"]
        try shops(files) { #"{ "number": "A-\#(1000 + $1)", "total": \#($1 % 3 + $0.utf8.count) }"# }
        try scratch.write("cities.json", list(3) { #"{ "id": "\#(["berlin", "paris", "rome"][$0])" }"# })
        let text = try draft(["shops/*/*.json", "cities.json"]).text
        #expect(text.contains(#""identifier": ["file", "number"]"#), "\(text)")
        #expect(unfolded(text).contains("some files have the same name"), "\(text)")
        #expect(!text.contains(#""to": "City""#), "\(text)")
    }

    /// More files may follow the one that a pattern names today.
    @Test func aPatternOfOneFileStays() throws {
        try scratch.write("in/2026-01-01.ndjson", #"{ "id": 1, "a": 2 }"# + "\n")
        let draft = try draft(["in/*.ndjson"])
        #expect(draft.text.contains(#"/in/*.ndjson" }"#), "\(draft.text)")
        #expect(unfolded(draft.text).contains("matches one file today"), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [1])
        try scratch.write("in/2026-01-02.ndjson", #"{ "id": 2, "a": 2 }"# + "\n")
        #expect(try run(draft).entities.map(\.counts.created) == [1])
    }

    /// An object around lists that says much of itself is a record, to which the records in its lists refer.
    @Test(arguments: [3, 13]) func whatSaysMuchOfItselfIsARecord(_ files: Int) throws {
        for number in 0..<files {
            let releases = list(4) { #"{ "release": "\#(number).0.\#($0)", "security": \#($0 % 2 == 0) }"# }
            try scratch.write(
                "net/\(number).0.json",
                #"{ "channel": "\#(number).0", "latest": "\#(number).0.3", "supported": "202\#(number % 7)-05-12","#
                    + #" "phase": "eol", "releases": \#(releases) }"#)
        }
        let draft = try draft(["net/*.json"])
        #expect(draft.text.contains(#""Net": {"#) && draft.text.contains(#""records": "$""#), "\(draft.text)")
        #expect(draft.text.contains(#""net": { "to": "Net", "from": "$"#), "\(draft.text)")
        let report = try run(draft)
        #expect(report.entities.map(\.counts.created) == [files, 4 * files] && report.found.missingTargets.isEmpty)
    }

    /// Beyond what a sketch holds, too: every number of files is likely to be more than an estimate of what differs in
    /// them.
    @Test(arguments: [1025, 1300, 1750]) func manyFilesAreRecords(_ files: Int) throws {
        for number in 1...files {
            let names = ["en", "fr"].map { #"{ "language": "\#($0)", "name": "\#($0)\#(number % 100)" }"# }
            try scratch.write(
                "places/\(number)/index.json",
                #"{ "id": \#(number), "region": "r\#(number % 9)", "names": [\#(names.joined(separator: ", "))] }"#)
        }
        let draft = try draft(["places/*/index.json"])
        #expect(draft.text.contains(#""records": "$""#) && draft.text.contains(#""identifier": "id""#), "\(draft.text)")
        #expect(draft.text.contains(#""identifier": ["place_id", "language"]"#), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [files, 2 * files])
    }

    /// The records that files of one name are, are those of their folder.
    @Test func filesOfOneNameAreOfTheirFolder() throws {
        for number in 0..<6 {
            let orders = list(3) { #"{ "id": \#(number * 10 + $0), "total": \#($0) }"# }
            let shop = #"{ "shop": "s\#(number)x", "code": "c\#(number)", "orders": \#(orders) }"#
            try scratch.write("shops/\(number)/orders.json", shop)
            try scratch.write(
                "types/\(number)/index.json",
                #"{ "id": \#(number), "name": "t\#(number)", "places": [{ "no": \#(number), "index": \#(number) }] }"#)
        }
        let text = try draft(["shops/*/orders.json", "types/*/index.json"]).text
        #expect(text.contains(#""Type": {"#) && text.contains(#""Order": {"#) && !text.contains("Index"), "\(text)")
        #expect(text.contains(#""types": {"#) && text.contains(#""orders": {"#), "\(text)")
    }

    /// The list in a file that is called as the file is has the name, and not the record around it.
    @Test func listsAreCalledAsTheirFile() throws {
        for number in 0..<6 {
            let releases = list(4) { #"{ "release": "\#(number).0.\#($0)", "security": \#($0 % 2 == 0) }"# }
            try scratch.write(
                "net/\(number)/releases.json",
                #"{ "channel": "\#(number).0", "latest": "\#(number).0.3", "phase": "p\#(number % 2)", "releases": "#
                    + "\(releases) }")
        }
        let draft = try draft(["net/*/releases.json"])
        #expect(draft.text.contains(#""Release": {"#) && draft.text.contains(#""ReleaseFile": {"#), "\(draft.text)")
        #expect(draft.text.contains(#""identifier": "channel""#) && !draft.text.contains("$file"), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created).sorted() == [6, 24])
    }

    /// Without a name of its own, and without a member that is its own, such an object is none.
    @Test func whatSaysMuchInFilesOfOneNameNeedsAMember() throws {
        for number in 0..<6 {
            let items = list(4) { #"{ "id": \#(number * 10 + $0), "open": true }"# }
            try scratch.write(
                "days/\(number)/day.json",
                #"{ "kind": "k\#(number % 2)", "place": "p\#(number % 3)", "open": \#(number % 4), "items": \#(items) }"#
            )
        }
        let draft = try draft(["days/*/day.json"])
        #expect(!draft.text.contains(#""records": "$""#), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [24])
    }

    /// One odd file does not make a source of each.
    @Test func anOddFileIsASourceOfItsOwn() throws {
        for league in ["a", "b", "c"] {
            for number in 1...4 {
                try scratch.write(
                    "in/\(league)/\(number).json",
                    #"{ "name": "\#(league)\#(number)", "matches": [{ "round": "1", "team": "x\#(number)" }] }"#)
            }
        }
        try scratch.write("in/package.json", #"{ "version": "1.0", "license": "CC0", "id": "p" }"#)
        let draft = try draft(["in/**/*.json"])
        #expect(draft.text.contains(#"/in/*/*.json" }"#), "\(draft.text)")
        #expect(draft.text.components(separatedBy: #""file":"#).count == 3, "\(draft.text)")
        let told = unfolded(draft.text)
        #expect(told.contains("in/package.json is of another shape, and a source of its own"), "\(draft.text)")
        #expect(told.contains("The 12 files of"), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.rejected).allSatisfy { $0 == 0 })
    }

    /// Rows of several files are known by the file and the line.
    @Test func linesAreThoseOfAFile() throws {
        for day in 1...3 {
            let rows = (0..<9).map { "a\($0 % 2),\($0 == day ? "x" : "")" }
            try scratch.write("days/\(day).csv", "kind,note\n" + rows.joined(separator: "\n") + "\n")
        }
        let draft = try draft(["days/*.csv"])
        #expect(draft.text.contains(#""identifier": ["file", "line"]"#), "\(draft.text)")
        #expect(try run(draft).entities.map(\.counts.created) == [27])
    }

    @Test func aDamagedFileIsNamed() throws {
        for number in 0..<4 {
            try scratch.write("in/\(number).json", number == 2 ? #"[{ "id": 1 ]"# : #"[{ "id": 1 }]"#)
        }
        let failure = #expect(throws: (any Error).self) { try draft(["in/*.json"]) }
        #expect("\(failure.map { "\($0)" } ?? "")".contains("in/2.json:1:"), "\(String(describing: failure))")
    }
}
