import Foundation
import TestSupport
import Testing

/// Tables and texts as programs write them: encodings, delimiters that a file tells, marks of numbers, dates in several
/// forms.
@Suite struct TextFormTests {
    private let folder = TemporaryFolder()

    private func define(_ source: String, limits: String = "0") throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { \(source) }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": \(limits) },
              "entities": { "Town": { "records": "$", "identifier": "id",
                "attributes": { "id": "integer", "name": "text",
                  "people": { "type": "integer", "thousands": ".", "decimalMark": "," },
                  "area": { "type": "decimal", "decimalMark": ",", "thousands": "." },
                  "founded": { "type": "date", "format": ["%d.%m.%Y", "%Y-%m-%d"] } } } } }
            """)
    }

    private func run(_ definition: String, _ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(["run", definition, "--format", "json"] + more)
    }

    private func write(_ text: String, _ encoding: String.Encoding) throws {
        try #require(text.data(using: encoding)).write(to: URL(filePath: folder.file("t.csv")))
    }

    private var towns: [[String]] {
        get throws {
            try Database(folder.file("s.sqlite")).rows("SELECT id, name, people, area, founded FROM Town ORDER BY id")
        }
    }

    private static let table = """
        sep=;\r
        id;name;people;area;founded\r
        -;Text;Leute;km²;Tag\r
        1;München;1.510.378;310,70;14.06.1158\r
        2;"Köln; am Rhein";1087353;405,02;0050-01-01\r

        """
    private static let rows = [
        ["1", "München", "1510378", "310.7", "1158-06-14"], ["2", "Köln; am Rhein", "1087353", "405.02", "0050-01-01"],
    ]

    /// Of a number of JSON, what a pattern takes is one, too: its point is no mark between thousands.
    @Test func numbersOfJSONHaveNoMarks() throws {
        _ = try folder.write(
            "t.json",
            #"[{"id": 1, "v": 6.575}, {"id": 2, "v": "6.575"}, {"id": 3, "v": 1250.125}, {"id": 4, "v": [2.5, "1.000"]}]"#
        )
        let definition = try folder.write(
            "n.jsonc",
            """
            { "source": { "file": "t.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": 1 },
              "entities": { "Town": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer",
                "area": { "type": "decimal", "from": "v", "decimalMark": ",", "thousands": ".", "match": "^[0-9.,]+$" } } },
                "List": { "records": "$[*]", "where": { "id": 4 }, "identifier": "id", "attributes": { "id": "integer",
                "areas": { "type": "decimal", "many": true, "from": "v[*]", "decimalMark": ",", "thousands": ".",
                  "matches": "[0-9.,]+" } } } } }
            """)
        let outcome = try run(definition)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let database = try Database(folder.file("s.sqlite"))
        #expect(
            try database.rows("SELECT id, area FROM Town ORDER BY id") == [
                ["1", "6.575"], ["2", "6575"], ["3", "1250.125"],
            ])
        #expect(try database.rows("SELECT areas FROM List") == [[#"["2.5","1000"]"#]])
    }

    @Test(arguments: [
        ("utf-8", String.Encoding.utf8), ("windows-1252", .windowsCP1252), ("ISO-8859-1", .isoLatin1),
        ("utf-16", .utf16),
        ("utf-16le", .utf16LittleEndian), ("utf-16be", .utf16BigEndian),
    ])
    func encodingsAreTurnedIntoUTF8(_ name: String, _ encoding: String.Encoding) throws {
        try write(Self.table, encoding)
        let skip = name.hasPrefix("utf") ? "\"-;Text;Leute;km²;Tag\"" : "1"
        let definition = try define("\"file\": \"t.csv\", \"encoding\": \"\(name)\", \"skip\": \(skip)")
        let outcome = try run(definition)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try towns == Self.rows)
        // The bytes are those of the file, so that a second run finds nothing new.
        let size = try Data(contentsOf: URL(filePath: folder.file("t.csv"))).count
        #expect((outcome.report["sources"] as? [String: [String: Any]])?["main"]?["bytes"] as? Int == size)
        #expect(try run(definition).report["status"] as? String == "unchanged")
    }

    /// Who writes UTF-8 one night, with its mark, where another encoding was, is read as UTF-8.
    @Test(arguments: ["", "sep=;\n"]) func theMarkOfUTF8CountsMore(beginning: String) throws {
        let definition = try define("\"file\": \"t.csv\", \"encoding\": \"windows-1252\", \"skip\": 1")
        for (text, encoding) in [(Self.table, String.Encoding.windowsCP1252), ("\u{feff}" + Self.table, .utf8)] {
            try write(text, encoding)
            let outcome = try run(definition)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try towns == Self.rows)
        }
    }

    /// What is read in small pieces is the same as what Foundation makes of all of it, and each reject is found again.
    @Test func longTablesAreTheSame() throws {
        let letters = Array("aäöüßéàçñ€œ–")
        var random = SeededRandom(4)
        var expected: [[String]] = []
        var text = "id;name;people;area;founded\n"
        for id in 0..<20_000 {
            let name = String(
                (0..<Int.random(in: 1..<40, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
            if id % 5000 == 77 {
                text += "\(id);\(name);x;;\n"
            } else {
                text += "\(id);\(name);;;\n"
                expected.append(["\(id)", name])
            }
        }
        try write(text, .windowsCP1252)
        let definition = try define(#""file": "t.csv", "encoding": "cp1252", "delimiter": ";""#, limits: "9")
        let outcome = try run(definition, "--findings", folder.file("f"))
        #expect(outcome.status == 0 && outcome.count("Town", "rejected") == 4, "\(outcome.errors)")
        #expect(try Database(folder.file("s.sqlite")).rows("SELECT id, name FROM Town ORDER BY id") == expected)
        let findings = try String(contentsOfFile: folder.file("f"), encoding: .utf8)
        for id in [77, 5077, 10_077, 15_077] { #expect(findings.contains("\"record\": {\"id\":\"\(id)\",\"name\":\"")) }
    }

    @Test func whatIsNoCharacterIsNoFeed() throws {
        try Data(Array("id;name\n1;a".utf8) + [0x81] + Array("b\n".utf8)).write(to: URL(filePath: folder.file("t.csv")))
        let outcome = try run(try define(#""file": "t.csv", "encoding": "windows-1252""#))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("its byte 12, 0x81, does not begin a character of windows-1252"))
        try Data([0xff, 0xfe, 0x69, 0x00, 0x64]).write(to: URL(filePath: folder.file("t.csv")))
        #expect(try run(try define(#""file": "t.csv", "encoding": "utf-16""#)).status == 65)
        #expect(!folder.names.contains("s.sqlite"))
    }

    @Test(arguments: [
        ("1.234,5", "1234.5"), ("-1.234.567", "-1234567"), ("0,050", "0.05"), ("1234,5", "1234.5"), ("+12", "12"),
        ("7,", "7"),
        ("1.5", nil), ("12.34,5", nil), ("1..234", nil), ("1.2345", nil), ("1,234.5", nil), ("1e3", nil), (",", nil),
        (".123", nil), ("1.234.", nil), ("1 234", nil), ("1234.567", nil),
    ])
    func numbersAreReadByTheirMarks(_ text: String, _ value: String?) throws {
        try write("id;area\n1;\(text)\n", .utf8)
        let outcome = try run(try define(#""file": "t.csv", "delimiter": ";""#, limits: "1"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Town", "rejected") == (value == nil ? 1 : 0))
        if let value { #expect(try Database(folder.file("s.sqlite")).rows("SELECT area FROM Town") == [[value]]) }
    }

    /// Spaces that do not break a line, too; and numbers of JSON as they are.
    @Test func otherMarks() throws {
        _ = try folder.write(
            "t.json",
            #"[{"a": "1\u00a0234.5", "b": "1'234"}, {"a": "1\u202f234", "b": "1\u2019234"}, {"a": 1e3, "b": 2}]"#)
        let definition = try folder.write(
            "p.jsonc",
            #"""
            { "source": { "file": "t.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": { "N": { "records": "$[*]", "identifier": "k",
                "attributes": { "k": { "type": "integer", "from": "~" }, "a": { "type": "real", "thousands": " " },
                  "b": { "type": "integer", "thousands": "'" } } } } }
            """#)
        #expect(try run(definition).status == 0)
        let rows = try Database(folder.file("s.sqlite")).rows("SELECT a, b FROM N ORDER BY k")
        #expect(rows == [["1234.5", "1234"], ["1234.0", "1234"], ["1000.0", "2"]])
    }

    /// A draft of a table in another encoding loads it.
    @Test(arguments: [String.Encoding.windowsCP1252, .utf16]) func draftsFindTheEncoding(_ encoding: String.Encoding)
        throws
    {
        try write("identifier;name\n" + (1..<60).map { "\($0);Größe \($0)\n" }.joined(), encoding)
        let draft = try Sluice.run(["init", folder.file("t.csv")])
        #expect(draft.status == 0, "\(draft.errors)")
        #expect(draft.output.contains(encoding == .utf16 ? #""encoding": "utf-16""# : #""encoding": "windows-1252""#))
        #expect(draft.output.contains(#""delimiter": ";""#))
        let definition = try folder.write("p.jsonc", draft.output)
        let outcome = try run(definition, "--store", folder.file("d.sqlite"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let entity = try #require((outcome.report["entities"] as? [String: Any])?.keys.first)
        let sql = "SELECT name FROM \"\(entity)\" ORDER BY identifier LIMIT 1"
        let names = try Database(folder.file("d.sqlite")).rows(sql)
        #expect(names == [["Größe 1"]])
    }
}
