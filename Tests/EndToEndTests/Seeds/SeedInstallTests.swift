import Foundation
import Testing

/// Seeds as they are installed from a folder, whatever stands in their place.
@Suite struct SeedInstallTests {
    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// Sets the bytes at a place of the store that is installed.
    private func poke(_ scene: SeedScene, _ offset: UInt64, _ bytes: [UInt8]) throws {
        unsafe chmod(scene.installed, 0o600)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: scene.installed))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    @Test func wholeThenDeltasThenNothing() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        #expect(try scene.installs() == "Installed items 1, whole.\n")
        #expect(try mode(scene.installed) == 0o440)
        try scene.publish(2...4)
        #expect(try scene.installs() == "Installed items 4, by the delta from version 1.\n")
        #expect(try mode(scene.installed) == 0o440)
        let expected = try Database(scene.store).contents()
        #expect(try Database(scene.installed).contents() == expected)
        // From then on, nothing is written, not even beside it.
        let state = scene.state
        #expect(try scene.installs() == "items 4 is installed already.\n")
        #expect(scene.state == state)
        #expect(try scene.installs(from: scene.seeds) == "items 4 is installed already.\n")
        #expect(scene.state == state)
        try scene.publish(5...5)
        #expect(try scene.installs(["--whole"]) == "Installed items 5, whole.\n")
        // In a folder that nobody may write to, there is nothing to do, either.
        unsafe chmod(scene.place, 0o555)
        unsafe chmod(scene.folder.path, 0o755)
        let words = ["seed", "install", scene.manifest, "--store", scene.installed]
        if OtherUserTests.isRoot {
            unsafe chmod(scene.installed, 0o444)
            let again = try Sluice.run(words, through: OtherUserTests.asNobody)
            #expect(again.status == 0 && again.output.contains("already"), "\(again)")
            try scene.publish(6...6)
            let next = try Sluice.run(words, through: OtherUserTests.asNobody)
            #expect(next.status == 73, "\(next)")
            #expect(scene.version == 5 && scene.names == ["app.sqlite"])
        }
        unsafe chmod(scene.place, 0o755)
    }

    /// Objects that swap what identifies them, chains and cycles of references, objects that go and come.
    @Test func swappedIdentifiers() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs()
        let store = try Database(scene.store)
        for sql in [
            "UPDATE Item SET id = -1 WHERE id = 7", "UPDATE Item SET id = 7 WHERE id = 8",
            "UPDATE Item SET id = 8 WHERE id = -1", "UPDATE Item SET parent = 10 WHERE objectID = 9",
            "UPDATE Item SET parent = 9 WHERE objectID = 10", "DELETE FROM Item_friends WHERE source = 20",
        ] { _ = try store.rows(sql) }
        try scene.build()
        #expect(try scene.installs() == "Installed items 2, by the delta from version 1.\n")
        #expect(try Database(scene.installed).rows("SELECT name FROM Item WHERE id = 7") == [["one of 8"]])
        let indexes = "SELECT sql FROM sqlite_schema WHERE type = 'index' ORDER BY name"
        #expect(try Database(scene.installed).rows(indexes) == store.rows(indexes))
    }

    // MARK: What stands in its place

    enum Before: CaseIterable {
        case emptyFile, walOfAnother, hotJournal, damagedHeader, damagedPages, shortened, inWAL, leftInWAL
    }

    /// Whatever has become of the old store and of what lay beside it, the new one is whole, and alone.
    @Test(arguments: Before.allCases) func whatBecameOfTheOldOne(before: Before) throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs()
        var more: [String] = []
        switch before {
        case .emptyFile:
            unsafe chmod(scene.installed, 0o600)
            unsafe truncate(scene.installed, 0)
        case .walOfAnother:
            // As a shell script leaves it: the log of a file that is gone.
            let other = scene.folder.file("other.sqlite")
            try FileManager.default.copyItem(atPath: scene.installed, toPath: other)
            unsafe chmod(other, 0o600)
            let writer = try Database(other)
            _ = try writer.rows("PRAGMA journal_mode = WAL")
            _ = try writer.rows("UPDATE Item SET name = 'of the other file'")
            try FileManager.default.copyItem(atPath: other + "-wal", toPath: scene.installed + "-wal")
        case .hotJournal:
            try leaveJournal(scene)
        case .damagedHeader:
            try poke(scene, 0, Array("no database".utf8))
            more = ["--force"]
        case .damagedPages:
            for page in [1, 2, 3, 4] { try poke(scene, UInt64(page * 4096), [UInt8](repeating: 0xee, count: 4096)) }
            try poke(scene, 100, [UInt8](repeating: 0xee, count: 900))
        case .shortened:
            unsafe chmod(scene.installed, 0o600)
            unsafe truncate(scene.installed, 4096)
        case .inWAL:
            unsafe chmod(scene.installed, 0o600)
            _ = try Database(scene.installed).rows("PRAGMA journal_mode = WAL")
        case .leftInWAL:
            try leaveLog(scene)
        }
        try scene.publish(2...2)
        if before == .damagedHeader {
            let refused = try scene.install()
            #expect(refused.status == 78 && refused.errors.contains("is no SQLite database"), "\(refused)")
        }
        try scene.installs(more)
        #expect(scene.version == 2)
        #expect(try Database(scene.installed).contents() == Database(scene.store).contents())
    }

    /// A program that died while it wrote: the next program that opens the store must roll back what it changed.
    private func leaveJournal(_ scene: SeedScene) throws {
        unsafe chmod(scene.installed, 0o600)
        let script = """
            import os, sqlite3
            store = sqlite3.connect('\(scene.installed)', isolation_level=None)
            store.execute('PRAGMA cache_size = 1')
            store.execute('PRAGMA cache_spill = 1')
            store.execute('BEGIN')
            store.execute("UPDATE Item SET name = 'half ' || hex(randomblob(500))")
            os.kill(os.getpid(), 9)
            """
        #expect(try Shell.run(["python3", "-c", script]) != 0)
        let size = try FileManager.default.attributesOfItem(atPath: scene.installed + "-journal")[.size] as? Int
        #expect((size ?? 0) > 512)
    }

    private func leaveLog(_ scene: SeedScene) throws {
        unsafe chmod(scene.installed, 0o600)
        let script = """
            import os, sqlite3
            store = sqlite3.connect('\(scene.installed)', isolation_level=None)
            store.execute('PRAGMA journal_mode = WAL')
            store.execute("UPDATE Item SET name = 'in the log'")
            os.kill(os.getpid(), 9)
            """
        #expect(try Shell.run(["python3", "-c", script]) != 0)
        #expect(scene.names == ["app.sqlite", "app.sqlite-shm", "app.sqlite-wal"])
    }

    /// A program that has the store open in WAL mode would go on with a log whose store is another.
    @Test func aProgramThatHasItOpenInWAL() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs(["--writable"])
        var program: Database? = try Database(scene.installed)
        _ = try program?.rows("PRAGMA journal_mode = WAL")
        #expect(try program?.integer("SELECT count(*) FROM Item") == 200)
        try scene.publish(2...2)
        let outcome = try scene.install(["--writable"])
        #expect(outcome.status == 75 && outcome.errors.contains("has the store"), "\(outcome)")
        #expect(try program?.rows("SELECT version FROM sluice_seed") == [["1"]])
        #expect(scene.names == ["app.sqlite", "app.sqlite-shm", "app.sqlite-wal"])
        program = nil
        try scene.installs(["--writable"])
        #expect(scene.version == 2)
    }

    /// Who has it open as programs do keeps the old one, whole, and sees the new one after opening it again.
    @Test func aProgramThatReads() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs()
        let script = """
            import sqlite3, sys
            uri = 'file:\(scene.installed)?' + sys.argv[1]
            old = sqlite3.connect(uri, uri=True)
            print(old.execute('SELECT version FROM sluice_seed').fetchone()[0], flush=True)
            sys.stdin.readline()
            print(old.execute('SELECT version FROM sluice_seed').fetchone()[0], old.execute('PRAGMA integrity_check').fetchone()[0])
            print(sqlite3.connect(uri, uri=True).execute('SELECT version FROM sluice_seed').fetchone()[0])
            """
        for (version, query) in [(2, "immutable=1"), (3, "mode=ro")] {
            let process = Process()
            let (input, output) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, query]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            #expect(output.fileHandleForReading.readData(ofLength: 2) == Data("\(version - 1)\n".utf8))
            try scene.publish(version...version)
            try scene.installs()
            try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            try input.fileHandleForWriting.close()
            let rest = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(rest == "\(version - 1) ok\n\(version)\n")
        }
    }

    @Test func whatIsNotReplaced() throws {
        let scene = try SeedScene()
        try scene.publish(1...2)
        func refuses(
            _ status: Int32, _ message: String, _ more: [String] = [], _ location: SourceLocation = #_sourceLocation
        )
            throws
        {
            let before = try Data(contentsOf: URL(fileURLWithPath: scene.installed))
            let outcome = try scene.install(more)
            #expect(
                outcome.status == status && outcome.errors.contains(message), "\(outcome)", sourceLocation: location)
            #expect(try Data(contentsOf: URL(fileURLWithPath: scene.installed)) == before, sourceLocation: location)
            try scene.installs(more + ["--force"], location: location)
        }
        // Somebody's text; somebody's database; a store of runs.
        try "notes".write(toFile: scene.installed, atomically: true, encoding: .utf8)
        try refuses(78, "is no SQLite database, and is not replaced without --force")
        try FileManager.default.removeItem(atPath: scene.installed)
        #expect(try Shell.run(["sqlite3", scene.installed, "CREATE TABLE users (n)"]) == 0)
        try refuses(78, "is no seed, and is not replaced without --force")
        // What runs or programs have brought.
        try FileManager.default.removeItem(atPath: scene.installed)
        try scene.installs(["--writable"])
        #expect(try mode(scene.installed) == 0o640)
        #expect(try Sluice.run(["run", scene.definition, "--store", scene.installed, "-q"]).status == 0)
        try refuses(78, "holds what runs or programs have written to it")
        try scene.installs(["--writable"])
        _ = try Database(scene.installed).rows("CREATE TABLE notes (n)")
        #expect(try scene.install(["--writable"]).output == "items 2 is installed already.\n")
        try scene.publish(3...3)
        try refuses(78, "holds what runs or programs have written to it", ["--writable"])
        // Another seed.
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let other = try scene.folder.write(
            "other.jsonc", text.replacing("\"source\"", with: "\"name\": \"other\", \"source\""))
        #expect(try Sluice.run(["seed", "build", other, "--output", scene.seeds]).status == 0)
        let outcome = try scene.install(from: scene.seeds + "/other.seed.json")
        #expect(outcome.status == 78 && outcome.errors.contains("is the seed items, and not other"), "\(outcome)")
    }

    @Test func anOlderVersion() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try FileManager.default.copyItem(atPath: scene.seeds, toPath: scene.folder.file("old"))
        try scene.publish(2...2)
        try scene.installs()
        let old = scene.folder.file("old/items.seed.json")
        let outcome = try scene.install(from: old)
        #expect(outcome.status == 77 && outcome.errors.contains("version 1 is older than version 2"), "\(outcome)")
        #expect(scene.version == 2)
        try scene.installs(["--force"], from: old)
        #expect(scene.version == 1)
    }

    @Test func runsRefuseASeed() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs()
        let before = try Data(contentsOf: URL(fileURLWithPath: scene.installed))
        for more in [[], ["--dry-run"]] {
            let outcome = try Sluice.run(["run", scene.definition, "--store", scene.installed, "--force"] + more)
            #expect(outcome.status == 78 && outcome.errors.contains("is a seed, which no run may change"), "\(outcome)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.installed)) == before)
        #expect(scene.names == ["app.sqlite"])
        // Who may write to it goes on where the builder was: what waits is linked.
        try scene.installs(["--writable"])
        try scene.load(1)
        _ = try scene.folder.write(
            "\(SeedScene.secret).json",
            SeedScene.items(200, 1).replacing("{\"items\":[", with: "{\"items\":[{\"id\":99999,\"name\":\"late\"},"))
        let run = try Sluice.run(["run", scene.definition, "--store", scene.installed, "--format", "json"])
        #expect(run.status == 0 && run.count("Item", "created") == 1 && run.count("Item", "updated") == 1, "\(run)")
        #expect(
            try Database(scene.installed).rows(
                "SELECT p.id FROM Item i JOIN Item p ON p.objectID = i.parent WHERE i.id = 3") == [["99999"]])
    }

    @Test func whatIsRequired() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs(["--requires", scene.definition])
        let before = scene.state
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let more = try scene.folder.write(
            "more.jsonc", text.replacing("\"name\": \"text\"", with: "\"name\": \"json\""))
        try scene.publish(2...2)
        let outcome = try scene.install(["--requires", more])
        #expect(outcome.status == 78, "\(outcome)")
        #expect(outcome.errors.contains("Item.name: \"json\" is required, and the seed has \"text\""), "\(outcome)")
        #expect(scene.state == before && scene.names == ["app.sqlite"])
    }

    // MARK: What is wrong with the seed

    @Test func signatures() throws {
        let scene = try SeedScene()
        for name in ["one", "two"] { try scene.makeKey(name) }
        let (one, two) = (scene.key("one", "pub"), scene.key("two", "pub"))
        func refused(_ key: String, _ message: String, _ location: SourceLocation = #_sourceLocation) throws {
            let outcome = try scene.install(["--key", key])
            #expect(outcome.status == 77 && outcome.errors.contains(message), "\(outcome)", sourceLocation: location)
            #expect(scene.names == [], sourceLocation: location)
        }
        try scene.publish(1...1)
        try refused(one, "has no signature")
        try scene.publish(2...2, "--sign", scene.folder.file("one.pem"))
        try refused(two, "is not by the key")
        try refused(scene.folder.file("one.pem"), "holds no public key")
        // As openssl has it, both ways.
        let words = ["openssl", "pkeyutl", "-rawin", "-in", scene.manifest, "-inkey"]
        #expect(try Shell.run(words + [one, "-verify", "-pubin", "-sigfile", scene.manifest + ".sig"]) == 0)
        #expect(try Sluice.run(["seed", "verify", scene.manifest, "--key", one]).status == 0)
        #expect(try Sluice.run(["seed", "verify", scene.manifest, "--key", two]).status == 77)
        try scene.installs(["--key", one])
        try FileManager.default.removeItem(atPath: scene.installed)
        #expect(
            try Shell.run(words + [scene.folder.file("two.pem"), "-sign", "-out", scene.manifest + ".sig"]) == 0)
        try scene.installs(["--key", two])
        try FileManager.default.removeItem(atPath: scene.installed)
        try scene.change("items.seed.json") { $0.append(0x20) }
        try refused(two, "is not by the key")
        let bad = try Sluice.run(["seed", "build", scene.definition, "--output", scene.seeds, "--sign", two])
        #expect(bad.status == 77 && bad.errors.contains("holds no private key"), "\(bad)")
    }

    /// Each change of what is published is noticed before anything is replaced.
    @Test func whatWasChanged() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        let saved = scene.folder.file("saved")
        try FileManager.default.copyItem(atPath: scene.seeds, toPath: saved)
        let manifest = try String(contentsOfFile: scene.manifest, encoding: .utf8)
        let whole = try #require(scene.json()["whole"] as? [String: Any])
        let bytes = "\"expandedBytes\": \(try #require(whole["expandedBytes"] as? Int))"
        let changes: [(String, String, (SeedScene) throws -> Void)] = [
            ("SHA-256", "a byte", { try $0.change("items-1.sqlite.zst") { $0[$0.count / 2] ^= 1 } }),
            ("bytes, and the manifest names", "cut", { try $0.change("items-1.sqlite.zst") { $0.removeLast() } }),
            ("bytes, and the manifest names", "longer", { try $0.change("items-1.sqlite.zst") { $0.append(0) } }),
            (
                "expands to more", "a bomb",
                { try $0.rewrite(manifest.replacing(bytes, with: "\"expandedBytes\": 4096")) }
            ),
            (
                "cannot be expanded", "too little",
                { try $0.rewrite(manifest.replacing(bytes, with: "\"expandedBytes\": 99999999")) }
            ),
            (
                "expands to another SHA-256", "a hash",
                {
                    let hash = try #require(whole["expandedSha256"] as? String)
                    try $0.rewrite(manifest.replacing(hash, with: String(hash.reversed())))
                }
            ),
            (
                "sluice_seed says something else", "the content",
                {
                    let hash = try #require($0.json()["content"] as? String)
                    try $0.rewrite(manifest.replacing(hash, with: String(hash.reversed())))
                }
            ),
            (
                "no name of a file beside the manifest", "..",
                {
                    try $0.rewrite(
                        manifest.replacing("\"items-1.sqlite.zst\"", with: "\"../seeds/items-1.sqlite.zst\""))
                }
            ),
            ("this is no manifest", "no JSON", { try $0.rewrite("<html>") }),
        ]
        for (message, what, change) in changes {
            try FileManager.default.removeItem(atPath: scene.seeds)
            try FileManager.default.copyItem(atPath: saved, toPath: scene.seeds)
            try change(scene)
            let outcome = try scene.install()
            #expect(outcome.status == 65 && outcome.errors.contains(message), "\(what): \(outcome)")
            #expect(scene.names == [], "\(what)")
            #expect(try Sluice.run(["seed", "verify", scene.manifest]).status == 65, "\(what)")
        }
    }

    /// A seed that would act in who opens it, though all its hashes are right.
    @Test(arguments: ["CREATE TRIGGER t AFTER UPDATE ON Item BEGIN SELECT 1; END", "CREATE VIEW v AS SELECT 1"])
    func aSeedThatActs(sql: String) throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs()
        let store = scene.folder.file("bad.sqlite")
        try FileManager.default.moveItem(atPath: scene.installed, toPath: store)
        unsafe chmod(store, 0o600)
        _ = try Database(store).rows(sql)
        try scene.replaceWhole(with: store)
        let outcome = try scene.install()
        #expect(outcome.status == 65 && outcome.errors.contains("a seed has tables and indexes only"), "\(outcome)")
        #expect(scene.names == [])
    }

    /// A delta that leads elsewhere, or is not there, is no reason not to have the new version.
    @Test(arguments: ["missing", "damaged", "another's", "wrong base"]) func aDeltaThatIsOfNoUse(kind: String) throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs()
        try scene.publish(2...2)
        let delta = scene.seeds + "/items-1-2.delta.zst"
        switch kind {
        case "missing": try FileManager.default.removeItem(atPath: delta)
        case "damaged": try scene.change("items-1-2.delta.zst") { $0[$0.count / 2] ^= 1 }
        case "another's":
            let (other, old) = try (SeedScene(), scene.json())
            try other.publish(1...2, count: 50)
            let name = "/items-1-2.delta.zst"
            try FileManager.default.removeItem(atPath: scene.seeds + name)
            try FileManager.default.copyItem(atPath: other.seeds + name, toPath: scene.seeds + name)
            try scene.replaceDelta(try #require((other.json()["deltas"] as? [[String: Any]])?.first), old)
        default:
            // Somebody wrote to what is installed.
            unsafe chmod(scene.installed, 0o600)
            _ = try Database(scene.installed).rows("UPDATE Item SET price = '0.00' WHERE id = 3")
            unsafe chmod(scene.installed, 0o440)
        }
        let outcome = try scene.install()
        #expect(outcome.status == 0 && outcome.output == "Installed items 2, whole.\n", "\(outcome)")
        #expect(outcome.errors.contains("the delta from version 1 is of no use"), "\(outcome)")
        try scene.isSound()
        #expect(scene.names == ["app.sqlite"])
    }

    @Test func verifyNoticesWhatWasChanged() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try scene.installs()
        unsafe chmod(scene.installed, 0o600)
        _ = try Database(scene.installed).rows("UPDATE Item SET name = 'x' WHERE id = 3")
        let outcome = try Sluice.run(["seed", "verify", scene.installed])
        #expect(outcome.status == 65 && outcome.errors.contains("the content is not that of version 1"), "\(outcome)")
        #expect(try Sluice.run(["seed", "verify", scene.store]).status == 78)
    }

    /// A name that is a link stays one; odd names work.
    @Test func namesOfStores() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        try FileManager.default.createSymbolicLink(
            atPath: scene.folder.file("link"), withDestinationPath: scene.installed)
        let words = ["seed", "install", scene.manifest, "--store"]
        #expect(try Sluice.run(words + [scene.folder.file("link")]).status == 0)
        #expect(scene.names == ["app.sqlite"] && scene.version == 1)
        for name in ["file:x?mode=ro", "ä b'\"c"] {
            #expect(try Sluice.run(words + [name], folder: scene.place).status == 0)
            #expect(try Sluice.run(words + [name], folder: scene.place).output.contains("already"))
            #expect(try Sluice.run(["seed", "verify", "./" + name], folder: scene.place).status == 0)
        }
        #expect(scene.names.count == 3)
    }
}

