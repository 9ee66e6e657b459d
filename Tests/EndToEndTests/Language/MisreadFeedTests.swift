import Foundation
import TestSupport
import Testing

/// A feed that is UTF-8 one night, and not what `encoding` says, is told of.
struct MisreadFeedTests {
    private let folder = TemporaryFolder()

    private func define(_ source: String = "") throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "t.csv", "encoding": "windows-1252", "delimiter": ";"\(source) },
              "store": { "sqlite": "s.sqlite" },
              "entities": { "Ort": { "records": "$", "identifier": "id", "attributes": { "id": "integer", "ort": "text" } } } }
            """)
    }

    private func night(_ text: String, _ encoding: String.Encoding, _ words: [String] = []) throws -> Sluice.Outcome {
        try #require(text.data(using: encoding)).write(to: URL(filePath: folder.file("t.csv")))
        return try Sluice.run(["run", folder.file("p.jsonc")] + words)
    }

    private static let table = "id;ort\n1;Bonn\n2;Köln\n3;Düren\n"

    @Test func itIsNews() throws {
        _ = try define()
        let news = ["--show", "news"]
        #expect(try night(Self.table, .windowsCP1252, news).output.isEmpty)
        let dry = try night(Self.table, .utf8, ["--dry-run"]).output
        let findings = folder.file("f.ndjson")
        let told = try night(Self.table, .utf8, news + ["--findings", findings])
        #expect(told.status == 0)
        for output in [told.output, dry] {
            let words = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("t.csv:3:4: the feed of the source main is read as windows-1252"), "\(output)")
        }
        let finding = try String(contentsOfFile: findings, encoding: .utf8)
        #expect(finding.contains(#""path": "windows-1252", "reason": "encoding""#), "\(finding)")
        #expect(try night(Self.table, .utf8, news + ["--force"]).output.isEmpty)
        #expect(try night("id;ort\n1;Bonn\n", .utf8, news).output.isEmpty)
    }

    @Test func theHeaderSaysWhy() throws {
        for (source, text, row) in [
            (#", "skip": ";;m³/s""#, "id;ort;q\n;;m³/s\n1;Bonn;3\n", "t.csv:2:1"),
            (#", "headerLine": 2, "names": ["Größe", "Name"]"#, "x\nGröße;Stadt\n1;Bonn\n", "t.csv:2:1"),
        ] {
            _ = try define(source)
            let misread = try night(text, .utf8, ["--store", folder.file("x.sqlite")])
            #expect(misread.status == 65)
            #expect(
                misread.errors.contains("\(row): this row is UTF-8, and was read as windows-1252"), "\(misread.errors)")
        }
        _ = try define(#", "skip": ";;m³/s""#)
        let other = try night("id;ort;q\n;;m³/h\n1;Bonn;3\n", .utf8)
        #expect(other.errors.contains("has a unit changed"), "\(other.errors)")
    }
}
