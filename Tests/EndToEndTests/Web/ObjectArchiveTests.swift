import Foundation
import TestSupport
import Testing

/// What runs write to a bucket: feeds that are saved, and findings.
@Suite struct ObjectArchiveTests {
    private let all: ObjectScene
    private let scene: WebScene

    init() throws {
        all = try ObjectScene(#""file": "items.json""#)
        scene = all.scene
        try all.offer([:])
        try define(#""archive": { "directory": "s3://feeds/saved/nightly/", "keep": 2 },"#)
    }

    private func define(_ settings: String) throws {
        try scene.define(#""file": "items*.json""#, settings: settings)
    }

    private func feed(_ id: Int) throws { _ = try scene.folder.write("items.json", ObjectScene.feed(id)) }

    /// A run whose findings are those of the definition.
    private func plain(_ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(
            ["run", scene.definition, "--format", "json"] + more, environment: scene.environment,
            through: ["/usr/bin/env"])
    }

    /// The names of saved feeds without their moments.
    private var saved: [String] {
        get throws { try all.keys.map { $0.replacing(/\.[0-9]{8}T[0-9]{6}Z\./, with: ".") } }
    }

    private static func name(_ run: Int, _ file: Int = 1) -> String {
        "saved/nightly/items.run\(run).main.\(file).json.zst"
    }

    // MARK: The archive

    @Test func feedsAreSavedAndReplayed() throws {
        for id in 1...4 {
            try feed(id)
            if id == 3 { _ = try scene.folder.write("items-more.json", ObjectScene.feed(33)) }
            let outcome = try scene.run()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        // The newest two, of which each has two files.
        let names = [3, 4].flatMap { run in [1, 2].map { ObjectArchiveTests.name(run, $0) } }
        #expect(try saved == names)
        let replay = try all.sluice("replay", scene.definition, "--run", "3", "--format", "json")
        #expect(replay.status == 0 && replay.count("Item", "unchanged") == 2, "\(replay.errors)")
        let gone = try all.sluice("replay", scene.definition, "--run", "1")
        #expect(gone.status == 66, "\(gone.errors)")
        // A user that knows the names can replay the feeds by them.
        let keys = try all.keys.suffix(2).map { "s3://feeds/\($0)" }
        let named = try Sluice.run(["replay", scene.definition] + keys, environment: scene.environment)
        #expect(named.status == 0, "\(named.errors)")
        let ledger = try Database(scene.store).rows("SELECT archive FROM sluice_run WHERE run = 4")[0][0]
        #expect(ledger.contains(#""directory": "s3://feeds/saved/nightly""#), "\(ledger)")
        // A replay of feeds that were deleted by hand says so.
        try all.offer([:])
        #expect(try all.sluice("replay", scene.definition, "--run", "4").status == 66)
    }

    @Test func largeFeedsGoInParts() throws {
        // Letters at random cannot be compressed to less than three quarters.
        let line = "tr -dc a-zA-Z0-9+/ </dev/urandom | head -c 24000000"
        let text = String(decoding: try Shell.output(["sh", "-c", line]), as: UTF8.self)
        _ = try scene.folder.write("items.json", #"{"items": [{"id": 1, "name": "\#(text)"}]}"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try saved == [ObjectArchiveTests.name(1)])
        #expect(try service.requests.count { $0.query["partNumber"] != nil } == 2)
        #expect(try service.names.uploads.isEmpty)
        let replay = try all.sluice("replay", scene.definition, "--run", "1", "--format", "json")
        #expect(replay.count("Item", "unchanged") == 1, "\(replay.errors)")
    }

    private var service: ObjectService { all.service }

    /// A run that fails saves its feed as well; one that cannot save it fails, and leaves neither data nor objects.
    @Test func whatFails() throws {
        _ = try scene.folder.write("items.json", #"{"items": [{"id": "x"}]}"#)
        #expect(try scene.run().status == 65)
        #expect(try all.keys == ["saved/nightly/items.unrecorded.main.1.json.zst"])
        try all.offer([:])
        try feed(1)
        #expect(try scene.run().status == 0)
        try feed(2)
        try all.offer([:], ["refuses": ["PUT"]])
        let refused = try scene.run()
        #expect(refused.status == 77 && refused.report["status"] as? String == "failed", "\(refused.errors)")
        #expect(try Database(scene.store).rows("SELECT id FROM Item") == [["1"]])
        #expect(try all.keys.isEmpty)
        // Nobody reads a feed whose archive is not there.
        try service.offer(["buckets": [:]])
        let none = try scene.run()
        #expect(none.status == 66 && none.errors.contains("NoSuchBucket"), "\(none.errors)")
        #expect(try all.sluice("check", scene.definition).status == 0)
        #expect(try all.sluice("check", scene.definition, "--connect").status == 66)
        #expect(try scene.run("--dry-run").status == 66)
    }

    /// What a run leaves that is killed between sending its feed and noting it, the next one removes.
    @Test func aRunThatIsKilled() throws {
        try feed(1)
        #expect(try scene.run().status == 0)
        try feed(2)
        for key in ["saved/nightly/items", "saved/nightly/.sluice"] {
            try service.offer([
                "buckets": [
                    "feeds": service.state.objects["feeds"]?.mapValues { "base64:" + $0.base64EncodedString() }
                ],
                "slowPrefix": key, "headers": service.state.headers,
            ])
            let held = try RunningSluice(["run", scene.definition], environment: scene.environment)
            let sent = { (try? service.requests.contains { $0.method == "PUT" && $0.key.hasPrefix(key) }) == true }
            #expect(held.waits(until: sent))
            held.signal(SIGKILL)
            _ = held.ended()
        }
        try service.offer([
            "buckets": ["feeds": service.state.objects["feeds"]?.mapValues { "base64:" + $0.base64EncodedString() }],
            "headers": service.state.headers,
        ])
        let outcome = try scene.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let number = try #require(outcome.report["run"] as? Int)
        #expect(try saved == [ObjectArchiveTests.name(1), ObjectArchiveTests.name(number)])
    }

    @Test func whatIsFetched() throws {
        try feed(1)
        let fetched = try all.sluice("fetch", scene.definition)
        #expect(
            fetched.status == 0 && fetched.output.hasPrefix("main=s3://feeds/saved/nightly/items."), "\(fetched.errors)"
        )
        let feed = fetched.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try all.sluice("replay", scene.definition, feed).status == 0)
        #expect(try all.sluice("run", scene.definition, "--feed", feed, "--force").status == 0)
    }

    // MARK: Findings

    @Test func findingsAreAnObject() throws {
        try define(#""findings": "s3://feeds/last/findings.ndjson", "limits": { "rejects": null },"#)
        for id in ["x", "y"] {
            _ = try scene.folder.write("items.json", #"{"items": [{"id": "\#(id)"}]}"#)
            #expect(try plain().status == 0)
            let text = try #require(try all.text(of: "last/findings.ndjson"))
            let rejects = text.split(separator: "\n").filter { $0.contains(#""kind": "reject""#) }
            #expect(rejects.count == 1 && rejects[0].contains(#""record": {"id":"\#(id)"}"#), "\(text)")
        }
        // A dry run leaves them.
        _ = try scene.folder.write("items.json", #"{"items": [{"id": "z"}]}"#)
        #expect(try plain("--dry-run").status == 0)
        #expect(try all.text(of: "last/findings.ndjson")?.contains(#"{"id":"y"}"#) == true)
        #expect(try plain("--dry-run", "--findings", "s3://feeds/dry.ndjson").status == 0)
        #expect(try all.text(of: "dry.ndjson")?.contains(#"{"id":"z"}"#) == true)
        let mended = try all.sluice("replay", scene.definition, "--rejects", "s3://feeds/dry.ndjson")
        #expect(mended.status == 64 && mended.errors.contains("copy s3://feeds/dry.ndjson to one"), "\(mended.errors)")
        // What the next run would read.
        try scene.define(#""file": "s3://feeds/last/*.ndjson""#, settings: #""findings": "s3://feeds/last/f.ndjson","#)
        let own = try plain()
        #expect(own.status == 78 && own.errors.contains("would be read as a feed"), "\(own.errors)")
    }

    /// Findings that cannot be written fail a run before it reads anything, if that is seen then; else its status says
    /// so.
    @Test func findingsThatCannotBeWritten() throws {
        try define(#""findings": "s3://none/findings.ndjson","#)
        try feed(1)
        #expect(try plain().status == 66)
        #expect(!scene.folder.names.contains("store.sqlite"))
        try define(#""findings": "s3://feeds/findings.ndjson","#)
        try all.offer([:], ["refuses": ["PUT"]])
        let late = try plain()
        #expect(late.status == 77 && late.report["status"] as? String == "succeeded", "\(late.errors) \(late.output)")
    }

    @Test(arguments: [
        #""archive": { "directory": "s3://feeds/*" },"#, #""findings": "s3://f","#,
        #""seed": { "directory": "s3://" },"#,
    ])
    func placesThatAreNone(settings: String) throws {
        try define(settings)
        let outcome = try all.sluice("check", scene.definition)
        #expect(outcome.status == 78 && outcome.errors.contains("items.jsonc:2:"), "\(outcome.errors)")
    }
}
