import Foundation
import Glibc
import TestSupport
import Testing

/// Seeds and stores that are not what they were, or no files at all.
@Suite struct SeedOddFileTests {
    private let scene: SeedScene

    init() throws { scene = try SeedScene() }

    /// A program that opens a pipe waits for the other side, perhaps for ever.
    @Test func namedPipes() throws {
        try scene.makeKey("one")
        try scene.publish(1...1, "--sign", scene.key("one", "pem"))
        let pipe = scene.folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let install = ["seed", "install", scene.manifest, "--store"]
        let cases: [(Int32, [String])] = [
            (78, install + [pipe]), (65, install + [scene.installed, "--key", pipe]),
            (65, ["seed", "install", pipe, "--store", scene.installed]), (65, ["seed", "verify", pipe]),
            (65, ["seed", "verify", scene.manifest, "--key", pipe]),
            (65, ["seed", "build", scene.definition, "--output", scene.seeds, "--sign", pipe]),
            (78, ["seed", "build", scene.definition, "--output", scene.seeds, "--store", pipe]),
        ]
        for (status, words) in cases {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == status && outcome.errors.contains("is no regular file"), "\(words): \(outcome)")
        }
        for name in ["items-1.sqlite.zst", "items.seed.json.sig", "items.seed.json"] {
            let seeds = scene.folder.file("copy")
            try FileManager.default.copyItem(atPath: scene.seeds, toPath: seeds)
            try FileManager.default.removeItem(atPath: seeds + "/" + name)
            #expect(unsafe mkfifo(seeds + "/" + name, 0o600) == 0)
            let outcome = try scene.install(["--key", scene.key("one", "pub")], from: seeds + "/items.seed.json")
            #expect([65, 77].contains(outcome.status) && outcome.errors.contains("is no regular file"), "\(outcome)")
            let build = try Sluice.run(["seed", "build", scene.definition, "--output", seeds])
            #expect([0, 65].contains(build.status), "\(build)")
            try FileManager.default.removeItem(atPath: seeds)
        }
        #expect(scene.names == [])
        // Who says so has a store in its place.
        #expect(try Sluice.run(install + [pipe, "--force"]).status == 0)
        #expect(try Database(pipe).integer("SELECT version FROM sluice_seed") == 1)
    }

    /// What is installed has been damaged: the delta cannot be applied to it in one way or another, and the whole mends
    /// it.
    @Test func aDamagedSeed() throws {
        try scene.publish(1...1)
        try scene.installs()
        try scene.publish(2...2)
        let sound = try Data(contentsOf: URL(fileURLWithPath: scene.installed))
        var random = SeededRandom(31)
        for round in 0..<6 {
            var bytes = sound
            for _ in 0..<20 {
                bytes[Int.random(in: 4096..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try FileManager.default.removeItem(atPath: scene.installed)
            try bytes.write(to: URL(fileURLWithPath: scene.installed))
            let outcome = try scene.install()
            #expect(outcome.status == 0 && scene.version == 2, "round \(round): \(outcome)")
            try scene.isSound()
        }
    }

    /// A delta that ends in the name of a table, with right hashes: SQLite would look for its end without end.
    @Test func aDeltaThatIsCut() throws {
        try scene.publish(1...1)
        try scene.installs()
        try scene.publish(2...2)
        let (cut, file) = (scene.folder.file("cut"), scene.seeds + "/items-1-2.delta.zst")
        _ = try scene.folder.write("cut", "P")
        #expect(try Shell.run(["zstd", "-qf", cut, "-o", file]) == 0)
        let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        let hash = String(decoding: try Shell.output(["sha256sum", file]).prefix(64), as: UTF8.self)
        try scene.replaceDelta(["bytes": size, "sha256": hash, "expandedBytes": 1], scene.json())
        let outcome = try scene.install()
        #expect(outcome.output == "Installed items 2, whole.\n", "\(outcome)")
        #expect(outcome.errors.contains("the delta ends within a change"), "\(outcome)")
        try scene.isSound()
    }

    /// What programs have written to a store that was installed for it goes only by force.
    @Test(arguments: [
        "INSERT INTO Kind (\"select\") VALUES ('program')", "UPDATE Item SET name = 'program' WHERE id = 3",
        "DELETE FROM Item_friends", "ALTER TABLE Item ADD COLUMN own TEXT", "CREATE VIEW own AS SELECT 1",
    ])
    func whatProgramsHaveWritten(sql: String) throws {
        try scene.publish(1...1)
        try scene.installs(["--writable"])
        _ = try Database(scene.installed).rows(sql)
        #expect(try scene.install(["--writable"]).output == "items 1 is installed already.\n")
        try scene.publish(2...2)
        for more in [["--writable"], []] {
            let outcome = try scene.install(more)
            #expect(outcome.status == 78 && outcome.errors.contains("runs or programs have written"), "\(outcome)")
            #expect(scene.version == 1)
        }
        try scene.installs(["--writable", "--force"])
        #expect(scene.version == 2)
        // Nothing has been written to this one.
        try scene.publish(3...3)
        try scene.installs(["--writable"])
        #expect(scene.version == 3)
    }
}
