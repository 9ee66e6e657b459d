import Foundation
import Testing

/// What is published verifies at every moment, whatever becomes of a build, and the next build mends what is not whole.
@Suite struct SeedPublicationTests {
    private let scene: SeedScene

    init() throws {
        scene = try SeedScene()
        for name in ["one", "two"] { try scene.makeKey(name) }
    }

    private func build(_ key: String? = nil, _ environment: [String: String] = [:]) throws -> Sluice.Outcome {
        let words = ["seed", "build", scene.definition, "--output", scene.seeds]
        return try Sluice.run(words + (key.map { ["--sign", scene.key($0, "pem")] } ?? []), environment: environment)
    }

    /// Both manifests, or one that says what is wrong.
    private func fault(_ key: String? = nil) throws -> String? {
        let model = try #require(scene.json()["model"] as? String)
        for name in ["items.seed.json", "items.\(model.prefix(8)).seed.json"] {
            let words = ["seed", "verify", scene.seeds + "/" + name]
            let outcome = try Sluice.run(words + (key.map { ["--key", scene.key($0, "pub")] } ?? []))
            if outcome.status != 0 { return "\(name): \(outcome.errors)" }
        }
        return nil
    }

    /// A build dies in any of its calls that make, rename or remove a file: who has the key can install what is there,
    /// and the next build leaves a whole one, also of the content of before.
    @Test(.enabled(if: FaultShim.isThere, "there is no C compiler")) func killedBetweenItsFiles() throws {
        try scene.load(1)
        #expect(try build("one").status == 0)
        let first = scene.folder.file("first")
        try FileManager.default.moveItem(atPath: scene.seeds, toPath: first)
        func reset(_ version: Int) throws {
            try? FileManager.default.removeItem(atPath: scene.seeds)
            try FileManager.default.copyItem(atPath: first, toPath: scene.seeds)
            try scene.load(version)
        }
        let names = ["FAULT_KINDS": "\(FaultShim.Kinds.naming.rawValue)"]
        let counter = scene.folder.file("count")
        try reset(2)
        #expect(try build("one", FaultShim.counting(scene.seeds, to: counter).merging(names) { $1 }).status == 0)
        let count = try FaultShim.count(counter)
        // Both manifests and their signatures are of the last of them, two calls for each.
        #expect(count > 20)
        let calls = FaultEffort.isLong ? Array(1...count) : Array(stride(from: count - 19, through: count, by: 3))
        for call in calls {
            try reset(2)
            let death = FaultShim.failing(scene.seeds, call: call, .death, isSticky: false)
            #expect(try build("one", death.merging(names) { $1 }).status == 137, "call \(call)")
            #expect(try fault("one") == nil, "killed in call \(call) of \(count)")
            try scene.load(call % 2 + 1)
            let next = try build("one")
            #expect(next.status == 0, "call \(call): \(next)")
            #expect(try fault("one") == nil, "after call \(call) of \(count)")
            #expect(try signatureSizes() == [64, 64], "after call \(call)")
        }
    }

