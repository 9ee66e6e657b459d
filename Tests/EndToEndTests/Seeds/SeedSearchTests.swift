import Foundation
import Testing

/// What finds objects in a seed is right after each version, and grows a delta by nothing but what changed.
@Suite struct SeedSearchTests {
    private func scene(search: Bool = true) throws -> SeedScene {
        let scene = try SeedScene()
        try scene.define(more: #", "y": { "type": "real", "from": "id" }, "x": { "type": "real", "from": "id" }"#)
        if search { try define(scene, #""search": { "fields": "name" }, "near": ["y", "x"],"#) }
        return scene
    }

    private func define(_ scene: SeedScene, _ keys: String) throws {
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc",
            text.replacing(#""records": "$.items[*]","#, with: #""records": "$.items[*]", \#(keys)"#))
    }

    private func check(_ path: String, _ version: Int, location: SourceLocation = #_sourceLocation) throws {
        let copy = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/copy.sqlite"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        defer {
            for end in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: copy + end) }
        }
        let database = try Database(copy)
        #expect(try database.isSound(), sourceLocation: location)
        let found = "SELECT rowid FROM sluice_Item_search WHERE sluice_Item_search MATCH 'v\(version)* of' ORDER BY 1"
        let naive = "SELECT objectID FROM Item WHERE name LIKE 'v\(version)%' ORDER BY 1"
        #expect(try database.rows(found) == database.rows(naive), sourceLocation: location)
        #expect(try !database.rows(naive).isEmpty, sourceLocation: location)
    }

    @Test func versions() throws {
        let scene = try scene()
        for version in 1...3 {
            try scene.publish(version...version, count: 2000)
            let text = try scene.installs()
            if version > 1 { #expect(text.contains("delta"), "\(text)") }
            try check(scene.installed, version)
        }
        let verified = try Sluice.run(["seed", "verify", scene.manifest])
        #expect(verified.status == 0, "\(verified)")
        #expect(try scene.build().output == "Nothing new since version 3.\n")
        // The same content, found otherwise, is news.
        try scene.define(more: #", "y": { "type": "real", "from": "id" }, "x": { "type": "real", "from": "id" }"#)
        try define(scene, #""search": { "fields": "name", "prefix": [] },"#)
        try scene.load(3, count: 2000)
        #expect(try scene.build().output.hasPrefix("items 4: "))
        try scene.installs()
        try check(scene.installed, 3)
        #expect(try Database(scene.folder.file("store.sqlite")).isSound())
    }

    /// A delta is as large as without.
    @Test func deltasDoNotGrow() throws {
        let sizes = try [true, false].map { isSearched in
            let scene = try scene(search: isSearched)
            try scene.publish(1...2, count: 2000)
            let delta = scene.seeds + "/items-1-2.delta.zst"
            return try #require(try FileManager.default.attributesOfItem(atPath: delta)[.size] as? Int)
        }
        #expect(sizes[0] < sizes[1] + 200, "\(sizes)")
    }

    /// Who may write to what is installed finds what is written.
    @Test func writable() throws {
        let scene = try scene()
        try scene.publish(1...1)
        #expect(try scene.install(["--writable"]).status == 0)
        let database = try Database(scene.installed)
        try database.execute("UPDATE Item SET name = 'v1 of a program' WHERE id = 7")
        try check(scene.installed, 1)
        try database.execute("UPDATE Item SET name = 'one of 7' WHERE id = 7")
        try scene.publish(2...2)
        // Its own triggers are nobody's doing.
        #expect(try scene.install(["--writable"]).status == 0)
        try check(scene.installed, 2)
    }

    /// What acts in another way than its own triggers do is refused.
    @Test func strangers() throws {
        for statement in [
            "CREATE TRIGGER sluice_search_other AFTER INSERT ON Item BEGIN DELETE FROM Kind; END",
            "DROP TRIGGER sluice_search_insert_Item; CREATE TRIGGER sluice_search_insert_Item AFTER INSERT ON Item BEGIN DELETE FROM Kind; END",
            "CREATE VIRTUAL TABLE sluice_Kind_search USING fts5(a)",
        ] {
            let scene = try scene()
            try scene.publish(1...1)
            try scene.installs()
            let path = scene.installed
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            do {
                let database = try Database(path)
                try database.execute(statement)
            }
            let outcome = try Sluice.run(["seed", "verify", path])
            #expect(outcome.status == 65 && outcome.errors.contains("a seed has tables and indexes only"), "\(outcome)")
        }
    }
}
