import Foundation
import TestSupport
import Testing

/// A line of a feed that is no record is a reject, with its bytes, and all others are loaded.
@Suite struct BrokenLineTests {
    private let folder = TemporaryFolder()

    private func define(_ source: String, limit: String = "2", entity: String = "") throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": \(source), "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": \(limit) },
              "entities": { "Town": { "records": "$", "identifier": "id",
                "attributes": { "id": "integer", "name": "text" }\(entity) } } }
            """)
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
    }

    private func lines(_ texts: [[UInt8]]) -> [UInt8] { Array(texts.joined(separator: [0x0a])) }

    private func run(_ definition: String, _ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", definition, "--format", "json", "--findings", folder.file("f.ndjson"), "--force"] + more)
    }

    private func rejects() throws -> [[String: Any]] {
        try String(contentsOfFile: folder.file("f.ndjson"), encoding: .utf8).split(separator: "\n").compactMap { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return value?["kind"] as? String == "reject" ? value : nil
        }
    }

    private func reason(_ reject: [String: Any]) -> String? {
        (reject["faults"] as? [[String: String]])?.first?["reason"]
    }

    private var towns: [[String]] {
        get throws { try Database(folder.file("s.sqlite")).rows("SELECT id, name FROM Town ORDER BY id") }
    }

    private static let latin = Array("2,M".utf8) + [0xfc] + Array("nchen".utf8)

    /// A row that is not UTF-8, as programs write that mean another encoding.
    @Test(arguments: ["", ".gz"]) func rowsThatAreNoTextAreRejects(_ ending: String) throws {
        let feed = lines([Array("id,name".utf8), Array("1,Bonn".utf8), Self.latin, Array("3,Köln".utf8)])
        try write("towns.csv", feed)
        if !ending.isEmpty { _ = try Shell.output(["gzip", folder.file("towns.csv")]) }
        let definition = try define("{ \"file\": \"towns.csv\(ending)\" }")
        let outcome = try run(definition)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Town", "rejected") == 1 && outcome.count("Town", "records") == 3)
        #expect(try towns == [["1", "Bonn"], ["3", "Köln"]])
        let reject = try #require(try rejects().first)
        #expect(reject["line"] as? String == "2,M\u{fffd}nchen" && reject["record"] == nil)
        #expect(reject["bytes"] as? String == Data(Self.latin).base64EncodedString())
        #expect(reject["identifier"] as? String == "2")
        #expect(reason(reject) == "its byte 4, 0xfc, does not begin a character of UTF-8")
        let place = reject["at"] as? [String: Any]
        #expect(place?["line"] as? Int == 3 && place?["column"] as? Int == 1 && place?["record"] as? Int == 1)

        // As it is, it cannot be replayed; with a record, it can.
        let refused = try Sluice.run(["replay", definition, "--rejects", folder.file("f.ndjson")])
        #expect(refused.status == 65 && refused.errors.contains("this reject has no \"record\""))
        let found = try String(contentsOfFile: folder.file("f.ndjson"), encoding: .utf8)
        let mended = found.replacing(#""line": "#, with: #""record": {"id":"2","name":"München"}, "line": "#)
        let file = try folder.write("m.ndjson", mended)
        let replay = try Sluice.run(["replay", definition, "--rejects", file])
        #expect(replay.status == 0, "\(replay.errors)")
        #expect(try towns == [["1", "Bonn"], ["2", "München"], ["3", "Köln"]])
        // The report that the store keeps says the same of the line.
        let report = try Sluice.run(["runs", definition, "--run", "1", "--format", "json"])
        #expect(report.output.contains(#""bytes": "\#(Data(Self.latin).base64EncodedString())""#))
    }

    /// No condition leaves out what nobody can read; and a limit counts it as others.
    @Test func noConditionHidesThem() throws {
        try write("towns.csv", lines([Array("id,name".utf8), Self.latin, Array("3,Ulm".utf8)]))
        let source = #"{ "file": "towns.csv" }"#
        let definition = try define(source, entity: #", "where": { "name": "Ulm" }"#)
        let outcome = try run(definition)
        #expect(outcome.status == 0 && outcome.count("Town", "rejected") == 1, "\(outcome.errors)")
        let strict = try run(try define(source, limit: "0"))
        #expect(strict.status == 65 && strict.errors.contains("rejects"), "\(strict.errors)")
    }

    /// Which object the line is of, nobody knows: where what is lacking is deleted, it is no feed. Nor is one whose header
    /// cannot be read.
    @Test func whereObjectsAreAbsentNothingIsLoaded() throws {
        try write("towns.csv", lines([Array("id,name".utf8), Array("1,Bonn".utf8), Self.latin]))
        for absent in ["delete", "mark"] {
            let definition = try define(#"{ "file": "towns.csv" }"#, entity: #", "absent": "\#(absent)""#)
            let outcome = try run(definition)
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("towns.csv:3:4: the byte 0xfc does not begin a character"))
        }
        try write("towns.csv", lines([Self.latin, Array("1,Bonn".utf8)]))
        let outcome = try run(try define(#"{ "file": "towns.csv" }"#))
        #expect(outcome.status == 65 && outcome.errors.contains("towns.csv:1:4: the byte 0xfc"), "\(outcome.errors)")
        #expect(!folder.names.contains("s.sqlite"))
    }

    /// Rows with broken bytes anywhere, read in chunks of any size, against a reading row by row.
    @Test(arguments: 1...6) func brokenRowsAreTheOnesThatAreNoText(seed: Int) throws {
        var random = SeededRandom(seed)
        var (rows, expected, broken): ([[UInt8]], [[String]], Int) = ([Array("id,name".utf8)], [], 0)
        for id in 0..<3000 {
            let name = ["Bonn", "Köln", "a \"\"b\"\"", "x\ny", "日本"].randomElement(using: &random) ?? ""
            var row = Array("\(id),\"\(name)\"".utf8)
            if Int.random(in: 0..<9, using: &random) == 0 {
                let quote = row.firstIndex(of: 0x22) ?? 0
                let place = Int.random(in: quote + 1..<row.count, using: &random)
                row.insert([0x80, 0xff, 0xc3, 0xe2].randomElement(using: &random) ?? 0x80, at: place)
            }
            rows.append(row)
            if String(validating: row, as: UTF8.self) == nil {
                broken += 1
            } else {
                expected.append(["\(id)", name.replacing("\"\"", with: "\"")])
            }
        }
        try write("towns.csv", lines(rows))
        let outcome = try run(try define(#"{ "file": "towns.csv" }"#, limit: "null"), "--batch-size", "\(7 * seed)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Town", "rejected") == broken && broken > 100)
        #expect(try towns == expected.sorted { Int($0[0]) ?? 0 < Int($1[0]) ?? 0 })
        let bytes = try rejects().map { $0["bytes"] as? String }
        let wanted = rows.filter { String(validating: $0, as: UTF8.self) == nil }
        #expect(Set(bytes) == Set(wanted.map { Data($0).base64EncodedString() }))
    }
}
