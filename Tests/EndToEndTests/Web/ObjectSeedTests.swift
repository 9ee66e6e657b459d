import Foundation
import TestSupport
import Testing

/// Seeds that are published as objects, and installed from there.
@Suite struct ObjectSeedTests {
    private let all: ObjectScene
    private let seeds = try? SeedScene()
    private let place = "s3://feeds/seeds"

    init() throws {
        all = try ObjectScene(#""file": "none""#)
        try all.offer([:])
    }

    private func scene() throws -> SeedScene {
        let scene = try #require(seeds)
        try scene.makeKey("key")
        return scene
    }

    @discardableResult
    private func build(_ scene: SeedScene, _ more: String..., to other: String? = nil) throws -> Sluice.Outcome {
        let words = ["seed", "build", scene.definition, "--output", other ?? place, "--sign", scene.key("key", "pem")]
        return try Sluice.run(words + more, environment: all.scene.environment)
    }

    private func install(_ scene: SeedScene, _ more: String...) throws -> Sluice.Outcome {
        let words = ["seed", "install", "\(place)/items.seed.json", "--store", scene.installed]
        return try Sluice.run(words + ["--key", scene.key("key", "pub")] + more, environment: all.scene.environment)
    }

    private var keys: [String] { get throws { try all.keys.map { String($0.dropFirst("seeds/".count)) } } }

    @Test func versionsAndDeltas() throws {
        let scene = try scene()
        for version in 1...3 {
            try scene.load(version)
            let outcome = try build(scene, "--keep", "2")
            #expect(outcome.status == 0 && outcome.output.hasPrefix("items \(version): "), "\(outcome.errors)")
            let installed = try install(scene)
            #expect(installed.status == 0, "\(installed.errors)")
            #expect(version == 1 || installed.output.contains("delta"), "\(installed.output)")
        }
        #expect(try build(scene).output == "Nothing new since version 3.\n")
        let names = ["items-1-2.delta.zst", "items-1-3.delta.zst", "items-1.sqlite.zst", "items-2-3.delta.zst"]
        #expect(try keys.filter { !$0.contains(".seed.json") } == names + ["items-2.sqlite.zst", "items-3.sqlite.zst"])
        // The same content as in a folder, and the same files but for the moment.
        let verified = try all.sluice("seed", "verify", "\(place)/items.seed.json", "--key", scene.key("key", "pub"))
        #expect(verified.output == "items 3 is sound: 203 objects, 2 deltas.\n", "\(verified)")
        let list = try all.sluice("seed", "list", place)
        #expect(list.output.contains("items 3  ") && list.output.contains("  from 2   "), "\(list)")
        let headers = try all.service.state.headers
        #expect(headers["feeds/seeds/items.seed.json"]?["Cache-Control"] == "no-cache")
        #expect(headers["feeds/seeds/items-3.sqlite.zst"]?["Cache-Control"]?.contains("immutable") == true)
        // A file that is lost is seen, and so is one that is another.
        try change { $0["seeds/items-2-3.delta.zst"] = nil }
        let again = try build(scene)
        #expect(again.output.hasPrefix("items 4: ") && again.errors.contains("items-2-3.delta.zst is missing"))
        try change { $0["seeds/items-4.sqlite.zst"]?.reverse() }
        let damaged = try all.sluice("seed", "verify", "\(place)/items.seed.json")
        #expect(damaged.status == 65 && damaged.errors.contains("SHA-256"), "\(damaged)")
    }

    /// Changes what the service has.
    private func change(_ more: [String: Any] = [:], _ body: (inout [String: Data]) -> Void) throws {
        var objects = try all.service.state.objects["feeds"] ?? [:]
        body(&objects)
        try all.offer(
            objects.mapValues { "base64:" + $0.base64EncodedString() },
            more.merging(["headers": all.service.state.headers]) { $1 })
    }

    /// The manifest is written after all that it names, so a concurrent reader gets a complete seed.
    @Test func theOrderOfWriting() throws {
        let scene = try scene()
        try scene.load(1)
        #expect(try build(scene).status == 0)
        try scene.load(2)
        try change { _ in }
        #expect(try build(scene).status == 0)
        let model = try #require(try keys.first { $0.wholeMatch(of: /items\.[0-9a-f]{8}\.seed\.json/) != nil })
        let writes = try all.service.requests.filter { $0.method == "PUT" }.map { $0.key.dropFirst("seeds/".count) }
        #expect(
            writes.map(String.init) == [
                "items-2.sqlite.zst", "items-1-2.delta.zst", model + ".sig", "items.seed.json.sig", model,
                "items.seed.json", model + ".sig", "items.seed.json.sig",
            ]
                || writes.map(String.init) == [
                    "items-2.sqlite.zst", "items-1-2.delta.zst", "items.seed.json.sig", model + ".sig",
                    "items.seed.json",
                    model, "items.seed.json.sig", model + ".sig",
                ])
        // A build that dies before any of them leaves what can be installed.
        for key in writes.map({ "seeds/" + $0 }) {
            try scene.load(3 + writes.count)
            try change([
                "refuses": ["PUT \(key)", "PUT " + key.replacing("-2", with: "-3").replacing("1-3", with: "1-3")]
            ]) { _ in }
            _ = try build(scene)
            try change { _ in }
            let outcome = try install(scene, "--force")
            #expect(outcome.status == 0, "\(key): \(outcome.errors)")
        }
    }

