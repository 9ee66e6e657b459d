import Foundation
import TestSupport
import Testing

/// A bucket that takes nothing, or says nothing: what writes there ends in time, and leaves nothing.
@Suite struct ObjectStallTests {
    private let all: ObjectScene
    private let scene: WebScene

    init() throws {
        all = try ObjectScene(#""file": "items.json""#)
        scene = all.scene
        scene.environment["SLUICE_TEST_SILENCE"] = "0.5"
        _ = try scene.folder.write("items.json", ObjectScene.feed(1))
    }

    /// Expects that something has ended, since the service was silent each time.
    private func expectSilence(_ outcome: Sluice.Outcome, since start: Date) {
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("was silent for 0.5 seconds (tried 6 times)"), "\(outcome.errors)")
        // Machines that are busy take long to compress.
        #expect(Date().timeIntervalSince(start) < 90)
    }

    @Test func anArchive() throws {
        try scene.define(
            #""file": "items.json""#, settings: #""archive": { "directory": "s3://feeds/saved", "keep": 2 },"#)
        try all.offer([:], ["deaf": "saved/items"])
        for isFirst in [true, false] {
            let start = Date()
            let outcome = try scene.run()
            expectSilence(outcome, since: start)
            #expect(try all.keys.isEmpty)
            if isFirst {
                #expect(!scene.folder.names.contains("store.sqlite"), "\(scene.folder.names)")
                try all.offer([:])
                #expect(try scene.run().status == 0)
                _ = try scene.folder.write("items.json", ObjectScene.feed(2))
                try all.offer([:], ["deaf": "saved/items"])
            }
        }
        #expect(try Database(scene.store).rows("SELECT id FROM Item") == [["1"]])
    }

    /// Of what goes in parts, none is kept.
    @Test func aPart() throws {
        try scene.define(#""file": "items.json""#, settings: #""archive": { "directory": "s3://feeds/saved" },"#)
        let line = "tr -dc a-zA-Z0-9+/ </dev/urandom | head -c 24000000"
        let text = String(decoding: try Shell.output(["sh", "-c", line]), as: UTF8.self)
        _ = try scene.folder.write("items.json", #"{"items": [{"id": 1, "name": "\#(text)"}]}"#)
        try all.offer([:], ["deaf": "saved/items"])
        let start = Date()
        expectSilence(try scene.run(), since: start)
        #expect(try all.keys.isEmpty)
        #expect(try all.service.names.uploads.isEmpty)
        #expect(!scene.folder.names.contains("store.sqlite"))
    }

    /// The data are there before the findings.
    @Test func findings() throws {
        try all.offer([:], ["deaf": "findings"])
        let start = Date()
        let outcome = try Sluice.run(
            ["run", scene.definition, "--findings", "s3://feeds/findings.ndjson", "--format", "json"],
            environment: scene.environment)
        expectSilence(outcome, since: start)
        #expect(outcome.report["status"] as? String == "succeeded", "\(outcome.output)")
        #expect(try all.keys.isEmpty)
    }

    /// What no manifest names does not stay; a version that is whole does, under its own name, and the next build is
    /// whole.
    @Test(arguments: ["seeds/", "seeds/items.seed.json"]) func aSeed(key: String) throws {
        #expect(try scene.run().status == 0)
        try all.offer([:], ["deaf": key])
        let start = Date()
        let outcome = try all.sluice("seed", "build", scene.definition, "--output", "s3://feeds/seeds")
        expectSilence(outcome, since: start)
        let keys = try all.keys
        #expect(keys == [] || keys.contains { $0.hasSuffix(".seed.json") }, "\(keys)")
        let objects = try all.service.state.objects["feeds"] ?? [:]
        try all.offer(objects.mapValues { "base64:" + $0.base64EncodedString() })
        let again = try all.sluice("seed", "build", scene.definition, "--output", "s3://feeds/seeds")
        #expect(again.status == 0, "\(again.errors)")
        let verified = try all.sluice("seed", "verify", "s3://feeds/seeds/items.seed.json")
        #expect(verified.status == 0, "\(verified.errors)")
    }

    @Test(arguments: ["parts/", "parts/manifest"]) func aPartOfAnExtraction(key: String) throws {
        try all.offer([:], ["deaf": key])
        let start = Date()
        let outcome = try all.sluice("extract", scene.definition, "--to", "s3://feeds/parts")
        expectSilence(outcome, since: start)
        #expect(try all.keys == [])
    }

    /// A run that is to stop does not wait for the service.
    @Test func aSignal() throws {
        scene.environment["SLUICE_TEST_SILENCE"] = "60"
        try scene.define(#""file": "items.json""#, settings: #""archive": { "directory": "s3://feeds/saved" },"#)
        try all.offer([:], ["deaf": "saved/items"])
        let held = try RunningSluice(["run", scene.definition], environment: scene.environment)
        #expect(held.waits { (try? all.service.requests.contains { $0.key.hasPrefix("saved/.sluice") }) == true })
        Thread.sleep(forTimeInterval: 0.5)
        let start = Date()
        held.signal(SIGTERM)
        let outcome = held.ended()
        #expect(outcome.status == 128 + SIGTERM && Date().timeIntervalSince(start) < 10, "\(outcome.errors)")
        #expect(!scene.folder.names.contains("store.sqlite"))
        #expect(try all.keys == [])
    }

    /// Nor does who looks for a seed.
    @Test(arguments: [
        ["verify", "s3://feeds/seeds/items.seed.json"], ["list", "s3://feeds/seeds"],
        ["install", "s3://feeds/seeds/items.seed.json", "--key", "none", "--store", "none"],
        ["build", "PIPELINE", "--output", "s3://feeds/seeds"],
    ])
    func aSignalToSeeds(words: [String]) throws {
        #expect(try scene.run().status == 0)
        scene.environment["SLUICE_TEST_SILENCE"] = "60"
        try all.offer([:], ["mute": true])
        let held = try RunningSluice(
            ["seed"] + words.map { $0 == "PIPELINE" ? scene.definition : $0 }, environment: scene.environment)
        #expect(held.waits { (try? all.service.requests.isEmpty) == false })
        let start = Date()
        held.signal(SIGTERM)
        let outcome = held.ended()
        #expect(outcome.status == 128 + SIGTERM && Date().timeIntervalSince(start) < 10, "\(outcome.errors)")
    }
}
