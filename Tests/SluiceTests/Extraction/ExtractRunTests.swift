import Foundation
import SluiceColumns
import SluiceDefinition
import SluiceRecords
import TestSupport
import Testing

@testable import Sluice

@Suite("Extraction as Parquet")
struct ExtractRunTests {
    private func definition(_ folder: String, format: String = "lines") throws -> PipelineDefinition {
        try PipelineDefinition(
            named: "extracted",
            [
                "source": ["file": .text(folder + "/feed.json"), "format": .text(format)],
                "store": ["sqlite": .text(folder + "/never.sqlite")], "entities": ProgramScene.entities,
            ])
    }

    private func rows(_ directory: String, _ entity: String) throws -> [[String]] {
        let folder = "\(directory)/\(entity)"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try names.flatMap { try ParquetReader("\(folder)/\($0)").rows }
    }

    @Test("Each type, each kind of reference; null and absent are two")
    func everyType() throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #"""
        {"kind":"station","network":"N","number":-5,"name":"Süd\u0000","height":1.5,"fare":"12.340","isOpen":true,"opened":"1969-12-31","seen":1700000000,"extra":{"b":[1, null]},"signature":"AP8H","above":3,"lines":["L1",null,"L1"],"owner":{"type":"Firm","id":7}}
        {"kind":"station","network":"N","number":2,"isOpen":null,"lines":[],"owner":{"type":"Firm","id":"x"}}
        {"kind":"station","network":"N","number":"two"}
        {"kind":"line","code":"L1","ends":[{"network":"N","number":2},{"network":"M","number":"?"}]}
        """#.write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
        let outcome = try ExtractRun(definition(folder), to: folder + "/parts").perform()
        #expect(outcome.part == "main-feed.json")
        #expect(outcome.records.map(\.count) == [2, 1, 0])
        #expect(outcome.rejects == 1)
        let stations = try rows(folder + "/parts", "Station")
        let file = folder + "/feed.json"
        #expect(
            stations[0] == [
                "main", file, "main-feed.json", "0", "0", "1", "1", "$", "N", "-5", "Süd\0", "1.5", "12.34", "true",
                "day -1",
                "2023-11-14T22:13:20.000000Z", #"{"b":[1,null]}"#, "\0\u{fffd}\u{7}", "N", "3", "∅", "∅", "[L1,L1]",
                "[∅,∅]",
                "Firm", "∅", "7", "∅", "0",
            ])
        let absent = [3, 4, 6, 7, 8, 9].reduce(0) { $0 | 1 << $1 }
        // Absent: height, fare, opened, seen, extra, signature, parent; name has its default, isOpen is null.
        #expect(
            stations[1].suffix(21) == [
                "N", "2", "?", "∅", "∅", "∅", "∅", "∅", "∅", "∅", "∅", "∅", "∅", "∅", "∅", "∅", "Firm", "∅", "∅", "x",
                "\(absent)",
            ])
        let lines = try rows(folder + "/parts", "Line")
        #expect(lines[0].suffix(6) == ["L1", "[N,M]", "[2,∅]", "[∅,∅]", "[∅,?]", "0"])
        let findings = try String(contentsOfFile: folder + "/parts/findings/main-feed.json.ndjson", encoding: .utf8)
        #expect(findings.contains(#""line": 3, "column": 1"#))
        #expect(findings.contains(#""record": {"kind":"station","network":"N","number":"two"}"#))
        #expect(try rows(folder + "/parts", "Firm") == [])
        #expect(FileManager.default.fileExists(atPath: folder + "/never.sqlite") == false)
    }

    @Test("Attributes and relationships keep their names; columns of ours that would have them get others")
    func names() throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "{\"id\":1,\"r\":1,\"_line\":5}\n".write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
        let definition = try PipelineDefinition(
            named: "names",
            [
                "source": ["file": .text(folder + "/feed.json"), "format": "lines"],
                "store": ["sqlite": .text(folder + "/never.sqlite")],
                "entities": [
                    "rejects": [
                        "records": "$", "identifier": "id",
                        "attributes": [
                            "id": "integer", "_line": "integer", "_ABSENT": "text", "r.impossible": "text",
                            "r.entity": "text",
                        ],
                        "relationships": [
                            "r": ["to": ["rejects", "entity"], "from": "r", "entity": ["value": "rejects"]],
                            "_path": ["to": "rejects"],
                        ],
                    ],
                    "entity": ["records": "$.none", "identifier": "id", "attributes": ["id": "integer"]],
                ],
            ])
        _ = try ExtractRun(definition, to: folder + "/parts").perform()
        let file = try ParquetReader(folder + "/parts/%72ejects/main-feed.json.parquet")
        let names = [
            "_source", "_file", "_part", "_offset", "_record", "sluice__line", "_column", "sluice__path", "id", "_line",
            "_ABSENT", "r.impossible", "r.entity", "sluice_r.entity", "r.rejects", "sluice_sluice_r.entity",
            "sluice_r.impossible", "_path", "_path.impossible", "sluice__absent",
        ]
        #expect(file.columns.map(\.name) == names)
        #expect(file.rows[0][5] == "1" && file.rows[0][9] == "5")
    }

    @Test(
        "Names are folders that nothing else is called like",
        arguments: [
            ("Stop", "Stop"), ("a/b", "a%2Fb"), ("a/\u{301}", "a%2F\u{301}"), ("5%", "5%25"), (".x", "%2Ex"),
            ("findings", "%66indings"), ("Manifest", "%4Danifest"), ("findings 2", "findings 2"),
            ("report.json", "report%2Ejson"), ("x.Parquet", "x%2EParquet"), (".json", "%2Ejson"), ("", ""),
        ])
    func folders(name: String, folder: String) { #expect(FolderName.escaped(name).isIdentical(to: folder)) }

    @Test("Any ranges together are the whole", arguments: 0..<6)
    func ranges(seed: Int) throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var random = SeededRandom(seed)
        let feed = ProgramScene.records(30, &random).map { $0.line + "\n" }.joined()
        try feed.write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
        let definition = try definition(folder)
        let whole = try ExtractRun(definition, to: folder + "/whole").perform()
        var (first, part) = (0, 0)
        var newlines = 0
        while first < feed.utf8.count {
            let length = 1 + random.below(seed == 0 ? 40 : 900)
            let name = "part\(1000 + part)"
            _ = try ExtractRun(definition, to: folder + "/ranges", range: first..<first + length, part: name).perform()
            let manifest = try String(contentsOfFile: folder + "/ranges/manifest/\(name).json", encoding: .utf8)
            newlines += Int(manifest.matches(of: /"newlines": (\d+)/).first?.output.1 ?? "") ?? 0
            (first, part) = (first + length, part + 1)
        }
        #expect(newlines == 30)
        for entity in ["Station", "Line", "Firm"] {
            // A record's number and its line count from the beginning of the part.
            let place = { (row: [String]) in row.enumerated().filter { ![2, 4, 5].contains($0.offset) }.map(\.element) }
            #expect(try rows(folder + "/ranges", entity).map(place) == rows(folder + "/whole", entity).map(place))
        }
        #expect(whole.records.map(\.count).reduce(0, +) > 10)
    }

    @Test("A feed that is cut at any byte is the whole")
    func everyCut() throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let feed = #"""
            {"kind":"firm","id":1}

