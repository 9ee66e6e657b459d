import Foundation
import TestSupport
import Testing

/// Feeds that are files in archives.
@Suite struct MemberTests {
    private let folder = TemporaryFolder()

    private func define(_ first: String, _ second: String, limits: String = "", more: String = "") throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "sources": { "towns": { \(first) }, "streets": { \(second) } },
              "store": { "sqlite": "s.sqlite" },\(more)
              "entities": {
                "Town": { "source": "towns", "records": "$", "identifier": "id",
                  "attributes": { "id": "integer", "name": "text" } },
                "Street": { "source": "streets", "records": "$", "identifier": "name"\(limits),
                  "attributes": { "name": "text" },
                  "relationships": { "town": { "to": "Town" } } } } }
            """)
    }

    private static let files = [
        "towns.csv": "id,name\n1,Bonn\n2,Ulm\n", "sub/streets.csv": "name,town\nHauptstraße,2\n",
    ]

    /// Packs files; the archive's name says how.
    private func pack(_ archive: String, _ files: [String: String] = Self.files) throws {
        let source = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: source.file("sub"), withIntermediateDirectories: true)
        for (name, text) in files { _ = try source.write(name, text) }
        let names = files.keys.sorted().joined(separator: "' '")
        let flags = ["tar": "", "tgz": "z", "tbz": "j", "txz": "J"][String(archive.split(separator: ".").last ?? "")]
        let path = folder.file(archive)
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z: [z.write(name) for name in sys.argv[2:]]
            """
        let command =
            flags.map { "tar -c\($0)f '\(path)' './\(names)'" } ?? "python3 -c '\(script)' '\(path)' '\(names)'"
        _ = try Shell.output(["bash", "-c", "cd '\(source.path)'; rm -f '\(path)'; \(command)"])
    }

    private func run(_ definition: String, _ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(["run", definition, "--format", "json"] + more, environment: ["SLUICE_TEST_BACKOFF": "0.002"])
    }

    private var streets: [[String]] {
        get throws {
            try Database(folder.file("s.sqlite")).rows(
                "SELECT Street.name, Town.name FROM Street LEFT JOIN Town ON town = Town.objectID ORDER BY 1")
        }
    }

    @Test(arguments: ["a.zip", "a.tar", "a.tgz", "a.tbz", "a.txz"])
    func membersAreFeeds(_ archive: String) throws {
        try pack(archive)
        let definition = try define(
            "\"file\": \"\(archive)\", \"member\": \"towns.csv\"",
            "\"file\": \"\(archive)\", \"member\": \"sub/streets.csv\"")
        let outcome = try run(definition)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try streets == [["Hauptstraße", "Ulm"]])
        #expect(try run(definition).report["status"] as? String == "unchanged")
        // The same path, without the key, also on the command line.
        let other = try define(
            "\"file\": \"\(archive)/towns.csv\"", "\"file\": \"x.csv\"")
        let fed = try run(other, "--force", "--feed", "streets=\(folder.file(archive))/sub/streets.csv")
        #expect(fed.status == 0 && fed.count("Street", "unchanged") == 1, "\(fed.errors)")
    }

    /// Two sources of one tar, in its order and in the other one, where the second is cut.
    @Test(arguments: [false, true]) func aTarOfSeveralSources(_ isTurned: Bool) throws {
        let many = (0..<9000).map { "\($0),Town \($0 &* 0x1e37_79b9_7f4a_7c15)\n" }.joined()
        try pack("a.tgz", ["a.csv": "id,name\n" + many, "b.csv": "name,town\nA,8999\n", "sub/c.csv": "x\n"])
        let sources = ["towns": "a.csv", "streets": "b.csv"]
        let names = isTurned ? ["streets", "towns"] : ["towns", "streets"]
        let members = names.map { "\"\($0)\": { \"file\": \"a.tgz\", \"member\": \"\(sources[$0] ?? "")\" }" }
        let definition = try define("\"file\": \"x\"", "\"file\": \"x\"")
        let text = try String(contentsOfFile: definition, encoding: .utf8)
        let old = #""towns": { "file": "x" }, "streets": { "file": "x" }"#
        _ = try folder.write("p.jsonc", text.replacing(old, with: members.joined(separator: ", ")))
        let outcome = try run(definition)
        #expect(outcome.status == 0 && outcome.count("Town", "created") == 9000, "\(outcome.errors)")
        #expect(try streets.first?.first == "A")
        #expect(try run(definition).report["status"] as? String == "unchanged")
        let dry = try run(definition, "--dry-run", "--force")
        #expect(dry.status == 0 && dry.count("Town", "unchanged") == 9000, "\(dry.errors)")
        // Whichever source is cut, nothing is stored.
        let whole = try Data(contentsOf: URL(filePath: folder.file("a.tgz")))
        try whole.dropLast(60).write(to: URL(filePath: folder.file("a.tgz")))
        let cut = try run(definition, "--store", folder.file("t.sqlite"))
        #expect(cut.status == 65 && cut.errors.contains("a.tgz"), "\(cut.errors)")
        #expect(!folder.names.contains("t.sqlite"))
    }

    /// Tars that are put one behind the other are read to their end.
    @Test(arguments: ["tar", "tgz", "txz"]) func tarsBehindOneAnother(_ ending: String) throws {
        try pack("a.\(ending)", ["towns.csv": Self.files["towns.csv"] ?? ""])
        try pack("b.\(ending)", ["sub/streets.csv": Self.files["sub/streets.csv"] ?? ""])
        let (one, other) = (URL(filePath: folder.file("a.\(ending)")), URL(filePath: folder.file("b.\(ending)")))
        try (Data(contentsOf: one) + Data(contentsOf: other)).write(to: one)
        let definition = try define(
            "\"file\": \"a.\(ending)\", \"member\": \"towns.csv\"",
            "\"file\": \"a.\(ending)\", \"member\": \"sub/*.csv\"")
        let outcome = try run(definition)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try streets == [["Hauptstraße", "Ulm"]])
    }

    /// The columns that all members are take two readings of the first feed, which a file in an archive may be.
    @Test(arguments: ["a.zip", "a.tgz"]) func allMembersOfATableInAnArchive(_ archive: String) throws {
        try pack(archive)
        let definition = try folder.write(
            "all.jsonc",
            """
            { "source": { "file": "\(archive)", "member": "towns.csv" }, "store": { "sqlite": "s.sqlite" },
              "entities": { "Town": { "records": "$", "identifier": "id", "attributes": "*" } } }
            """)
        let outcome = try run(definition)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try Database(folder.file("s.sqlite")).rows("SELECT id, name FROM Town ORDER BY id") == [
                ["1", "Bonn"], ["2", "Ulm"],
            ])
    }

    /// A tar that is cut between two files looks like one that has the first alone.
    @Test(arguments: ["cat", "gzip", "xz", "zstd"]) func aTarWithoutItsEnd(_ tool: String) throws {
        try pack(
            "whole.tar", ["a.csv": "id,name\n1,Bonn\n", "b.csv": "id,name\n2,Ulm\n", "sub/c.csv": "name,town\nA,1\n"])
        let cut = "head -c 1024 '\(folder.file("whole.tar"))' | \(tool) > '\(folder.file("cut.tar"))'"
        _ = try Shell.output(["bash", "-c", cut])
        let definition = try define(
            "\"file\": \"cut.tar\", \"member\": \"*.csv\"", "\"file\": \"whole.tar\", \"member\": \"sub/c.csv\"")
        let outcome = try run(definition)
        #expect(outcome.status == 65 && outcome.errors.contains("cut.tar is cut short"), "\(outcome.errors)")
        #expect(!folder.names.contains("s.sqlite"))
    }

    /// Changes the bytes of a file.
    private func change(_ name: String, _ body: (Data) throws -> Data) throws {
        let file = URL(filePath: folder.file(name))
        try body(Data(contentsOf: file)).write(to: file)
    }

    /// Of zips behind one another, libarchive reads the last one, or from a pipe the first; what lacks its end it reads
    /// as far as it goes, and what follows an end it passes over.
    @Test(arguments: ["zips", "cut", "more", "front"], [false, true])
    func zipsThatAreNotOne(_ fault: String, _ isPiped: Bool) throws {
        try pack("a.zip", ["towns.csv": Self.files["towns.csv"] ?? ""])
        try pack("b.zip", ["sub/streets.csv": Self.files["sub/streets.csv"] ?? ""])
        let other = try Data(contentsOf: URL(filePath: folder.file("b.zip")))
        try change("a.zip") { bytes in
            switch fault {
            case "zips": bytes + other
            case "front": other + bytes
            case "cut": bytes.dropLast(60)
            default: bytes + Data("more".utf8)
            }
        }
        let definition = try define(
            "\"file\": \"a.zip\", \"format\": \"csv\"", "\"file\": \"b.zip\", \"format\": \"csv\"")
        let pipe = ["/bin/bash", "-c", "cat '\(folder.file("a.zip"))' | \"$0\" \"$@\""]
        let outcome =
            isPiped
            ? try Sluice.run(["run", definition, "--feed", "towns=-"], through: pipe) : try run(definition)
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(!folder.names.contains("s.sqlite"))
    }

    /// What follows a tar is no less wrong where it is compressed.
    @Test(arguments: ["tar", "tgz", "tbz", "txz"], [0, 109] as [UInt8])
    func tarsWithMoreBehind(_ ending: String, _ more: UInt8) throws {
        try pack("a.\(ending)")
        try change("a.\(ending)") { $0 + Data(repeating: more, count: 1024) }
        let definition = try define(
            "\"file\": \"a.\(ending)\", \"member\": \"towns.csv\"",
            "\"file\": \"a.\(ending)\", \"member\": \"sub/*.csv\"")
        let outcome = try run(definition)
        // Zeros are what a tar ends with.
        let isRight = ending == "tar" && more == 0
        #expect(outcome.status == (isRight ? 0 : 65), "\(outcome.errors)")
        #expect(folder.names.contains("s.sqlite") == isRight)
    }

    /// A link in an archive has no bytes, and would be an empty feed, or none.
    @Test(arguments: ["ln", "ln -s"], ["towns.csv", "t*.csv"]) func linksInArchives(_ link: String, _ member: String)
        throws
    {
        let source = TemporaryFolder()
        _ = try source.write("a.csv", Self.files["towns.csv"] ?? "")
        try pack("b.zip")
        let archive = folder.file("a.tar")
        _ = try Shell.output(
            ["bash", "-c", "cd '\(source.path)' && \(link) a.csv towns.csv && tar -cf '\(archive)' a.csv towns.csv"])
        let definition = try define(
            "\"file\": \"a.tar\", \"member\": \"\(member)\"", "\"file\": \"b.zip\", \"member\": \"sub/streets.csv\"")
        let outcome = try run(definition)
        #expect(outcome.status == 65 && outcome.errors.contains("a.tar/towns.csv is a link"), "\(outcome.errors)")
    }

    @Test func patternsNameSeveral() throws {
        try pack("1.zip", ["t1.csv": "id,name\n1,Bonn\n", "t2.csv": "id,name\n2,Ulm\n", "x.csv": "a\n"])
        try pack("2.zip", ["t3.csv": "id,name\n3,Köln\n4\n"])
        try pack("s.zip", ["s.csv": "name,town\nA,3\n"])
        let definition = try define(
            #""file": "[12].zip", "member": "t*.csv""#, #""file": "s.zip", "member": "s.csv""#,
            more: #" "limits": { "rejects": 1 },"#)
        let outcome = try run(definition, "--findings", folder.file("f"))
        #expect(outcome.status == 0 && outcome.count("Town", "created") == 3, "\(outcome.errors)")
        // A record is read again where it was.
        let findings = try String(contentsOfFile: folder.file("f"), encoding: .utf8)
        #expect(findings.contains(#"2.zip/t3.csv""#) && findings.contains(#""record": {"id":"4"}"#), "\(findings)")
    }

    /// What an archive lacks, or has twice, and what is none.
    @Test func archivesAreCheckedFirst() throws {
        try pack("a.zip")
        let good = #""file": "a.zip", "member": "towns.csv""#
        let missing = try run(try define(good, #""file": "a.zip", "member": "streets.csv""#))
        #expect(missing.status == 66 && missing.errors.contains("a.zip/streets.csv"), "\(missing.errors)")
        #expect(missing.errors.contains("p.jsonc:1:"))
        let none = try run(try define(good, #""file": "p.jsonc", "member": "streets.csv""#))
        #expect(none.status == 65 && none.errors.contains("is no zip and no tar"), "\(none.errors)")
        let script =
            "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'a') as z: z.writestr('towns.csv', 'id\\n')"
        _ = try Shell.output(["python3", "-W", "ignore", "-c", script, folder.file("a.zip")])
        let twice = try run(try define(good, #""file": "x.csv""#), "--feed", "streets=/dev/null")
        #expect(twice.status == 65 && twice.errors.contains("holds towns.csv twice"), "\(twice.errors)")
        #expect(!folder.names.contains("s.sqlite"))
        // Without a member, it is still no feed.
        let whole = try run(try define(#""file": "a.zip""#, #""file": "x.csv""#), "--feed", "streets=/dev/null")
        #expect(whole.status == 65 && whole.errors.contains("several files"), "\(whole.errors)")
    }

    /// Names with letters of others than English are names, in whatever locale sluice runs.
    @Test(arguments: ["f.zip", "f.tar"]) func namesHaveAnyLetters(_ archive: String) throws {
        let source = TemporaryFolder()
        _ = try source.write("Berlin.json", #"[{"id": 1}]"#)
        _ = try source.write("Köln 🚉.json", #"[{"id": 2}]"#)
        let path = folder.file(archive)
        let script =
            "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as z: [z.write(n) for n in sys.argv[2:]]"
        let pack = archive.hasSuffix("tar") ? "tar -cf '\(path)' *.json" : "python3 -c \"\(script)\" '\(path)' *.json"
        _ = try Shell.output(["bash", "-c", "cd '\(source.path)'; \(pack)"])
        for (member, count) in [("*.json", 2), ("Köln 🚉.json", 1)] {
            let definition = try folder.write(
                "letters.jsonc",
                """
                { "source": { "file": "\(archive)", "member": "\(member)" }, "store": { "sqlite": "\(count).sqlite" },
                  "entities": { "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
                """)
            let outcome = try Sluice.run(
                ["run", definition, "--format", "json"], environment: ["LC_ALL": "C", "LANG": "C"])
            #expect(outcome.count("A", "created") == count, "\(outcome.errors)")
        }
    }

    /// What may be empty may be missing, and is saved and replayed as that.
    @Test func whatMayBeEmptyMayBeMissing() throws {
        try pack("a.zip")
        let definition = try define(
            #""file": "a.zip", "member": "towns.csv""#, #""file": "a.zip", "member": "none.csv", "format": "csv""#,
            limits: #", "limits": { "records": 0 }"#, more: #" "archive": { "directory": "arc" },"#)
        let outcome = try run(definition)
        #expect(outcome.status == 0 && outcome.count("Town", "created") == 2, "\(outcome.errors)")
        let replay = try Sluice.run(["replay", definition, "--run", "1", "--format", "json"])
        #expect(replay.status == 0 && replay.count("Town", "unchanged") == 2, "\(replay.errors)")
    }

    /// A zip that is cut or changed anywhere is never half a feed.
    @Test func damagedArchivesChangeNothing() throws {
        try pack("a.zip", ["towns.csv": "id,name\n" + (0..<4000).map { "\($0),Town \($0 * 7919 % 1000)\n" }.joined()])
        try pack("b.zip")
        let definition = try define(
            #""file": "a.zip", "member": "towns.csv""#, #""file": "b.zip", "member": "sub/streets.csv""#)
        let whole = try Data(contentsOf: URL(filePath: folder.file("a.zip")))
        var random = SeededRandom(7)
        for round in 0..<24 {
            var bytes = whole
            let place = Int.random(in: 60..<whole.count - 100, using: &random)
            if round % 2 == 0 { bytes = bytes.prefix(place) } else { bytes[place] ^= 0x55 }
            try bytes.write(to: URL(filePath: folder.file("a.zip")))
            let outcome = try run(definition)
            #expect([65, 66].contains(outcome.status), "\(round): \(outcome.errors)")
            #expect(!folder.names.contains("s.sqlite"))
        }
    }

    // MARK: Downloads

    private func step(_ file: String, _ more: String = "") -> String {
        let headers = #"[["Content-Type","application/zip"],["ETag","\"1\""]]"#
        return "{\"file\":\"\(folder.file(file))\",\"headers\":\(headers)\(more)}"
    }

    /// All members come of one download, however often it breaks off.
    @Test(arguments: [false, true]) func downloadsAreMadeOnce(_ isBroken: Bool) throws {
        try pack("a.zip")
        let unless = #","unless":["if-none-match","\"1\""],"else":{"status":304}"#
        let steps =
            isBroken ? [step("a.zip", #","cut":50,"range":true"#), step("a.zip", unless)] : [step("a.zip", unless)]
        let service = FaultyServer.shared.service(steps)
        let definition = try define(
            "\(service.member), \"member\": \"towns.csv\"", "\(service.member), \"member\": \"sub/streets.csv\"")
        let outcome = try run(definition)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try streets == [["Hauptstraße", "Ulm"]])
        #expect(service.requests.count == (isBroken ? 2 : 1))
        #expect(
            (outcome.report["sources"] as? [String: [String: Any]])?["towns"]?["location"] as? String
                == "\(service.url)/towns.csv")
        if !isBroken {
            #expect(try run(definition).report["status"] as? String == "unchanged")
            #expect(service.requests.count == 2)
        }
        let preview = try Sluice.run(["preview", definition])
        #expect(preview.status == 0 && preview.output.contains("Ulm"), "\(preview.errors)")
    }

    @Test func downloadsAreChecked() throws {
        try pack("a.zip")
        let service = FaultyServer.shared.service(step("a.zip"))
        let good = "\(service.member), \"member\": \"towns.csv\""
        let missing = try run(try define(good, "\(service.member), \"member\": \"none.csv\""))
        #expect(missing.status == 66 && missing.errors.contains("\(service.url)/none.csv does not exist"))
        let empty = try run(
            try define(
                good, "\(service.member), \"member\": \"none.csv\"", limits: #", "limits": { "records": 0 }"#))
        #expect(empty.status == 0, "\(empty.errors)")
        service.post(#"[{"body":"<html>","headers":[["Content-Type","text/html"]]}]"#)
        let page = try run(try define(good, "\(service.member), \"member\": \"sub/streets.csv\""))
        #expect(page.status == 65 && page.errors.contains("text/html, which is no archive"), "\(page.errors)")
        let limited = try run(
            try define(
                good + ", \"maxBytes\": 40", "\(service.member), \"member\": \"sub/streets.csv\", \"maxBytes\": 40"))
        #expect(limited.status == 65, "\(limited.errors)")
    }

    /// A pipeline of the project, on a sample of its own and with the next timetable.
    @Test func timetablesAreLoadedAsTheyArePublished() throws {
        let pipeline = Sluice.path("Pipelines/gtfs.jsonc")
        let store = folder.file("gtfs.sqlite")
        let outcome = try Sluice.run(["run", pipeline, "--store", store, "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let counts = ["Agency": 1, "Stop": 5, "Route": 2, "Service": 2, "ServiceDate": 3, "Trip": 4, "StopTime": 10]
        for (entity, count) in counts { #expect(outcome.count(entity, "created") == count, "\(entity)") }
        #expect((outcome.report["findings"] as? [String: Int])?["unresolved"] == 1)
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w") as new:
                for name in old.namelist():
                    if name == "calendar.txt": continue
                    text = old.read(name).decode()
                    if name == "trips.txt": text = text.replace("F1,WE,T3,Oberbaum,0,,\\n", "")
                    if name == "stop_times.txt": text = text.replace("T3,10:00:00,10:00:00,S1:a,1,\\nT3,10:20:00,10:20:00,S4,2,\\n", "")
                    new.writestr(name, text)
            """
        let next = folder.file("next.zip")
        _ = try Shell.output(["python3", "-c", script, Sluice.path("Samples/gtfs.zip"), next])
        let night = try Sluice.run(
            ["run", pipeline, "--store", store, "--format", "json"], environment: ["GTFS": next])
        #expect(night.status == 0, "\(night.errors)")
        #expect(night.count("Trip", "deleted") == 1 && night.count("StopTime", "deleted") == 2)
        #expect(try Database(store).isSound())
    }
}
