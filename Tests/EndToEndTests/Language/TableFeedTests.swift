import Foundation
import Testing

/// Feeds that are tables: CSV and TSV.
@Suite struct TableFeedTests {
    private static let airports = #"""
        \#u{feff}id,code,name,height,opened,hub
        1,BER,"Berlin ""Brandenburg""",48,2020-10-31,
        2,ORD,"Chicago O'Hare, ""the"" hub",204.5,1944-02-01,1
        3,,"Two\#r
        lines",,,2
        4,XXX,Bad,high,2000-01-01,1
        5,YYY
        7,TOO,High,1000.5,,
        6,ZZZ,Hidden,1,2000-01-01,1
        """#

    private static let entities = """
        { "Airport": {
            "records": "$", "where": { "id": { "not": 6 }, "not": { "height": { ">": 1e3 } } },
            "identifier": "id",
            "attributes": {
              "id": "integer", "code": "text", "name": { "type": "text", "required": true }, "height": "real",
              "opened": "date", "line": { "type": "integer", "from": "$line" } },
            "relationships": { "hub": { "to": "Airport" } } } }
        """

    private func scene(_ more: String = "", source: String = #"{ "file": "airports.csv" }"#) throws -> LanguageScene {
        try LanguageScene(
            TableFeedTests.entities, #""limits": { "rejects": null }"# + more, source: source)
    }

    private static let expected = [
        #"1 BER Berlin "Brandenburg" 48.0 2020-10-31 2 NULL"#,
        #"2 ORD Chicago O'Hare, "the" hub 204.5 1944-02-01 3 1"#,
        "3 NULL Two\r\nlines NULL NULL 4 2",
    ]

    private func lines(_ scene: LanguageScene) throws -> [String] {
        try scene.lines(
            "SELECT id, coalesce(code, 'NULL'), name, coalesce(height, 'NULL'), coalesce(opened, 'NULL'), line, coalesce(hub, 'NULL') FROM Airport ORDER BY id"
        )
    }

    @Test(arguments: [(";", ";"), ("\t", "\\t"), ("|", "|")])
    func aTableWithOtherDelimitersFails(delimiter: String, spelling: String) throws {
        let scene = try scene()
        let rows = [["id", "code"], ["1", "BER"]].map { $0.joined(separator: delimiter) }.joined(separator: "\n")
        try scene.write("airports.csv", "\u{feff}\(rows)\n")
        let outcome = try scene.run()
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("has one column, \"id"), "\(outcome.errors)")
        #expect(outcome.errors.contains("perhaps \"delimiter\": \"\(spelling)\""), "\(outcome.errors)")
    }

    /// The column is what the definition says, or the delimiter is right.
    @Test(arguments: [
        ("a;b\n1\n", #"{ "Row": { "records": "$", "identifier": "a;b", "attributes": { "a;b": "integer" } } }"#),
        (
            "a;b\n1\n",
            #"{ "Row": { "records": "$", "identifier": "l", "attributes": { "l": { "type": "integer", "from": "$line" }, "all": { "type": "json", "from": "@" } } } }"#
        ),
        ("sep=;\na;b\n1;2\n", #"{ "Row": { "records": "$", "identifier": "a", "attributes": { "a": "integer" } } }"#),
        ("a\n1\n", #"{ "Row": { "records": "$", "identifier": "a", "attributes": { "a": "integer" } } }"#),
    ])
    func aTableOfOneColumnIsOne(table: String, entities: String) throws {
        let scene = try LanguageScene(entities, source: #"{ "file": "t.csv" }"#)
        try scene.write("t.csv", table)
        let outcome = try scene.run(nil)
        #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
    }

    /// What means null is compared with what is written in a cell, as conditions are.
    @Test func numbersAndBooleansMeanNullAsTheyAreWritten() throws {
        let scene = try LanguageScene(
            """
            { "Row": { "records": "$", "identifier": "id", "attributes": {
              "id": "integer", "n": { "type": "integer", "nullIf": -999 }, "r": { "type": "real", "nullIf": [0, "x"] },
              "b": { "type": "boolean", "nullIf": false }, "t": { "type": "text", "nullIf": 7, "trim": true } } } }
            """, source: #"{ "file": "t.csv" }"#)
        try scene.write("t.csv", "id,n,r,b,t\n1,-999,0.0,false,7\n2,5,x,true,7a\n3,-99,1.5,true, 7.0 \n4,,0e0,,\n")
        let outcome = try scene.run(nil)
        #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
        let values = ["n", "r", "b", "t"].map { "coalesce(\($0), '-')" }.joined(separator: ", ")
        let lines = try scene.lines("SELECT id, \(values) FROM Row")
        #expect(lines == ["1 - - - -", "2 5 - 1 7a", "3 -99 1.5 1 -", "4 - - - -"])
    }

    @Test func rowsBecomeObjects() throws {
        let scene = try scene()
        try scene.write("airports.csv", TableFeedTests.airports)
        let outcome = try scene.run(nil, "--findings", scene.file("f.ndjson"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try lines(scene) == TableFeedTests.expected)
        let findings = try String(contentsOfFile: scene.file("f.ndjson"), encoding: .utf8)
        let rejects = findings.split(separator: "\n").filter { $0.contains(#""kind": "reject""#) }
        try #require(rejects.count == 2)
        #expect(
            rejects[0].hasSuffix(
                #""record": {"id":"4","code":"XXX","name":"Bad","height":"high","opened":"2000-01-01","hub":"1"} }"#))
        #expect(rejects[0].contains(#""record": 3, "line": 6, "column": 1, "#))
        #expect(rejects[1].contains(#""reason": "the row has 2 cells, but there are 6 columns""#))
        #expect(rejects[1].hasSuffix(#""record": {"id":"5","code":"YYY"} }"#))
        // The same feed, compressed, changes nothing.
        try scene.write("airports.csv", "")
        try FileManager.default.removeItem(atPath: scene.file("airports.csv"))
        try scene.write("plain.csv", TableFeedTests.airports)
        _ = try Shell.output(["gzip", "-k", scene.file("plain.csv")])
        let again = try scene.run(nil, "--feed", scene.file("plain.csv.gz"))
        #expect(again.count("Airport", "unchanged") == 3)
    }

    /// The same records, as a table and as lines of JSON, make the same store.
    @Test func sameAsLines() throws {
        let names = ["id", "code", "name", "height", "opened", "hub"]
        let values = ["", "1", "07", "2.50", "true", "2020-02-29", "a,b", "say \"x\"", "two\nlines", "é", " ", "n/a"]
        var (table, lines) = (names.joined(separator: ",") + "\r\n", "")
        for row in 0..<400 {
            var cells = names.indices.map { values[(row * 7 + $0 * ($0 + row / 12)) % values.count] }
            cells[0] = "\(row * 3 % 311)"
            if row % 5 > 0 { (cells[3], cells[4]) = ("\(row).5", "2021-01-0\(1 + row % 9)") }
            cells[5] = row % 3 == 0 ? "" : "\(row % 400)"
            table +=
                cells.map { $0.contains { ",\"\n".contains($0) } ? "\"\($0.replacing("\"", with: "\"\""))\"" : $0 }
                .joined(separator: ",") + (row % 2 == 0 ? "\n" : "\r\n")
            let members = zip(names, cells).map { name, cell in
                let text = cell.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
                return "\"\(name)\": " + (cell.isEmpty ? "null" : "\"\(text)\"")
            }
            lines += "{" + members.joined(separator: ", ") + "}\n"
        }
        let entities = TableFeedTests.entities.replacing(
            #""not": { "height": { ">": 1e3 } }"#, with: #""code": { "not": "07" }"#
        )
        .replacing(#"{ "not": 6 }"#, with: #"{ "not": "6" }"#).replacing(#""from": "$line""#, with: #""value": 1"#)
        let stores = try [("feed.csv", table), ("feed.ndjson", lines)].map { name, text in
            let scene = try LanguageScene(
                entities, #""limits": { "rejects": null }"#, source: #"{ "file": "\#(name)" }"#)
            try scene.write(name, text)
            let outcome = try scene.run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.count("Airport", "rejected") ?? 0 > 10)
            #expect(outcome.count("Airport", "created") ?? 0 > 100)
            return try scene.lines("SELECT * FROM Airport ORDER BY objectID")
        }
        #expect(stores[0] == stores[1])
    }

    @Test func rejectsAreMended() throws {
        let scene = try scene()
        try scene.write("airports.csv", TableFeedTests.airports)
        try scene.run(nil, "--findings", scene.file("f.ndjson"))
        let findings = try String(contentsOfFile: scene.file("f.ndjson"), encoding: .utf8)
        try scene.write(
            "mended.ndjson",
            findings.replacing(#""high""#, with: #""12""#)
                .replacing(#"{"id":"5","code":"YYY"}"#, with: #"{"id":"5","code":"YYY","name":"Five","height":"5"}"#))
        let mended = try Sluice.run([
            "replay", scene.file("p.jsonc"), "--rejects", scene.file("mended.ndjson"), "--format", "json",
        ])
        #expect(mended.status == 0, "\(mended.errors)")
        #expect(try scene.lines("SELECT id, height FROM Airport WHERE id > 3 ORDER BY id") == ["4 12.0", "5 5.0"])
    }

    @Test func archivedTablesAreReplayed() throws {
        let scene = try scene(#", "archive": { "directory": "a" }"#)
        try scene.write("airports.csv", TableFeedTests.airports)
        try scene.run()
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.file("a"))
        #expect(names.allSatisfy { $0.hasSuffix(".csv.zst") } && names.count == 1)
        let replayed = try Sluice.run([
            "replay", scene.file("p.jsonc"), "--run", "1", "--store", scene.file("t.sqlite"), "--format", "json",
        ])
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(replayed.count("Airport", "created") == 3)
    }

    @Test func theWayATableIsWrittenIsSaid() throws {
        let source = #"""
            { "file": "airports.dat", "format": "tsv", "delimiter": "|", "quotes": false, "empty": "text",
              "names": ["id", "code", "name", "height", "opened", "hub"] }
            """#
        let scene = try scene(source: source)
        try scene.write("airports.dat", "1|BER|\"B\"|48|2020-10-31|1\n\n2||x|0|2020-10-31|1\r\n")
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try lines(scene) == [#"1 BER "B" 48.0 2020-10-31 1 1"#, "2  x 0.0 2020-10-31 3 1"])
    }

    /// Nothing takes the column, wherever it stands; a reject has the first of its cells.
    @Test func aNameThatNothingTakesMayStandTwice() throws {
        let scene = try scene()
        for feed in [
            "note,id,code,name,note\nx,1,BER,n,y\nx,bad,BER,n,y\n",
            "code,note,name,note,id\nBER,x,n,y,1\nBER,x,n,y,bad\n",
        ] {
            try scene.write("airports.csv", feed)
            let outcome = try scene.run(nil, "--findings", scene.file("f.ndjson"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try scene.lines("SELECT id, code FROM Airport") == ["1 BER"])
            let reject = try String(contentsOfFile: scene.file("f.ndjson"), encoding: .utf8)
                .split(separator: "\n").first { $0.contains("\"reject\"") }
            #expect(reject?.contains(#""note":"x""#) == true && reject?.contains("\"y\"") == false, "\(reject ?? "")")
        }
    }

    @Test func extractAndPreviewReadTables() throws {
        let scene = try scene()
        try scene.write("airports.csv", TableFeedTests.airports)
        let parts = scene.file("parts")
        let extracted = try Sluice.run(["extract", scene.file("p.jsonc"), "--to", parts])
        #expect(extracted.status == 0, "\(extracted.errors)")
        let range = try Sluice.run(["extract", scene.file("p.jsonc"), "--to", parts, "--range", "0:10"])
        #expect(range.status == 64 && range.errors.contains("is a table, and has no ranges"))
        let preview = try Sluice.run(["preview", scene.file("p.jsonc")])
        #expect(preview.output.contains("height: real expected, found the string \"high\""))
    }

    @Test(arguments: [
        ("id,code\n1,\"x\n2,y\n", "airports.csv:2:3: the quotation mark that opens here is not closed"),
        ("id,name,id\n", "airports.csv:1:9: the header names the column \"id\" twice"),
        ("id,name,height\n", "gives no record: the table has no rows"),
        ("", "gives no record: the feed is empty"),
    ])
    func whatIsNoTableIsRefused(_ feed: String, _ message: String) throws {
        let scene = try scene()
        try scene.write("airports.csv", feed)
        let outcome = try scene.run()
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func draftsComeFromTables() throws {
        let scene = try scene()
        try scene.write(
            "airports.csv", "id;name;height;opened\r\n1;\"A;B\";4.5;2020-10-31\r\n2;B;0;\r\n")
        try scene.write(
            "routes.csv",
            "id,airport_id,zip,active\n" + (1...20).map { "\($0),\(1 + $0 % 2),0\($0),true" }.joined(separator: "\n"))
        let draft = scene.file("d.jsonc")
        let outcome = try Sluice.run([
            "init", scene.file("airports.csv"), scene.file("routes.csv"), "--output", draft,
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try String(contentsOfFile: draft, encoding: .utf8)
        for line in [
            #"/airports.csv", "delimiter": ";" },"#, #""height": "real","#,
            #""opened": "date"  // null in 1"#, #""zip": "text","#,
            #""active": "boolean""#,
            #""airport": { "to": "Airport", "from": "airport_id" }"#,
        ] {
            #expect(text.contains(line), "\(line) is not in \(text)")
        }
        let run = try Sluice.run(["run", draft])
        #expect(run.status == 0, "\(run.errors)")
        let other = try Sluice.run(["init", "--format", "xml", scene.file("airports.csv")])
        #expect(other.status == 64)
    }
}