              {"kind":"firm","id":"ü"}
            {"kind":"line","code":"L"} {"kind":"firm","id":3}
            {"kind":"firm","id":4}
            """#
        try feed.write(toFile: folder + "/feed.json", atomically: true, encoding: .utf8)
        let definition = try definition(folder)
        let place = { (row: [String]) in row.enumerated().filter { ![2, 4, 5].contains($0.offset) }.map(\.element) }
        _ = try ExtractRun(definition, to: folder + "/whole").perform()
        let size = feed.utf8.count
        for cut in 1..<size {
            let parts = folder + "/cut\(cut)"
            for (part, range) in [("1", 0..<cut), ("2", cut..<size)] {
                _ = try ExtractRun(definition, to: parts, range: range, part: part).perform()
            }
            for entity in ["Line", "Firm"] {
                #expect(try rows(parts, entity).map(place) == rows(folder + "/whole", entity).map(place), "\(cut)")
            }
        }
        #expect(try rows(folder + "/whole", "Firm").count == 3)
    }

    @Test("A part that is there is not made again; one that fails leaves nothing")
    func onceAndNotHalf() throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/feed.json"
        try #"{"kind":"firm","id":1}"#.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try ExtractRun(definition(folder), to: folder + "/parts").perform().wasThere == false)
        try #"{"kind":"firm","id":1"#.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try ExtractRun(definition(folder), to: folder + "/parts").perform().wasThere)
        #expect(throws: Failure.self) { try ExtractRun(definition(folder), to: folder + "/other").perform() }
        let left = FileManager.default.enumerator(atPath: folder + "/other")?.compactMap { $0 as? String } ?? []
        #expect(left.filter { $0.contains(".") } == [])
    }

    @Test("What has no ranges says so")
    func refused() throws {
        let folder = try ProgramScene.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/feed.json"
        func message(_ definition: PipelineDefinition, _ range: Range<Int>) -> String {
            do {
                _ = try ExtractRun(definition, to: folder + "/parts", range: range).perform()
                return ""
            } catch {
                return "\(error.kind.rawValue) \(error.description)"
            }
        }
        try "[\n{\"kind\":\"firm\",\n\"id\":1}]".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(message(try definition(folder, format: "json"), 0..<5).hasPrefix("64 "))
        #expect(
            message(try definition(folder), 0..<5).hasSuffix(
                "(in a range of lines each line holds whole values: else extract it whole)"))
        // Lines are those of the file.
        let good = "{\"kind\":\"firm\",\"id\":1}\n"
        try (good + good + "{bad\n" + good).write(toFile: path, atomically: true, encoding: .utf8)
        let bad = message(try definition(folder), (good.utf8.count + 1)..<100)
        #expect(bad.hasPrefix("65 \(path):3:2: "), "\(bad)")
        let lined = try PipelineDefinition(
            named: "lined",
            [
                "source": ["file": .text(path), "format": "lines"], "store": ["sqlite": "x.sqlite"],
                "entities": [
                    "Row": [
                        "records": "$", "identifier": "line",
                        "attributes": ["line": ["type": "integer", "from": "$line"]],
                    ]
                ],
            ])
        #expect(message(lined, 0..<5).hasPrefix("64 Row takes $line, which is not known in a range"))
        try Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]).write(to: URL(fileURLWithPath: path))
        #expect(message(try definition(folder), 0..<5).contains("compressed"))
    }
}
