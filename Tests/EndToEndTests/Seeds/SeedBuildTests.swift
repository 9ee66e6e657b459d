import Foundation
import Testing

/// Seeds as they are built: what is in the folder, and what is not.
@Suite struct SeedBuildTests {
    @Test func versionsAndDeltas() throws {
        let scene = try SeedScene()
        try scene.publish(1...3)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.seeds).sorted()
        let model = try #require(scene.json()["model"] as? String)
        #expect(
            names == [
                "items-1-2.delta.zst", "items-1-3.delta.zst", "items-1.sqlite.zst", "items-2-3.delta.zst",
                "items-2.sqlite.zst", "items-3.sqlite.zst", "items.\(model.prefix(8)).seed.json", "items.seed.json",
            ])
        let manifest = try scene.json()
        #expect(manifest["version"] as? Int == 3 && manifest["name"] as? String == "items")
        let deltas = try #require(manifest["deltas"] as? [[String: Any]])
        #expect(deltas.map { $0["from"] as? Int } == [2, 1])
        let entities = try #require(manifest["entities"] as? [String: [String: Any]])
        #expect(entities["Item"]?["objects"] as? Int == 200 && entities["Kind"]?["objects"] as? Int == 3)
        let outcome = try Sluice.run(["seed", "verify", scene.manifest])
        #expect(outcome.output == "items 3 is sound: 203 objects, 2 deltas.\n", "\(outcome)")
        let list = try Sluice.run(["seed", "list", scene.seeds]).output
        #expect(list.contains("items 3  ") && list.contains("  from 2   ") && list.contains("203 objects"), "\(list)")
        let lines = try Sluice.run(["seed", "list", scene.seeds, "--format", "json"]).output.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    /// References that begin to wait are news: who goes on importing has them linked.
    @Test func whatWaitsIsNews() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "records": 0 }, "entities": {
              "T": { "records": "$.t[*]", "identifier": "id", "attributes": { "id": "integer" } },
              "P": { "records": "$.p[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "t": { "to": "T" } } } } }
            """)
        let (seeds, client) = (folder.file("seeds"), folder.file("client.sqlite"))
        func sluice(_ words: String...) throws -> String {
            let outcome = try Sluice.run(words)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        func build(_ feed: String) throws -> String {
            _ = try folder.write("f.json", feed)
            _ = try sluice("run", definition, "-q")
            return try sluice("seed", "build", definition, "--output", seeds)
        }
        #expect(try build(#"{ "t": [{ "id": 1 }], "p": [{ "id": 1, "t": null }] }"#).hasPrefix("p 1: "))
        _ = try sluice("seed", "install", seeds, "--store", client, "--writable")
        #expect(try build(#"{ "t": [{ "id": 1 }], "p": [{ "id": 1, "t": 5 }] }"#).hasPrefix("p 2: "))
        #expect(try build(#"{ "t": [{ "id": 1 }], "p": [{ "id": 1, "t": 5 }] }"#).hasPrefix("Nothing new"))
        _ = try sluice("seed", "install", seeds, "--store", client, "--writable")
        _ = try folder.write("f.json", #"{ "t": [{ "id": 5 }], "p": [] }"#)
        _ = try sluice("run", definition, "--store", client)
        #expect(try Database(client).rows("SELECT T.id FROM P JOIN T ON T.objectID = P.t") == [["5"]])
    }

    /// Where content and model are those of the newest, nothing is written, however the store was made.
    @Test func nothingNew() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        let before = try Data(contentsOf: URL(fileURLWithPath: scene.manifest))
        try scene.load(1)
        #expect(try scene.build().output == "Nothing new since version 1.\n")
        try scene.folder.remove("store.sqlite")
        for ending in ["-wal", "-shm"] { try scene.folder.remove("store.sqlite" + ending) }
        try scene.load(1)
        #expect(try scene.build("--level", "1").output == "Nothing new since version 1.\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.manifest)) == before)
        // Another model with the same content is news.
        try scene.define(more: #", "size": "real""#)
        try scene.load(1)
        #expect(try scene.build().output.hasPrefix("items 2: "))
    }

    /// Two builds of equal content are equal to the byte, however the stores came to it.
    @Test func equalContentGivesEqualBytes() throws {
        let environment = ["SOURCE_DATE_EPOCH": "1763690400"]
        let scene = try SeedScene()
        try scene.load(1)
        func build(_ name: String) throws -> [String: Data] {
            let folder = scene.folder.file(name)
            let outcome = try Sluice.run(
                ["seed", "build", scene.definition, "--output", folder], environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            var files: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                files[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            }
            return files
        }
        let one = try build("one")
        // The same content after a detour, with views, and indexes of others that were dropped again.
        let database = try Database(scene.store)
        _ = try database.rows("CREATE INDEX others ON Item (name)")
        _ = try database.rows("DROP INDEX others")
        _ = try database.rows("CREATE VIEW own AS SELECT 1")
        try scene.load(2)
        try scene.load(1)
        let two = try build("two")
        #expect(one.count == 3 && one == two, "\(one.keys.filter { one[$0] != two[$0] })")
        #expect(
            try scene.json(scene.folder.file("one/items.seed.json"))["created"] as? String == "2025-11-21T02:00:00Z")
    }

    /// What the definition has lost stays in the store, and so does what somebody has added to a table.
    @Test func whatIsLostIsNotPublished() throws {
        let scene = try SeedScene()
        try scene.define(more: #", "lost": { "type": "text", "from": "name", "index": true }"#)
        let whole = try String(contentsOfFile: scene.definition, encoding: .utf8)
        let later = #"""
            "entities": {
              "Gone": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "like": { "to": "Item", "from": "parent", "many": true } } },
            """#
        let more = #"""
            "relationships": { "boss": { "to": "Item", "from": "parent" },
              "mates": { "to": "Item", "many": true, "from": "friends[*]" },
            """#
        _ = try scene.folder.write(
            "items.jsonc",
            whole.replacing(#""entities": {"#, with: later).replacing(
                try Regex(#""relationships": \{\s*"parent""#), with: more + "\n\"parent\""))
        try scene.load(1)
        let first = try scene.build()
        #expect(first.status == 0 && !first.errors.contains("left out"), "\(first.errors)")
        try scene.define()
        try scene.load(2)
        let database = try Database(scene.store)
        _ = try database.rows("ALTER TABLE Item ADD COLUMN stranger TEXT NOT NULL DEFAULT 'somebody''s'")
        _ = try database.rows("CREATE INDEX strangers ON Item (stranger, name)")
        let second = try scene.build()
        #expect(second.status == 0, "\(second.errors)")
        for name in ["Gone", "Gone_like", "Item_mates", "Item.lost", "Item.boss", "Item.stranger"] {
            #expect(second.errors.contains(name), "\(name): \(second.errors)")
        }
        try scene.installs()
        let installed = try Database(scene.installed)
        let tables = try installed.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map {
            $0[0]
        }
        #expect(!tables.contains { $0.contains("Gone") || $0.contains("mates") }, "\(tables)")
        let columns = try installed.rows("SELECT name FROM pragma_table_info('Item')").map { $0[0] }
        #expect(columns == ["objectID", "id", "name", "price", "parent", "any", "any_entity"])
        #expect(try installed.rows("SELECT 1 FROM sluice_model WHERE entity = 'Gone'").isEmpty)
        #expect(try installed.rows("SELECT DISTINCT relationship FROM sluice_unresolved") == [["parent"]])
        #expect(try database.integer("SELECT count(*) FROM Item WHERE lost IS NOT NULL AND boss IS NOT NULL") > 0)
    }

    /// Where feeds are, what was rejected, who ran it: nobody learns it from a seed.
    @Test func nothingLeaks() throws {
        let scene = try SeedScene(#""archive": { "directory": "arc-s3cr3t" }, "findings": "find-s3cr3t","#)
        try scene.load(1)
        let database = try Database(scene.store)
        _ = try database.rows("CREATE TABLE notes (n TEXT)")
        _ = try database.rows("INSERT INTO notes VALUES ('\(SeedScene.secret) of somebody')")
        _ = try database.rows("CREATE TRIGGER acts AFTER UPDATE ON Item BEGIN SELECT '\(SeedScene.secret)'; END")
        #expect(try database.integer("SELECT count(*) FROM sluice_run") == 1)
        let outcome = try scene.build()
        #expect(outcome.errors.contains("left out, as no definition has it: notes"), "\(outcome.errors)")
        try scene.installs()
        let seed = try Data(contentsOf: URL(fileURLWithPath: scene.installed))
        for secret in ["s3cr3t", scene.folder.path, "$.items", "rejected", "sluice_run", "sluice_fetch"] {
            #expect(seed.range(of: Data(secret.utf8)) == nil, "\(secret)")
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: scene.seeds) where name.hasSuffix(".json") {
            let text = try String(contentsOfFile: scene.seeds + "/" + name, encoding: .utf8)
            #expect(!text.contains("s3cr3t") && !text.contains(scene.folder.path))
        }
        // What waits for its target is there, for who goes on importing, without its place.
        let installed = try Database(scene.installed)
        #expect(
            try installed.rows("SELECT entity, relationship, value, run, source, line, path FROM sluice_unresolved")
                == [["Item", "parent", "99999", "0", "∅", "∅", "∅"]])
        #expect(try installed.rows("SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger')") == [])
        let unresolved = try Sluice.run(["unresolved", scene.definition, "--store", scene.installed])
        #expect(unresolved.status == 0 && unresolved.output.contains("99999"), "\(unresolved)")
    }

    @Test func keepSaysHowManyStay() throws {
        let scene = try SeedScene(#""seed": { "directory": "seeds", "keep": 2, "level": 1 },"#)
        for version in 1...5 {
            try scene.load(version)
            #expect(try Sluice.run(["seed", "build", scene.definition]).output.hasPrefix("items \(version): "))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.seeds).sorted()
        #expect(
            names.filter { $0.hasSuffix(".zst") } == [
                "items-1-3.delta.zst", "items-2-3.delta.zst", "items-2-4.delta.zst", "items-3-4.delta.zst",
                "items-3-5.delta.zst", "items-3.sqlite.zst", "items-4-5.delta.zst", "items-4.sqlite.zst",
                "items-5.sqlite.zst",
            ])
        #expect((try scene.json()["deltas"] as? [[String: Any]])?.count == 2)
    }

    /// Each delta is tried with a file of its own, which is closed before the next.
    @Test func manyDeltasNeedNoMoreFiles() throws {
        let scene = try SeedScene()
        try scene.publish(1...12, count: 20, "--keep", "12")
        let few = ["/bin/bash", "-c", #"ulimit -n 16 && exec "$@""#, "bash"]
        let outcome = try Sluice.run(["seed", "verify", scene.manifest], through: few)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// The newest seed of an earlier model stays, with its files, for programs that need it.
    @Test func anEarlierModelStays() throws {
        let scene = try SeedScene()
        try scene.publish(1...2, "--keep", "1")
        let old = try #require(scene.json()["model"] as? String)
        let before = scene.folder.file("before.jsonc")
        try FileManager.default.copyItem(atPath: scene.definition, toPath: before)
        try scene.define(name: "json")
        try scene.folder.remove("store.sqlite")
        for ending in ["-wal", "-shm"] { try scene.folder.remove("store.sqlite" + ending) }
        for version in 3...5 {
            _ = try scene.folder.write(
                "\(SeedScene.secret).json", #"{"items":[{"id":\#(version),"name":[\#(version)]}],"kinds":[]}"#)
            #expect(try Sluice.run(["run", scene.definition, "-q"]).status == 0)
            try scene.build("--keep", "1")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.seeds)
        #expect(names.contains("items-2.sqlite.zst") && names.contains("items-1-2.delta.zst"))
        #expect(!names.contains("items-1.sqlite.zst") && !names.contains("items-3.sqlite.zst"))
        #expect(try scene.json(scene.seeds + "/items.\(old.prefix(8)).seed.json")["version"] as? Int == 2)
        // Who needs the earlier one gets it.
        let outcome = try scene.install(["--requires", before])
        #expect(outcome.status == 0 && scene.version == 2, "\(outcome)")
        #expect(outcome.errors.contains("the newest that fits is version 2"))
        #expect(try Sluice.run(["seed", "verify", scene.manifest]).status == 0)
    }

    @Test func aStoreThatIsMadeAnewEachTime() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        for ending in ["", "-wal", "-shm"] { try scene.folder.remove("store.sqlite" + ending) }
        var items = try String(contentsOfFile: scene.folder.file("\(SeedScene.secret).json"), encoding: .utf8)
        items = items.replacing("{\"items\":[", with: "{\"items\":[{\"id\":-2},{\"id\":-1},")
        _ = try scene.folder.write("\(SeedScene.secret).json", items)
        #expect(try Sluice.run(["run", scene.definition, "-q"]).status == 0)
        let outcome = try scene.build()
        #expect(outcome.output.hasPrefix("items 2: "))
        #expect(outcome.errors.contains("build seeds from a store that is kept from run to run"), "\(outcome.errors)")
    }

    /// A build that died has left parts of files; the next one clears them, and nobody has seen them.
    @Test func whatADeadBuildHasLeft() throws {
        let scene = try SeedScene()
        try scene.publish(1...1)
        for name in ["items-2.sqlite.zst.sluice-part", ".items.snapshot.sluice-work", "items-2.sqlite.zst"] {
            _ = try scene.folder.write("seeds/" + name, "half")
        }
        _ = try scene.folder.write("seeds/others-2.sqlite.zst.sluice-part", "another's")
        try scene.publish(2...2)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.seeds)
        #expect(names.filter { $0.hasSuffix("-part") || $0.hasSuffix("-work") } == ["others-2.sqlite.zst.sluice-part"])
        #expect(try Sluice.run(["seed", "verify", scene.manifest]).status == 0)
    }

    @Test func mistakes() throws {
        let scene = try SeedScene()
        func fails(_ status: Int32, _ message: String, _ words: String...) throws {
            let outcome = try Sluice.run(["seed"] + words)
            #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome)")
        }
        try fails(64, "what to do is missing")
        try fails(64, "did you mean build?", "biuld", "x")
        try fails(64, "PIPELINE is missing", "build")
        try fails(64, "--whole is not for `seed build`", "build", "x", "--whole")
        try fails(64, "--store FILE is missing", "install", "x")
        try fails(64, "--level takes a whole number from 1 to 19", "build", scene.definition, "--level", "20")
        try fails(78, "nothing says where the seed goes", "build", scene.definition)
        try fails(66, "does not exist: run the pipeline first", "build", scene.definition, "--output", scene.seeds)
        try fails(66, "does not exist", "list", scene.folder.file("none"))
        try fails(66, "does not exist", "verify", scene.folder.file("none"))
        try fails(66, "does not exist", "install", scene.folder.file("none"), "--store", scene.installed)
        _ = try scene.folder.write(
            "odd.jsonc",
            String(contentsOfFile: scene.definition, encoding: .utf8).replacing(
                "\"source\"", with: "\"name\": \"../x\", \"source\""))
        try scene.load(1)
        try fails(78, "cannot be the name of a seed", "build", scene.folder.file("odd.jsonc"), "--output", scene.seeds)
        #expect(scene.names == [])
    }

    /// While a run goes on in another process, a seed of the state before it is built.
    @Test func readersAndRunsGoOn() throws {
        let scene = try SeedScene()
        try scene.load(1)
        let writer = try Database(scene.store)
        _ = try writer.rows("BEGIN IMMEDIATE")
        _ = try writer.rows("UPDATE Item SET name = 'not saved'")
        #expect(try scene.build().output.hasPrefix("items 1: 203 objects"))
        _ = try writer.rows("ROLLBACK")
        try scene.installs()
        #expect(try Database(scene.installed).integer("SELECT count(*) FROM Item WHERE name = 'not saved'") == 0)
    }
}
