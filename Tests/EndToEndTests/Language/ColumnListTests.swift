import Foundation
import TestSupport
import Testing

/// Records that are lists keep the meaning of their positions, or fail the run.
struct ColumnListTests {
    private let folder = TemporaryFolder()

    private func define(_ columns: String, feed: String = "f.json", records: String = "$.data[*]", _ more: String = "")
        throws
    {
        _ = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "\(feed)", "columns": \(columns) }, "store": { "sqlite": "s.sqlite" },
              "entities": { "Comet": { "records": "\(records)", "identifier": "name", "absent": "delete"\(more),
                "attributes": {
                  "name": { "type": "text", "from": "[0]" }, "year": { "type": "integer", "from": "[1]" } } } } }
            """)
    }

    private func night(_ feed: String, _ words: [String] = []) throws -> Sluice.Outcome {
        _ = try folder.write("f.json", feed)
        return try Sluice.run(["run", folder.file("p.jsonc")] + words)
    }

    private func rows() throws -> [[String]] {
        try Database(folder.file("s.sqlite")).rows("SELECT name, year FROM Comet ORDER BY name")
    }

    private static let fields = #"{ "$.fields[*]": ["name", "year"] }"#
    private static let first = #"{ "fields": ["name", "year"], "data": [["Halley", 1758], ["Encke", 1786]] }"#

    @Test func aColumnThatMovesFailsTheRun() throws {
        try define(Self.fields)
        #expect(try night(Self.first).status == 0)
        // A column at the end moves nothing.
        let wider = #"{ "data": [["Halley", 1758, 9], ["Encke", 1787, 9]], "fields": ["name", "year", "mass"] }"#
        #expect(try night(wider).status == 0)
        let before = try rows()
        #expect(before == [["Encke", "1787"], ["Halley", "1758"]])
        for feed in [
            #"{ "fields": ["name", "found", "year"], "data": [["Halley", 3, 1758], ["Encke", 4, 1786]] }"#,
            #"{ "data": [["Halley", 3, 1758], ["Encke", 4, 1786]], "fields": ["name", "found", "year"] }"#,
        ] {
            for words in [["--dry-run"], []] {
                let told = try night(feed, words)
                #expect(told.status == 65)
                #expect(
                    told.errors.contains(#"column [1] of `$.fields[*]` is "found", and not "year""#), "\(told.errors)")
                #expect(try rows() == before)
            }
        }
        let bare = try night(#"{ "data": [["Halley", 1758]] }"#)
        #expect(bare.status == 65 && bare.errors.contains("there is no list at `$.fields[*]`"), "\(bare.errors)")
        // What has no records has nothing at other positions.
        let empty = try night(#"{ "data": [] }"#)
        #expect(!empty.errors.contains("$.fields"), "\(empty.errors)")
    }

    /// A preview that ends with a wrong column does not say that the paths are.
    @Test func aPreviewSaysWhyItHasNoRecords() throws {
        try define(Self.fields)
        _ = try folder.write("f.json", #"{ "fields": ["year", "name"], "data": [[1758, "Halley"]] }"#)
        let preview = try Sluice.run(["preview", folder.file("p.jsonc")])
        #expect(preview.status == 65 && preview.errors.contains("column [0]"), "\(preview.errors)")
        #expect(preview.output.contains("no records: the reading ended before the first one"), "\(preview.output)")
    }

    @Test func eachFileOfAPattern() throws {
        try define(Self.fields, feed: "*.json")
        _ = try folder.write("g.json", Self.first.replacing("Halley", with: "Lexell").replacing("Encke", with: "Biela"))
        #expect(try night(Self.first).status == 0)
        #expect(try rows().count == 4)
        _ = try folder.write("g.json", #"{ "fields": ["year", "name"], "data": [["Lexell", 1770]] }"#)
        let told = try night(Self.first)
        #expect(told.status == 65 && told.errors.contains("g.json: column [0]"), "\(told.errors)")
        #expect(try rows().count == 4)
    }

    @Test func theFirstRecordSaysIt() throws {
        try define(
            #"{ "$[0][*]": ["name", "year"] }"#, records: "$[*]", #", "where": { "not": { "~": 0 } }"#)
        #expect(try night(#"[["name", "year"], ["Halley", 1758], ["Encke", 1786]]"#).status == 0)
        #expect(try rows() == [["Encke", "1786"], ["Halley", "1758"]])
        let told = try night(#"[["name", "period", "year"], ["Halley", 75, 1758], ["Encke", 3, 1786]]"#)
        #expect(told.status == 65 && told.errors.contains(#"is "period", and not "year""#), "\(told.errors)")
        #expect(try rows() == [["Encke", "1786"], ["Halley", "1758"]])
    }

    /// An entity of the document itself has a record in a page that has no others, and no list.
    @Test func anEmptyPageBesideAnEntityOfTheDocument() throws {
        let feed = #"{ "id": 1, "fields": ["name"], "data": [["Halley"]] }"#
        _ = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "*.json", "columns": { "$.fields[*]": ["name"] } }, "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Page": { "records": "$", "identifier": "id", "attributes": { "id": "integer" } },
                "Comet": { "records": "$.data[*]", "identifier": "name",
                  "attributes": { "name": { "type": "text", "from": "[0]" } } } } }
            """)
        _ = try folder.write("g.json", #"{ "id": 2, "data": [] }"#)
        let told = try night(feed)
        #expect(told.status == 0, "\(told.errors)")
        _ = try folder.write("g.json", #"{ "id": 2, "data": [["Encke"]] }"#)
        #expect(try night(feed).errors.contains("there is no list at `$.fields[*]`"))
    }

    @Test func draftsHaveIt() throws {
        for (index, (feed, columns)) in [
            (Self.first, #""columns": { "$.fields[*]": ["name", "year"] }"#),
            (
                #"{ "meta": { "columns": [{ "name": "sid" }, { "name": "n" }] }, "data": [["a", 1], ["b", 2], ["c", 2]] }"#,
                #""columns": { "$.meta.columns[*].name": ["sid", "n"] }"#
            ),
            (
                #"[["NAME", "POP"], ["Alabama", 5], ["Alaska", 1], ["Ohio", 5]]"#,
                #""columns": { "$[0][*]": ["NAME", "POP"] }"#
            ),
            (#"[["Alabama", 5], ["Alaska", 1], ["Ohio", 5]]"#, nil),
        ].enumerated() as EnumeratedSequence<[(String, String?)]> {
            let (name, file) = (try folder.write("x\(index).json", feed), folder.file("d\(index).jsonc"))
            let draft = try Sluice.run(["init", name, "-o", file])
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(draft.status == 0 && columns.map(text.contains) ?? !text.contains("\"columns\""), "\(text)")
            let run = try Sluice.run(["run", file])
            #expect(run.status == 0, "\(run.errors)")
        }
    }
}
