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
        let told = "its byte 4, 0xfc, does not begin a character of UTF-8; a file may be in another \"encoding\""
        #expect(reason(reject)?.hasPrefix(told) == true)
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

    /// A line of NDJSON is one likewise, whatever it is instead of a value, and wherever it stands.
    @Test(arguments: [
        (#"{"id": 2, "name": "x"#, "the feed ends within a value"), (#"{"id": 2, "name": }"#, "found `}`"),
        (#"{"id": 2 "name": "x"}"#, "a comma or `}` was expected"), ("oops", "is not JSON"), ("]", "found `]`"),
        (#"{"id": 2, "name": ["#, ""),
    ])
    func linesThatAreNoValuesAreRejects(_ line: String, _ words: String) throws {
        let good = [#"{"id": 1, "name": "Bonn"}"#, #"{"id": 3, "name": "Köln"}"#].map { Array($0.utf8) }
        for place in 0...2 {
            var all = good
            all.insert(Array(line.utf8), at: place)
            try write("towns.ndjson", lines(all))
            let definition = try define(#"{ "file": "towns.ndjson" }"#)
            let outcome = try run(definition)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.count("Town", "rejected") == 1 && outcome.count("Town", "records") == 3)
            #expect(try towns == [["1", "Bonn"], ["3", "Köln"]])
            let reject = try #require(try rejects().first)
            #expect(reject["line"] as? String == line && reject["record"] == nil, "\(reject)")
            #expect(reason(reject)?.hasPrefix("the line is no JSON: ") == true, "\(reject)")
            if place < 2, !words.isEmpty, !words.hasPrefix("the feed") {
                #expect(reason(reject)?.contains(words) == true, "\(reject)")
            }
            let at = reject["at"] as? [String: Any]
            #expect(at?["line"] as? Int == place + 1 && at?["column"] as? Int == 1, "\(reject)")
            let found = try String(contentsOfFile: folder.file("f.ndjson"), encoding: .utf8)
            let mended = found.replacing(#""line": "#, with: #""record": {"id":2,"name":"Ulm"}, "line": "#)
            let replay = try Sluice.run(["replay", definition, "--rejects", try folder.write("m.ndjson", mended)])
            #expect(replay.status == 0, "\(replay.errors)")
            #expect(try towns == [["1", "Bonn"], ["2", "Ulm"], ["3", "Köln"]])
            try FileManager.default.removeItem(atPath: folder.file("s.sqlite"))
        }
    }

    /// Where no reject is allowed, or a line is more than one record, or what is lacking is deleted, it is no feed.
    @Test func elsewhereAFeedOfLinesIsWhole() throws {
        try write("towns.ndjson", lines([Array(#"{"id": 1}"#.utf8), Array("oops".utf8), Array(#"{"id": 2}"#.utf8)]))
        let source = #"{ "file": "towns.ndjson" }"#
        for (limit, entity) in [("0", ""), ("2", #", "absent": "delete""#)] {
            let outcome = try run(try define(source, limit: limit, entity: entity))
            #expect(outcome.status == 65 && outcome.errors.contains("towns.ndjson:2:1: "), "\(outcome.errors)")
        }
        let text = try String(contentsOfFile: define(source), encoding: .utf8)
        _ = try folder.write("p.jsonc", text.replacing(#""records": "$""#, with: #""records": "$.towns[*]""#))
        let outcome = try run(folder.file("p.jsonc"))
        #expect(outcome.status == 65 && outcome.errors.contains("towns.ndjson:2:1: "), "\(outcome.errors)")
    }

    /// Lines with broken bytes anywhere, against a reading line by line; twice, so that the second run knows items.
    @Test(arguments: 1...4) func brokenLinesAreTheOnesThatAreNoJSON(seed: Int) throws {
        var random = SeededRandom(seed)
        var (rows, expected, broken): ([[UInt8]], [[String]], [[UInt8]]) = ([], [], [])
        for id in 0..<4000 {
            let name = ["Bonn", "Köln", "日本", "a"].randomElement(using: &random) ?? ""
            var row = Array(#"{"id": \#(id), "name": "\#(name)", "more": [1, {"x": null}]}"#.utf8)
            if Int.random(in: 0..<12, using: &random) == 0 {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: row = Array(row.prefix(Int.random(in: 1..<row.count, using: &random)))
                case 1: row.insert(0xff, at: Int.random(in: 0..<row.count, using: &random))
                default: row.remove(at: row.firstIndex(of: UInt8(ascii: ":")) ?? 0)
                }
            }
            rows.append(row)
            if let value = try? JSONSerialization.jsonObject(with: Data(row)) as? [String: Any],
                String(validating: row, as: UTF8.self) != nil
            {
                expected.append(["\(value["id"] ?? "")", value["name"] as? String ?? ""])
            } else {
                broken.append(row)
            }
        }
        let definition = try define(#"{ "file": "towns.ndjson" }"#, limit: "null")
        for night in 1...2 {
            if night == 2 { rows.append(Array(#"{"id": 9999, "name": "new"}"#.utf8)) }
            if night == 2 { expected.append(["9999", "new"]) }
            try write("towns.ndjson", lines(rows))
            let outcome = try Sluice.run([
                "run", definition, "--format", "json", "--findings", folder.file("f.ndjson"), "--batch-size",
                "\(31 * seed)",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try towns == expected.sorted { Int($0[0]) ?? 0 < Int($1[0]) ?? 0 })
            #expect(outcome.count("Town", "rejected") == broken.count && broken.count > 100)
            let told = try rejects().map { reject in
                reject["bytes"] as? String ?? Data((reject["line"] as? String ?? "").utf8).base64EncodedString()
            }
            #expect(told == broken.map { Data($0).base64EncodedString() })
            if night == 2 { #expect((outcome.report["known"] as? Int ?? 0) > 3000) }
        }
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

    /// Which object the line is of, nobody knows: where what is lacking is deleted, it is no feed. Nor is one whose
    /// header cannot be read.
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