    /// A build dies between the manifest of its model and the newest one: the next one of the same content completes
    /// what was begun, and makes no further version; that of another content does.
    @Test(arguments: [true, false]) func publishedHalf(isSame: Bool) throws {
        try scene.publish(1...1)
        let old = try Data(contentsOf: URL(fileURLWithPath: scene.manifest))
        try scene.load(2)
        #expect(try build().status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.seeds).sorted()
        try scene.change("items.seed.json") { $0 = old }
        if !isSame { try scene.load(3) }
        let version = isSame ? 2 : 3
        #expect(try build().output.hasPrefix("items \(version): "))
        #expect(try fault() == nil)
        #expect(try build().output == "Nothing new since version \(version).\n")
        if isSame { #expect(try FileManager.default.contentsOfDirectory(atPath: scene.seeds).sorted() == names) }
        try scene.installs()
        #expect(scene.version == version)
    }

    private func signatureSizes() throws -> [Int] {
        try FileManager.default.contentsOfDirectory(atPath: scene.seeds).filter { $0.hasSuffix(".sig") }.map {
            try Data(contentsOf: URL(fileURLWithPath: scene.seeds + "/" + $0)).count
        }
    }

    /// While a manifest is replaced, the signature of the one before stands behind that of the next: both verify.
    @Test func theSignatureOfTheOneBefore() throws {
        try scene.publish(1...1, "--sign", scene.key("one", "pem"))
        let old = try Data(contentsOf: URL(fileURLWithPath: scene.manifest + ".sig"))
        try scene.change("items.seed.json.sig") { $0 = Data(repeating: 7, count: 64) + old }
        try scene.installs(["--key", scene.key("one", "pub")])
        #expect(try scene.install(["--key", scene.key("two", "pub")]).status == 77)
        try scene.change("items.seed.json.sig") { $0 = Data(repeating: 7, count: 128) }
        #expect(try scene.install(["--key", scene.key("one", "pub")]).errors.contains("is not by the key"))
    }

    /// The first `--sign`, and another key, are news, though the content is the same.
    @Test func aKeyThatComesLater() throws {
        try scene.publish(1...1)
        try scene.installs()
        let first = try build("one")
        #expect(first.output.hasPrefix("items 2: ") && first.errors.contains("is not the signature"), "\(first)")
        #expect(try fault("one") == nil)
        #expect(try build("one").output == "Nothing new since version 2.\n")
        #expect(try build().output == "Nothing new since version 2.\n")
        #expect(try build("two").output.hasPrefix("items 3: "))
        #expect(try fault("two") == nil && fault("one") != nil)
        // Where nothing but the version differs, little is fetched.
        #expect(try scene.installs().contains("by the delta from version 1"))
        #expect(scene.version == 3)
    }

    /// What was deleted or damaged of what is published is missed by the next build. The newest manifest is made of
    /// that of the model.
    @Test(arguments: ["items-2.sqlite.zst", "items-1-2.delta.zst", "items.seed.json", "MODEL"])
    func whatWasDeleted(name: String) throws {
        try scene.publish(1...2)
        try scene.installs()
        let model = try #require(scene.json()["model"] as? String)
        let name = name == "MODEL" ? "items.\(model.prefix(8)).seed.json" : name
        try FileManager.default.removeItem(atPath: scene.seeds + "/" + name)
        let outcome = try build()
        // Not 1 or 2 again with other bytes, which somebody has: none would be newer.
        let version = name == "items.seed.json" ? 2 : 3
        #expect(outcome.status == 0 && outcome.output.hasPrefix("items \(version): "), "\(outcome)")
        #expect(try fault() == nil)
        #expect(try build().output == "Nothing new since version \(version).\n")
        try scene.installs()
        #expect(scene.version == version)
    }

    @Test func whatWasDamaged() throws {
        try scene.publish(1...1)
        try scene.change("items-1.sqlite.zst") { $0[$0.count / 2] ^= 1 }
        let outcome = try build()
        #expect(outcome.output.hasPrefix("items 2: ") && outcome.errors.contains("another SHA-256"), "\(outcome)")
        #expect(try fault() == nil)
    }

    /// A manifest that is cut off, as by a lost power, is written anew; one of a later version is not.
    @Test(arguments: [0, 200]) func aManifestIsDamaged(_ bytes: Int) throws {
        try scene.publish(1...1)
        try scene.change("items.seed.json") { $0 = $0.prefix(bytes) }
        let outcome = try build()
        #expect(
            outcome.output.hasPrefix("items 2: ") && outcome.errors.contains("items.seed.json is damaged"), "\(outcome)"
        )
        #expect(try fault() == nil)
        try scene.change("items.seed.json") { $0 = Data(#"{"format": 2}"#.utf8) }
        let later = try build()
        #expect(later.status == 65 && later.errors.contains("format 2"), "\(later)")
    }

    /// The manifest of another seed, with its signature, is not taken for the one that was asked for; nor an earlier
    /// one for that of another model.
    @Test func aManifestOfAnotherName() throws {
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let other = try scene.folder.write(
            "other.jsonc", text.replacing("\"source\"", with: "\"name\": \"other\", \"source\""))
        try scene.publish(1...1, "--sign", scene.key("one", "pem"))
        let model = try #require(scene.json()["model"] as? String)
        #expect(
            try Sluice.run(
                ["seed", "build", other, "--output", scene.seeds, "--sign", scene.key("one", "pem")]
            ).status == 0)
        for (file, asked) in [
            ("other.seed.json", "items.seed.json"), ("items.seed.json", "items.01234567.seed.json"),
            ("items.seed.json", "others.\(model.prefix(8)).seed.json"),
        ] {
            let mirror = scene.folder.file("mirror")
            try FileManager.default.copyItem(atPath: scene.seeds, toPath: mirror)
            for ending in ["", ".sig"] {
                try? FileManager.default.removeItem(atPath: mirror + "/" + asked + ending)
                try FileManager.default.copyItem(
                    atPath: scene.seeds + "/" + file + ending, toPath: mirror + "/" + asked + ending)
            }
            for key in [[], ["--key", scene.key("one", "pub")]] {
                let outcome = try scene.install(key, from: mirror + "/" + asked)
                #expect(outcome.status == 77 && outcome.errors.contains("manifest of another seed"), "\(outcome)")
                #expect(try Sluice.run(["seed", "verify", mirror + "/" + asked] + key).status == 77)
            }
            try FileManager.default.removeItem(atPath: mirror)
        }
        #expect(scene.names == [])
        // Under both of its names it is taken.
        try scene.installs(from: scene.seeds + "/items.\(model.prefix(8)).seed.json")
    }

    /// The folder of the seeds is full: the message names it, and not the store.
    @Test(.enabled(if: SmallDisk.isPermitted, "a small disk can only be mounted by root")) func aDiskThatIsFull() throws
    {
        try scene.load(1, count: 3000)
        let disk = try SmallDisk(scene.seeds, kilobytes: 100)
        defer { disk.unmount() }
        let outcome = try build()
        #expect(outcome.status == 74, "\(outcome)")
        #expect(outcome.errors.contains(scene.seeds) && !outcome.errors.contains(scene.store), "\(outcome)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scene.seeds).filter { !$0.hasSuffix("-lock") } == [])
    }
}
