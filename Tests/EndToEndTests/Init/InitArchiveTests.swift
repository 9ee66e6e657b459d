import Foundation
import TestSupport
import Testing

/// What several files say together, in a folder or in an archive, is drafted as one definition.
@Suite struct InitArchiveTests {
    private let folder = TemporaryFolder()

    private func tables() throws {
        _ = try folder.write(
            "gtfs/stops.txt", "stop_id,stop_name,parent_station\nA,Alte Brücke,\nB,Bahnhof,A\nC,Café,A\n")
        _ = try folder.write("gtfs/routes.txt", "\u{feff}route_id;short_name\r\nr1;1\r\nr2;2\r\n")
        _ = try folder.write("gtfs/trips.txt", "trip_id\troute_id\nt1\tr1\nt2\tr1\nt3\tr2\n")
        var times = "trip_id,stop_id,stop_sequence,arrival_time\n"
        for trip in ["t1", "t2", "t3"] {
            for (number, stop) in ["A", "B", "C"].enumerated() {
                times += "\(trip),\(stop),\(number),08:0\(number):00\n"
            }
        }
        _ = try folder.write("gtfs/stop_times.txt", times)
        _ = try folder.write("gtfs/about.json", #"{"networks": [{"id": 1, "name": "n"}, {"id": 2, "name": "m"}]}"#)
    }

    private func draft(_ feeds: [String], _ name: String) throws -> String {
        let output = folder.file(name)
        let drafted = try Sluice.run(["init"] + feeds + ["--output", output])
        #expect(drafted.status == 0, "\(drafted.errors)")
        // Paths stay absolute where they were.
        let text = try String(contentsOfFile: output, encoding: .utf8).replacing(folder.path + "/", with: "")
        let checked = try Sluice.run(["check", output])
        #expect(checked.status == 0, "\(checked.errors)\n\(text)")
        return text
    }

    /// The references that a draft has, all of which are found in the feeds.
    private func expectReferences(_ text: String, _ definition: String) throws {
        for (entity, target) in [("Trip", "Route"), ("StopTime", "Trip"), ("StopTime", "Stop"), ("Stop", "Stop")] {
            let start = try #require(text.firstRange(of: "    \"\(entity)\": {"), "\(entity) is missing: \(text)")
            let rest = text[start.upperBound...]
            let body = rest[..<(rest.firstRange(of: "\n    }")?.lowerBound ?? rest.endIndex)]
            #expect(body.contains("\"to\": \"\(target)\""), "\(entity) has no reference to \(target): \(body)")
        }
        let outcome = try Sluice.run(["run", folder.file(definition), "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("StopTime", "created") == 9 && outcome.count("Network", "created") == 2)
        let findings = outcome.report["findings"] as? [String: Int]
        #expect(findings?["unresolved"] == 0 && findings?["reject"] == 0, "\(outcome.output)")
    }

    /// An archive that a service has: each file is drafted, and its source a member of what is downloaded once.
    @Test func anArchiveOfAService() throws {
        try tables()
        _ = try Shell.output(["env", "-C", folder.path + "/gtfs", "zip", "-q", "../gtfs.zip"] + InitArchiveTests.names)
        let server = try FileServer(folder.path)
        let text = try draft(["\(server.url)/gtfs.zip?v=1"], "timetable.jsonc")
        #expect(text.contains(#""url": "\#(server.url)/gtfs.zip?v=1", "member": "stops.txt""#), "\(text)")
        try expectReferences(text, "timetable.jsonc")
        let none = try Sluice.run(["init", "\(server.url)/none.zip"])
        #expect(none.status == 66, "\(none.errors)")
    }

    /// A table without a header has one in the draft, and its first line is a record.
    @Test func aTableWithoutAHeader() throws {
        let tables = [
            "airports.csv": "1,\"Goroka, Airport\",GKA,-6.08,5282\n2,Madang,MAG,-5.2,20\n3,Wewak,WWK,-3.5,19\n",
            "semi.csv": "A;n\n7;2\n8;3\n", "years.csv": "land;2019;2020\nDE;1;2\nFR;3;4\n",
            "late.csv": "sep=;\r\n10;Aal\r\n11;Aas\r\n",
        ]
        for (name, text) in tables { _ = try folder.write(name, text) }
        let text = try draft([folder.file("airports.csv")], "a.jsonc")
        #expect(text.contains(#""names": ["column1", "column2", "column3", "column4", "column5"]"#), "\(text)")
        let outcome = try Sluice.run(["run", folder.file("a.jsonc"), "--format", "json"])
        #expect(outcome.count("Airport", "created") == 3, "\(outcome.errors)\(text)")
        #expect(try draft([folder.file("late.csv")], "l.jsonc").contains(#""names": ["column1", "column2"]"#))
        for (name, column) in [("semi.csv", "A"), ("years.csv", "land")] {
            let text = try draft([folder.file(name)], name + ".jsonc")
            #expect(!text.contains("\"names\"") && text.contains("\"\(column)\""), "\(text)")
        }
    }

    private static let names = ["stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "about.json"]

    @Test func filesOfAFolder() throws {
        try tables()
        let text = try draft(InitArchiveTests.names.map { folder.file("gtfs/\($0)") }, "folder.jsonc")
        #expect(text.contains(#""stops": { "file": "gtfs/stops.txt", "format": "csv" }"#), "\(text)")
        #expect(
            text.contains(#""routes": { "file": "gtfs/routes.txt", "format": "csv", "delimiter": ";" }"#), "\(text)")
        #expect(text.contains(#""trips": { "file": "gtfs/trips.txt", "format": "tsv" }"#), "\(text)")
        #expect(text.contains(#""about": { "file": "gtfs/about.json" }"#), "\(text)")
        try expectReferences(text, "folder.jsonc")
    }

    @Test(arguments: ["feed.zip", "feed.tar.gz"])
    func filesOfAnArchive(name: String) throws {
        try tables()
        _ = try folder.write("gtfs/LICENSE.txt", "Do what you like.\n\nBut, do it well,\n")
        _ = try folder.write("gtfs/logo.png", "\u{89}PNG")
        _ = try folder.write("gtfs/.DS_Store", "a,b\n1,2\n")
        let pack =
            name.hasSuffix(".zip")
            ? ["zip", "-q", "-r", folder.file(name), "."] : ["tar", "-czf", folder.file(name), "."]
        _ = try Shell.output(["env", "-C", folder.file("gtfs")] + pack)
        let text = try draft([folder.file(name)], "archive.jsonc")
        #expect(text.contains(#""file": "\#(name)", "member": "stops.txt", "format": "csv""#), "\(text)")
        #expect(text.contains("these are no feeds"), "\(text)")
        #expect(text.contains("LICENSE.txt") && text.contains("logo.png") && !text.contains("DS_Store"))
        try expectReferences(text, "archive.jsonc")
        let added = try Sluice.run(["init", folder.file(name), "--add", folder.file("archive.jsonc")])
        #expect(added.status == 0 && added.errors.contains("lacks nothing"), "\(added.output)\(added.errors)")
    }

    /// The pattern of an archive stays, as other archives may follow the one that it names today.
    @Test func aPatternOfOneArchive() throws {
        try tables()
        let pack = ["zip", "-q", folder.file("gtfs-1.zip")] + InitArchiveTests.names
        _ = try Shell.output(["env", "-C", folder.file("gtfs")] + pack)
        let text = try draft([folder.file("gtfs-*.zip")], "archives.jsonc")
        #expect(text.contains(#""file": "gtfs-*.zip", "member": "stops.txt", "format": "csv""#), "\(text)")
        #expect(text.contains("matches one file"), "\(text)")
        try expectReferences(text, "archives.jsonc")
    }

    @Test func whatIsNoArchiveOfFeeds() throws {
        // A zip with a single file is a file that is compressed.
        _ = try folder.write("one.json", #"{"items": [{"id": 1}, {"id": 2}]}"#)
        _ = try Shell.output(["zip", "-q", "-j", folder.file("one.json.zip"), folder.file("one.json")])
        let text = try draft([folder.file("one.json.zip")], "one.jsonc")
        #expect(text.contains(#""source": { "file": "one.json.zip" }"#), "\(text)")
        _ = try folder.write("x/a.png", "\u{89}PNG")
        _ = try folder.write("x/b.png", "\u{89}PNG")
        _ = try Shell.output(["zip", "-q", "-j", folder.file("x.zip"), folder.file("x/a.png"), folder.file("x/b.png")])
        let none = try Sluice.run(["init", folder.file("x.zip")])
        #expect(none.status == 65 && none.errors.contains("x.zip holds no feed"), "\(none.errors)")
        // A text that is no table is refused as JSON.
        let prose = try folder.write("prose.txt", "One line,\nand two, or three,\n")
        #expect(try Sluice.run(["init", prose]).status == 65)
    }

    @Test func aRealTimetable() throws {
        let text = try draft([Sluice.path("Samples/gtfs.zip")], "sample.jsonc")
        for entity in ["Stop", "Route", "Trip", "StopTime", "Agency"] {
            #expect(text.contains("    \"\(entity)\": {"), "\(entity) is missing: \(text)")
        }
        let outcome = try Sluice.run(["run", folder.file("sample.jsonc"), "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
    }
}
