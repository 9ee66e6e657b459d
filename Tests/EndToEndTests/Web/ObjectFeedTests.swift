import Foundation
import TestSupport
import Testing

/// Objects in place of a source's own feed: of the command line, of drafts, of replays.
@Suite struct ObjectFeedTests {
    private let all: ObjectScene
    private let scene: WebScene

    init() throws {
        all = try ObjectScene(#""file": "items.json""#)
        scene = all.scene
    }

    private func offer(_ numbers: some Sequence<Int>) throws {
        var objects: [String: String] = [:]
        for number in numbers { objects["old/\(number).json"] = ObjectScene.feed(number) }
        try all.offer(objects)
    }

    @Test func aFeedOfTheCommandLine() throws {
        try offer(1...3)
        let outcome = try scene.run("--feed", "s3://feeds/old/*.json")
        #expect(outcome.status == 0 && outcome.count("Item", "created") == 3, "\(outcome.errors)")
        let wire = outcome.report["wire"] as? [String: [String: Any]]
        #expect(wire?["main"]?["requests"] as? Int == 4)
        // The same is nothing new; another is.
        #expect(try scene.run("--feed", "main=s3://feeds/old/2.json").count("Item", "unchanged") == 1)
        let dry = try scene.run("--feed", "s3://feeds/old/3.json", "--dry-run", "--force")
        #expect(dry.status == 0, "\(dry.errors)")
        for (feed, status) in [("s3://feeds/none", 66), ("s3://none/x", 66), ("s3://feeds", 64), ("s3://", 64)] {
            let wrong = try scene.run("--feed", feed)
            #expect(wrong.status == Int32(status), "\(feed): \(wrong.errors)")
        }
    }

    @Test func aReplayOfObjects() throws {
        try offer(1...4)
        let replay = try all.sluice("replay", scene.definition, "s3://feeds/old/*.json", "--format", "json")
        #expect(replay.status == 0 && replay.count("Item", "created") == 4, "\(replay.errors)")
        let sources = replay.report["sources"] as? [String: [String: Any]]
        #expect(sources?["main"]?["location"] as? String == "s3://feeds/old/*.json")
        let names = (1...4).map { "s3://feeds/old/\($0).json" }
        let several = try Sluice.run(["replay", scene.definition] + names, environment: scene.environment)
        #expect(several.status == 0, "\(several.errors)")
        let mixed = try all.sluice("replay", scene.definition, "s3://feeds/old/1.json", scene.definition)
        #expect(mixed.status == 64 && mixed.errors.contains("is an object, and"), "\(mixed.errors)")
    }

    @Test func aDraftOfObjects() throws {
        let tables = [
            "t/stops.txt": "id,name\nA,Alte Brücke\nB,Bahnhof\n", "t/times.txt": "trip,stop\n1,A\n2,B\n3,A\n",
        ]
        try all.offer(tables.merging(["a b/ü.json": ObjectScene.feed(1), "t/x/y.txt": "a,b\n"]) { $1 })
        let file = scene.folder.file("drafted.jsonc")
        let tried = try all.sluice("init", "s3://feeds/t/*.txt", "--format", "csv", "--output", file)
        #expect(tried.status == 0, "\(tried.errors)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(
            text.contains(#""file": "s3://feeds/t/stops.txt""#) && text.contains(#""file": "s3://feeds/t/times.txt""#))
        #expect(tried.output.contains("Alte Brücke"), "\(tried.output)")
        let run = try all.sluice("run", file, "--store", scene.folder.file("drafted.sqlite"))
        #expect(run.status == 0, "\(run.errors)")
        let one = try all.sluice("init", "s3://feeds/a b/ü.json")
        #expect(one.status == 0 && one.output.contains(#""file": "s3://feeds/a b/ü.json""#), "\(one.errors)")
        let pattern = try all.sluice("init", "s3://feeds/a b/*.json")
        #expect(pattern.output.contains(#""file": "s3://feeds/a b/*.json""#), "\(pattern.errors)\(pattern.output)")
        #expect(try all.sluice("init", "s3://feeds/none").status == 66)
        #expect(try all.sluice("init", "s3://feeds").status == 64)
    }

    /// What a zip in the bucket holds: drafted, in place of a feed, and as a part.
    @Test func filesOfAnArchive() throws {
        _ = try scene.folder.write("stops.txt", "id,name\nA,Alte Brücke\nB,Bahnhof\n")
        _ = try scene.folder.write("times.txt", "trip,stop\n1,A\n2,B\n3,A\n")
        _ = try scene.folder.write("a.json", #"{"items": [{"id": 1, "name": "one"}, {"id": "x"}]}"#)
        for (name, files) in [("t.zip", ["stops.txt", "times.txt", "a.json"]), ("a.zip", ["a.json"])] {
            _ = try Shell.output(["env", "-C", scene.folder.path, "zip", "-q", name] + files)
        }
        func content(_ name: String) throws -> String {
            try "base64:" + Data(contentsOf: URL(filePath: scene.folder.file(name))).base64EncodedString()
        }
        try all.offer(["t/gtfs.zip": content("t.zip"), "a.zip": content("a.zip"), "a.json": content("a.json")])
        let file = scene.folder.file("drafted.jsonc")
        let tried = try all.sluice("init", "s3://feeds/t/*.zip", "--output", file)
        #expect(tried.status == 0 && tried.output.contains("Alte Brücke"), "\(tried.errors)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains(#""file": "s3://feeds/t/*.zip", "member": "stops.txt""#), "\(text)")
        #expect(try all.sluice("run", file, "--store", file + ".sqlite").status == 0)
        #expect(try all.sluice("init", "s3://feeds/a.zip").status == 0)
        let outcome = try scene.run("--feed", "s3://feeds/t/gtfs.zip/a.json")
        #expect(outcome.status == 65 && outcome.count("Item", "rejected") == 1, "\(outcome.errors)")
        let replay = try all.sluice("replay", scene.definition, "s3://feeds/t/gtfs.zip/a.json")
        #expect(replay.status == 65, "\(replay.errors)")
        let several = try all.sluice("replay", scene.definition, "s3://feeds/t/gtfs.zip/a.json", "s3://feeds/a.zip")
        #expect(several.status == 64 && several.errors.contains("one of several"), "\(several.errors)")
        #expect(try scene.run("--feed", "s3://feeds/t/gtfs.zip/none").status == 66)
        for feed in ["s3://feeds/t/gtfs.zip/a.json", "s3://feeds/a.json"] {
            let parts = scene.folder.file("parts\(feed.count)")
            let part = try all.sluice("extract", scene.definition, "--feed", feed, "--to", parts)
            #expect(part.output == "main-a.json: Item 1; rejects 1\n", "\(part.errors)")
            let findings = try String(contentsOfFile: parts + "/findings/main-a.json.ndjson", encoding: .utf8)
            #expect(findings.contains(#"{"id":"x"}"#), "\(findings)")
            let ranged = try all.sluice(
                "extract", scene.definition, "--feed", feed, "--to", parts, "--range", "0:10")
            #expect(ranged.status == 64 && ranged.errors.contains("has no ranges"), "\(ranged.errors)")
        }
        let against = try all.sluice("check", scene.definition, "--against", "s3://feeds/a.json")
        #expect(against.status == 65, "\(against.errors)")
    }

    /// An archive is got once for all sources that read of it.
    @Test(arguments: ["", #", "new": true"#]) func sourcesOfOneArchive(_ more: String) throws {
        for (number, name) in ["a", "b"].enumerated() {
            _ = try scene.folder.write("\(name).json", ObjectScene.feed(number))
        }
        _ = try Shell.output(["tar", "-C", scene.folder.path, "-czf", scene.folder.file("t.tgz"), "a.json", "b.json"])
        let content = try Data(contentsOf: URL(filePath: scene.folder.file("t.tgz"))).base64EncodedString()
        try all.offer(["1/t.tgz": "base64:" + content, "2/t.tgz": "base64:" + content])
        let definition = try scene.folder.write(
            "several.jsonc",
            """
            { "sources": {
                "b": { "file": "s3://feeds/*/t.tgz", "member": "b.json"\(more) },
                "a": { "file": "s3://feeds/1/t.tgz", "member": "a.json"\(more) } },
              "store": { "sqlite": "several.sqlite" },
              "entities": {
                "A": { "source": "a", "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" } },
                "B": { "source": "b", "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        let outcome = try all.sluice("run", definition, "--format", "json")
        #expect(outcome.status == 0 && outcome.count("A", "created") == 1, "\(outcome.errors)")
        #expect(outcome.count("B", "records") == 2)
        #expect(try all.service.requests.filter { !$0.key.isEmpty }.map(\.key).sorted() == ["1/t.tgz", "2/t.tgz"])
    }

    /// A part is not made of half an object.
    @Test func aPartOfWhatIsCut() throws {
        try all.offer(["a.json": ObjectScene.feed(1)], ["fails": Array(repeating: 503, count: 100)])
        let failed = try all.sluice(
            "extract", scene.definition, "--feed", "s3://feeds/a.json", "--to", scene.folder.file("parts"))
        #expect(failed.status == 69, "\(failed.errors)")
        let (one, other) = (ObjectScene.feed(1), ObjectScene.feed(2))
        try all.offer(["a.json": one], ["cuts": ["a.json": 20], "cut": ["a.json": other]])
        let changed = try all.sluice(
            "extract", scene.definition, "--feed", "s3://feeds/a.json", "--to", scene.folder.file("parts"))
        #expect(changed.status == 65, "\(changed.errors)")
        let left = FileManager.default.enumerator(atPath: scene.folder.file("parts"))?.allObjects as? [String]
        #expect(left?.contains { $0.hasSuffix(".parquet") || $0.hasSuffix("json") } != true, "\(left ?? [])")
    }

    /// A bucket that does not answer holds nobody up who wants to stop.
    @Test(arguments: ["run", "fetch"]) func aListIsEnded(command: String) throws {
        try scene.define(#""file": "s3://feeds/*.json""#, settings: #""archive": { "directory": "archive" },"#)
        try all.offer(["1.json": ObjectScene.feed(1)], ["fails": Array(repeating: 503, count: 1000)])
        scene.environment["SLUICE_TEST_BACKOFF"] = "1000"
        let held = try RunningSluice([command, scene.definition], environment: scene.environment)
        #expect(held.waits { (try? all.service.requests.isEmpty) == false })
        held.signal(SIGTERM)
        let outcome = held.ended()
        #expect(outcome.status == 128 + SIGTERM, "\(outcome.errors)")
        #expect(outcome.errors.contains("SIGTERM"), "\(outcome.errors)")
    }
}