    /// Where a manifest cannot be written, and is not there, nothing stays of what it would have named.
    @Test func aManifestThatIsNotTaken() throws {
        let scene = try scene()
        try scene.load(1)
        #expect(try build(scene).status == 0)
        let before = try keys
        try scene.load(2)
        try change(["busy": ".seed.json"]) { _ in }
        let outcome = try build(scene)
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(try keys.filter { !$0.hasSuffix(".sig") } == before.filter { !$0.hasSuffix(".sig") })
        #expect(try install(scene).status == 0)
        try change { _ in }
        #expect(try build(scene).output.hasPrefix("items 2: "))
    }

    /// Two builds at once: the second is refused, and nothing of it stays.
    @Test func anotherBuild() throws {
        let scene = try scene()
        try scene.load(1)
        #expect(try build(scene).status == 0)
        let published = try #require(try all.text(of: "seeds/items.seed.json"))
        try scene.load(2)
        // The other one gets its manifest in while this one sends its files.
        let other = published.replacing("\"version\": 1", with: "\"version\": 7").replacing(
            "\"version\":1", with: "\"version\":7")
        let manifests = try all.keys.filter { $0.hasSuffix(".seed.json") }
        let others = Dictionary(uniqueKeysWithValues: manifests.map { ($0, other) })
        try change(["then": ["PUT seeds/items-2.sqlite.zst": others]]) { _ in }
        let late = try build(scene)
        #expect(late.status == 75 && late.errors.contains("by another build"), "\(late.errors)")
        #expect(try all.text(of: "seeds/items.seed.json") == other)
        #expect(try !keys.contains("items-2.sqlite.zst") && !keys.contains("items-1-2.delta.zst"))
        // The same file, at the same time.
        try change(["then": ["GET seeds/items.seed.json": ["seeds/items-8.sqlite.zst": "x"]]]) {
            $0["seeds/items-7.sqlite.zst"] = Data()
        }
        let same = try build(scene)
        #expect([0, 75].contains(same.status), "\(same.errors)")
        // What a build has left that died is not written over.
        let next = try build(scene)
        #expect(next.status == 0, "\(next.errors)")
    }

    @Test func whatIsRefused() throws {
        let scene = try scene()
        try scene.load(1)
        #expect(try build(scene, to: "s3://feeds/*").status == 64)
        #expect(try build(scene, to: "s3://none/seeds").status == 66)
        #expect(try build(scene).status == 0)
        let words = ["seed", "install", "\(place)/items.seed.json", "--store", scene.installed]
        let plain = try Sluice.run(words, environment: all.scene.environment)
        #expect(plain.status == 77 && plain.errors.contains("use https"), "\(plain.errors)")
        #expect(try all.sluice("seed", "list", "s3://feeds/none").output == "no seeds\n")
        #expect(try install(scene, "--requires", scene.definition).status == 0)
        try change { $0["seeds/items.seed.json.sig"] = nil }
        #expect(try install(scene, "--force").status == 77)
    }
}