extension SeedScene {
    func rewrite(_ text: String) throws { try text.write(toFile: manifest, atomically: true, encoding: .utf8) }

    /// Publishes another file as version 1, with right hashes.
    func replaceWhole(with store: String) throws {
        let file = seeds + "/items-1.sqlite.zst"
        let before = try #require(json()["whole"] as? [String: Any])
        #expect(try Shell.run(["zstd", "-qf", store, "-o", file]) == 0)
        var text = try String(contentsOfFile: manifest, encoding: .utf8)
        for (key, path) in [("bytes", file), ("expandedBytes", store)] {
            let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            text = text.replacing("\"\(key)\": \(before[key] ?? "")", with: "\"\(key)\": \(size)")
        }
        for (key, path) in [("sha256", file), ("expandedSha256", store)] {
            let hash = String(decoding: try Shell.output(["sha256sum", path]).prefix(64), as: UTF8.self)
            text = text.replacing("\(before[key] ?? "")", with: hash)
        }
        try rewrite(text)
    }

    /// Names another delta in the manifest.
    func replaceDelta(_ delta: [String: Any], _ old: [String: Any]) throws {
        var text = try String(contentsOfFile: manifest, encoding: .utf8)
        let before = try #require((json()["deltas"] as? [[String: Any]])?.first)
        for key in ["bytes", "sha256", "expandedBytes"] {
            let parts = text.components(separatedBy: "\"deltas\"")
            // With its key: a number may stand elsewhere, too, as 256 in "sha256".
            func member(_ value: Any?) -> String {
                let text = value as? String
                return "\"\(key)\": " + (text.map { "\"\($0)\"" } ?? "\(value ?? "")")
            }
            let new = parts[1].replacing(member(before[key]), with: member(delta[key]))
            text = parts[0] + "\"deltas\"" + new
        }
        try rewrite(text)
    }
}
